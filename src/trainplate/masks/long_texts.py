"""Long texts cut in front of added tokens, so that all threads share one text.

An added token that strips nothing beside it parts a text for good: what stands in front of it and what follows are
encoded each for itself, so that the ids of the parts, end to end, are the ids of the whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

LONG = 60_000
"""Characters from which on a text is cut; shorter ones are shared out between threads as they are."""
PART = 20_000
"""Characters that a part has at least."""

WHITE_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Seams:
    """Finds where a tokenizer's texts may be cut."""

    encoder: Any

    @cached_property
    def tokens(self) -> re.Pattern[str] | None:
        """The tokens that are matched in a text as it stands, the longest first, as the tokenizer matches them.

        Tokens that are matched in normalised text are looked for only between these.
        """
        added = [token for token in self.encoder.get_added_tokens_decoder().values() if not token.normalized]
        ordered = sorted((token.content for token in added if token.content), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, ordered))) if ordered else None

    @cached_property
    def parting(self) -> frozenset[str]:
        """The tokens in front of which a text may be cut."""
        added = self.encoder.get_added_tokens_decoder().values()
        return frozenset(
            token.content
            for token in added
            if not (token.normalized or token.lstrip or token.rstrip or token.single_word)
        )

    @cached_property
    def swallowing(self) -> frozenset[str]:
        """The tokens that swallow the white space behind them, and any token in it."""
        added = self.encoder.get_added_tokens_decoder().values()
        return frozenset(token.content for token in added if token.rstrip)

    def parts(self, text: str) -> list[str]:
        """Cut a long text into parts that are encoded to the same ids; return any other text as it is."""
        return [text] if len(text) < LONG or not self.parting else list(self.cut(text))

    def cut(self, text: str) -> Iterator[str]:
        """Yield the parts of a text, each but the last of a certain length."""
        start = swallowed = 0
        for found in self.tokens.finditer(text) if self.tokens else ():
            if found.start() < swallowed:
                continue
            if found.start() - start >= PART and found.group() in self.parting:
                yield text[start : found.start()]
                start = found.start()
            if found.group() in self.swallowing:
                swallowed = WHITE_SPACE.match(text, found.end()).end()  # type: ignore[union-attr]
        yield text[start:]


def in_parts(seams: Seams, texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return all texts in parts, and of how many parts each of them is made."""
    cut = [seams.parts(text) for text in texts]
    return [part for parts in cut for part in parts], [len(parts) for parts in cut]
