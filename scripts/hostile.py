"""Shows how hostile templates end: what each tries, what stopped it, how long that took and how much memory.

    python scripts/hostile.py [--folder DIR] [--seconds N] [--only WORD]

Each template of the folder is patched in a process of its own, with a limit on time, while Python reports whatever is
opened, started or sent. Exit 1 where one is not refused, takes a second more than its limit, or reaches anything.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "rendering" / "hostile"
LEEWAY = 1.0
"""Seconds behind the limit after which a template has to be stopped: some work of Python's cannot be broken off."""
COLUMNS = (31, 34, 7, 6)
PROGRAM = """
import json, resource, sys, time
sys.path.insert(0, sys.argv[1])
from hostile_ending import ending_of, reached, watch
from trainplate.rendering import Limits
source = open(sys.argv[2], encoding="utf-8").read()
for harmless in ("{{ raise_exception('no') }}", "{% for", "{% for m in messages %}{{ m.content }}</s>{% endfor %}"):
    ending_of(harmless, Limits())  # so that all is imported that will be needed
watch()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.monotonic()
kind, said = ending_of(source, Limits(seconds=float(sys.argv[3])))
seconds = time.monotonic() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([kind, said, seconds, peak / 1024, reached]))
"""


@dataclass(frozen=True)
class Ending:
    """How one template ended: the error, its words, seconds, megabytes at the peak, and what it reached."""

    name: str
    tries: str
    kind: str
    said: str
    seconds: float
    megabytes: float
    reached: Sequence[str]

    def is_clear(self, limit: float) -> bool:
        """Whether it was refused within its time, and reached nothing."""
        return self.kind in ("Refusal", "SyntaxFault") and self.seconds < limit + LEEWAY and not self.reached


def purpose(source: str) -> str:
    """Return what a template says in its first comment."""
    found = re.match(r"\{#-?\s*(.*?)\s*-?#\}", source, re.DOTALL)
    return found[1] if found else ""


def ending_in_process(path: Path, seconds: float) -> Ending:
    """Patch one template in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, str(ROOT / "scripts"), str(path), str(seconds)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    tries = purpose(path.read_text(encoding="utf-8"))
    if result.returncode:
        return Ending(path.stem, tries, f"exit {result.returncode}", result.stderr[-200:], 0.0, 0.0, ())
    kind, said, took, megabytes, reached = json.loads(result.stdout)
    return Ending(path.stem, tries, kind, said, took, megabytes, reached)


def rows_of(ending: Ending) -> str:
    """Return the rows of the table for one template."""
    cells = [textwrap.wrap(text, width) for text, width in ((ending.tries, COLUMNS[0]), (ending.said, COLUMNS[1]))]
    tries, said = cells[0], cells[1][:4]
    figures = [f"{ending.seconds:.2f}", f"{ending.megabytes:.0f}"]
    lines = [ending.name]
    for index in range(max(len(tries), len(said))):
        left = tries[index] if index < len(tries) else ""
        middle = said[index] if index < len(said) else ""
        right = "".join(f.rjust(w) for f, w in zip(figures, COLUMNS[2:], strict=True)) if index == 0 else ""
        lines.append(f"  {left.ljust(COLUMNS[0])} {middle.ljust(COLUMNS[1])}{right}".rstrip())
    return "\n".join(lines)


def main() -> int:
    """Print the table, and return whether all ended as they should."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    paths = sorted(path for path in given.folder.glob("*.jinja") if given.only in path.stem)
    print(f"  {'tries'.ljust(COLUMNS[0])} {'ends'.ljust(COLUMNS[1])}{'seconds'.rjust(7)}{'MB'.rjust(6)}")
    bad = []
    endings = []
    for path in paths:
        ending = ending_in_process(path, given.seconds)
        endings.append(ending)
        print(rows_of(ending), flush=True)
        if not ending.is_clear(given.seconds):
            bad.append(ending)
    for ending in bad:
        print(f"NOT CLEAR  {ending.name}: {ending.kind}, {ending.seconds:.2f} s, {', '.join(ending.reached)}")
    slowest = max((ending.seconds for ending in endings), default=0.0)
    largest = max((ending.megabytes for ending in endings), default=0.0)
    print(f"{len(endings)} templates, {len(bad)} not clear; at most {slowest:.2f} s and {largest:.0f} MB")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
