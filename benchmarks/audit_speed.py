"""How long a process of `trainplate audit` takes on the folder of one model.

    python benchmarks/audit_speed.py FOLDER... [--times N]

A folder holds what a model publishes: its tokenizer, its template. Of several runs the fastest counts, in seconds of
the processor and on the clock.
"""

import argparse
import statistics

from machine import machine
from processes import fastest


def main() -> None:
    """Print a line for each folder, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    print(machine())
    taken = []
    for folder in given.folders:
        processor, clock, code = fastest(given.times, "audit", folder)
        taken.append((processor, clock))
        print(f"{folder[-40:]:40} {processor:6.3f} {clock:6.3f}  exit {code}", flush=True)
    for word, of in (("median", statistics.median), ("slowest", max)):
        print(f"{word:40} {of(one[0] for one in taken):6.3f} {of(one[1] for one in taken):6.3f}")


if __name__ == "__main__":
    main()
