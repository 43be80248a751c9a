"""Compares ids and masks with those of transformers, conversation by conversation, for several tokenizers.

    python benchmarks/equality.py [FOLDER_OF_TOKENIZERS] [--count N] [--seed N] [--only NAME ...]

Needs transformers from 5.24 on, whose masks follow the same rule: a token is trained if any of its characters is
sampled. Each tokenizer is given a template with its own control tokens, written here. Without a folder the tiny
tokenizers of the tests are compared. Prints how many conversations are equal, and shows the first token that is not.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "src"), str(ROOT / "tests")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from masks import by_trainplate, by_transformers  # noqa: E402
from synthetic_conversations import Conversation, conversations  # noqa: E402
from turn_template import template_for  # noqa: E402

AT_ONCE = 200


def tokenizers_in(folder: Path | None) -> Iterator[tuple[str, Any]]:
    """Yield the tokenizers to compare; those that AutoTokenizer does not know are read as they are."""
    if folder is None:
        from tiny_tokenizers import KINDS, tiny

        yield from ((kind, tiny(kind)) for kind in KINDS)
        return
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    for path in sorted(folder.iterdir()):
        if (path / "tokenizer.json").is_file():
            try:
                yield path.name, AutoTokenizer.from_pretrained(path)
            except (ValueError, KeyError, ImportError):
                yield path.name, PreTrainedTokenizerFast.from_pretrained(path)


def compare(name: str, tokenizer: Any, said: list[Conversation]) -> bool:
    """Compare all conversations, and print what came of it."""
    template, ids, masks, by_offsets, tokens, shown = template_for(tokenizer), 0, 0, 0, 0, ""
    for start in range(0, len(said), AT_ONCE):
        portion = said[start : start + AT_ONCE]
        batch = by_trainplate(tokenizer, template, portion, fast=True)
        by_offsets, tokens = by_offsets + batch.counts.by_offsets, tokens + batch.counts.tokens
        rows = zip(batch.input_ids, batch.assistant_masks, by_transformers(tokenizer, template, portion), strict=True)
        for own_ids, own_mask, (their_ids, their_mask) in rows:
            ids += own_ids.tolist() == list(their_ids)
            masks += own_mask.tolist() == list(their_mask)
            if not shown and own_mask.tolist() != list(their_mask):
                pairs = enumerate(zip(own_mask.tolist(), their_mask, strict=False))
                place = next((index for index, (own, their) in pairs if own != their), 0)
                shown = f"    near {tokenizer.convert_ids_to_tokens(own_ids[max(0, place - 4) : place + 4].tolist())}"
    print(f"{name:<18}{len(said):,} conversations, {tokens:,} tokens: ids {ids:,}, masks {masks:,} equal", end="")
    print(f"; {by_offsets:,} by offsets", flush=True)
    if shown:
        print(shown, flush=True)
    return ids == masks == len(said)


def main() -> int:
    """Compare every tokenizer; exit 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    said = list(conversations(arguments.count, arguments.seed))
    found = tokenizers_in(arguments.folder)
    results = [compare(name, it, said) for name, it in found if not arguments.only or name in arguments.only]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
