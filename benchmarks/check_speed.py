"""How long a process of `trainplate check` takes on one pair of an original and its training template.

    python benchmarks/check_speed.py [FOLDER] [--every N] [--times N] [--only WORD] [--engine]

The originals are those of the installed trl, or the templates of a folder; each is patched first, and those for which
nothing has to change are left out. A pair that is on record is taken at its word; with `--engine` a comment of one word
is put in front of both, so that none is and each is held to the whole contract. Of several runs the fastest counts, in
seconds of the processor and on the clock.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from processes import print_all

import trainplate
from trainplate.errors import TrainplateError
from trainplate.loading.source import load
from trainplate.loading.trl_package import stored_in_trl
from trainplate.template import Template

ROOT = Path(__file__).resolve().parent.parent

COMMENT = "{#- changed -#}"


def originals(folder: Path | None, every: int, only: str) -> Iterator[tuple[str, Template]]:
    """Yield the originals to be checked, each under a name of its own."""
    if folder is None:
        names = [name for name in sorted(stored_in_trl()) if not name.endswith("_training") and only in name]
        yield from ((name, load(f"trl:{name}")[0]) for name in names)
        return
    sys.path.insert(0, str(ROOT / "scripts"))
    from template_folder import read, sources

    for path in sources(folder, every=every, only=only):
        yield from ((f"{path.stem}-{number}", template) for number, template in enumerate(read(path)))


def written_pairs(beside: Path, found: Iterable[tuple[str, Template]], before: str) -> Iterator[Path]:
    """Write each original and its training template, with a text in front of both, and yield the latter.

    Special tokens that are known stand in a tokenizer_config.json beside them.
    """
    for name, original in found:
        try:
            patch = trainplate.patch(original)
        except TrainplateError as error:
            print(f"{name}: left out: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        if patch.edits:
            folder = beside / name
            folder.mkdir()
            if original.known_tokens:
                written(folder / "tokenizer_config.json", json.dumps(dict(original.known_tokens)))
            written(folder / "chat_template.jinja", before + original.source)
            yield written(folder / "chat_template_training.jinja", before + patch.training_template)


def written(path: Path, text: str) -> Path:
    """Write a text with its own line ends."""
    path.write_text(text, encoding="utf-8", newline="")
    return path


def main() -> None:
    """Print a line for each pair, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--engine", action="store_true")
    given = parser.parse_args()
    found = originals(given.folder, given.every, given.only)
    with tempfile.TemporaryDirectory(prefix="trainplate-") as beside:
        pairs = written_pairs(Path(beside), found, COMMENT if given.engine else "")
        print_all(((path.parent.name, ("check", str(path))) for path in pairs), given.times)


if __name__ == "__main__":
    main()
