"""Which named conversations a template can be told, in its own form and under which options."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, NamedTuple

from trainplate.conversations.conversation import Conversation
from trainplate.conversations.suite_files import suite
from trainplate.conversations.support import Support

Options = Mapping[str, Any]


class Selection(NamedTuple):
    """The conversations to tell, and what is not evaluated by them: a check may not report that as passed."""

    conversations: tuple[Conversation, ...]
    left_out: tuple[tuple[str, str], ...]
    """Name and feature of each conversation that the template declines or garbles."""
    unheard: tuple[tuple[str, str], ...]
    """Name and feature of each conversation that is told although the template drops part of it."""


def applicable(support: Support) -> Selection:
    """Select the named conversations a template can be told, in the form it takes."""
    told, left_out, unheard = [], [], []
    for conversation in suite():
        refused = missing(conversation, support)
        if refused:
            left_out.append((conversation.name, refused))
            continue
        told.append(support.form.of(conversation))
        unheard += [(conversation.name, need) for need in sorted(conversation.needs) if not support.prints(need)]
    return Selection(tuple(told), tuple(left_out), tuple(unheard))


def missing(conversation: Conversation, support: Support) -> str | None:
    """Return the first feature for want of which a conversation cannot be told; `plain` where nothing can."""
    if not support.speaks:
        return "plain"
    return next((need for need in sorted(conversation.needs) if support.refuses(need)), None)


def option_sets(support: Support, *, together: int = 1, idle: bool = False) -> tuple[Options, ...]:
    """Return the options to render under: none, then each known value alone, then up to so many knobs at once.

    `idle` adds the values that changed nothing while support was learnt, for a last look.
    """
    values = dict(support.knobs)
    if idle:
        values = {name: values.get(name, ()) + support.idle.get(name, ()) for name in {**values, **support.idle}}
    return tuple(_turned(values, together))


def _turned(values: Mapping[str, tuple[Any, ...]], together: int) -> Iterator[Options]:
    for count in range(together + 1):
        for names in combinations(sorted(values), count):
            yield from (dict(zip(names, chosen, strict=True)) for chosen in product(*(values[name] for name in names)))
