"""Questions that several checks ask: a call with arguments of one's own, how turns end, whether there are tokens."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from trainplate.auditing.facts import TOKEN_BEGUN
from trainplate.auditing.subject import Subject
from trainplate.checks.endings import LONGEST_STOP
from trainplate.checks.stop_trained import plain_end
from trainplate.conversations import Conversation, given_arguments, named, words
from trainplate.errors import Declined
from trainplate.rendering.common_start import common_start

LEAD = 40
"""Characters that are shown in front of a message, to see how its turn opens."""


def call_with(subject: Subject, arguments: dict[str, Any]) -> Conversation:
    """Return a tool call with these arguments, in the form that the template takes."""
    call = named("call")
    asked, calling = call.messages
    function = {**calling["tool_calls"][0]["function"], "arguments": arguments}
    messages = (asked, {**calling, "tool_calls": [{**calling["tool_calls"][0], "function": function}]})
    return subject.support.form.of(replace(call, messages=messages))


def tokens_needed(subject: Subject) -> str:
    """Need a tokenizer, and a template with markers or a patch that has them."""
    if subject.encoder is None:
        return "there is no tokenizer at hand"
    if not subject.support.speaks:
        return "the template prints no plain conversation"
    return "" if subject.training or subject.marked else "there are no markers to look at"


def printed_near(text: str, conversation: Conversation, number: int) -> str:
    """Return what is printed where a message should stand: from the message before it on, or the one behind it."""
    before, behind = conversation.messages[:number][-1:], conversation.messages[number + 1 :][:1]
    for neighbours, lead in ((before, 0), (behind, LEAD)):
        at = next((at for word in words(list(neighbours)) if (at := text.find(word)) >= 0), -1)
        if at >= 0:
            start = max(0, at - lead)
            return f"…{text[start:]}" if start else text
    return text


def beside_empty_text(subject: Subject, name: str) -> Conversation:
    """Return a named conversation in the form that the template takes, but with its contents as they are given."""
    return replace(subject.support.form, silence="empty").of(named(name))


def prints_call(text: str | None, conversation: Conversation) -> bool:
    """Say whether a text shows the arguments of a conversation's calls."""
    return text is not None and all(word in text for word in words(list(given_arguments(conversation.messages))))


def patch_prints(subject: Subject, name: str) -> bool:
    """Say whether the training template shows the call of a named conversation, whose content is as it is given."""
    conversation = beside_empty_text(subject, name)
    with suppress(Declined):
        if subject.training is not None:
            return prints_call(subject.training.render(conversation.messages, conversation.tools), conversation)
    return False


@dataclass(frozen=True)
class GoneEnd:
    """What stands behind an answer while it is the last message, and not once a question follows."""

    conversation: Conversation
    lost: str
    start: int
    """Where it begins in the shorter text, white space aside."""
    later: str
    """What stands behind the answer once a question follows."""
    alone: str
    whole: str


def end_that_goes(subject: Subject) -> GoneEnd | None:
    """Return the end of an answer that goes when a question follows; None where it stays, or the answer is quoted."""
    conversation = subject.in_form("two-turns")
    answer, following = conversation.messages[1:3]
    alone, whole = subject.say(conversation.messages[:2]), subject.tell(conversation)
    if whole is None or alone is None:
        return None
    last, later = plain_end(answer, alone), plain_end(answer, whole[: whole.find(words(following)[0])])
    if last is None or later is None or later.strip().startswith(last.strip()):
        return None
    lost = last[len(TOKEN_BEGUN.sub("", last[: common_start(last, later)])) :]
    if len(lost.strip()) > LONGEST_STOP:
        return None
    return GoneEnd(conversation, lost, len(alone) - len(lost.lstrip()), later, alone, whole)


def is_prompt(subject: Subject, text: str) -> bool:
    """Say whether a text is the end of the generation prompt."""
    asked = subject.say(subject.in_form("two-turns").messages[:1], prompt=True)
    return bool(text.strip()) and (asked or "").rstrip().endswith(text.strip())
