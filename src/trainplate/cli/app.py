"""The commands put together, and what their exit codes say."""

import os
import sys
from typing import Annotated

import typer

from trainplate import __version__
from trainplate.cli.audit import audit
from trainplate.cli.data import data
from trainplate.cli.demo import demo
from trainplate.cli.diff import diff
from trainplate.cli.explain import explain
from trainplate.cli.patch import patch
from trainplate.cli.show import show
from trainplate.cli.terminal import errors, tell, width_of, wrapped
from trainplate.errors import LimitExceeded, Refusal, TrainplateError

EXIT_CODES = "Exit code 0: done, 1: refused or findings, 2: could not run."

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in (demo, audit, patch, diff, show, data, explain):
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

    SOURCE is a .jinja file, a tokenizer_config.json, a chat_template.json, a model folder, trl:NAME (an original in
    the installed trl), or a Hub id.
    """


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; no fault of the input ends in a traceback."""
    try:
        result = app(arguments, prog_name="trainplate", standalone_mode=True)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except TrainplateError as error:
        tell(errors(), wrapped(str(error), width_of(errors())))
        return 1 if isinstance(error, Refusal | LimitExceeded) else 2
    except Exception as error:
        if os.environ.get("TRAINPLATE_TRACEBACK"):
            raise
        tell(errors(), f"a fault of trainplate itself: {type(error).__name__}: {error}\n    way out   {REPORT_IT}")
        return 2
    return int(result or 0)


REPORT_IT = "report it with the template and what TRAINPLATE_TRACEBACK=1 prints"
