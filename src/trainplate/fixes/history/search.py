"""Looks for the atoms that rewrite history, by trying out what follows when they keep their reference values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from trainplate.conversations import text_of
from trainplate.fixes.conditions.simplification import Value
from trainplate.fixes.history.faults import is_sound, same_but_ending
from trainplate.fixes.history.references import Recollection, Reference, constant, when_asked
from trainplate.fixes.history.stages import Break, Growth, Stage, Teller, first_break
from trainplate.rendering.atoms import Site
from trainplate.rendering.decisions import NOWHERE, Decided, Decision

MOST_TRIALS, MOST_TRIALS_EACH = 160, 24
"""Rulings tried for one template, and for one conversation."""
DEEPEST = 6
"""Rulings that may be needed together for one conversation."""
HOPELESS = 10
"""Conversations given up before all others are."""
SPOILT_OF_BROKEN = 4
"""Where a value is not quite exact, one conversation may be told otherwise for so many that are broken."""

References = Mapping[int, Reference]


class Reach(NamedTuple):
    """How far a search goes: to atoms of other places than the break's own, and to values that are not quite exact."""

    elsewhere: bool
    rarely_wrong: bool


REACHES = (Reach(False, False), Reach(True, False), Reach(False, True), Reach(True, True))


def searched(here: Teller, original: Teller, growths: Sequence[Growth]) -> Iterator[References]:
    """Yield references that mend every conversation, as they are found; then the others, those that mend most first."""
    broken = [growth for growth in growths if first_break(here, growth)]
    memory = Recollection(here, growths if broken else ())
    incomplete: list[tuple[int, References]] = []
    for reach in REACHES if broken else ():
        references, mended = Search(here, original, memory, reach).found(growths)
        if mended == len(broken):
            yield references
        else:
            incomplete.append((mended, references))
    yield from (references for _, references in sorted(incomplete, key=lambda pair: -pair[0]))


@dataclass
class Search:
    """The state of one search: the original, what its atoms were, and how much may still be tried."""

    here: Teller
    """The template that is edited; the original, unless something has been edited before."""
    original: Teller
    memory: Recollection
    reach: Reach
    trials: int = MOST_TRIALS
    tellers: dict[frozenset[tuple[int, Value]], Teller] = field(default_factory=dict)

    def site(self, number: int) -> Site:
        """Return an atom by its number."""
        return self.here.watched.sites[number]

    def under(self, references: References) -> Teller:
        """Return the template as it speaks under references; asked again, it remembers what it said."""
        key = frozenset((site, reference.value) for site, reference in references.items())
        if key not in self.tellers:
            rulings = {site: reference.ruling for site, reference in references.items()}
            self.tellers[key] = Teller(self.here.watched, rulings)
        return self.tellers[key]

    def found(self, growths: Sequence[Growth]) -> tuple[References, int]:
        """Return the fewest references that mend as many conversations as can be mended, and the number of these."""
        broken = [growth for growth in growths if first_break(self.here, growth)]
        sound = [growth for growth in growths if growth not in broken]
        references: References = {}
        mended: list[Growth] = []
        allowed = len(broken) // SPOILT_OF_BROKEN if self.reach.rarely_wrong else 0
        hopeless = 0
        for growth in broken:
            if hopeless >= HOPELESS or self.trials <= 0:
                break
            more = self.mended_alone(growth, references)
            if more is None or self.spoilt(more, sound, mended) > allowed:
                hopeless += 1
            else:
                references = more
                mended.append(growth)
        return self.fewest(references, mended), len(mended)

    def spoilt(self, references: References, sound: Sequence[Growth], mended: Sequence[Growth]) -> int:
        """Count the conversations that references spoil, of those that need no mending any more."""
        affected = [growth for growth in sound if self.affects(references, growth)]
        teller = self.under(references)
        return sum(not is_sound(self.original, teller, growth) for growth in (*affected, *mended))

    def affects(self, references: References, growth: Growth) -> bool:
        """Say whether references change the way an atom goes in a conversation."""
        for stage in (stage for both in growth.stages for stage in both):
            said = self.here.say(growth, stage)
            for decision in said.decisions if said else ():
                reference = references.get(decision.site)
                if reference and reference.ruling(decision.value, decision.moment, stage.prompt) != decision.value:
                    return True
        return False

    def mended_alone(self, growth: Growth, references: References) -> References | None:
        """Add to references until one conversation is mended, in no more trials than one may take."""
        saved = max(0, self.trials - MOST_TRIALS_EACH)
        self.trials -= saved
        more = self.mend(growth, references, DEEPEST)
        self.trials += saved
        return more

    def mend(self, growth: Growth, references: References, depth: int) -> References | None:
        """Add to references until one conversation is mended; None where nothing mends it."""
        teller = self.under(references)
        gap = first_break(teller, growth)
        if gap is None:
            return references if is_sound(self.original, teller, growth) else None
        if depth == 0:
            return None
        for site, reference in self.proposals(gap, references):
            if self.trials <= 0:
                return None
            self.trials -= 1
            more = self.mend(growth, {**references, site: reference}, depth - 1)
            if more is not None:
                return more
        return None

    def proposals(self, gap: Break, references: References) -> Iterator[tuple[int, Reference]]:
        """Yield atoms that went another way when the conversation grew, each with a value to keep to."""
        for number in suspects(gap, self.reach):
            if number not in references:
                site = self.site(number)
                for reference in self.endings(number, gap, references):
                    yield number, reference
                for reference in self.memory.references(
                    site, self.here.watched.tree, rarely_wrong=self.reach.rarely_wrong
                ):
                    yield number, reference

    def endings(self, number: int, gap: Break, references: References) -> Iterator[Reference]:
        """Yield what sheds the end of a text, if the atom decides on nothing else."""
        was = next(decision.value for decision in gap.shorter.decisions if decision.site == number)
        other = constant(not was)
        without = self.under({**references, number: other}).render(gap.growth.conversation, gap.stage)
        if without is None or without.text == gap.shorter.text or not same_but_ending(gap.shorter.text, without.text):
            return
        ending = gap.shorter.text[len(without.text) :]
        if is_prompt(ending, gap, self.original):
            if was:
                yield when_asked(self.site(number), self.here.watched.tree)
            yield other
        elif has_stop(without, gap):
            yield other

    def fewest(self, references: References, mended: Sequence[Growth]) -> References:
        """Leave out every reference without which all that was mended stays mended."""
        for number in list(references):
            fewer = {site: reference for site, reference in references.items() if site != number}
            teller = self.under(fewer)
            if all(is_sound(self.original, teller, growth) for growth in mended):
                references = fewer
        return references


def suspects(gap: Break, reach: Reach) -> Iterator[int]:
    """Yield the atoms that went another way in front of a break: those of its own message first, in their order."""
    longer = keyed(gap.longer.decisions)
    before = [(key, decision) for key, decision in keyed(gap.shorter.decisions).items() if decision.position <= gap.at]
    last = before[-1][1].moment if before else NOWHERE
    changed = [decision for key, decision in before if key in longer and longer[key].value != decision.value]
    own = [decision for decision in changed if decision.moment == last]
    others = [decision for decision in reversed(changed) if decision.moment != last]
    yield from dict.fromkeys(decision.site for decision in (*own, *(others if reach.elsewhere else ())))


def keyed(decisions: Sequence[Decision]) -> dict[tuple[int, int, int | None, int], Decision]:
    """Return the decisions by site, loop, message, and how often the site was come to for the message before."""
    counts: dict[tuple[int, int, int | None], Iterator[int]] = {}
    made = {}
    for decision in decisions:
        place = decision.site, decision.moment.loop, decision.moment.message
        made[*place, next(counts.setdefault(place, count()))] = decision
    return made


def is_prompt(ending: str, gap: Break, original: Teller) -> bool:
    """Say whether an ending is a generation prompt: what the original prints when an answer is asked for."""
    lengths = gap.stage.length - 1, gap.stage.length
    asked = [original.say(gap.growth, Stage(length, prompt=True)) for length in lengths if length]
    return bool(ending.strip()) and any(said and said.text.rstrip().endswith(ending.strip()) for said in asked)


def has_stop(said: Decided, gap: Break) -> bool:
    """Say whether something is printed behind the last answer, by which one can tell that it is over."""
    message = gap.growth.conversation.messages[gap.stage.length - 1]
    content = text_of(message.get("content")).strip()
    return bool(content) and content in said.text and bool(said.text[said.text.rfind(content) + len(content) :].strip())
