"""Conversations with pictures, sounds or films: a processor puts many tokens where the template has one placeholder."""

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.masks.loss_policy import Weighted
from trainplate.masks.masker import Messages, Rendered, Said
from trainplate.rendering.marks import Span

MEDIA = ("image", "image_url", "video", "audio")
HELD_IN = ("image", "image_url", "video", "audio", "url", "path", "base64")
"""The keys of a part under which transformers looks for the picture itself."""
PLACEHOLDERS = ("image_token", "video_token", "audio_token", "boi_token")


class MissingMedia(TrainplateError):
    """Raised where a conversation speaks of pictures that are not there, or that the processor cannot read."""


def is_processor(tokenizer: Any) -> bool:
    """Say whether something has a tokenizer, and is therefore a processor."""
    return hasattr(tokenizer, "tokenizer") and hasattr(tokenizer, "apply_chat_template")


def media_parts(messages: Messages) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of contents that are no text."""
    for message in messages:
        content = message.get("content")
        for part in content if isinstance(content, list | tuple) else ():
            if isinstance(part, Mapping) and part.get("type") in MEDIA:
                yield part


@dataclass(frozen=True)
class Expanded:
    """A conversation as its processor says it: the longer text, the ids, and what else belongs to it."""

    rendered: Rendered
    ids: list[int]
    media: Mapping[str, Any]
    """Everything the processor returns beside the ids, such as pixel values."""


def expanded(processor: Any, source: str, said: Said, rendered: Rendered, index: int) -> Expanded:
    """Let a processor expand the placeholders of a conversation, and move the trained spans to where their text went.

    Raises MissingMedia where a part holds nothing to look at, or the processor fails on it.
    """
    empty = sum(1 for part in media_parts(said.messages) if not any(part.get(key) is not None for key in HELD_IN))
    if empty:
        way_out = f"put each into its part, under one of {', '.join(HELD_IN)}"
        raise MissingMedia(f"conversation {index}: {empty} parts have no picture or sound\n    way out   {way_out}")
    listening = Listening(processor.tokenizer)
    attentive = copy.copy(processor)
    attentive.tokenizer = listening
    try:
        made = processed(attentive, source, said)
    except Exception as error:
        what = f"the processor fails on the pictures or sounds: {type(error).__name__}: {error}"
        way_out = "see that processor.apply_chat_template(conversation, tokenize=True, return_dict=True) works"
        raise MissingMedia(f"conversation {index}: {what}\n    way out   {way_out}") from error
    replaced = made.pop("text_replacement_offsets", None)
    moved = mover(rendered.text, listening.heard[-1], replaced[0] if replaced else None, placeholders(processor))
    spans = tuple((moved(start), moved(end)) for start, end in rendered.trained.spans)
    ids, others = made.pop("input_ids")[0], {key: value for key, value in made.items() if key != "offset_mapping"}
    longer = replace(rendered, text=listening.heard[-1], trained=Weighted(spans, rendered.trained.weights))
    return Expanded(longer, [int(token) for token in ids], others)


def processed(processor: Any, source: str, said: Said) -> dict[str, Any]:
    """Run a processor on one conversation; where its release can say what it replaced, it is asked for that."""
    wanted = {"return_text_replacement_offsets": True, "return_offsets_mapping": True}
    common = {"chat_template": source, "tokenize": True, "return_dict": True}
    tools = {} if said.tools is None else {"tools": said.tools}
    messages = [dict(message) for message in said.messages]
    if "processor_kwargs" in processor.apply_chat_template.__code__.co_varnames:
        common["processor_kwargs"] = wanted
    return dict(processor.apply_chat_template([messages], **common, **tools, **said.options))


class Listening:
    """A tokenizer that remembers the texts that it is given."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.heard: list[str] = []

    def __call__(self, text: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Tokenise, and remember."""
        self.heard += [text] if isinstance(text, str) else text
        return self.tokenizer(text, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tokenizer, name)


def placeholders(processor: Any) -> list[str]:
    """Return the texts that a processor replaces."""
    found = (getattr(processor, name, None) for name in PLACEHOLDERS)
    texts = (getattr(token, "content", token) for token in found)
    return [text for text in texts if isinstance(text, str) and text]


def mover(
    text: str, longer: str, replaced: Sequence[Mapping[str, Span]] | None, tokens: Sequence[str]
) -> Callable[[int], int]:
    """Return what says where a place in a text went when its placeholders were replaced.

    Raises MissingMedia where the texts do not agree outside of the placeholders.
    """
    if replaced:
        edges = [(one["span"][1], one["new_span"][1]) for one in replaced]
    else:
        edges = list(edges_found(text, longer, tokens))

    def moved(place: int) -> int:
        gained = 0
        for end, new_end in edges:
            if end <= place:
                gained = new_end - end
        return place + gained

    return moved


def edges_found(text: str, longer: str, tokens: Sequence[str]) -> Iterator[Span]:
    """Yield the end of each placeholder, in the text and in the longer one, by what stands between them."""
    found = list(re.finditer("|".join(map(re.escape, tokens)) or "(?!)", text))
    at = found[0].start() if found else len(text)
    if text[:at] != longer[:at] or (not found and text != longer):
        raise MissingMedia("the processor changes the text in a way that cannot be followed")
    for index, match in enumerate(found):
        last = index + 1 == len(found)
        follows = text[match.end() : len(text) if last else found[index + 1].start()]
        place = len(longer) - len(follows) if last else longer.find(follows, at + 1)
        if place < at or not longer.startswith(follows, place):
            raise MissingMedia("the processor changes the text in a way that cannot be followed")
        yield match.end(), place
        at = place + len(follows)
