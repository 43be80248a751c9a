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
from trainplate.fixes.history.knobs import knobs_fixed
from trainplate.fixes.history.search import searched
from trainplate.fixes.history.stages import Break, Growth, Teller, first_break, growths_of
from trainplate.fixes.history.variety import varied
from trainplate.rendering.atoms import Site
from trainplate.rendering.decisions import watch
from trainplate.syntax import Tree, changed_characters

FIX = "keep-history"
CURES = {"prefix-preserved"}
ALSO_JUDGED = 8
"""Conversations that need no mending, but on which an edited source is tried as well."""


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
    original = Teller(watch(source, special_tokens, clock))
    history = History(varied(original, growths_of(growths)), original, special_tokens, clock)
    broken = history.broken(history.original)
    judged = [*broken, *(growth for growth in history.growths if growth not in broken)][: len(broken) + ALSO_JUDGED]
    incomplete: list[tuple[int, Candidate]] = []
    for candidate in candidates(history) if broken else ():
        left = history.unsound(candidate.source, judged)
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

    def unsound(self, source: str, growths: Sequence[Growth]) -> int:
        """Count the conversations whose history a source moves, or in which it says something else."""
        teller = self.teller(source)
        if teller is None:
            return len(growths)
        return sum(not is_sound(self.original, teller, growth) for growth in growths)


def candidates(history: History) -> Iterator[Candidate]:
    """Yield what is found, as sources: endings shed first, and conditions settled in what that leaves."""
    known = {history.original.watched.tree.source}
    teller, reasons = ending_shed(history)
    source = teller.watched.tree.source
    if source not in known:
        known.add(source)
        yield Candidate(source, FIX, reasons)
    tree = teller.watched.tree
    for references in searched(teller, history.original, history.growths):
        sites = [teller.watched.sites[number] for number in references]
        edited = settled(tree, [(site, references[site.number].value) for site in sites])
        if edited is not None and edited not in known:
            known.add(edited)
            settling = Candidate(edited, FIX, joined(reasons, reason(sites, tree)))
            yield from by_size(source, settling, fixed(tree, sites, reasons))


def fixed(tree: Tree, sites: Sequence[Site], reasons: str) -> Iterator[Candidate]:
    """Yield sources in which an option is fixed that the conditions at fault ask for."""
    for source, line in knobs_fixed(tree, sites):
        why = f"`{line}` holds whatever the caller says: otherwise a message changes when others are appended"
        yield Candidate(source, FIX, joined(reasons, why))


def by_size(source: str, settling: Candidate, fixing: Iterator[Candidate]) -> Iterator[Candidate]:
    """Yield options fixed where they are given a default before conditions settled, unless those change less.

    An option that is only fixed by a line of our own leaves conditions behind that can never go the other way.
    """
    size = changed_characters(source, settling.source)
    later = []
    for candidate in fixing:
        if candidate.source.endswith(source) or changed_characters(source, candidate.source) >= size:
            later.append(candidate)
        else:
            yield candidate
    yield settling
    yield from later


def joined(*reasons: str) -> str:
    """Return one reason that holds all of them."""
    return "; ".join(filter(None, reasons))


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


def reason(sites: Sequence[Site], tree: Tree) -> str:
    """Say which conditions were at fault, in the words of the template."""
    atoms = dict.fromkeys(f"`{tree.text(site.node)}`" for site in sites)
    verb = "changes" if len(atoms) == 1 else "change"
    return f"{' and '.join(atoms)} {verb} for a message when others are appended"
