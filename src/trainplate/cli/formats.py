"""`trainplate formats`: formats for models that have no chat template, and the templates they make."""

import json
import textwrap
from typing import Annotated

import typer

from trainplate.cli.terminal import output, tell, width_of
from trainplate.formats import Format, format_names, format_to_json, load_format

NAMED = "A format by name, or a .toml or .json file; all by name without."
MARGIN = 12


def formats(
    name: Annotated[str | None, typer.Argument(metavar="FORMAT", help=NAMED)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data in place of the template.")] = False,
) -> None:
    """List formats for models without a template, or print one's.

    The template is ready for training: trainplate patch finds nothing to do.
    """
    if name is not None:
        found = load_format(name)
        tell(output(), format_to_json(found) if as_json else found.template, end="")
        return
    known = {key: load_format(key) for key in format_names()}
    if as_json:
        listed = {key: json.loads(format_to_json(found)) for key, found in known.items()}
        tell(output(), json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        tell(output(), "\n".join(row(key, found, width_of(output())) for key, found in known.items()))


def row(name: str, found: Format, width: int) -> str:
    """Return a format's name with what it is, and the tokens that a tokenizer must have for it."""
    lines = [name.ljust(MARGIN) + found.name, *wrapped(found.note, width)]
    if found.added_tokens:
        lines += wrapped(f"tokens: {' '.join(found.added_tokens)}", width)
    return "\n".join(lines)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines beside the names."""
    margin = " " * MARGIN
    return textwrap.wrap(
        text, width, initial_indent=margin, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
