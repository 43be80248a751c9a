"""Findings, refusals and faults as people read them: the place, the law, the conversation, the texts, the way out."""

import textwrap
from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from trainplate.errors import Refusal, SyntaxFault
from trainplate.reports.visible_text import Excerpt, cut, excerpts, harmless, in_one_line
from trainplate.verdict import Finding

MARGIN, LABEL = 4, 15
LONGEST_HEADING = 1000
"""A template may say whatever it likes when it declines a conversation."""
Row = tuple[str, Text]


def finding_text(place: str, finding: Finding, width: int, cure: str = "") -> Text:
    """Show one failure of a check, with its witness, the two texts that should agree, and what cures it."""
    rows = [("conversation", Text(finding.witness))] if finding.witness else []
    rows += parting_rows(finding.before, finding.after, width)
    rows += [wrapped_row("cured by", cure, width)] if cure else []
    return block((place, finding.check, finding.message), rows, width)


def refusal_text(place: str, refusal: Refusal, width: int) -> Text:
    """Show why a template was refused: the law in the way, the conversation, and what the best attempt says."""
    rows = [("conversation", Text(refusal.conversation))] if refusal.conversation else []
    rows += parting_rows(refusal.before, refusal.after, width)
    rows.append(("way out", Text(f"trainplate explain {refusal.check}; no file was written")))
    return block((place, refusal.check, refusal.reason), rows, width)


def fault_text(place: str, fault: SyntaxFault, source: str, width: int) -> Text:
    """Show where a text stops being a template, with the line itself."""
    lines = source.splitlines()
    rows = []
    if 0 < fault.line <= len(lines):
        start = max(0, fault.column - 1 - (width - MARGIN - LABEL) // 2)
        shown = in_one_line(lines[fault.line - 1][start:])[: width - MARGIN - LABEL]
        rows.append((f"line {fault.line}", Text(shown)))
    rows.append(("way out", Text("mend the template there, then run this again")))
    return block((f"{place}:{fault.line}:{fault.column}", fault.message), rows, width)


def parting_rows(before: str, after: str, width: int) -> list[Row]:
    """Show two texts that should agree, side by side from a little before the place where they part."""
    if before == after:
        return [("text", Text(in_one_line(before[: width - MARGIN - LABEL])))] if before else []
    first, second = excerpts(before, after, width - MARGIN - LABEL)
    rows = [("before", parted(first, "red")), ("after", parted(second, "green"))]
    if first.same:
        rows.append(("", Text(" " * cell_len(first.same) + "^ from here on", style="dim")))
    return rows


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
