"""What an unstable atom was for each message when the turn that ends with it, or answers it, was the last."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from trainplate.fixes.conditions.simplification import Value
from trainplate.fixes.history.roles import Wording, role_test
from trainplate.fixes.history.stages import Growth, Teller
from trainplate.rendering.atoms import Site
from trainplate.rendering.decisions import Decided, Moment, Ruling
from trainplate.syntax import Tree


@dataclass(frozen=True)
class Reference:
    """A value for an atom that no later message can change: as the source has it, and as a ruling."""

    value: Value
    ruling: Ruling


class Recollection:
    """All that atoms were in the stages that end with an answer, message by message."""

    def __init__(self, teller: Teller, growths: Iterable[Growth]) -> None:
        self.seen: dict[int, dict[Moment, set[bool]]] = defaultdict(lambda: defaultdict(set))
        for growth in growths:
            first = 0
            for _, stage in growth.stages:
                said = teller.say(growth, stage)
                if said is not None:
                    self.learn(said, first)
                first = stage.length

    def learn(self, said: Decided, first: int) -> None:
        """Learn from one stage what atoms are for its messages from the given one on; earlier ones are history."""
        for decision in said.decisions:
            if decision.moment.message is None or decision.moment.message >= first:
                self.seen[decision.site][decision.moment].add(decision.value)

    def references(self, site: Site, tree: Tree, *, rarely_wrong: bool) -> Iterator[Reference]:
        """Yield values of an atom that agree with all that it was, the simplest first.

        `rarely_wrong` asks too for what it mostly was, and for values that tell by the place of a message.
        """
        seen = self.seen.get(site.number, {})
        values = {moment: next(iter(known)) for moment, known in seen.items() if len(known) == 1}
        exact = len(values) == len(seen)
        if exact:
            yield from explanations(values, site, tree)
        if not rarely_wrong:
            return
        total = [value for known in seen.values() for value in known]
        if len(set(total)) > 1:
            yield constant(total.count(True) >= total.count(False))
        yield from by_place(values, site, tree) if exact else ()


def explanations(values: Mapping[Moment, bool], site: Site, tree: Tree) -> Iterator[Reference]:
    """Yield the simple conditions on a message that tell the values."""
    if len(set(values.values())) == 1:
        yield constant(next(iter(values.values())))
        return
    wording = Wording.of(site.loops, tree)
    by_role = grouped(values, lambda moment: moment.role)
    if wording is not None and by_role:
        test = role_test(wording.role, by_role, wording.quote)
        yield Reference(test, lambda was, now, prompt: by_role.get(now.role, was))
    if wording is not None and wording.own_loop and all(is_last_of_row(now) == value for now, value in values.items()):
        yield Reference(wording.last_of_row, lambda was, now, prompt: is_last_of_row(now))


def is_last_of_row(moment: Moment) -> bool:
    """Say whether no message of the same role follows: whatever comes behind that one, it stays the last of its row."""
    return moment.behind != moment.role


def by_place(values: Mapping[Moment, bool], site: Site, tree: Tree) -> Iterator[Reference]:
    """Yield a test for the first message of the loop, if that tells the values."""
    wording = Wording.of(site.loops, tree)
    known = grouped(values, lambda moment: "first" if moment.turn == 0 else "later")
    if wording is not None and wording.own_loop and known and len(known) > 1:
        text = "loop.first" if known["first"] else "not loop.first"
        yield Reference(text, lambda was, now, prompt: known["first" if now.turn == 0 else "later"])


def grouped(values: Mapping[Moment, bool], key: Callable[[Moment], str]) -> dict[str, bool] | None:
    """Return the value for each group of messages; None where one group has both."""
    groups: dict[str, set[bool]] = defaultdict(set)
    for moment, value in values.items():
        groups[key(moment)].add(value)
    return None if any(len(known) > 1 for known in groups.values()) else {k: next(iter(v)) for k, v in groups.items()}


def constant(value: bool) -> Reference:
    """Make the reference of an atom that is the same for every message."""
    return Reference(value, lambda was, now, prompt: value)


def when_asked(site: Site, tree: Tree) -> Reference:
    """Make the reference of an atom that shall hold only where a generation prompt is asked for."""
    return Reference(f"{tree.text(site.node)} and add_generation_prompt", lambda was, now, prompt: was and prompt)
