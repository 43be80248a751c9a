"""Which expression of a template's source wrote a text: the way from a finding to a line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jinja2 import nodes

from trainplate.auditing.audit import Place
from trainplate.conversations import Conversation, text_of, words
from trainplate.errors import Declined, LimitExceeded
from trainplate.rendering.common_start import common_start
from trainplate.rendering.trace import Traced, Tracer, Write
from trainplate.syntax import Tree, line_of
from trainplate.verdict import Finding

LONGEST = 200
"""Characters of an expression that are shown: enough to find it by."""


def place_at(tree: Tree, start: int, end: int) -> Place:
    """Return the place of a piece of source."""
    line, column = line_of(tree.source, start)
    written = tree.source[start:end]
    return Place(line, column, written if len(written) <= LONGEST else f"{written[:LONGEST]}…")


def place_of_node(tree: Tree, node: nodes.Node) -> Place:
    """Return the place of an expression or statement."""
    extent = tree.extent(node)
    return place_at(tree, extent.start, extent.end)


def place_of_segment(tree: Tree, index: int) -> Place:
    """Return the place of a whole tag, comment or text."""
    segment = tree.segments[index]
    return place_at(tree, segment.start, segment.end)


@dataclass(frozen=True)
class Writers:
    """A template that is traced when a place is asked for; what it said is kept, as many findings share a witness."""

    tree: Tree
    tracer: Tracer
    conversations: Mapping[str, Conversation]
    """By label, in the form in which the template is told them."""
    kept: dict[tuple[str, int, bool], Traced | None] = field(default_factory=dict, repr=False)

    def traced(self, conversation: Conversation, end: int, prompt: bool) -> Traced | None:
        """Return what the first messages of a conversation are printed as, and by what; None where declined."""
        key = (conversation.label, end, prompt)
        if key not in self.kept:
            try:
                self.kept[key] = self.tracer.render(
                    conversation.messages[:end],
                    conversation.tools,
                    add_generation_prompt=prompt,
                    **conversation.options,
                )
            except (Declined, LimitExceeded):
                self.kept[key] = None
        return self.kept[key]

    def place(
        self, conversation: Conversation, position: int, *, end: int | None = None, prompt: bool = False
    ) -> Place | None:
        """Return what wrote the character at a position of a rendering."""
        traced = self.traced(conversation, len(conversation.messages) if end is None else end, prompt)
        return self.writer(traced, position) if traced else None

    def writer(self, traced: Traced, position: int) -> Place | None:
        """Return the smallest piece of source that is known to have written a character."""
        leaf = leaf_at(traced.writes, position)
        if leaf is None:
            return None
        if isinstance(leaf.piece.node, nodes.TemplateData):
            return place_of_segment(self.tree, leaf.piece.segment)
        return place_of_node(self.tree, leaf.piece.node)

    def place_of(self, finding: Finding) -> Place | None:
        """Return what wrote the text of a finding from where its two texts part; None where nobody can tell."""
        label, end = witness_of(finding.witness)
        conversation = self.conversations.get(label)
        if conversation is None or not (finding.before or finding.after):
            return None
        parts = common_start(finding.before, finding.after) if finding.after else len(finding.before) - 1
        for text in (finding.before, finding.after):
            for traced in self.tellings(conversation, end):
                at = traced.text.find(text) if text else -1
                if (
                    at >= 0
                    and at + parts < len(traced.text)
                    and parts <= len(text)
                    and (parts or text == finding.before)
                ):
                    return self.writer(traced, at + parts)
        return None if parts or end is None else self.place_of_last(conversation, end)

    def place_of_last(self, conversation: Conversation, end: int) -> Place | None:
        """Return what wrote the last message's content, for a finding about what is missing there."""
        traced = self.traced(conversation, end, False)
        said = reversed(words(text_of(conversation.messages[end - 1].get("content"))))
        places = (traced.text.rfind(word) for word in said) if traced else iter(())
        at = next((place for place in places if place >= 0), None)
        return self.writer(traced, at) if traced and at is not None else None

    def tellings(self, conversation: Conversation, end: int | None) -> Iterator[Traced]:
        """Yield the renderings in which a finding may have seen its texts, the shortest first."""
        whole = len(conversation.messages)
        asked = [] if end is None else [(end, False), (end - 1, True), (end, True)]
        for upto, prompt in [*asked, (whole, False)]:
            if traced := self.traced(conversation, upto, prompt):
                yield traced


def leaf_at(writes: Sequence[Write], position: int) -> Write | None:
    """Return the smallest write that covers a position."""
    covering = next((write for write in writes if write.start <= position < write.end), None)
    if covering is None:
        return None
    return leaf_at(covering.parts, position) or covering


def witness_of(witness: str) -> tuple[str, int | None]:
    """Take a witness apart: the conversation's label, and behind which message it is cut, if it is."""
    label, bracket, rest = witness.rpartition("[:")
    if bracket and rest.endswith("]") and rest[:-1].isdigit():
        return label, int(rest[:-1])
    return witness, None
