"""Patches a whole folder of templates, and says what changed against the last run.

    python scripts/ecosystem.py DIR [--every N] [--only WORD] [--state FILE]

DIR holds records (`*.json` with `template`, `bos_token`, `eos_token`), `*.jinja` files or model folders. What cannot
be read is named and skipped. Every outcome is kept, as JSON lines, for the next run to compare with. Exit 1 where
anything got worse: what was proven is refused, or what was answered crashes.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from ecosystem_outcomes import BETTER_TO_WORSE, Outcome, outcomes_of
from ecosystem_summary import summary
from template_folder import sources

from trainplate.writing import write_text

KEPT = Path(__file__).resolve().parent.parent / ".ecosystem"


@dataclass(frozen=True)
class Change:
    """A template of which the last run said something else."""

    before: Outcome
    now: Outcome

    @property
    def is_worse(self) -> bool:
        """Whether less is known of the template than before."""
        return BETTER_TO_WORSE.index(self.now.verdict) > BETTER_TO_WORSE.index(self.before.verdict)

    def __str__(self) -> str:
        return f"{self.now.name}: {self.before.told} -> {self.now.told}"


def changes(before: dict[str, Outcome], now: Sequence[Outcome]) -> list[Change]:
    """Return what is told otherwise than before; what is new, or was not asked, is no change."""
    pairs = (Change(before[outcome.name], outcome) for outcome in now if outcome.name in before)
    return [change for change in pairs if change.before.told != change.now.told]


def run(paths: Sequence[Path], processes: int, seconds: float) -> list[Outcome]:
    """Patch all, some at a time, with a progress bar; what kills its process is told apart from what it takes along."""
    from rich.progress import track

    found, died = [], []
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(outcomes_of, path, seconds=seconds): path for path in paths}
        for future in track(as_completed(waiting), description="patching", total=len(paths)):
            try:
                found += future.result()
            except BrokenProcessPool:
                died.append(waiting[future])
    return sorted([*found, *(outcome for path in died for outcome in alone(path, seconds))], key=lambda one: one.name)


def alone(path: Path, seconds: float) -> list[Outcome]:
    """Patch one file in a process of its own."""
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(outcomes_of, path, seconds=seconds).result()
        except BrokenProcessPool:
            return [Outcome(path.stem, "crashed", reason="the process died")]


def last_run(state: Path) -> dict[str, Outcome]:
    """Return what is kept of earlier runs, by name."""
    lines = state.read_text(encoding="utf-8").splitlines() if state.is_file() else []
    kept = (Outcome(**json.loads(line)) for line in lines)
    return {outcome.name: replace(outcome, fixes=tuple(outcome.fixes)) for outcome in kept}


def keep(state: Path, outcomes: dict[str, Outcome]) -> None:
    """Write all outcomes, in the order of their names, for the next run."""
    state.parent.mkdir(parents=True, exist_ok=True)
    if state.parent == KEPT:
        write_text(KEPT / ".gitignore", "*\n")
    write_text(
        state, "".join(json.dumps(outcomes[name].as_dict(), ensure_ascii=False) + "\n" for name in sorted(outcomes))
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th")
    parser.add_argument("--only", default="", metavar="WORD", help="take those with the word in their name")
    parser.add_argument("--state", type=Path, metavar="FILE", help="where outcomes are kept")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for one template")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is not a folder")
    return given


def main() -> int:
    """Patch, compare, keep and tell."""
    given = arguments()
    state = given.state or KEPT / f"{given.folder.resolve().name}.jsonl"
    before = last_run(state)
    now = run(sources(given.folder, every=given.every, only=given.only), given.processes, given.seconds)
    moved = changes(before, now)
    keep(state, before | {outcome.name: outcome for outcome in now})
    print(summary(now), end="")
    print(f"\nagainst the last run: {len(moved)} told otherwise, {sum(change.is_worse for change in moved)} worse")
    for change in sorted(moved, key=lambda change: not change.is_worse):
        print(f"  {'WORSE' if change.is_worse else 'moved'}  {change}")
    return 1 if any(change.is_worse for change in moved) else 0


if __name__ == "__main__":
    sys.exit(main())
