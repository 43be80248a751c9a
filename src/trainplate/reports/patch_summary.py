"""What was done to a template, in a few lines: how many edits, by which fixes, proven how, and what now differs."""

from collections import defaultdict
from collections.abc import Iterator

from rich.text import Text

from trainplate.patching.patch import Patch
from trainplate.reports.messages import Row, block, wrapped_row


def summary_text(place: str, patch: Patch, width: int, written: str | None = None) -> Text:
    """Say what a patch does, and where it was written."""
    done = (
        f"{counted_edits(patch)}, proof: {patch.proof}" if patch.edits else f"nothing to change, proof: {patch.proof}"
    )
    rows = [*rows_of(patch, width), *([wrapped_row("written to", written, width)] if written else [])]
    return block((place, done), rows, width)


def counted_edits(patch: Patch) -> str:
    """Say how many edits a patch has."""
    return "1 edit" if len(patch.edits) == 1 else f"{len(patch.edits)} edits"


def rows_of(patch: Patch, width: int) -> Iterator[Row]:
    """Yield a row for the fixes, one for each reason why the text differs from the original's, and what is unproven."""
    fixes = dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", ") if fix)
    if fixes:
        yield wrapped_row("fixes", ", ".join(fixes), width)
    conversations: dict[str, list[str]] = defaultdict(list)
    for deviation in patch.deviations:
        conversations[deviation.reason].append(deviation.conversation)
    for reason, shown in conversations.items():
        others = f" and {len(shown) - 1} more" if len(shown) > 1 else ""
        yield wrapped_row("deviation", f"{reason} ({shown[0]}{others})", width)
    if patch.untold_fields:
        fields = ", ".join(map(repr, patch.untold_fields))
        yield wrapped_row("not proven", f"answers with {fields}, which no conversation tells", width)
