"""Where a training template's text differs from the original's, why, and the conversation that shows it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trainplate.checks.trial import Pair, Trial, reasoning_and_content
from trainplate.conversations import Form, Message

REASONING = "reasoning is kept where the original drops it"
HISTORY = "earlier turns stay as they were when they were the last"
STOP = "a stop token is added to a turn that has none of its own"
SHED = "what the original prints only while nothing follows is left out"
ARGUMENTS = "arguments are taken in a form that the original declines"
CONTENT = "a message that calls tools may lack its content"
DECLINED = "a conversation is declined that the original cannot keep in place"


@dataclass(frozen=True)
class Deviation:
    """A stated difference from the original's text, with its reason and the conversation that shows it."""

    reason: str
    conversation: str


def deviations_of(trials: Iterable[Trial], form: Form) -> tuple[Deviation, ...]:
    """Return every kind of difference, each with the first conversation that shows it.

    `form` is how the original was told its conversations.
    """
    found: dict[str, str] = {}
    for trial in trials:
        for reason in reasons(trial):
            found.setdefault(reason, trial.conversation.label)
        if form.silence == "null" and any(calls_without_content(message) for message in trial.conversation.messages):
            found.setdefault(CONTENT, trial.conversation.label)
    return tuple(Deviation(reason, conversation) for reason, conversation in found.items())


def calls_without_content(message: Message) -> bool:
    """Say whether a message calls tools and has no content."""
    return bool(message.get("tool_calls")) and message.get("content") is None


def told_apart(trial: Trial) -> Iterator[tuple[Message, Message]]:
    """Yield each message as the original was told it, and as the training template was."""
    yield from zip(trial.heard.messages, trial.conversation.messages, strict=True)


def calls_of(message: Message) -> object:
    """Return the tool calls of a message."""
    return message.get("tool_calls")


def reasons(trial: Trial) -> Iterator[str]:
    """Yield why this conversation is told otherwise than by the original."""
    if trial.training is None:
        yield DECLINED
        return
    if any(calls_of(theirs) != calls_of(ours) for theirs, ours in told_apart(trial)):
        yield ARGUMENTS
    if any("content" in theirs and "content" not in ours for theirs, ours in told_apart(trial)):
        yield CONTENT
    if trial.training.text == trial.original.text:
        return
    explained = set()
    for pair in trial.told:
        explained |= set(reasons_of_turn(pair, trial))
    yield from sorted(explained or {HISTORY})


def reasons_of_turn(pair: Pair, trial: Trial) -> Iterator[str]:
    """Yield why this turn is told otherwise, both while it is the last and once something follows."""
    original, training = pair.original.text or "", pair.training.text or ""
    reasoning = reasoning_and_content(pair.message)[0].strip()
    whole = trial.training.text if trial.training else ""
    if reasoning and reasoning in whole and reasoning not in trial.original.text:
        yield REASONING
    if pair.original.continues and pair.training.continues:
        theirs = original[len(pair.original.prompt or "") :]
        if pair.new != theirs and pair.new.startswith(theirs.rstrip()) and pair.new.strip() != theirs.strip():
            yield STOP
        elif theirs.startswith(pair.new.rstrip()) and pair.new.strip() != theirs.strip():
            yield SHED
    if pair.before is None and training != original and original.startswith(training.rstrip()):
        yield SHED
    if original and not trial.original.text.startswith(original.rstrip()) and whole.startswith(training):
        yield HISTORY
