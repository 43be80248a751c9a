"""Reasoning that stands in the content of an answer is part of it: what cuts it off goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainplate.conversations import Conversation
from trainplate.errors import SyntaxFault
from trainplate.fixes.candidate import Candidate
from trainplate.fixes.conditions.settlement import settled
from trainplate.fixes.history.references import Reference, constant
from trainplate.fixes.history.stages import Growth, Teller, growths_of
from trainplate.fixes.history.variety import varied
from trainplate.fixes.reasoning.blocks import lost, thinks
from trainplate.fixes.reasoning.cuts import looks_for_block, replaced, role_at, splits, strippings
from trainplate.rendering.atoms import Site
from trainplate.rendering.decisions import Watched, watch

FIX = "keep-reasoning"
CURES = {"reasoning-kept"}
BECAUSE = "reasoning in the content of an answer is cut off, so that nobody learns it"
PLAIN, TRIMMED, GUARDED = "{text}", "({text} | trim)", "({text} if {role} else {cut})"
"""What can stand in place of a cut."""


def keep_reasoning(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
) -> Iterator[Candidate]:
    """Yield sources that print think blocks which stand in contents, and otherwise print what they printed.

    Those that keep all reasoning come first, then those that lose least.
    """
    watched = watch(source, special_tokens, clock)
    original, prepared = Teller(watched), growths_of(growths)
    thinking = [growth for growth in prepared if thinks(growth)]
    losses = sum(loses(original, original, growth) for growth in thinking)
    if not losses:
        return
    others = [growth for growth in varied(original, prepared) if growth not in thinking]
    editor = Editor(original, thinking, others, special_tokens, clock)
    incomplete: list[tuple[int, Candidate]] = []
    for edited in dict.fromkeys(editor.sources(watched)):
        left = editor.losses(edited)
        if left == 0:
            yield Candidate(edited, FIX, BECAUSE)
        elif left < losses:
            incomplete.append((left, Candidate(edited, FIX, BECAUSE)))
    yield from (candidate for _, candidate in sorted(incomplete, key=lambda pair: pair[0]))


def loses(original: Teller, candidate: Teller, growth: Growth) -> bool:
    """Say whether a candidate loses reasoning of a conversation, or changes anything else."""
    return next(lost(original, candidate, growth), None) is not None


@dataclass(frozen=True)
class Editor:
    """What is told while an edit is looked for, and the original that tells it."""

    original: Teller
    thinking: Sequence[Growth]
    others: Sequence[Growth]
    special_tokens: Mapping[str, str] | None
    clock: datetime | None

    def losses(self, source: str) -> int:
        """Count the conversations that a source tells with a loss, or otherwise than the original."""
        try:
            candidate = Teller(watch(source, self.special_tokens, self.clock))
        except SyntaxFault:
            return len(self.thinking) + len(self.others)
        return sum(loses(self.original, candidate, growth) for growth in (*self.thinking, *self.others))

    def losses_under(self, watched: Watched, references: Mapping[int, Reference]) -> int:
        """Count the conversations with think blocks that a template tells with a loss under references."""
        candidate = Teller(watched, {number: reference.ruling for number, reference in references.items()})
        return sum(loses(self.original, candidate, growth) for growth in self.thinking)

    def sources(self, watched: Watched) -> Iterator[str]:
        """Yield edited sources: conditions settled, cuts replaced, and both."""
        yield from self.settlements(watched)
        tree = watched.tree
        for found, wording in ((splits, PLAIN), (splits, GUARDED), (strippings, PLAIN), (strippings, TRIMMED)):
            cuts = list(found(tree))
            if cuts:
                edited = replaced(tree, cuts, wording)
                yield edited
                yield from self.settlements(watch(edited, self.special_tokens, self.clock))

    def settlements(self, watched: Watched) -> Iterator[str]:
        """Yield the source in which conditions find no think block, in any message or in the assistant's."""
        sites = [site for site in watched.sites if looks_for_block(site)]
        everyone = {site.number: constant(False) for site in sites}
        assistant = {site.number: others_only(site, watched) for site in sites}
        for wanted in (everyone, assistant):
            references = self.fewest(watched, wanted)
            edited = settled(watched.tree, [(watched.sites[number], each.value) for number, each in references.items()])
            if references and edited is not None:
                yield edited

    def fewest(self, watched: Watched, references: Mapping[int, Reference]) -> Mapping[int, Reference]:
        """Leave out every condition that can stay as it is without more being lost."""
        least = self.losses_under(watched, references)
        for number in list(references):
            fewer = {site: reference for site, reference in references.items() if site != number}
            if self.losses_under(watched, fewer) <= least:
                references = fewer
        return references


def others_only(site: Site, watched: Watched) -> Reference:
    """Make the reference of a condition that shall find think blocks in what others than the assistant say."""
    condition = f"{watched.tree.text(site.node)} and {role_at(site.node, watched.tree).replace(' == ', ' != ')}"
    return Reference(condition, lambda was, now, prompt: was and now.role != "assistant")
