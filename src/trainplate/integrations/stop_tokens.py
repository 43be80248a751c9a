"""The tokens that end turns, measured on a training template with the tokenizer at hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trainplate.checks import Pair, Trial
from trainplate.checks.stop_trained import bare_end
from trainplate.integrations.listening import listen
from trainplate.patching.patch import Patch

LISTENED = ("one-turn", "call")


@dataclass(frozen=True)
class Ending:
    """What a turn ends with, as text and as the tokenizer's ids, and the conversation that shows it."""

    text: str
    ids: tuple[int, ...]
    conversation: str


def told(patch: Patch) -> tuple[Trial, ...]:
    """Tell a training template a plain answer and, where it takes them, a call."""
    listening = listen(patch.original)
    heard = sorted(listening.heard(LISTENED), key=lambda one: LISTENED.index(one.conversation.name))
    return tuple(listening.trials(patch.training_template, heard))


def endings_of(patch: Patch, owner: Any) -> tuple[Ending, ...]:
    """Return the endings of turns, that of a plain answer first."""
    found = {ending.text: ending for trial in told(patch) for ending in endings_in(trial, owner)}
    return tuple(found.values())


def endings_in(trial: Trial, owner: Any) -> Iterator[Ending]:
    """Yield the endings of one conversation's turns.

    Behind a call there is no telling which of the text belongs to the call: there its last token counts, if it is one
    that the tokenizer keeps whole.
    """
    for pair in trial.told:
        text = (bare_end(pair, pair.training.text or "") or "").strip()
        if text:
            yield Ending(text, ids_of(text, owner), trial.conversation.label)
        elif pair.message.get("tool_calls") and (token := last_token(pair, owner)):
            yield Ending(token[0], (token[1],), trial.conversation.label)


def last_token(pair: Pair, owner: Any) -> tuple[str, int] | None:
    """Return the last token of a turn, with its text, where it is one of the added tokens."""
    last = ids_of((pair.training.text or "").rstrip()[-60:], owner)[-1:]
    added = (
        {token: text for text, token in owner.get_added_vocab().items()} if hasattr(owner, "get_added_vocab") else {}
    )
    return (added[last[0]], last[0]) if last and last[0] in added else None


def ids_of(text: str, owner: Any) -> tuple[int, ...]:
    """Encode a text as a part of a longer one."""
    return tuple(owner(text, add_special_tokens=False)["input_ids"])


def plain_rendering(patch: Patch) -> str:
    """Return a question and its answer as the training template prints them."""
    return next((trial.training.text for trial in told(patch) if trial.training is not None), "")
