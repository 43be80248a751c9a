"""Questions that several checks ask: a call with arguments of one's own, and whether tokens can be looked at."""

from dataclasses import replace
from typing import Any

from trainplate.auditing.subject import Subject
from trainplate.conversations import Conversation, named


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
