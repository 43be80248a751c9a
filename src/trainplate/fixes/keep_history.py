"""History must not move: each message is printed as it was when the turn behind it was the last."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainplate.conversations import Conversation
from trainplate.errors import SyntaxFault
from trainplate.fixes.candidate import Candidate
from trainplate.fixes.conditions.settlement import settled
from trainplate.fixes.history.endings import endings_shed
from trainplate.fixes.history.faults import is_sound
from trainplate.fixes.history.references import Recollection
from trainplate.fixes.history.search import REACHES, References, Search
from trainplate.fixes.history.stages import Break, Growth, Teller, first_break, growths_of
from trainplate.rendering.decisions import Watched, watch

FIX = "keep-history"
CURES = {"prefix-preserved"}


def keep_history(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
) -> Iterator[Candidate]:
    """Yield sources in which conditions no longer change their minds about a message when others are appended.

    Those that keep the history of every conversation in place come first, then those that leave fewest to be mended.
    """
    history = History(growths_of(growths), Teller(watch(source, special_tokens, clock)), special_tokens, clock)
    broken = history.broken(history.original)
    incomplete: list[tuple[int, Candidate]] = []
    for candidate in candidates(history) if broken else ():
        left = history.unsound(candidate.source)
        if left == 0:
            yield candidate
        elif left < len(broken):
            incomplete.append((left, candidate))
    yield from (candidate for _, candidate in sorted(incomplete, key=lambda pair: pair[0]))


@dataclass(frozen=True)
class History:
    """What is told, and the original that tells it."""

    growths: Sequence[Growth]
    original: Teller
    special_tokens: Mapping[str, str] | None
    clock: datetime | None

    def teller(self, source: str) -> Teller | None:
        """Return another template as the teller; None where it is none."""
        try:
            return Teller(watch(source, self.special_tokens, self.clock))
        except SyntaxFault:
            return None

    def broken(self, teller: Teller) -> list[Growth]:
        """Return the conversations whose history a template moves."""
        return [growth for growth in self.growths if first_break(teller, growth)]

    def unsound(self, source: str) -> int:
        """Count the conversations whose history a source moves, or in which it says something else."""
        teller = self.teller(source)
        if teller is None:
            return len(self.growths)
        return sum(not is_sound(self.original, teller, growth) for growth in self.growths)


def candidates(history: History) -> Iterator[Candidate]:
    """Yield what is found, as sources: endings shed first, and conditions settled in what that leaves."""
    known = {history.original.watched.tree.source}
    teller, reasons = ending_shed(history)
    broken = history.broken(teller)
    source = teller.watched.tree.source
    if source not in known:
        known.add(source)
        yield Candidate(source, FIX, reasons)
    memory = Recollection(teller, history.growths if broken else ())
    for reach in REACHES if broken else ():
        search = Search(teller.watched, history.original, memory, reach)
        references = search.found(broken)
        edited = settled(
            teller.watched.tree, [(search.site(number), each.value) for number, each in references.items()]
        )
        if references and edited is not None and edited not in known:
            known.add(edited)
            yield Candidate(edited, FIX, "; ".join(filter(None, (reasons, reason(teller.watched, references)))))


def ending_shed(history: History) -> tuple[Teller, str]:
    """Return the template without what it prints behind the last message although nobody asked, and the reason."""
    gaps = (first_break(history.original, growth) for growth in history.growths)
    gap = next((gap for gap in gaps if gap and is_ending(gap)), None)
    if gap is None:
        return history.original, ""
    watched = history.original.watched
    loop = watched.loops[gap.shorter.ends[-1].loop]
    for source in endings_shed(watched.tree, loop):
        teller = history.teller(source)
        if teller is None or not is_sound(history.original, teller, gap.growth):
            continue
        ending = gap.shorter.text[gap.shorter.ends[-1].position :]
        return teller, f"{ending!r} behind the last message is printed although nobody asked for an answer"
    return history.original, ""


def is_ending(gap: Break) -> bool:
    """Say whether a text differs behind all that it prints of the messages."""
    ends = gap.shorter.ends
    return bool(ends) and 0 < ends[-1].position <= gap.at + 1


def reason(watched: Watched, references: References) -> str:
    """Say which conditions were at fault, in the words of the template."""
    atoms = dict.fromkeys(f"`{watched.tree.text(watched.sites[number].node)}`" for number in references)
    verb = "changes" if len(atoms) == 1 else "change"
    return f"{' and '.join(atoms)} {verb} for a message when others are appended"
