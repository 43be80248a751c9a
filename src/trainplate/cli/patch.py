"""`trainplate patch`: the training template itself."""

from pathlib import Path
from typing import Annotated

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import Outcome, exit_code, explain_error, patched
from trainplate.cli.terminal import errors, output, tell, width_of
from trainplate.errors import Refusal, SyntaxFault
from trainplate.loading.source import load
from trainplate.patching.strip import stripped
from trainplate.reports.difference import difference_text
from trainplate.reports.messages import block, wrapped_row
from trainplate.reports.patch_summary import summary_text
from trainplate.syntax import unified_diff
from trainplate.template import Template
from trainplate.writing import WritingError, write_text

ADDITIONAL = "additional_chat_templates"
"""Where transformers keeps the named templates beside `chat_template.jinja`."""


def patch(
    source: Source,
    out: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it here.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print what changed in place of the template.")] = False,
    strip: Annotated[bool, typer.Option("--strip", help="Take markers out instead, for servers.")] = False,
) -> None:
    """Turn a chat template into a proven training template.

    A source may hold several named templates. Each is patched; with -o, those that are not the default go into the
    folder additional_chat_templates beside FILE, where transformers looks for them.

    Servers that render with minijinja reject generation markers. With --strip, SOURCE is a training template, and what
    is printed or written is the same without them.
    """
    if strip:
        raise typer.Exit(strip_all(source, out, diff=diff))
    outcomes = patched(source)
    for outcome in outcomes:
        if outcome.patch is not None:
            written = None if out is None else write(outcome.template, outcome.patch.training_template, out)
            tell(errors(), summary_text(outcome.template.name, outcome.patch, width_of(errors()), written))
            if diff:
                tell(output(), difference_text(outcome.patch.diff()), end="")
            elif out is None:
                tell(output(), outcome.patch.training_template, end="")
    raise typer.Exit(exit_code(outcomes))


def strip_all(source: str, out: Path | None, *, diff: bool) -> int:
    """Print or write each template of a source without markers, and return the exit code."""
    outcomes = []
    for template in load(source):
        try:
            text = stripped(template)
        except (Refusal, SyntaxFault) as error:
            outcomes.append(Outcome(template, error=error))
            explain_error(template, error)
            continue
        done = "no markers to take out" if text == template.source else "taken out all markers; it prints the same"
        written = None if out is None else write(template, text, out)
        rows = [wrapped_row("written to", written, width_of(errors()))] if written else []
        tell(errors(), block((template.name, done), rows, width_of(errors())))
        if diff:
            changed = unified_diff(template.source, text, name=template.name.strip("<>").lstrip("/"))
            tell(output(), difference_text(changed), end="")
        elif out is None:
            tell(output(), text, end="")
    return exit_code(tuple(outcomes))


def write(template: Template, text: str, out: Path) -> str:
    """Write one template's text, and return where: the default goes to `out`, a named one beside it."""
    if template.variant in (None, "default"):
        write_text(out, text)
        return str(out)
    if Path(template.variant).name != template.variant:
        raise WritingError(f"{template.name}: its name cannot be a file's\n    way out   use --diff")
    path = out.parent / ADDITIONAL / f"{template.variant}.jinja"
    write_text(path, text, make_folder=True)
    return str(path)
