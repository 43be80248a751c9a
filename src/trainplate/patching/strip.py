"""The way back: a training template without its markers, for servers that know no generation tag."""

from collections.abc import Iterator

from trainplate.errors import Refusal, SyntaxFault
from trainplate.fixes.strip_markers import strip_markers
from trainplate.syntax import normal_form, parse, with_line_ends_of, with_newlines
from trainplate.syntax.grammar import END_GENERATION, GENERATION
from trainplate.template import Template


def stripped(template: Template) -> str:
    """Return the template's text without generation markers; it prints what it printed before.

    That is proven by structure: the normal forms of both, markers left out, are equal. A text without markers is
    returned as it is. Raises SyntaxFault where the text is no template, and Refusal where nothing can be proven.
    """
    try:
        return without_markers(template)
    except SyntaxFault as fault:
        raise fault.in_file(template.name) from fault


def without_markers(template: Template) -> str:
    """Take the markers out; raises as `stripped` does, with places in no file."""
    source = with_newlines(template.source)
    if not markers_in(source):
        return template.source
    for text in candidates(source):
        if not markers_in(text) and normal_form(text) == normal_form(source, without_markers=True):
            return with_line_ends_of(template.source, text)
    doubt = "the markers cannot be taken out without a doubt about what is printed; only the text was compared"
    raise Refusal(doubt, check="same-turn", conversation="")


def candidates(source: str) -> Iterator[str]:
    """Yield the source without markers as it reads best, then its normal form."""
    yield from (candidate.source for candidate in strip_markers(source))
    yield normal_form(source, without_markers=True)


def markers_in(source: str) -> bool:
    """Say whether there are markers where Jinja reads them."""
    return any(segment.keyword in (GENERATION, END_GENERATION) for segment in parse(source).segments)
