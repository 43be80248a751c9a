"""Findings, refusals and faults as people read them: the place, the law, the conversation, the texts, the way out."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.text import Text

from trainplate.errors import Refusal, SyntaxFault
from trainplate.reports.visible_text import Excerpt, cut, excerpts, harmless, in_one_line
from trainplate.verdict import AS_IT_GROWS, SAID, Finding, Labels

MARGIN, LABEL = 4, 15
LONGEST_EXCERPT = 80
MOST_LINES = 2
SPACE = "\u2423"
"""A space that can be seen."""
LONGEST_HEADING = 1000
"""A template may say whatever it likes when it declines a conversation."""
Row = tuple[str, Text]


def finding_text(place: str, finding: Finding, width: int, cure: str = "") -> Text:
    """Show one failure of a check, with its witness, the two texts that should agree, and what cures it."""
    rows = [("conversation", Text(finding.witness))] if finding.witness else []
    rows += parting_rows(finding.before, finding.after, width, finding.labels)
    rows += [wrapped_row("cured by", cure, width)] if cure else []
    return block((place, finding.check, finding.message), rows, width)


def refusal_text(place: str, refusal: Refusal, width: int) -> Text:
    """Show why a template was refused: the law in the way, the conversation, and what the best attempt says."""
    rows = [("conversation", Text(refusal.conversation))] if refusal.conversation else []
    rows += parting_rows(refusal.before, refusal.after, width, refusal.labels)
    rows.append(("way out", Text(f"trainplate explain {refusal.check}; no file was written")))
    return block((place, refusal.check, refusal.reason), rows, width)


def fault_text(place: str, fault: SyntaxFault, source: str, width: int) -> Text:
    """Show where a text stops being a template, with the line itself."""
    lines = source.splitlines()
    rows = []
    if 0 < fault.line <= len(lines):
        room = min(width, LONGEST_EXCERPT) - MARGIN - LABEL
        start = max(0, fault.column - 1 - room // 2)
        shown = in_one_line(lines[fault.line - 1][start:])[:room]
        rows.append((f"line {fault.line}", Text(shown)))
    rows.append(("way out", Text("mend the template there, then run this again")))
    return block((f"{place}:{fault.line}:{fault.column}", fault.message), rows, width)


def parting_rows(before: str, after: str, width: int, labels: Labels = AS_IT_GROWS) -> list[Row]:
    """Show two texts that should agree, side by side from a little before the place where they part.

    Two that have no start in common are shown as they begin, in two lines each; where the first is empty, the second
    alone is shown.
    """
    room = width - MARGIN - LABEL
    if before == after:
        return [("text", folded(before, room, ""))] if before else []
    first, second = excerpts(before, after, room)
    if first.same:
        rows = [(labels[0], parted(first, "red")), (labels[1], parted(second, "green"))]
        return [*rows, ("", Text(" " * cell_len(first.same) + "^ from here on", style="dim"))]
    rows = [(labels[0], folded(before, room, "red"))] if before else []
    return [*rows, (labels[1], folded(after, room, "" if labels == SAID else "green"))]


def folded(text: str, room: int, style: str) -> Text:
    """Return the beginning of a text in up to two lines; spaces at its edges are made visible."""
    inner = text.strip(" ")
    edges = (text.find(inner), len(text) - text.find(inner) - len(inner)) if inner else (len(text), 0)
    seen = cut(in_one_line(SPACE * edges[0] + inner + SPACE * edges[1]), LONGEST_HEADING)
    lines = list(broken(seen, room)) or ["(nothing)"]
    return Text(("\n" + " " * (MARGIN + LABEL)).join(lines), style)


def broken(text: str, room: int) -> Iterator[str]:
    """Yield a text in lines of so many columns, cut behind the last; it breaks at a space where one is near the end."""
    for line in range(MOST_LINES):
        fitting = cut(text, room)
        if fitting == text or line == MOST_LINES - 1:
            if text:
                yield fitting
            return
        space = fitting.rfind(" ", room * 2 // 3)
        end = space if space > 0 else len(fitting) - 1
        yield text[:end]
        text = text[end:].lstrip(" ")


def wrapped_row(label: str, text: str, width: int) -> Row:
    """Return a row whose text goes on in further lines below itself."""
    lines = textwrap.wrap(harmless(text), width - MARGIN - LABEL, break_long_words=False, break_on_hyphens=False)
    return label, Text(("\n" + " " * (MARGIN + LABEL)).join(lines))


def parted(excerpt: Excerpt, style: str) -> Text:
    """Show what both texts have plainly, and in colour what only one has."""
    return Text.assemble(excerpt.same, (excerpt.own or ("(nothing more)" if excerpt.same else "(nothing)"), style))


def block(heading: Iterable[str], rows: Iterable[Row], width: int) -> Text:
    """Return a heading that is wrapped to the width, and rows of label and text below it."""
    indent = " " * MARGIN
    wrapped = textwrap.fill(
        cut(harmless("  ".join(heading)), LONGEST_HEADING),
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = [Text(wrapped, style="bold")]
    for label, text in rows:
        lines.append(Text.assemble(indent, (label.ljust(LABEL), "dim"), text))
    return Text("\n").join(lines)
