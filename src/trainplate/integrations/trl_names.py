"""The functions of `trl.chat_template_utils` under their own names, for any template.

Arguments and return values are TRL's. Where the two differ, the docstring says so.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from trainplate.checks import Trial
from trainplate.checks.prefix_preserved import prefix_preserved
from trainplate.checks.registry import always
from trainplate.checks.stop_trained import bare_end
from trainplate.errors import Declined, Refusal, TrainplateError
from trainplate.integrations.cloning import clone_chat_template
from trainplate.integrations.listening import listen
from trainplate.integrations.place_patches import patch_once
from trainplate.integrations.template_places import names_used, places_of
from trainplate.masks.backend import text_tokenizer
from trainplate.masks.training_template import has_markers, special_tokens
from trainplate.rendering import compile_template
from trainplate.template import Template

__all__ = [
    "clone_chat_template",
    "get_training_chat_template",
    "has_generation_markers",
    "is_chat_template_prefix_preserving",
    "is_chat_template_stop_token_trained",
    "supports_tool_calling",
]


class NotTrainable(Refusal, ValueError):
    """Raised, where TRL raises ValueError, for a template that cannot be made trainable; it carries the witness."""


def get_training_chat_template(processing_class: Any = None, tokenizer: Any = None) -> str | None:
    """Return the training template, or None where the template can be trained on as it is.

    TRL knows some thirty originals byte for byte; here any template is patched, and NotTrainable, a ValueError, says
    which conversation stands in the way. TRL takes a template as ready when it has markers and keeps one tool round
    in place; here it must obey the whole contract. Of named templates the default is meant, or the only one.
    """
    if processing_class is not None and tokenizer is not None:
        raise TypeError("give either `processing_class` or `tokenizer`, its older name, not both")
    owner = tokenizer if processing_class is None else processing_class
    if owner is None:
        raise TypeError("get_training_chat_template() needs the argument 'processing_class'")
    try:
        found = patch_once(places_of(owner)[0].template)
    except Refusal as refused:
        raise NotTrainable(
            refused.reason,
            check=refused.check,
            conversation=refused.conversation,
            before=refused.before,
            after=refused.after,
        ) from refused
    return found.training_template if found.edits else None


def has_generation_markers(chat_template: str | Mapping[str, str] | None) -> bool:
    """Say whether a template has generation blocks.

    TRL searches the text: it finds markers in comments and in printed texts, and misses `{%+ generation %}`. Here the
    template is parsed; a text that is no template raises SyntaxFault. Of named templates the default is looked at, or
    the only one, where TRL needs one called `default`. Without a template the answer is no.
    """
    if chat_template is None:
        return False
    if isinstance(chat_template, Mapping):
        chat_template = chat_template[names_used(chat_template, None, "the dictionary")[0]]
    return has_markers(chat_template)


def is_chat_template_prefix_preserving(processing_class: Any) -> bool:
    """Say whether text and tokens stay in place as messages are appended.

    TRL asks once: one call without reasoning, and its result. Here every conversation of the suite that the template
    takes is grown message by message, with reasoning, questions behind answers and several rounds of tools; what it
    declines is not asked, where TRL raises the template's error.
    """
    owner = text_tokenizer(processing_class)
    trials = [trial for trial in trials_of(template_on(processing_class)) if always(trial)]
    moved = any(True for trial in trials for _ in prefix_preserved(trial))
    return bool(trials) and not moved and all(stays_in_tokens(trial, owner) for trial in trials)


def stays_in_tokens(trial: Trial, owner: Any) -> bool:
    """Say whether the tokens of each turn stay as they are behind the next messages, white space at its end aside."""
    if not callable(owner) or trial.training is None:
        return True  # there are no tokens to ask for
    whole = tokens_of(owner, trial.training.text)
    texts = [pair.training.text or "" for pair in trial.told]
    return all(
        is_start(tokens_of(owner, text), whole) or is_start(tokens_of(owner, text.rstrip()), whole) for text in texts
    )


def is_start(ids: list[int], whole: list[int]) -> bool:
    """Say whether a longer text begins with these tokens."""
    return whole[: len(ids)] == ids


def tokens_of(owner: Any, text: str) -> list[int]:
    """Encode a rendered text, which has its special tokens already."""
    return list(owner(text, add_special_tokens=False)["input_ids"])


def is_chat_template_stop_token_trained(processing_class: Any, chat_template: str | None = None) -> bool:
    """Say whether each turn ends, inside its markers, with what the model must emit to stop.

    TRL looks at one plain answer, and takes for a stop token what was added to the vocabulary: an EOS that a model
    was born with is none to it, while a `</think>` that ends a turn is one. Here every turn of the suite is looked
    at, those that end in calls among them, and the end is what the template itself prints behind a turn.
    """
    template = template_on(processing_class, chat_template)
    if not has_markers(template.source):
        return False
    found = [trained for trial in trials_of(template) for trained in stops_trained(trial)]
    return bool(found) and all(found)


def stops_trained(trial: Trial) -> Iterator[bool]:
    """Yield, for each turn that stays in place, whether something ends it and stands inside its markers."""
    if trial.training is None:
        return
    for pair in trial.told:
        text = (pair.training.text or "").rstrip()
        if pair.silent or not trial.training.text.startswith(text):
            continue  # what moves is not this function's to judge
        behind = bare_end(pair, text)
        ended = behind is None or bool(behind.strip())
        yield ended and any(start < len(text) <= end for start, end in trial.training.spans)


CALLED, KEY, VALUE, RESULT = "Obsidian1", "Basalt2", "Marble3", "Granite4"
"""The name of a tool, an argument of its call, the argument's value, and what the tool answers."""


def supports_tool_calling(processing_class: Any) -> bool:
    """Say whether a template prints a tool call and its result: name, arguments and answer.

    TRL gives the call neither an id nor a definition of the tool, arguments only as a dict, or as text once a dict
    raised TypeError, and contents as parts to processors alone. Here all of them are tried, as a template such as
    Mistral's declines a call without an id of nine characters; the template for tools is asked where there is one.
    """
    try:
        template = tool_template(processing_class)
    except TrainplateError:
        return False
    compiled = compile_template(template.source, special_tokens=template.special_tokens)
    for told in forms():
        try:
            text = compiled.render(told["messages"], told["tools"])
        except Declined:
            continue
        if all(word in text for word in (CALLED, KEY, VALUE, RESULT)):
            return True
    return False


def tool_template(processing_class: Any) -> Template:
    """Return the template that transformers takes when it is given tools."""
    entry = getattr(processing_class, "chat_template", None)
    name = "tool_use" if isinstance(entry, Mapping) and "tool_use" in entry else None
    return places_of(processing_class, name)[0].template


def forms() -> list[dict[str, Any]]:
    """Return a round with a tool in every form in which templates take it."""
    parameters = {"type": "object", "properties": {KEY: {"type": "string", "description": "A stone."}}}
    function = {"name": CALLED, "description": "Looks at stones.", "parameters": parameters}
    return [
        {"messages": tool_round(arguments, parts, content), "tools": tools}
        for tools in (None, [{"type": "function", "function": function}])
        for arguments in ({KEY: VALUE}, f'{{"{KEY}": "{VALUE}"}}')
        for parts in (False, True)
        for content in ({"content": ""}, {})
    ]


def tool_round(arguments: Any, parts: bool, content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a question, a call and its result."""
    said = (lambda text: [{"type": "text", "text": text}]) if parts else str
    call = {"type": "function", "id": "call00001", "function": {"name": CALLED, "arguments": arguments}}
    return [
        {"role": "user", "content": said("Which stone?")},
        {"role": "assistant", "tool_calls": [call], **{key: said(text) for key, text in content.items()}},
        {"role": "tool", "name": CALLED, "tool_call_id": "call00001", "content": said(RESULT)},
    ]


def template_on(processing_class: Any, chat_template: str | None = None) -> Template:
    """Return a tokenizer's template, or another text with the tokenizer's special tokens."""
    if chat_template is None:
        return places_of(processing_class)[0].template
    return Template(chat_template, special_tokens(text_tokenizer(processing_class)))


def trials_of(template: Template) -> tuple[Trial, ...]:
    """Compare a template with itself in every conversation it can be told, without options."""
    return trials_with(template.source, frozenset(template.special_tokens.items()))


@lru_cache(maxsize=8)
def trials_with(source: str, tokens: frozenset[tuple[str, str]]) -> tuple[Trial, ...]:
    """Do so once for each template."""
    listening = listen(Template(source, dict(tokens)))
    return tuple(listening.trials(source, listening.heard()))
