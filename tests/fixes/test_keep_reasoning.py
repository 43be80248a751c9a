from collections.abc import Callable
from typing import Any

from trainplate.conversations import Conversation, text_of
from trainplate.rendering import CompiledTemplate

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]


def test_published_originals_keep_the_reasoning_of_the_last_turn(
    original: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    proposals = propose("keep-reasoning", original)
    template = compile(proposals[0].source if proposals else original)
    for one in tell(original):
        turn = one.turns[-1] if one.turns else None
        content = text_of(one.messages[turn].get("content")) if turn is not None else ""
        if not content.startswith("<think>\n"):
            continue
        reasoning, answer = content[len("<think>") :].split("</think>")
        text = say(template, one, (turn or 0) + 1) or ""
        if reasoning.strip() and answer.strip().split()[0] in text:
            assert text.count(reasoning.strip()) == 1, one.name


def test_what_has_no_think_block_is_printed_as_before(
    original: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    for proposal in propose("keep-reasoning", original)[:1]:
        before, after = compile(original), compile(proposal.source)
        for one in tell(original):
            if not any("<think>" in text_of(m.get("content")) for m in one.messages if m["role"] == "assistant"):
                assert say(after, one) == say(before, one), one.name
