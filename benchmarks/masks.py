"""Times assistant masks against transformers: figures, not a test.

    python benchmarks/masks.py [--tokenizer FOLDER] [--template FILE] [--count N] [--rounds N] [--memory]

Every way is timed in turn, several times in one process, over seeded conversations that the benchmark makes itself;
the ratios of their medians are what counts, as times drift. Ids and masks are compared as well. `--memory` measures the
peak of each way in a process of its own.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "src"), str(ROOT / "tests")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from machine import machine, peak_memory, releases  # noqa: E402
from synthetic_conversations import Conversation, conversations  # noqa: E402
from turn_template import template_for  # noqa: E402

SHORT, LONG = 4_000, 256_000
"""Tokens of the conversations whose cost per token is compared."""


def load(folder: str | None) -> Any:
    """Return the tokenizer of a folder, or a tiny one."""
    if folder is None:
        from tiny_tokenizers import tiny

        return tiny("chatml")
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def by_transformers(tokenizer: Any, template: str, said: Sequence[Conversation]) -> list[tuple[Any, Any]]:
    """Mask one conversation after the other, as it is commonly done."""
    made = []
    for one in said:
        row = tokenizer.apply_chat_template(
            one["messages"],
            tools=one["tools"],
            chat_template=template,
            return_dict=True,
            return_assistant_tokens_mask=True,
        )
        made.append((row["input_ids"], row["assistant_masks"]))
    return made


def by_trainplate(tokenizer: Any, template: str, said: Sequence[Conversation], fast: bool = False) -> Any:
    """Mask all conversations in one call."""
    from trainplate import assistant_masks

    messages, tools = [one["messages"] for one in said], [one["tools"] for one in said]
    return assistant_masks(tokenizer, messages, tools=tools, template=template, fast=fast)


def encoding_alone(tokenizer: Any, texts: Sequence[str]) -> Any:
    """Encode texts that are rendered already, which is the least that a mask must take."""
    return tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False)


def ways(tokenizer: Any, template: str, said: Sequence[Conversation]) -> dict[str, Callable[[], Any]]:
    """Return everything that is timed."""
    from trainplate.masks.training_template import training_template

    compiled = training_template(tokenizer, template)
    texts = [compiled.render(one["messages"], one["tools"]) for one in said]
    found: dict[str, Callable[[], Any]] = {
        "transformers": lambda: by_transformers(tokenizer, template, said),
        "trainplate": lambda: by_trainplate(tokenizer, template, said),
        "encode_batch": lambda: encoding_alone(tokenizer, texts),
    }
    if fast_extra():
        print(f"  the fast encoder is loaded and compared on its probes in {loaded(tokenizer):.2f} s")
        found["trainplate, fast"] = lambda: by_trainplate(tokenizer, template, said, fast=True)
    return found


def loaded(tokenizer: Any) -> float:
    """Load the fast encoder, which otherwise happens once there is enough text, and return the seconds it takes."""
    from trainplate.masks.backend import backend_of

    return timed(backend_of(tokenizer).fast.load)


def fast_extra() -> bool:
    """Say whether the packages of the extra `fast` are here."""
    from importlib.util import find_spec

    return find_spec("fastokens") is not None


def timed(way: Callable[[], Any]) -> float:
    """Return the seconds that a way takes."""
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def compare(tokenizer: Any, template: str, said: Sequence[Conversation], rounds: int) -> None:
    """Time each way in turn, and print medians and ratios."""
    found = ways(tokenizer, template, said)
    batch, told = found["trainplate"](), found["transformers"]()
    ids = sum(ours.tolist() == list(theirs) for ours, (theirs, _) in zip(batch.input_ids, told, strict=True))
    masks = sum(ours.tolist() == list(theirs) for ours, (_, theirs) in zip(batch.assistant_masks, told, strict=True))
    print(f"{len(said):,} conversations, {batch.counts.tokens:,} tokens; ids equal {ids:,}, masks equal {masks:,}")
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(rounds):
        for name, way in found.items():
            times[name].append(timed(way))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, median in medians.items():
        rate = batch.counts.tokens / median / 1e6
        against = f"{medians['transformers'] / median:5.2f}x transformers, {median / medians['encode_batch']:5.2f}x"
        print(f"  {name:<18}{median:8.3f} s  {rate:6.2f} M tokens/s  {against} the time of encode_batch")
    kept = sum(values.nbytes for values in (*batch.input_ids, *batch.assistant_masks))
    print(f"  memory kept: {kept / batch.counts.tokens:.1f} bytes a token")


def compare_lengths(tokenizer: Any, template: str, rounds: int) -> None:
    """Print what a token costs in a long conversation against one in short ones."""
    short = sized(tokenizer, template, SHORT)
    long = sized(tokenizer, template, LONG)
    shorts = [short] * (LONG // SHORT)
    pairs = []
    for _ in range(rounds):
        taken = [timed(lambda said=said: by_trainplate(tokenizer, template, said)) for said in ([long], shorts)]
        pairs.append(taken[0] / taken[1])
    print(f"  a token among {LONG:,} costs {statistics.median(pairs):.2f}x one among {SHORT:,}")


def sized(tokenizer: Any, template: str, tokens: int) -> Conversation:
    """Return a conversation of about so many tokens."""
    messages: list[Any] = []
    for one in conversations(10_000, seed=3):
        if one["tools"] is None:
            messages += [message for message in one["messages"] if message["role"] != "system"]
        if len(messages) > tokens // 400:
            break
    said = {"messages": messages, "tools": None}
    held = by_trainplate(tokenizer, template, [said]).counts.tokens
    said["messages"] = (messages * (1 + tokens // held))[: max(2, len(messages) * tokens // held // 2 * 2)]
    return said


def peaks(arguments: argparse.Namespace) -> None:
    """Print the most memory that each way takes, each in a fresh process."""
    for name in ("transformers", "trainplate", *(["trainplate, fast"] if fast_extra() else [])):
        command = [sys.executable, __file__, "--count", str(arguments.count), "--way", name]
        for option in ("tokenizer", "template"):
            if getattr(arguments, option):
                command += [f"--{option}", str(getattr(arguments, option))]
        print(f"  {name:<18}{subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()}")


def one_way(name: str, tokenizer: Any, template: str, said: Sequence[Conversation]) -> None:
    """Run one way, and print its time and how much memory it added to what was there."""
    before = peak_memory()
    start = time.perf_counter()
    if name == "transformers":
        kept = by_transformers(tokenizer, template, said)
    else:
        kept = by_trainplate(tokenizer, template, said, fast=name.endswith("fast"))
    taken, peak = time.perf_counter() - start, peak_memory()
    print(f"{taken:8.2f} s, peak {peak / 1024:,.0f} MB, of which {(peak - before) / 1024:,.0f} MB for it")
    del kept


def main() -> None:
    """Print the machine, and what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", help="a folder that AutoTokenizer reads; a tiny one by default")
    parser.add_argument("--template", type=Path, help="a .jinja file with generation markers")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--way", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    tokenizer = load(arguments.tokenizer)
    template = arguments.template.read_text(encoding="utf-8") if arguments.template else template_for(tokenizer)
    said = list(conversations(arguments.count))
    if arguments.way:
        one_way(arguments.way, tokenizer, template, said)
        return
    print(f"{machine()}\n{releases()}\n{arguments.tokenizer or 'a tiny tokenizer'}:")
    compare(tokenizer, template, said, arguments.rounds)
    compare_lengths(tokenizer, template, arguments.rounds)
    if arguments.memory:
        peaks(arguments)


if __name__ == "__main__":
    main()
