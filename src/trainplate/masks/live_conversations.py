"""The way in for live data: conversations in, token ids and assistant masks out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainplate.errors import Declined, TrainplateError
from trainplate.masks.backend import backend_of, text_tokenizer
from trainplate.masks.batch import AssistantMasks, Counts
from trainplate.masks.fast_encoding import OtherIds
from trainplate.masks.loss_policy import loss_policy
from trainplate.masks.masker import Masker, Rendered, Said
from trainplate.masks.processors import Expanded, expanded, is_processor, media_parts
from trainplate.masks.rows import Padding, Row, surrounding_of
from trainplate.masks.training_template import special_tokens, training_source, training_template
from trainplate.masks.wants import wants_of
from trainplate.patching.patch import Patch

Message = Mapping[str, Any]
Tools = Sequence[Any] | None


class UnpreparedInput(TrainplateError):
    """Raised where what was given is no conversation, or cannot be padded or cut as asked."""


def assistant_masks(
    tokenizer: Any,
    conversations: Sequence[Message] | Sequence[Sequence[Message]],
    *,
    tools: Tools | Sequence[Tools] = None,
    template: str | Patch | None = None,
    options: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    max_length: int | None = None,
    train_on: str | Iterable[str] = "assistant",
    stop_white_space: bool = True,
    loss_weights: bool = False,
    padding: bool | str = False,
    pad_to_multiple_of: int | None = None,
    padding_side: str | None = None,
    truncation_side: str | None = None,
    add_special_tokens: bool | None = None,
    normalise: bool = True,
    fast: bool = True,
) -> AssistantMasks:
    """Tokenise one conversation or many, with a mask that is 1 on every token the model itself would have sampled.

    The ids are those of `tokenizer.apply_chat_template` with the same template, which is a template with generation
    markers, or else (and by default) the proven training template of the given one. A token with any sampled character
    is trained. `tokenizer` may be a processor: what it puts in place of a picture is not trained, and what it returns
    beside the ids is `media`, by the number of the conversation. Raises Refusal where no training template can be
    proven, and Declined where the template turns a conversation down.

    tools           as for `apply_chat_template`: for all conversations, or one list for each
    options         variables of the template such as `enable_thinking`: for all conversations, or one mapping for each
    max_length      rows are cut to so many tokens; what is lost by it is counted
    train_on        "assistant", "last-turn", "last-round", "no-reasoning", "tool-calls", or several of them; a message
                    with `train` (True or False) or `weight` (a number) decides for itself
    stop_white_space  False leaves white space behind a stop token out of the mask
    add_special_tokens  whether the tokenizer puts its own around each text; a tokenizer does not, and a processor does
                    unless the template prints a BOS
    loss_weights    adds the weight of each token: that of its message, 0 where it is not trained
    normalise       False renders messages as they come; else those that the template cannot take are changed, and
                    counted, as `normalise_messages` does
    fast            False leaves the packages of the extra `fast` alone; else they are used where they prove equal
    padding         True or "longest": to the longest row, "max_length": to `max_length`
    """
    several = is_several(conversations)
    all_said = list(said_by(conversations if several else [conversations], tools, options))
    owner = text_tokenizer(tokenizer)
    backend = backend_of(tokenizer)
    any_tools = any(said.tools for said in all_said)
    source = training_source(tokenizer, template, special_tokens(owner), any_tools)
    chosen = training_template(tokenizer, source)
    masker = Masker(
        template=chosen,
        backend=backend,
        policy=loss_policy(train_on, stop_white_space),
        max_length=max_length,
        truncation_side=checked_side(truncation_side, owner, "truncation_side"),
        weighted=loss_weights,
        fast=fast,
        wants=wants_of(chosen) if normalise else None,
    )
    texts = [rendered(masker, said, index) for index, said in enumerate(all_said)]
    shown = with_media(tokenizer, source, all_said, texts)
    if puts_special_tokens(tokenizer, add_special_tokens, texts):
        masker = replace(masker, around=surrounding_of(backend.encoder))
    rows = rows_of(masker, [shown[index].rendered if index in shown else text for index, text in enumerate(texts)])
    for index, one in shown.items():
        check_ids(index, one, rows[index])
    changes: Counter[str] = sum((Counter(text.changes) for text in texts if text.changes), Counter())
    pad = padding_of(owner, padding, max_length, pad_to_multiple_of, padding_side)
    made = gathered(rows, several, pad, changes)
    return replace(made, media={index: one.media for index, one in shown.items()}) if shown else made


def is_several(conversations: Any) -> bool:
    """Say whether conversations were given, or the messages of one."""
    if not isinstance(conversations, Sequence) or isinstance(conversations, str):
        found = type(conversations).__name__
        raise UnpreparedInput(f"expected a list of messages, or of such lists, found {found}")
    if len(conversations) and isinstance(conversations[0], Mapping):
        if not all(isinstance(message, Mapping) for message in conversations):
            raise UnpreparedInput("expected every message to be a mapping with a role and content")
        return False
    if not all(isinstance(messages, Sequence) and not isinstance(messages, str) for messages in conversations):
        raise UnpreparedInput("expected a list of messages, or of such lists")
    return True


def said_by(conversations: Any, tools: Any, options: Any) -> Iterator[Said]:
    """Put each conversation together with its tools and options."""
    count = len(conversations)
    own_tools = tools if is_for_each(tools, count, (list, tuple, type(None))) else [tools] * count
    own_options = options if is_for_each(options, count, (Mapping, type(None))) else [options] * count
    for index, messages in enumerate(conversations):
        if not len(messages):
            raise UnpreparedInput(f"conversation {index} has no messages")
        yield Said(messages, schemas(own_tools[index]), own_options[index] or {})


def is_for_each(values: Any, count: int, kinds: tuple[type, ...]) -> bool:
    """Say whether there is one value for each conversation."""
    if not isinstance(values, list | tuple) or not values or not all(isinstance(value, kinds) for value in values):
        return False
    if len(values) != count:
        raise UnpreparedInput(f"{len(values)} lists of tools, or sets of options, for {count} conversations")
    return True


def schemas(tools: Sequence[Any] | None) -> list[Any] | None:
    """Return tools as JSON schemas; for a Python function, the one that transformers makes of it."""
    if tools is None:
        return None
    if any(callable(tool) for tool in tools):
        from transformers.utils import get_json_schema

        return [get_json_schema(tool) if callable(tool) else tool for tool in tools]
    return list(tools)


def rendered(masker: Masker, said: Said, index: int) -> Rendered:
    """Render a conversation, or say which one the template turns down."""
    try:
        return masker.render(said)
    except Declined as error:
        refusal = Declined(f"conversation {index}: the template declines it: {error}")
        refusal.deliberate, refusal.line = error.deliberate, error.line
        raise refusal from error


def puts_special_tokens(tokenizer: Any, asked: bool | None, texts: Sequence[Rendered]) -> bool:
    """Say whether the tokenizer's own special tokens go around the texts.

    Left to themselves, tokenizers put none around what a template prints, and processors do unless it prints the first.
    """
    if asked is not None or not is_processor(tokenizer):
        return bool(asked)
    bos = getattr(text_tokenizer(tokenizer), "bos_token", None)
    return not (bos and texts and texts[0].text.startswith(bos))


def with_media(tokenizer: Any, source: str, all_said: Sequence[Said], texts: Sequence[Rendered]) -> dict[int, Expanded]:
    """Let a processor expand the conversations that have pictures, sounds or films."""
    if not is_processor(tokenizer):
        return {}
    pairs = enumerate(zip(all_said, texts, strict=True))
    return {
        index: expanded(tokenizer, source, said, text, index)
        for index, (said, text) in pairs
        if any(media_parts(said.messages))
    }


def check_ids(index: int, one: Expanded, row: Row) -> None:
    """Make sure that a conversation with pictures has the ids that its processor gave it, all of them."""
    if row.ids.tolist() == one.ids:
        return
    if len(row.ids) < len(one.ids):
        way_out = "leave max_length out, or make the pictures smaller"
        raise UnpreparedInput(f"conversation {index}: max_length cuts one that has pictures\n    way out   {way_out}")
    way_out = "report it with the processor's class"
    raise UnpreparedInput(f"conversation {index}: the processor's ids cannot be followed\n    way out   {way_out}")


def rows_of(masker: Masker, texts: Sequence[Rendered]) -> list[Row]:
    """Encode texts; once more, and by the tokenizer itself, where the fast encoder is found to differ."""
    try:
        return list(masker.rows(texts))
    except OtherIds:
        return list(masker.rows(texts))


def checked_side(asked: str | None, owner: Any, name: str) -> str:
    """Return the side that was asked for, else the tokenizer's own; raises UnpreparedInput where it is none."""
    side = asked or getattr(owner, name, "right")
    if side not in ("left", "right"):
        raise UnpreparedInput(f"{name} is {side!r}\n    way out   'left' or 'right'")
    return str(side)


def padding_of(
    owner: Any, padding: bool | str, max_length: int | None, multiple: int | None, side: str | None
) -> Padding | None:
    """Return how rows are padded, or None where they are not."""
    if padding in (False, "do_not_pad"):
        return None
    if padding not in (True, "longest", "max_length"):
        raise UnpreparedInput(f"padding: {padding!r}\n    way out   True, 'longest', 'max_length' or False")
    if padding == "max_length" and max_length is None:
        raise UnpreparedInput("padding to max_length needs a max_length")
    token = getattr(owner, "pad_token_id", None)
    if token is None:
        way_out = "set tokenizer.pad_token, e.g. to tokenizer.eos_token"
        raise UnpreparedInput(f"the tokenizer has no padding token\n    way out   {way_out}")
    length = max_length if padding == "max_length" else None
    return Padding(checked_side(side, owner, "padding_side"), token, length, multiple)


def gathered(rows: Sequence[Row], several: bool, padding: Padding | None, changes: Mapping[str, int]) -> AssistantMasks:
    """Put rows together in the form that was asked for."""
    fields: dict[str, list[NDArray[Any]]] = {
        "input_ids": [row.ids for row in rows],
        "assistant_masks": [row.mask for row in rows],
    }
    weights = [row.weights for row in rows if row.weights is not None]
    if rows and len(weights) == len(rows):
        fields["loss_weights"] = weights
    values: dict[str, Any] = dict(fields)
    if padding is not None:
        width = padding.width(rows)
        fillers = {"input_ids": padding.token}
        values = {name: padding.applied(own, width, fillers.get(name) or 0) for name, own in fields.items()}
        values["attention_mask"] = padding.applied([np.ones(len(row.ids), np.uint8) for row in rows], width, 0)
    if not several:
        values = {name: value[0] for name, value in values.items()}
    return AssistantMasks(**values, counts=counted(rows, changes))


def counted(rows: Sequence[Row], changes: Mapping[str, int]) -> Counts:
    """Add up what happened to rows."""
    trained = [int(row.mask.sum()) for row in rows]
    return Counts(
        conversations=len(rows),
        tokens=sum(len(row.ids) for row in rows),
        trained=sum(trained),
        merged_with_prompt=sum(row.merged for row in rows),
        torn_at_end=sum(row.torn for row in rows),
        cut=sum(1 for row in rows if row.lost),
        untrained=sum(1 for count in trained if not count),
        by_offsets=sum(row.by_offsets for row in rows),
        normalised=dict(changes),
    )
