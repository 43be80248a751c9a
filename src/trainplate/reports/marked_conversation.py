"""A rendered conversation with its trained text marked: in colour, or in brackets where there is none."""

from collections.abc import Iterable

from rich.text import Text

from trainplate.reports.visible_text import harmless

OPENS, CLOSES = "⟦", "⟧"
TRAINED = "bold green"

Span = tuple[int, int]


def marked_text(text: str, spans: Iterable[Span], *, coloured: bool) -> Text:
    """Return the text with each trained span in colour, or between brackets."""
    shown, position = Text(), 0
    for start, end in joined(spans):
        shown.append(harmless(text[position:start]))
        trained = harmless(text[start:end])
        shown.append(trained if coloured else f"{OPENS}{trained}{CLOSES}", style=TRAINED)
        position = end
    return shown.append(harmless(text[position:]))


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the spans with those that touch made one: two markers in a row train one piece of text."""
    whole: list[Span] = []
    for start, end in spans:
        if whole and whole[-1][1] == start:
            start = whole.pop()[0]
        whole.append((start, end))
    return whole
