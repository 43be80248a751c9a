"""The known families as a list that fits the screen."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from trainplate.families.facts import Family
from trainplate.reports.visible_text import cut

UNSEEN = "its template was not seen yet"


def family_table(families: Sequence[Family], width: int) -> Text:
    """Return a line for each family: its name here, as people call it, and how many revisions are recorded."""
    column = max((len(family.family) for family in families), default=0)
    lines = [Text(cut(line, width)) for line in lines_of(families, column)]
    originals = sum(len(family.originals) for family in families)
    closing = f"{len(families)} families, {originals} originals; any other template can be patched too"
    return Text("\n").join([*lines, Text(closing, style="bold")])


def lines_of(families: Sequence[Family], column: int) -> Iterator[str]:
    """Yield the lines without colour."""
    for family in families:
        count = len(family.originals)
        known = f" ({count} revisions)" if count > 1 else "" if count else f" ({UNSEEN})"
        yield f"{family.family:<{column}}  {family.name}{known}"
