"""`trainplate identify`: which known original a template is, or comes from."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.terminal import output, tell, width_of
from trainplate.errors import SyntaxFault
from trainplate.families.identification import Match
from trainplate.families.identification import identify as recognise
from trainplate.loading.source import load
from trainplate.reports.recognition import match_text
from trainplate.template import Template


def identify(
    source: Source,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, a list with one entry a template.")] = False,
) -> None:
    """Name the known original that a template is, or is a copy of.

    What sets a copy apart is told with it.
    The exit code is 1 where it resembles none.
    """
    found = [(template, recognised(template)) for template in load(source)]
    if as_json:
        tell(output(), json.dumps([entry(*one) for one in found], ensure_ascii=False, indent=2))
    else:
        for template, match in found:
            tell(output(), match_text(template.name, match, width_of(output())))
    raise typer.Exit(int(any(match is None for _, match in found)))


def recognised(template: Template) -> Match | None:
    """Recognise a template; a fault in it is one of the file that it came from."""
    try:
        return recognise(template)
    except SyntaxFault as fault:
        raise fault.in_file(template.name) from None


def entry(template: Template, match: Match | None) -> dict[str, Any]:
    """Return a template's name and its match as plain values."""
    return {"template": template.name, "match": None if match is None else asdict(match)}
