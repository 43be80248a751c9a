"""The tokenizer that belongs to a source, if it is at hand without fetching anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = "tokenizer.json"


@dataclass(frozen=True)
class Encoder:
    """A tokenizer as an audit asks it: the tokens of a text, where each stands, and what is added around them."""

    backend: Any = field(repr=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    """What was encoded before: several checks look at the same conversations."""

    def encoded(self, text: str) -> Any:
        """Return a text as the library encodes it, without special tokens of the tokenizer's own."""
        if text not in self.kept:
            self.kept[text] = self.backend.encode(text, add_special_tokens=False)
        return self.kept[text]

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return where each token of a text begins and ends, in characters; an empty one adds no text of its own."""
        return [(int(start), int(end)) for start, end in self.encoded(text).offsets]

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return list(self.encoded(text).ids)

    def added(self) -> list[int]:
        """Return the tokens that the tokenizer puts around a text by itself."""
        return list(self.backend.encode("", add_special_tokens=True).ids)

    def id_of(self, token: str) -> int | None:
        """Return the id of a token, if it is one."""
        found: int | None = self.backend.token_to_id(token)
        return found


def encoder_for(source: Any) -> Encoder | None:
    """Return the tokenizer of a live tokenizer, of a model folder, or of a Hub id whose files are in the cache."""
    if not isinstance(source, str | Path):
        backend = backend_in(source)
        return Encoder(backend) if backend is not None else None
    path = file_of(str(source))
    if path is None:
        return None
    from tokenizers import Tokenizer

    try:
        return Encoder(Tokenizer.from_file(str(path)))
    except Exception:  # the library raises plain `Exception` for whatever it cannot read
        return None


def backend_in(tokenizer: Any) -> Any:
    """Return a copy of the `tokenizers` object in a tokenizer or processor, which neither cuts nor pads; else None."""
    backend = getattr(getattr(tokenizer, "tokenizer", tokenizer), "backend_tokenizer", None)
    if backend is None:
        return None
    from tokenizers import Tokenizer

    copy = Tokenizer.from_str(backend.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


def file_of(source: str) -> Path | None:
    """Return the tokenizer file of a folder, of the folder that a file lies in, or of a model in the Hub's cache."""
    if any(mark in source for mark in "{}\n"):
        return None  # a template's text
    try:
        path = Path(source)
        if path.exists():
            found = (path if path.is_dir() else path.parent) / FILE
            return found if found.is_file() else None
        if source.count("/") > 1 or ":" in source or not source.strip():
            return None
        from huggingface_hub import try_to_load_from_cache

        cached = try_to_load_from_cache(source, FILE)
    except (OSError, ValueError):
        return None
    return Path(cached) if isinstance(cached, str) else None


def lengths_within(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, ...]:
    """Return the lengths of the tokens that start in a span."""
    return tuple(to - fro for fro, to in offsets if start <= fro < end and fro < to)
