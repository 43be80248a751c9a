"""Times a patch with its proof, in process, over a folder of templates: figures, not a test.

    python benchmarks/patch_speed.py DIR [--every N] [--only WORD] [--engine]

Prints the machine, the median, the 90th percentile and the largest time, and names the slowest ten. Templates that are
refused take their time too, and are counted in. One process does one template after the other; what else runs on the
machine shows in the figures. `--engine` searches for known originals too, in place of applying what is recorded.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from machine import machine

import trainplate
from trainplate.errors import LimitExceeded, Refusal, TrainplateError
from trainplate.patching.patch import Patch, patch_of
from trainplate.rendering import DEFAULT_LIMITS
from trainplate.template import Template

ROOT = Path(__file__).resolve().parent.parent
SLOWEST = 10
BARS = ("median under 0.25 s", "largest under 2 s")
Timing = tuple[float, str, str]
"""Seconds, the template's name, and how the patch ended."""


def timings(folder: Path, every: int, only: str, patch: Callable[[Template], Patch]) -> Iterator[Timing]:
    """Yield how long each template of a folder takes; what cannot be read is named and skipped."""
    sys.path.insert(0, str(ROOT / "scripts"))
    from rich.progress import track
    from template_folder import read, sources

    for path in track(sources(folder, every=every, only=only), description="patching"):
        try:
            for template in read(path):
                yield timed(template, patch)
        except TrainplateError as error:
            print(f"skipped {path.name}: {str(error).splitlines()[0]}", file=sys.stderr)


def timed(template: Template, patch: Callable[[Template], Patch]) -> Timing:
    """Patch one template by the clock."""
    start = time.perf_counter()
    try:
        made = patch(template)
        ended = f"{made.proof}, {', '.join(dict.fromkeys(edit.fix for edit in made.edits)) or 'ready'}"
    except Refusal as refusal:
        ended = f"refused: {refusal.check}"
    except LimitExceeded as exceeded:
        ended = f"stopped: {exceeded}"
    return time.perf_counter() - start, template.name, ended


def searched(template: Template) -> Patch:
    """Patch a template as if none were known."""
    return patch_of(template, DEFAULT_LIMITS)


def figures(found: Sequence[Timing]) -> str:
    """Return the figures of a run, to be read by people."""
    seconds = sorted(timing[0] for timing in found)
    ninth = seconds[min(len(seconds) - 1, round(0.9 * len(seconds)))]
    lines = [
        machine(),
        f"{len(seconds)} templates, {sum(seconds):.1f} s together; aimed at: {', '.join(BARS)}",
        f"median {statistics.median(seconds):.3f} s, 90 % within {ninth:.3f} s, largest {seconds[-1]:.3f} s",
        "slowest:",
        *(f"  {took:8.3f} s  {name}  ({ended})" for took, name, ended in sorted(found, reverse=True)[:SLOWEST]),
    ]
    return "\n".join(lines)


def main() -> int:
    """Time all and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--engine", action="store_true", help="search for known originals too")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is not a folder")
    found = list(timings(given.folder, given.every, given.only, searched if given.engine else trainplate.patch))
    print(figures(found) if found else "nothing to patch")
    return 0


if __name__ == "__main__":
    sys.exit(main())
