"""Times the preparation of a data set against the tokenising map of TRL's SFTTrainer: figures, not a test.

    python benchmarks/prepare.py [--tokenizer FOLDER] [--template FILE] [--count N] [--rounds N]

TRL's own work is what `SFTTrainer` does before it trains with `assistant_only_loss`: one map that tokenises row by row,
one that makes labels, one that cuts, and a filter. Both are timed in turn over the same seeded conversations, each time
without a cache, and their labels are compared.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "src"), str(ROOT / "tests")]

from machine import machine, releases  # noqa: E402
from masks import fast_extra, load  # noqa: E402
from synthetic_conversations import conversations  # noqa: E402
from turn_template import template_for  # noqa: E402

LONGEST = 16_384


def by_trl(dataset: Any, tokenizer: Any, template: str) -> Any:
    """Prepare a data set with the very method of SFTTrainer."""
    from trl import SFTConfig, SFTTrainer

    trainer = object.__new__(SFTTrainer)
    trainer.chat_template, trainer.completion_only_loss, trainer._tokenizer = template, False, tokenizer
    with tempfile.TemporaryDirectory() as folder:
        config = SFTConfig(output_dir=folder, assistant_only_loss=True, max_length=LONGEST, use_cpu=True, bf16=False)
        return trainer._prepare_dataset(dataset, tokenizer, config, False, None, "train")


def by_trainplate(dataset: Any, tokenizer: Any, template: str, fast: bool) -> Any:
    """Prepare a data set, into a new cache."""
    from trainplate import prepare

    folder = tempfile.mkdtemp(prefix="trainplate-")
    shown = {"progress": False, "summary": False}
    return prepare(dataset, tokenizer, template=template, max_length=LONGEST, cache_dir=folder, fast=fast, **shown)


def compare(dataset: Any, tokenizer: Any, template: str, rounds: int) -> None:
    """Time each way in turn, and print medians and ratios."""
    ways: dict[str, Callable[[], Any]] = {
        "TRL": lambda: by_trl(dataset, tokenizer, template),
        "trainplate": lambda: by_trainplate(dataset, tokenizer, template, fast=False),
    }
    if fast_extra():
        ways["trainplate, fast"] = lambda: by_trainplate(dataset, tokenizer, template, fast=True)
    times: dict[str, list[float]] = {name: [] for name in ways}
    made: dict[str, Any] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            made[name] = way()
            times[name].append(time.perf_counter() - start)
    told = made["TRL"].to_dict()
    for name, taken in times.items():
        median = statistics.median(taken)
        ratio = statistics.median(times["TRL"]) / median
        found = made[name].to_dict()
        equal = all(found[column] == told[column] for column in ("input_ids", "labels"))
        print(f"  {name:<18}{median:8.3f} s  {ratio:5.2f}x TRL's map  {'equal' if equal else 'OTHER ROWS'}")


def main() -> None:
    """Print the machine, and what was measured."""
    import datasets

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", help="a folder that AutoTokenizer reads; a tiny one by default")
    parser.add_argument("--template", type=Path, help="a .jinja file with generation markers")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    tokenizer = load(arguments.tokenizer)
    template = arguments.template.read_text(encoding="utf-8") if arguments.template else template_for(tokenizer)
    rows = list(conversations(arguments.count))
    dataset = datasets.Dataset.from_list(rows, on_mixed_types="use_json")
    datasets.disable_caching()
    datasets.disable_progress_bars()
    print(f"{machine()}\n{releases()}\n{arguments.tokenizer or 'a tiny tokenizer'}, {arguments.count:,} conversations:")
    compare(dataset, tokenizer, template, arguments.rounds)


if __name__ == "__main__":
    main()
