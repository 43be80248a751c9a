"""A conversation as the original tells it and as the training template tells it: what every check looks at."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from trainplate.checks.telling import Telling, Turn, Voice
from trainplate.conversations import Conversation, Message, text_of, words
from trainplate.errors import Declined
from trainplate.rendering.common_start import common_start
from trainplate.verdict import AS_IT_GROWS, Finding, Labels

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


@dataclass(frozen=True, eq=False)
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
    def silent(self) -> bool:
        """Whether nothing of what the assistant says in this turn is printed."""
        return not self.words

    @property
    def last_word(self) -> str:
        """The word to look behind for this turn's end: an argument of its last call, else what is printed last."""
        text = self.training.text or ""
        called = [w for call in self.message.get("tool_calls") or () for w in words(call["function"]["arguments"])]
        return max([word for word in called if word in text] or self.words, key=text.rfind, default="")


@dataclass(frozen=True, eq=False)
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
    irregular: str
    """Why the original cannot keep text in place as this conversation grows; empty where it can."""
    text_arguments: "Callable[[], TextArguments | None]"
    """Renders the same conversation with arguments as JSON text, in both templates."""
    refusal_of: Callable[[Conversation, Sequence[Message], bool], Declined | None]
    """Returns with what the training template declines messages of a conversation, at its end or its prompt."""
    known_endings: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """How the original may end the turn of a message, once that was asked; shared by all trials of a conversation."""
    known_leads: dict[int, str | None] = field(default_factory=dict, repr=False)
    """What the original prints in front of a plain answer in place of a message, once that was asked; shared too."""
    judged: dict[str, tuple[Finding, ...]] = field(default_factory=dict, repr=False)
    """What each check found, once it was asked."""

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
        for follower in possible(self.conversation)[:2]:
            longer = self.say_original([*messages, follower], prompt=True)
            if longer is not None and FOLLOWING in longer:
                yield longer

    def plain_lead(self, pair: Pair) -> str | None:
        """Return what the original prints between its prompt and a plain answer given in place of a turn.

        It is empty where the answer continues the prompt, and None where the original tells no such answer.
        """
        index = pair.original.index
        if index not in self.known_leads:
            *_, answer = possible(self.conversation)
            plain = self.say_original([*self.heard.messages[:index], answer])
            self.known_leads[index] = lead_of(pair.original.prompt or "", plain)
        return self.known_leads[index]

    def finding(
        self,
        check: str,
        message: str,
        pair: Pair | None = None,
        before: str = "",
        after: str = "",
        labels: Labels = AS_IT_GROWS,
    ) -> Finding:
        """Say where a law is broken, with the conversation up to the turn that shows it."""
        upto = f"[:{pair.original.index + 1}]" if pair else ""
        return Finding(check, message, self.conversation.label + upto, before, after, labels)


def irregularity(conversation: Conversation, telling: Telling) -> str:
    """Say why an original cannot keep text in place as a conversation grows; an empty text where it can."""
    behind = 0
    for message, said in conversation.said:
        places = [at for at in (telling.text.find(word) for word in said) if at >= 0]
        if message["role"] in ("system", "developer") and any(at < behind for at in places):
            return HOISTS
        behind = max([behind, *places]) if message["role"] == "assistant" else behind
    if late_system(conversation) and rewrites_prompt(conversation, telling):
        return HOISTS
    for turn, later in pairwise(telling.turns):
        if later.index == turn.index + 1 and merges(conversation, turn, later):
            return MERGES
        if later.index == turn.index + 1 and turn.told and later.prompt == turn.text:
            return "the original prints a generation prompt behind an answer without being asked"
    return ""


def late_system(conversation: Conversation) -> bool:
    """Say whether a system message stands behind the first answer."""
    first = conversation.turns[0] if conversation.turns else len(conversation.messages)
    return any(message["role"] in ("system", "developer") for message in conversation.messages[first:])


def rewrites_prompt(conversation: Conversation, telling: Telling) -> bool:
    """Say whether what stands in front of the first question is another once the conversation has grown."""
    asked = next(
        (word for message in conversation.messages if message["role"] == "user" for word in words(message)), ""
    )
    first = telling.turns[0].text or ""
    return asked in first and not telling.text.startswith(first[: first.find(asked)])


def merges(conversation: Conversation, turn: Turn, later: Turn) -> bool:
    """Say whether a turn loses its end when another answer follows it at once."""
    message, following = conversation.messages[turn.index], conversation.messages[later.index]
    if not any(word in (later.text or "") for word in words(following)):
        return False
    said = text_of(message.get("content")).strip().rpartition("\n")[2].strip()
    if not turn.told or not later.told or not said or said not in (turn.text or "") or said not in (later.text or ""):
        return False
    behind, longer = ((text or "").rpartition(said)[2] for text in (turn.text, later.text))
    if behind.strip():
        return not behind[: common_start(behind, longer)].strip()
    asked = (later.prompt or "").rpartition(said)[2]
    return bool(asked.strip()) and not longer.lstrip().startswith(asked.strip()[0])


@dataclass(frozen=True, eq=False)
class TextArguments:
    """The whole conversation with arguments as JSON text: the original's rendering, and the training template's."""

    original: str
    training: str | None


HOISTS = "the original prints a later system message in front of earlier turns"
MERGES = "the original merges answers that follow each other"
FOLLOWING = "Gneiss9"
TOKEN_BEGUN = re.compile(r"(<[^<>\s]{0,12}|\[)$")


def agreed(prompt: str, text: str) -> int:
    """Return how far a turn's text agrees with its prompt, no further than in front of a token that both begin."""
    return len(TOKEN_BEGUN.sub("", text[: common_start(prompt, text)]))


def lead_of(prompt: str, plain: str | None) -> str | None:
    """Return what stands in a plain turn between what agrees with its prompt and its word; None where that is lost."""
    if plain is None or FOLLOWING not in plain:
        return None
    return plain[agreed(prompt, plain) : plain.rfind(FOLLOWING)] if not plain.startswith(prompt) else ""


def messages_with(content: object) -> tuple[Message, Message, Message]:
    """Return a question, a result of a tool and a plain answer."""
    result = {"role": "tool", "name": "get_weather", "tool_call_id": "call00001", "content": content}
    return {"role": "user", "content": content}, result, {"role": "assistant", "content": content}


PLAIN, IN_PARTS = messages_with(FOLLOWING), messages_with([{"type": "text", "text": FOLLOWING}])


def possible(conversation: Conversation) -> tuple[Message, Message, Message]:
    """Return the messages that may come next: a question, a result and a plain answer, in a conversation's form."""
    parts = any(isinstance(message.get("content"), list) for message in conversation.messages)
    return IN_PARTS if parts else PLAIN


def beginnings(message: Message) -> Iterator[str]:
    """Yield how each thing the assistant says begins: the first lines of reasoning and content, a word of a call."""
    for text in reasoning_and_content(message):
        yield from text.strip().splitlines()[:1]
    for call in message.get("tool_calls") or ():
        yield from words(call["function"]["arguments"])[:1]


def own_words(message: Message) -> Iterator[str]:
    """Yield one word for each thing the assistant says: reasoning, content, and the arguments of its calls."""
    reasoning, content = reasoning_and_content(message)
    for text in (reasoning, content):
        yield from (words(text) or tuple(text.split()))[:1]
    for call in message.get("tool_calls") or ():
        yield from words(call["function"]["arguments"])[-1:]


def reasoning_and_content(message: Message) -> tuple[str, str]:
    """Part an assistant message into reasoning and answer; reasoning may be a field or stand in the content."""
    content = text_of(message.get("content"))
    fields = (message.get(key) for key in ("reasoning_content", "reasoning", "thinking"))
    reasoning = next((text for text in fields if isinstance(text, str)), "")
    if not reasoning and content.lstrip().startswith(THINK_OPEN) and THINK_CLOSE in content:
        inside, _, content = content.partition(THINK_CLOSE)
        reasoning = inside.lstrip()[len(THINK_OPEN) :]
    return reasoning, content
