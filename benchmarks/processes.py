"""What one process of the command line takes."""

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic

from machine import machine

SRC = Path(__file__).resolve().parent.parent / "src"
COMMAND = (sys.executable, "-c", "from trainplate.cli import main; main()")


def measured(*arguments: str) -> tuple[float, float, int]:
    """Run a command in a process; return seconds of the processor, seconds on the clock, and the exit code."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    result = subprocess.run([*COMMAND, *arguments], check=False, capture_output=True, env=environment)
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic() - started
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock, result.returncode


def fastest(times: int, *arguments: str) -> tuple[float, float, int]:
    """Run a command several times; other processes on the machine only ever add to what it takes."""
    runs = [measured(*arguments) for _ in range(times)]
    return min(run[0] for run in runs), min(run[1] for run in runs), runs[0][2]


def print_all(commands: Iterable[tuple[str, tuple[str, ...]]], times: int) -> None:
    """Time commands, given as (name, arguments): print the machine, a line for each, and of all together."""
    print(machine())
    taken = []
    for name, arguments in commands:
        processor, clock, code = fastest(times, *arguments)
        taken.append((processor, clock))
        print(f"{name:40} {processor:6.3f} {clock:6.3f}  exit {code}", flush=True)
    for word, of in (("median", statistics.median), ("90 % within", ninth), ("slowest", max)):
        print(f"{word:40} {of([one[0] for one in taken]):6.3f} {of([one[1] for one in taken]):6.3f}")


def ninth(seconds: Sequence[float]) -> float:
    """Return the time that nine of ten keep within."""
    return sorted(seconds)[min(len(seconds) - 1, round(0.9 * len(seconds)))]
