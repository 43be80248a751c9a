"""`fastokens` in place of the tokenizer, once it has proven to give the same ids; all works without the package."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np

from trainplate.masks.encoding import Encoded, encode

PACKAGE = "fastokens"
WORTH_IT = 4_000_000
"""Characters of text from which on loading a second encoder, which takes about a second, pays off."""
SCRIPTS = (
    "The quick brown fox doesn't jump over 13 lazy dogs, does it?", "Größe, señor, cœur, İstanbul, ﬁne ½ ①",
    "Съешь ещё этих мягких булок", "Ξεσκεπάζω την ψυχοφθόρα", "いろはにほへと ちりぬるを", "天地玄黃 宇宙洪荒",
    "다람쥐 헌 쳇바퀴에", "نص حكيم له سر قاطع", "ऋषियों को सताने वाले", "דג סקרן שט בים", "เป็นมนุษย์สุดประเสริฐ",
    "🙂👍🏽👩‍👩‍👧🏳️‍🌈", "e\u0301a\u0308o\u0302\u0323", "x\u200by\u00a0z\u2028w\ufeff", "a\u0000b\u0007c\x7fd",
)  # fmt: skip
SPACES = (" ", "  ", "   ", "       ", "\n", "\n\n", "\n\n\n", "\r\n", "\t", "\t\t", " \n", "\n ", " \n \n", "\u3000")
MARKS = (
    ".", "...", "!?", "--", "==", "!=", "->", "{}", "[]", "()", "\"'", "```", "#", "##", "/*", "*/", "//", "\\n", "$1",
    "<|", "|>", "</", "'s", "'LL", "_", "@", "&&",
)  # fmt: skip
NUMBERS = ("0", "7", "42", "123", "2024", "12345", "1234567890", "3.14", "1e-9", "0x1F", "1,000,000")
MOST_ADDED = 60
"""Added tokens that the probes try; reserved ones are alike."""


class OtherIds(Exception):
    """Raised where the fast encoder's ids differ on a sample of the data: what it encoded must be done again."""


@dataclass
class FastEncoder:
    """The fast encoder of one tokenizer: whether it is used, and why not."""

    encoder: Any
    """The tokenizer's own, which decides what is right."""
    seen: int = 0
    """Characters that were to be encoded so far."""
    native: Any = None
    refused: str = ""
    """Why the fast encoder is not used."""
    lock: Any = field(default_factory=Lock, repr=False)

    @property
    def name(self) -> str:
        """What encodes, where work is summed up."""
        if self.native is not None:
            return PACKAGE
        return f"tokenizers ({PACKAGE}: {self.refused})" if self.refused else "tokenizers"

    def encode(self, texts: Sequence[str]) -> Encoded | None:
        """Return the ids of texts; None where the tokenizer itself is to encode them.

        One of the texts is encoded by both; raises OtherIds where they differ, and does nothing from then on.
        """
        if not self.is_ready(sum(map(len, texts))):
            return None
        encoded = flat(self.native, texts)
        index = sampled(texts)
        own = encode(self.encoder, [texts[index]]).ids
        if not np.array_equal(own, encoded.ids[encoded.bounds[index] : encoded.bounds[index + 1]]):
            self.native, self.refused = None, "other ids on a sample of the data"
            raise OtherIds
        return encoded

    def is_ready(self, characters: int) -> bool:
        """Say whether the fast encoder is used, and load it once that is worth it."""
        with self.lock:
            self.seen += characters
            if self.native is None and not self.refused and self.seen >= WORTH_IT:
                self.load()
            return self.native is not None

    def load(self) -> None:
        """Load the fast encoder, and compare it on all probes."""
        if find_spec(PACKAGE) is None:
            self.refused = "not installed"
            return
        import fastokens

        try:
            native = fastokens.Tokenizer.from_json_str(self.encoder.to_str())
            texts = list(probes(self.encoder))
            found, own = flat(native, texts), encode(self.encoder, texts)
        except Exception as error:  # whatever it does not support is a reason not to use it
            self.refused = " ".join(str(error).split())[:80] or type(error).__name__
            return
        if np.array_equal(found.ids, own.ids) and np.array_equal(found.bounds, own.bounds):
            self.native = native
        else:
            self.refused = "other ids on the probes"


def flat(native: Any, texts: Sequence[str]) -> Encoded:
    """Encode texts with the fast encoder, which returns all ids in one buffer."""
    ids, bounds = native.encode_batch_flat(list(texts))
    return Encoded(np.frombuffer(ids, np.uint32).astype(np.int32), np.frombuffer(bounds, np.uint64).astype(np.int64))


def sampled(texts: Sequence[str]) -> int:
    """Choose one text that is not among the longest: another one for each batch, and the same one each time."""
    by_length = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    likely = by_length[: max(1, len(by_length) // 2)]
    return likely[sum(map(len, texts)) % len(likely)]


def probes(encoder: Any) -> Iterator[str]:
    """Yield texts in which tokenizers are known to differ: scripts, white space, numbers, marks, and added tokens."""
    words = ("word", "Word", "WORD", "wörd", "字")
    for script in SCRIPTS:
        yield from (script, f" {script}", f"{script}\n\n{script}")
    for space in SPACES:
        yield from (
            space,
            f"{space}word",
            f"word{space}",
            f"a{space}b{space}{space}c",
            f".{space}A",
            f"{space}1{space}",
        )
    for mark in MARKS:
        yield from (mark, f" {mark}", f"{mark}\n", *(f"{word}{mark}{word}" for word in words))
    yield from (f"{word}{number}{word} {number}" for number in NUMBERS for word in words)
    added = [token.content for token in encoder.get_added_tokens_decoder().values()]
    for token in added[:: max(1, len(added) // MOST_ADDED)]:
        yield from (token, f"a{token}b", f"a {token} b", f"\n{token}\n\n{token}{token}", token[:-1], f"{token} é")
    yield ""
