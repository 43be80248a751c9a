"""Several audits for a terminal: a line for each template, what is found most, and what to do."""

import shlex
from collections import Counter
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from trainplate.auditing import Audit, Severity, Trainable
from trainplate.reports.audit_text import COLOURS, STYLES, section, wrapped_lines
from trainplate.reports.collection import Collection, counts, title_of
from trainplate.reports.messages import wrapped_row
from trainplate.reports.visible_text import in_one_line

COLUMNS = {"errors": 8, "warnings": 10, "notes": 7}
VERDICT = 16
SHORTEST = 12
MOST = 5
"""Checks that are named below the table."""


def table_text(collection: Collection, width: int) -> Text:
    """Return the table, the sum, the checks that fail most, and what to do next."""
    room = max(SHORTEST, width - VERDICT - sum(COLUMNS.values()))
    lines = [heading(room), *(line(audit, room) for audit in collection.audits), *unread_lines(collection, room)]
    parts = [Text("\n").join(lines), sums(collection, width)]
    if rows := list(frequent(collection)):
        parts.append(section("found most", [wrapped_row(label, told, width) for label, told in rows]))
    return Text("\n\n").join([*parts, steps(collection, width)])


def heading(room: int) -> Text:
    """Return the names of the columns."""
    figures = "".join(name.rjust(size) for name, size in COLUMNS.items())
    return Text(f"{'template'.ljust(room)}{'trainable'.ljust(VERDICT)}{figures}", style="dim")


def line(audit: Audit, room: int) -> Text:
    """Return one template's line; a figure of nothing is a dash."""
    text = Text.assemble(
        fitting(title_of(audit), room), (audit.trainable.value.ljust(VERDICT), COLOURS[audit.trainable])
    )
    for severity, size in zip(Severity, COLUMNS.values(), strict=True):
        count = audit.counted(severity)
        text.append(str(count or "-").rjust(size), STYLES[severity] if count else "dim")
    return text


def unread_lines(collection: Collection, room: int) -> Iterator[Text]:
    """Yield a line for each source that could not be audited."""
    for unread in collection.unread:
        yield Text.assemble(fitting(unread.source, room), ("could not be read", "bold red"))


def fitting(name: str, room: int) -> str:
    """Return a name in exactly this room; of a long one the end is kept, since folders are alike and files are not."""
    shown = in_one_line(name)
    while cell_len(shown) > room - 2:
        shown = "…" + shown[2:]
    return set_cell_size(shown, room)


def sums(collection: Collection, width: int) -> Text:
    """Say how many templates can be trained on, and how many problems there are."""
    verdicts = Counter(audit.trainable for audit in collection.audits)
    words = {Trainable.AS_IT_IS: "as they are", Trainable.AFTER_PATCHING: "after patching", Trainable.NOT: "not"}
    told = ", ".join(f"{verdicts[verdict]} {word}" for verdict, word in words.items() if verdicts[verdict])
    unread = f"; {len(collection.unread)} could not be read" if collection.unread else ""
    number = "1 template" if len(collection.audits) == 1 else f"{len(collection.audits)} templates"
    return Text("\n").join(wrapped_lines(f"{number}: {told}; {counts(collection)}{unread}", width, margin=0))


def frequent(collection: Collection) -> Iterator[tuple[str, str]]:
    """Yield the checks that fail in most templates, and in how many."""
    found = Counter(
        check
        for audit in collection.audits
        for check in {problem.check for problem in audit.problems if not problem.ignored}
    )
    for number, (check, count) in enumerate(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST]):
        yield ("checks" if number == 0 else ""), f"{check}, in {count} of {len(collection.audits)}"


def steps(collection: Collection, width: int) -> Text:
    """Show what to do next: read one report in full, or browse them all."""
    worst = max(collection.audits, key=lambda audit: [audit.counted(severity) for severity in Severity])
    lines = [Text("what to do", style="bold")]
    lines += wrapped_lines("- read one report in full", width)
    lines.append(Text(f"        trainplate audit {shlex.quote(in_one_line(worst.source))}", style="green"))
    lines += wrapped_lines("- browse all of them: give the same sources and --html audit.html", width)
    return Text("\n").join(lines)
