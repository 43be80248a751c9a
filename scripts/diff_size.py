"""Compares the size of our patches with that of the templates that the installed trl patches by hand.

    python scripts/diff_size.py [--only WORD]

Of every original with a training template of trl's own: how many characters a unified diff without context adds and
removes, ours and theirs, the largest difference first. Exit 1 where ours is not smaller in total, or one is refused.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from template_folder import SENTINELS

import trainplate
from trainplate.errors import Refusal
from trainplate.loading.trl_package import stored_in_trl
from trainplate.syntax import changed_characters

TRAINING = "_training"


@dataclass(frozen=True)
class Row:
    """One original: the size of our patch, None where it is refused, and of trl's."""

    name: str
    ours: int | None
    theirs: int
    said: str

    @property
    def more(self) -> int:
        """How many characters more we change."""
        return (self.ours or 0) - self.theirs

    def __str__(self) -> str:
        ours = "refused" if self.ours is None else f"{self.ours:,}"
        return f"{self.name:24}{ours:>9}{self.theirs:9,}{self.more:+9,}  {self.said}"


def pairs(only: str) -> Iterator[tuple[str, Path, Path]]:
    """Yield the name of each original that has a training template of trl's own, and both files."""
    stored = stored_in_trl()
    for name in sorted(stored):
        if name + TRAINING in stored and only in name:
            yield name, stored[name], stored[name + TRAINING]


def measured(name: str, original: Path, theirs: Path) -> Row:
    """Patch one original and measure both diffs."""
    source = original.read_text(encoding="utf-8")
    size = changed_characters(source, theirs.read_text(encoding="utf-8"))
    try:
        patch = trainplate.patch(source, SENTINELS)
    except Refusal as refusal:
        return Row(name, None, size, str(refusal).splitlines()[0][:100])
    fixes = dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", "))
    return Row(name, changed_characters(source, patch.training_template), size, ", ".join(fixes))


def main() -> int:
    """Print every row and the totals."""
    from rich.progress import track

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD")
    found = list(pairs(parser.parse_args().only))
    rows = [measured(*pair) for pair in track(found, description="patching")]
    print(f"{'':24}{'ours':>9}{'trl':>9}{'more':>9}")
    print(*sorted(rows, key=lambda row: -row.more), sep="\n")
    ours, theirs = sum(row.ours or 0 for row in rows), sum(row.theirs for row in rows)
    refused = sum(row.ours is None for row in rows)
    print(f"{len(rows)} templates: ours {ours:,}, trl {theirs:,}; {refused} refused")
    return 1 if refused or ours >= theirs else 0


if __name__ == "__main__":
    sys.exit(main())
