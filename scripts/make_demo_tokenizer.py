"""Trains the demo's tiny tokenizer: byte-level BPE on the demo's own words; run again, it writes the same file."""

import json
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

DEMO = Path(__file__).resolve().parent.parent / "src" / "trainplate" / "demo"
CONTROL_TOKENS = ("<|end|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|tools|>", "<|system|>", "<think>", "</think>")
MERGES = 300


def corpus() -> list[str]:
    """Return the texts to learn from: what the demo's conversation says, and the words of its template."""
    conversation = json.loads((DEMO / "conversation.json").read_text(encoding="utf-8"))
    said = [
        str(message.get(key) or "") for message in conversation["messages"] for key in ("content", "reasoning_content")
    ]
    return [*said, json.dumps(conversation["tools"]), (DEMO / "chat_template.jinja").read_text(encoding="utf-8")]


def trained() -> Tokenizer:
    """Return a tokenizer that can write any text, with a token of its own for each control token."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [AddedToken(token, special=True, normalized=False) for token in CONTROL_TOKENS]
    trainer = trainers.BpeTrainer(
        vocab_size=len(tokens) + len(alphabet) + MERGES,
        initial_alphabet=alphabet,
        special_tokens=tokens,
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    return tokenizer


if __name__ == "__main__":
    path = DEMO / "tokenizer.json"
    path.write_text(trained().to_str(pretty=False), encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size} bytes")
