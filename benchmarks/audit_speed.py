"""How long a process of `trainplate audit` takes on the folder of one model.

    python benchmarks/audit_speed.py FOLDER... [--times N]

A folder holds what a model publishes: its tokenizer, its template. Of several runs the fastest counts, in seconds of
the processor and on the clock.
"""

import argparse

from processes import print_all


def main() -> None:
    """Print a line for each folder, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    print_all(((folder[-40:], ("audit", folder)) for folder in given.folders), given.times)


if __name__ == "__main__":
    main()
