"""Parts of a format: texts that see content, role and name of a message, and nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

SEEN = ("content", "role", "name")
TOKENS = ("bos", "eos")
"""Stand for the tokenizer's own tokens, in texts of every kind."""
SLOT = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Part:
    """A text with places for what it sees: `{content}`, `{role}`, `{name}`, and `{bos}` and `{eos}` for tokens.

    Other braces are text, so that JSON can be written as it is.
    """

    text: str

    @property
    def before(self) -> str:
        """Return the text up to its content."""
        return self.text.partition("{content}")[0]

    @property
    def after(self) -> str:
        """Return the text behind its content."""
        return self.text.partition("{content}")[2]

    @property
    def slots(self) -> tuple[str, ...]:
        """Return what it sees, in order."""
        return tuple(SLOT.findall(self.text))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the constant texts and the names of the slots of a text, in order, with whether each is a slot."""
    for number, piece in enumerate(SLOT.split(text)):
        if piece:
            yield piece, number % 2 == 1
