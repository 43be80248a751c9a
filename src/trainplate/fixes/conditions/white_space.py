"""Joins the texts around a tag that goes, so that what remains prints the same."""

from collections.abc import Iterator, Sequence
from functools import reduce

from trainplate.errors import SyntaxFault
from trainplate.syntax import Kind, segments


def fitted(left: str, texts: Sequence[str], right: str, printed: str) -> str | None:
    """Return a text that prints `printed` between the two tags, made from the texts that stood between them.

    Lines that held nothing but the tag go with it; all other white space stays as it is, wherever that prints the
    same. None where no text does: the tags' own signs would have to change.
    """
    ways = candidates(texts, printed, at_start=not left)
    return next((text for text in ways if printed_between(left, text, right) == printed), None)


def candidates(texts: Sequence[str], printed: str, *, at_start: bool) -> Iterator[str]:
    """Yield ways to join the texts, the most natural first."""
    if at_start:
        yield reduce(without_empty_line, ["\n", *texts]).removeprefix("\n")
    yield reduce(without_empty_line, texts)
    yield "".join(texts)
    yield reduce(lambda above, below: above.rstrip(" \t") + below, texts)
    yield reduce(lambda above, below: above.rstrip() + below, texts)
    yield reduce(lambda above, below: above + below.lstrip(), texts)
    yield reduce(lambda above, below: above.rstrip() + below.lstrip(), texts)
    yield printed
    yield f"\n{printed}"


def without_empty_line(above: str, below: str) -> str:
    """Join two texts between which a tag stood, without the line that it had for itself."""
    start = above.rfind("\n") + 1
    if not start or above[start:].strip() or "\n" not in below:
        return above + below
    first, rest = below.split("\n", 1)
    return above + below if first.strip() else above[:start] + rest


def printed_between(left: str, text: str, right: str) -> str | None:
    """Return what a text prints between two tags; an empty tag is the start or the end of the file.

    None where the text and the tags run together and mean something else.
    """
    try:
        pieces = segments(left + text + right)
    except SyntaxFault:
        return None
    inner = pieces[1 if left else 0 : len(pieces) - 1 if right else len(pieces)]
    if any(piece.kind is not Kind.TEXT for piece in inner):
        return None
    if (left and pieces[0].end != len(left)) or (right and len(left + text) != pieces[-1].start):
        return None
    return "".join(piece.printed for piece in inner)
