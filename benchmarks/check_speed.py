"""How long a process of `trainplate check` takes on one pair of an original and its training template.

    python benchmarks/check_speed.py [--times N] [--only WORD] [--engine]

The originals are those of the installed trl; each is patched first. A pair that is on record is taken at its word;
with `--engine` a comment of one word is put in front of both, so that none is and each is held to the whole contract.
Of several runs the fastest counts, in seconds of the processor and on the clock.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from processes import print_all

import trainplate
from trainplate.errors import TrainplateError
from trainplate.loading.source import load
from trainplate.loading.trl_package import stored_in_trl

COMMENT = "{#- changed -#}"


def written_pairs(folder: Path, only: str, before: str) -> list[Path]:
    """Write each original and its training template, with a text in front of both, and return the latter."""
    made = []
    for name in sorted(stored_in_trl()):
        if name.endswith("_training") or only not in name:
            continue
        try:
            patch = trainplate.patch(load(f"trl:{name}")[0])
        except TrainplateError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        (folder / f"{name}.jinja").write_text(before + patch.original.source, encoding="utf-8")
        made.append(folder / f"{name}_training.jinja")
        made[-1].write_text(before + patch.training_template, encoding="utf-8")
    return made


def main() -> None:
    """Print a line for each pair, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--engine", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trainplate-") as folder:
        pairs = written_pairs(Path(folder), given.only, COMMENT if given.engine else "")
        print_all(((path.stem, ("check", str(path))) for path in pairs), given.times)


if __name__ == "__main__":
    main()
