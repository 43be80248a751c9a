"""A conversation as the original tells it and as the training template tells it: what every check looks at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from trainplate.checks.telling import Telling, Turn, Voice
from trainplate.conversations import Conversation, Message, text_of
from trainplate.verdict import Finding

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


@dataclass(frozen=True)
class Pair:
    """One assistant turn in both tellings, and the turn before it."""

    message: Message
    original: Turn
    training: Turn
    before: "Pair | None"

    @property
    def told(self) -> bool:
        """Whether the original renders both the prompt and the turn, so that there is something to compare with."""
        return self.original.told

    @property
    def new(self) -> str:
        """What the training template adds in this turn: behind its prompt, else behind the turn before."""
        text = self.training.text or ""
        if self.training.continues:
            return text[len(self.training.prompt or "") :]
        return text[len(self.before.training.text or "") if self.before else 0 :]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The texts of the assistant's own in this turn: content, reasoning, arguments, as far as they are printed."""
        return tuple(word for word in own_words(self.message) if word in (self.training.text or ""))

    @property
    def last_word(self) -> str:
        """The word of this turn that is printed last, or an empty text."""
        text = self.training.text or ""
        return max(self.words, key=text.rfind, default="")


@dataclass(frozen=True)
class Trial:
    """A conversation, both tellings, and the means to ask the original for more."""

    conversation: Conversation
    """As the training template is told it: arguments as dicts."""
    heard: Conversation
    """As the original is told it: in the form it wants."""
    original: Telling
    training: Telling | None
    """None where the training template declines what the original renders."""
    say_original: Voice
    eos: str
    text_arguments: "Callable[[], TextArguments | None]"
    """Renders the same conversation with arguments as JSON text, in both templates."""

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every assistant turn in both tellings."""
        pairs: list[Pair] = []
        if self.training is not None:
            for original, training in zip(self.original.turns, self.training.turns, strict=True):
                message = self.conversation.messages[original.index]
                pairs.append(Pair(message, original, training, pairs[-1] if pairs else None))
        return tuple(pairs)

    @property
    def told(self) -> Iterator[Pair]:
        """The turns that the original renders and, as `renders` sees to, the training template too."""
        return (pair for pair in self.pairs if pair.told and pair.training.told)

    def longer(self, pair: Pair) -> Iterator[str]:
        """Yield the original's prompt behind a turn, for each kind of message that may come next."""
        messages = self.heard.messages[: pair.original.index + 1]
        for follower in followers(self.conversation):
            longer = self.say_original([*messages, follower], prompt=True)
            if longer is not None and FOLLOWING in longer:
                yield longer

    def nexts(self, pair: Pair) -> Iterator[str]:
        """Yield what the original prints behind a turn, for each kind of message that may come next."""
        text = pair.original.text or ""
        for longer in self.longer(pair):
            if longer.startswith(text):
                yield longer[len(text) :]
            elif pair.last_word and pair.last_word in longer:
                yield longer[longer.rfind(pair.last_word) + len(pair.last_word) :]

    def finding(self, check: str, message: str, pair: Pair | None = None, before: str = "", after: str = "") -> Finding:
        """Say where a law is broken, with the conversation up to the turn that shows it."""
        upto = f"[:{pair.original.index + 1}]" if pair else ""
        return Finding(check, message, self.conversation.label + upto, before, after)


@dataclass(frozen=True)
class TextArguments:
    """The whole conversation with arguments as JSON text: the original's rendering, and the training template's."""

    original: str
    training: str | None


FOLLOWING = "Gneiss9"


def followers(conversation: Conversation) -> tuple[Message, ...]:
    """Return the messages that may come behind an assistant's, in the form of the conversation."""
    parts = any(isinstance(message.get("content"), list) for message in conversation.messages)
    content = [{"type": "text", "text": FOLLOWING}] if parts else FOLLOWING
    tool = {"role": "tool", "name": "get_weather", "tool_call_id": "call00001", "content": content}
    return {"role": "user", "content": content}, tool


def own_words(message: Message) -> Iterator[str]:
    """Yield the first word of each thing the assistant says: reasoning, content, and the arguments of its calls."""
    reasoning, content = reasoning_and_content(message)
    for text in (reasoning, content):
        yield from text.split()[:1]
    for call in message.get("tool_calls") or ():
        yield from first_values(call["function"]["arguments"])


def first_values(arguments: object) -> Iterator[str]:
    """Yield the first text among the arguments of a call; JSON text is cut at its first quoted value."""
    if isinstance(arguments, str):
        quoted = arguments.split('"')
        yield from (a for key, a in pairwise(quoted) if key.strip() == ":" and a.strip())
    elif isinstance(arguments, dict):
        yield from [value for value in arguments.values() if isinstance(value, str) and value.isalnum()][:1]


def reasoning_and_content(message: Message) -> tuple[str, str]:
    """Part an assistant message into reasoning and answer, whether the reasoning is a field or stands in the content."""
    content = text_of(message.get("content"))
    fields = (message.get(key) for key in ("reasoning_content", "reasoning", "thinking"))
    reasoning = next((text for text in fields if isinstance(text, str)), "")
    if not reasoning and content.lstrip().startswith(THINK_OPEN) and THINK_CLOSE in content:
        inside, _, content = content.partition(THINK_CLOSE)
        reasoning = inside.lstrip()[len(THINK_OPEN) :]
    return reasoning, content
