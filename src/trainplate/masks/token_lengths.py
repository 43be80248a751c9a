"""How much text each token stands for, in bytes: exact for byte-level and for SentencePiece vocabularies."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPACE = "▁"
"""What SentencePiece vocabularies write for a space."""
UNKNOWN = -(2**40)
"""The length of a token that may stand for any text: no sum that it is part of equals the length of a text."""


@dataclass(frozen=True)
class TokenLengths:
    """The length of every token of one tokenizer, and what the tokenizer does to a text before it cuts it."""

    bytes_of: NDArray[np.int64]
    added: NDArray[np.bool_]
    """Which ids are added tokens: the text between two of them is tokenised by itself."""
    prefix: str
    """Where a space is put that the text does not have: `none`, `first` (of a text) or `each` (behind added tokens)."""


def token_lengths(backend: Any) -> TokenLengths:
    """Measure the vocabulary of a `tokenizers.Tokenizer`."""
    added = backend.get_added_tokens_decoder()
    vocabulary: dict[str, int] = backend.get_vocab(with_added_tokens=True)
    size = max([*vocabulary.values(), *added], default=-1) + 1
    lengths = np.full(size, UNKNOWN, dtype=np.int64)
    by_bytes = is_byte_level(backend)
    measure = len if by_bytes else piece_length
    unknown = getattr(backend.model, "unk_token", None)
    for token, index in vocabulary.items():
        lengths[index] = measure(token)
    if unknown in vocabulary:
        lengths[vocabulary[unknown]] = UNKNOWN
    flags = np.zeros(size, dtype=np.bool_)
    for index, token in added.items():
        flags[index] = True
        if token.content != unknown:
            # Gemma's runs of spaces are in its vocabulary too, and are nearly always made from spaces.
            lengths[index] = len(token.content.encode()) if by_bytes else piece_length(token.content)
    return TokenLengths(lengths, flags, prefix_of(backend))


def piece_length(token: str) -> int:
    """Return the bytes of a SentencePiece token: a space is one, and `<0x0A>` stands for the byte that it names."""
    if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        return 1
    return len(token.replace(SPACE, " ").encode())


def is_byte_level(backend: Any) -> bool:
    """Say whether each character of a token stands for one byte."""
    return any(part.get("type") == "ByteLevel" for part in parts(backend.pre_tokenizer, backend.decoder))


def prefix_of(backend: Any) -> str:
    """Say where the tokenizer puts a space of its own in front of a text."""
    for part in parts(backend.normalizer, backend.pre_tokenizer):
        if part.get("type") == "Prepend":
            return "each"
        if part.get("type") == "Metaspace" and part.get("prepend_scheme", "always") != "never":
            return "first" if part.get("prepend_scheme") == "first" else "each"
        if part.get("type") == "ByteLevel" and part.get("add_prefix_space"):
            return "each"
    return "none"


def parts(*components: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the settings of the components of a tokenizer, those inside a sequence one by one."""
    for component in components:
        if component is not None:
            yield from flattened(json.loads(component.__getstate__()))


def flattened(settings: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield settings, or those of the members where they are a sequence."""
    for name in ("normalizers", "pretokenizers", "decoders"):
        if name in settings:
            for member in settings[name]:
                yield from flattened(member)
            return
    yield settings
