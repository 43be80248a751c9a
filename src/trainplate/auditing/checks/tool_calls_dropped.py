"""A call that is not printed leaves an empty answer to be trained."""

import json
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS, PLAIN
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import printed_near
from trainplate.conversations import FEATURES, Answer, Conversation, words

KEEP_OUT = "keep such turns out of the data, or part them"
NO_FORMAT = "leave calls out of the data, or use a template with a format for them; no patch invents one"


@audit_check(severity=Severity.WARNING, cure=NO_FORMAT, passes=Example(CALLS), fails=Example(PLAIN))
def tool_calls_dropped(subject: Subject) -> Iterator[Seen]:
    """A tool call is printed, with its name and its arguments, or declined.

    It is an error where the template prints tools or their results, and so is made for them.
    """
    conversation = subject.in_form("call")
    text = subject.tell(conversation)
    if text is None:
        return
    lost = list(lost_of_call(subject, conversation, text))
    if lost:
        made_for_tools = subject.support.prints("tools") or subject.support.prints("tool")
        yield Seen(
            f"{' and '.join(lost)} of a tool call are left out without a word",
            conversation=conversation.name,
            before=json.dumps(conversation.messages[-1]["tool_calls"][0]["function"]),
            after=printed_near(text, conversation, len(conversation.messages) - 1),
            severity=Severity.ERROR if made_for_tools else Severity.WARNING,
        )
        return
    for feature in ("several-calls", "call-content"):
        if subject.support.answers[feature] is Answer.DROPPED:
            told = subject.in_form(FEATURES[feature].probe)
            printed = subject.tell(told) or ""
            turn = {key: told.messages[1][key] for key in ("content", "tool_calls")}
            yield Seen(
                lost_beside(told, printed),
                conversation=told.name,
                before=json.dumps(turn),
                after=printed_near(printed, told, 1),
                cure=KEEP_OUT,
            )


def lost_beside(conversation: Conversation, text: str) -> str:
    """Say what is not printed of a turn with several calls, or with text beside a call."""
    turn = conversation.messages[1]
    if not all(word in text for call in turn["tool_calls"] for word in words(call["function"]["arguments"])):
        return (
            "of what one turn says a tool call is left out"
            if turn["content"]
            else "of two calls in a turn one is left out"
        )
    return "the text beside a tool call is left out"


def lost_of_call(subject: Subject, conversation: Conversation, text: str) -> Iterator[str]:
    """Yield what is not printed of the only call in a conversation; its name is printed among the tools as well."""
    function = conversation.messages[-1]["tool_calls"][0]["function"]
    bare = subject.say(conversation.messages)
    if function["name"] not in (text if bare is None else bare):
        yield "name"
    if not all(word in text for word in words(function["arguments"])):
        yield "arguments"
