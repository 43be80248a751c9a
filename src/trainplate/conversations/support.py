"""Learns what a template can be told, by telling it and looking for the words in what it prints."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Protocol

from trainplate.conversations.conversation import REASONING_KEYS, Conversation, Message, Tool, words
from trainplate.conversations.features import CALL_FEATURES, FEATURES, PLAIN_FEATURES, Answer
from trainplate.conversations.form import Form
from trainplate.conversations.knobs import read_knobs
from trainplate.conversations.suite_files import named
from trainplate.errors import LimitExceeded

PARTS_IN_PYTHON = ("'type': 'text'", '"type": "text"')
Values = dict[str, tuple[Any, ...]]


class Say(Protocol):
    """Renders a conversation, and answers None where the template declines it."""

    def __call__(
        self, messages: Sequence[Message], tools: Sequence[Tool] | None, add_generation_prompt: bool, **options: Any
    ) -> str | None:
        """Return the text, or None."""


@dataclass(frozen=True, eq=False)
class Support:
    """What a template takes, in which form it takes it, and which options it reads."""

    form: Form
    answers: Mapping[str, Answer]
    """What becomes of each of `FEATURES`; empty where the template prints no plain conversation in any form."""
    prompts: bool = False
    """Whether asking for a generation prompt changes anything."""
    knobs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The options it reads, each with the values that change what it prints."""
    idle: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Options with the values that changed nothing when tried; no values where none are known."""

    @property
    def speaks(self) -> bool:
        """Whether it prints a plain conversation at all."""
        return bool(self.answers)

    @property
    def unsupported(self) -> dict[str, Answer]:
        """The features that do not come out in print, each with what happens instead."""
        return {feature: answer for feature, answer in self.answers.items() if answer != Answer.PRINTED}

    def prints(self, *features: str) -> bool:
        """Say whether the template prints all that these features bring."""
        return all(self.answers.get(feature) == Answer.PRINTED for feature in features)

    def refuses(self, feature: str) -> bool:
        """Say whether a conversation with this feature cannot be told at all."""
        return self.answers.get(feature, Answer.DECLINED) in (Answer.DECLINED, Answer.GARBLED)

    def as_dict(self) -> dict[str, Any]:
        """Return the whole as plain values, ready for JSON."""
        return asdict(self)


def learn_support(
    render: Say,
    source: str,
    knobs: Values | None = None,
    *,
    silence: Literal["empty", "null"] = "empty",
) -> Support:
    """Learn what a template takes, in some twenty renders and a few for each value of an option.

    `knobs` are the options that the source reads, and spare reading it once more. `silence` is the content of
    messages that call tools and say nothing; for null, `render` has to pass it on to the template.
    """
    form = learn_contents(render)
    if form is None:
        return Support(Form(), {})
    form = replace(form, silence=silence)
    answers = {feature: ask(render, feature, form) for feature in PLAIN_FEATURES}
    form = learn_reasoning(render, source, form, answers)
    form = learn_calls(render, form, answers)
    form = learn_reasoning_of_calls(render, source, form, answers)
    known = read_knobs(source) if knobs is None else knobs
    working, idle = learn_knobs(render, form, answers, known)
    return Support(form, answers, prints_prompt(render, form), working, idle)


def learn_contents(render: Say) -> Form | None:
    """Find the form of contents that the template prints, strings before parts."""
    for form in (Form("strings"), Form("parts")):
        conversation = form.of(named("one-turn"))
        text = tell(render, conversation)
        if text is not None and prints_plainly(text, conversation):
            return form
    return None


def prints_plainly(text: str, conversation: Conversation) -> bool:
    """Say whether every word of a conversation is printed: answers as they are, questions perhaps in other letters."""
    asked, answered = ([m for m in conversation.messages if (m["role"] == "assistant") is own] for own in (False, True))
    shouted = text.casefold()
    return all(word.casefold() in shouted for word in words(asked)) and all(word in text for word in words(answered))


def tell(render: Say, conversation: Conversation, prompt: bool = False, **options: Any) -> str | None:
    """Render a whole conversation."""
    try:
        return render(conversation.messages, conversation.tools, prompt, **conversation.options, **options)
    except LimitExceeded as error:
        raise error.during(conversation.label) from None


def ask(render: Say, feature: str, form: Form) -> Answer:
    """Show a template one feature and say what becomes of it."""
    conversation = form.of(named(FEATURES[feature].probe))
    text = tell(render, conversation)
    if text is None:
        return Answer.DECLINED
    if any(spelling in text for spelling in PARTS_IN_PYTHON):
        return Answer.GARBLED
    if not all(word in text for word in FEATURES[feature].expected(conversation)):
        return Answer.DROPPED
    if feature == "images" and text == tell(render, without_images(conversation)):
        return Answer.DROPPED
    return Answer.PRINTED


def without_images(conversation: Conversation) -> Conversation:
    """Leave the text parts alone in every message."""
    bare = [{**m, "content": [part for part in m["content"] if part["type"] == "text"]} for m in conversation.messages]
    return replace(conversation, messages=tuple(bare))


def learn_reasoning(render: Say, source: str, form: Form, answers: dict[str, Answer]) -> Form:
    """Find the key under which the template reads reasoning; only a key that stands in its source can be one."""
    for key in REASONING_KEYS:
        tried = replace(form, reasoning_key=key)
        answers["reasoning"] = ask(render, "reasoning", tried)
        if answers["reasoning"] == Answer.PRINTED or not any(key in source for key in REASONING_KEYS[1:]):
            break
    else:
        tried = form
    answers["reasoning-in-history"] = ask(render, "reasoning-in-history", tried)
    return tried


def learn_reasoning_of_calls(render: Say, source: str, form: Form, answers: Mapping[str, Answer]) -> Form:
    """Find the key under which a template reads reasoning that it prints in front of calls alone."""
    if answers["reasoning"] == Answer.PRINTED or answers["calls"] != Answer.PRINTED:
        return form
    conversation = named("call-with-reasoning-and-content")
    reasoning = words(conversation.messages[1]["reasoning_content"])[0]
    for key in REASONING_KEYS:
        tried = replace(form, reasoning_key=key)
        if key in source and reasoning in (tell(render, tried.of(conversation)) or ""):
            return tried
    return form


def learn_calls(render: Say, form: Form, answers: dict[str, Answer]) -> Form:
    """Find the form of arguments that the template takes, and what else it takes around a call."""
    as_objects, as_text = (ask(render, "calls", replace(form, arguments=how)) for how in ("objects", "text"))
    if as_objects == Answer.DECLINED and as_text != Answer.DECLINED:
        form = replace(form, arguments="text")
    answers["text-arguments"] = as_text
    answers["calls"] = as_text if form.arguments == "text" else as_objects
    declined = answers["calls"] == Answer.DECLINED
    answers.update({name: Answer.DECLINED if declined else ask(render, name, form) for name in CALL_FEATURES})
    return form


def prints_prompt(render: Say, form: Form) -> bool:
    """Say whether a generation prompt is printed where one is asked for."""
    conversation = form.of(named("then-user"))
    return tell(render, conversation, prompt=True) != tell(render, conversation)


def learn_knobs(render: Say, form: Form, answers: Mapping[str, Answer], read: Values) -> tuple[Values, Values]:
    """Part the values of each option into those that change what is printed and those that change nothing.

    A value that the template declines is among neither: it is no value of that option.
    """
    told = [form.of(named(name)) for name in probes_of_knobs(answers)] if any(read.values()) else []
    usual = printed(render, told)
    moving: Values = {}
    idle: Values = {name: () for name, values in read.items() if not values}
    for name, values in read.items():
        for value in values:
            shown = printed(render, told, **{name: value})
            if shown != usual and all(now is None for now, before in zip(shown, usual, strict=True) if now != before):
                continue
            kept = idle if shown == usual else moving
            kept[name] = (*kept.get(name, ()), value)
    return moving, idle


def probes_of_knobs(answers: Mapping[str, Answer]) -> list[str]:
    """Name the conversations in which an option is likely to show."""
    rich = "reasoned-tool-cycles" if answers["tool"] != Answer.DECLINED else "reasoning-some-turns"
    pictures = ["image-two-turns"] if answers["images"] == Answer.PRINTED else []
    return [rich, "tools-no-call" if answers["tools"] == Answer.PRINTED else "two-turns", *pictures]


def printed(render: Say, told: list[Conversation], **options: Any) -> list[str | None]:
    """Return each conversation as it is printed whole, and up to its last answer with the generation prompt."""
    texts: list[str | None] = []
    for conversation in told:
        asking = replace(conversation, messages=conversation.messages[:-1])
        texts += [tell(render, conversation, **options), tell(render, asking, prompt=True, **options)]
    return texts
