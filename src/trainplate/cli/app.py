"""The commands put together, and what their exit codes say."""

from typing import Annotated

import typer

from trainplate import __version__
from trainplate.cli.audit import audit
from trainplate.cli.check import check
from trainplate.cli.data import data
from trainplate.cli.demo import demo
from trainplate.cli.diff import diff
from trainplate.cli.exit_codes import exit_code_of
from trainplate.cli.explain import explain
from trainplate.cli.families import families
from trainplate.cli.formats import formats
from trainplate.cli.identify import identify
from trainplate.cli.patch import patch
from trainplate.cli.show import show

EXIT_CODES = "Exit code 0: done, 1: refused or findings, 2: could not run."

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in (demo, audit, patch, check, diff, show, identify, families, formats, data, explain):
    app.command(epilog=EXIT_CODES)(command)


def print_version(wanted: bool) -> None:
    """Print the version and leave, where it is asked for."""
    if wanted:
        typer.echo(f"trainplate {__version__}")
        raise typer.Exit


@app.callback(no_args_is_help=True, epilog=EXIT_CODES)
def trainplate(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Take any chat template and hand back a training template that is proven, or refuse and show why.

    SOURCE is a .jinja file, a tokenizer_config.json, a chat_template.json, a .gguf file, a model folder, trl:NAME (an
    original in the installed trl), or a Hub id.
    """


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; no fault of the input ends in a traceback."""
    return exit_code_of(lambda: app(arguments, prog_name="trainplate", standalone_mode=True))
