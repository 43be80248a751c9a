"""How long a process of `trainplate check` takes on one pair of an original and its training template.

    python benchmarks/check_speed.py [--times N] [--only WORD]

The originals are those of the installed trl; each is patched first. Of several runs the fastest counts, in seconds of
the processor and on the clock, since other processes on the machine only ever add to it.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

import trainplate
from trainplate.errors import TrainplateError
from trainplate.loading.source import load
from trainplate.loading.trl_package import stored_in_trl

SRC = Path(__file__).resolve().parent.parent / "src"
COMMAND = (sys.executable, "-c", "from trainplate.cli import main; main()", "check")


def written_pairs(folder: Path, only: str) -> list[Path]:
    """Write each original and its training template, and return the latter."""
    made = []
    for name in sorted(stored_in_trl()):
        if name.endswith("_training") or only not in name:
            continue
        try:
            patch = trainplate.patch(load(f"trl:{name}")[0])
        except TrainplateError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        (folder / f"{name}.jinja").write_text(patch.original.source, encoding="utf-8")
        made.append(folder / f"{name}_training.jinja")
        made[-1].write_text(patch.training_template, encoding="utf-8")
    return made


def measured(path: Path) -> tuple[float, float, int]:
    """Check one file in a process, and return seconds of the processor, on the clock, and the exit code."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    result = subprocess.run([*COMMAND, str(path)], check=False, capture_output=True, env=environment)
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic() - started
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock, result.returncode


def main() -> None:
    """Print a line for each pair, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    processor, clock = [], []
    with tempfile.TemporaryDirectory(prefix="trainplate-") as folder:
        for path in written_pairs(Path(folder), given.only):
            runs = [measured(path) for _ in range(given.times)]
            processor.append(min(run[0] for run in runs))
            clock.append(min(run[1] for run in runs))
            print(f"{path.stem:40} {processor[-1]:6.3f} {clock[-1]:6.3f}  exit {runs[0][2]}", flush=True)
    print(f"{'median':40} {statistics.median(processor):6.3f} {statistics.median(clock):6.3f}")
    print(f"{'slowest':40} {max(processor):6.3f} {max(clock):6.3f}")


if __name__ == "__main__":
    main()
