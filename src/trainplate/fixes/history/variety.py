"""Picks the conversations that are worth telling again and again while an edit is looked for."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trainplate.fixes.history.stages import Growth, Stage, Teller

Trait = tuple[object, ...]


def varied(teller: Teller, growths: Sequence[Growth]) -> tuple[Growth, ...]:
    """Return the conversations of which each shows something that the shorter ones do not.

    That is: another way for a condition to go, for a role, in the last answer or before it; a message of another shape
    or between other neighbours; or other options.
    """
    known: set[Trait] = set()
    chosen = []
    for growth in growths:
        shown = {*shapes(growth), *ways(teller, growth)}
        if not shown <= known:
            known |= shown
            chosen.append(growth)
    return tuple(chosen)


def shapes(growth: Growth) -> Iterator[Trait]:
    """Yield what there is to see of each message without telling it to a template."""
    messages = growth.conversation.messages
    options = str(sorted(growth.conversation.options.items()))
    roles = ["", *(str(message.get("role")) for message in messages), ""]
    for index, message in enumerate(messages):
        yield options, roles[index + 1], bool(roles[index + 2])
        yield bool(growth.conversation.tools), *roles[index : index + 3], *sorted(filled(message))


def filled(message: dict[str, Any]) -> Iterable[str]:
    """Return the keys of a message under which there is something."""
    return (key for key, value in message.items() if value)


def ways(teller: Teller, growth: Growth) -> Iterator[Trait]:
    """Yield which way each condition goes while the whole conversation is told."""
    whole = Stage(len(growth.conversation.messages), prompt=False)
    said = teller.say(growth, whole)
    last = growth.conversation.turns[-1]
    for decision in said.decisions if said else ():
        moment = decision.moment
        yield decision.site, decision.value, moment.role, moment.message is not None and moment.message < last
