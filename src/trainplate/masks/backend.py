"""The `tokenizers` object inside a tokenizer or processor, in a state in which it neither cuts nor pads."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from trainplate.errors import LoadingError
from trainplate.masks.fast_encoding import FastEncoder
from trainplate.masks.normal_text import Normaliser, UnknownNormalizer, normaliser_of
from trainplate.masks.token_lengths import TokenLengths, parts, token_lengths

T = TypeVar("T")
NEEDS_OFFSETS = "the tokenizer's tokens have no lengths of their own"
WAY_OUT = "load the tokenizer with AutoTokenizer, which gives one with a tokenizer.json"


@dataclass(frozen=True)
class Backend:
    """What encodes texts, and what is known of its tokens; nothing here ever changes the caller's tokenizer."""

    owner: Any
    encoder: Any
    lengths: TokenLengths | None
    """None where lengths say nothing of places, so that every text needs offsets."""
    normaliser: Normaliser | None
    fast: FastEncoder

    def with_offsets(self) -> Any:
        """Return an encoder whose offsets are those of whole tokens, white space included."""
        trims = any(part.get("trim_offsets") for part in parts(self.encoder.post_processor))
        if not trims:
            return self.encoder
        return remembered(
            self.owner, ("untrimmed", state_of(self.encoder)), lambda: without_post_processor(self.encoder)
        )


_known: WeakKeyDictionary[Any, dict[tuple[Any, ...], Any]] = WeakKeyDictionary()


def text_tokenizer(tokenizer: Any) -> Any:
    """Return the tokenizer of a processor, and a tokenizer as it is."""
    return getattr(tokenizer, "tokenizer", tokenizer)


def backend_of(tokenizer: Any) -> Backend:
    """Return what encodes for a tokenizer, a processor or a `tokenizers.Tokenizer`."""
    owner = text_tokenizer(tokenizer)
    encoder = unhindered(owner)
    return remembered(
        owner, ("backend", state_of(encoder), encoder is raw_encoder(owner)), lambda: studied(owner, encoder)
    )


def studied(owner: Any, encoder: Any) -> Backend:
    """Measure an encoder's tokens, where that tells their places."""
    try:
        normaliser = normaliser_of(encoder)
    except UnknownNormalizer:
        return Backend(owner, encoder, None, None, FastEncoder(encoder, refused=NEEDS_OFFSETS))
    strips = any(token.lstrip or token.rstrip for token in encoder.get_added_tokens_decoder().values())
    if strips:
        return Backend(owner, encoder, None, normaliser, FastEncoder(encoder, refused=NEEDS_OFFSETS))
    return Backend(owner, encoder, token_lengths(encoder), normaliser, FastEncoder(encoder))


def unhindered(owner: Any) -> Any:
    """Return the encoder itself where it cuts and pads nothing, else a copy of it that does not.

    Transformers leaves the encoder as its last call wanted it. Another thread may be using it, so it is not changed.
    """
    encoder = raw_encoder(owner)
    as_text = bool(getattr(owner, "split_special_tokens", False))
    if encoder.truncation is None and encoder.padding is None and encoder.encode_special_tokens == as_text:
        return encoder
    return remembered(owner, ("copy", state_of(encoder), as_text), lambda: copied(encoder, as_text))


def state_of(encoder: Any) -> tuple[Any, ...]:
    """Return what changes when tokens are added to an encoder."""
    return (id(encoder), encoder.get_vocab_size(with_added_tokens=True))


def copied(encoder: Any, as_text: bool) -> Any:
    """Return an encoder of its own that cuts and pads nothing."""
    copy = type(encoder).from_str(encoder.to_str())
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = as_text
    return copy


def without_post_processor(encoder: Any) -> Any:
    """Return a copy that adds nothing and trims nothing."""
    settings = json.loads(encoder.to_str())
    settings["post_processor"] = None
    copy = type(encoder).from_str(json.dumps(settings, ensure_ascii=False))
    copy.encode_special_tokens = encoder.encode_special_tokens
    return copy


def raw_encoder(owner: Any) -> Any:
    """Return the `tokenizers.Tokenizer`, or say what was given in its place."""
    encoder = getattr(owner, "backend_tokenizer", owner)
    if not hasattr(encoder, "encode_batch") or not hasattr(encoder, "get_added_tokens_decoder"):
        shown = type(owner).__name__
        raise LoadingError(f"{shown}: not a tokenizer that the tokenizers library runs\n    way out   {WAY_OUT}")
    return encoder


def remembered(owner: Any, key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """Make something once for each tokenizer, and forget it with the tokenizer."""
    try:
        kept = _known.setdefault(owner, {})
    except TypeError:  # what cannot be referred to weakly is studied each time
        return make()
    if key not in kept:
        kept[key] = make()
    value: T = kept[key]
    return value
