from collections.abc import Callable
from typing import Any

from trainplate.conversations import Conversation
from trainplate.rendering import CompiledTemplate
from trainplate.syntax import segments

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]


def test_published_templates_print_the_same_without_their_markers(
    marked: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    (proposal,) = propose("strip-markers", marked)
    assert not any(piece.keyword in ("generation", "endgeneration") for piece in segments(proposal.source))
    before, after = compile(marked), compile(proposal.source)
    for one in tell(marked):
        assert say(after, one) == say(before, one), one.name


def test_originals_have_no_markers_to_strip(propose: Propose) -> None:
    assert propose("strip-markers", "{% for m in messages %}{{ m.content }}{% endfor %}") == []
