from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from trainplate.conversations import Conversation, spoken, with_options
from trainplate.fixes.keep_history import keep_history
from trainplate.rendering import CompiledTemplate
from trainplate.syntax import changed_characters

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]

OPTION = """{%- for message in messages %}
    {{- '[' + message.role + ']' }}
    {%- if message.reasoning_content and (keep or loop.last) %}
        {{- message.reasoning_content }}
    {%- endif %}
    {{- message.content }}
{%- endfor %}
"""


def moves(template: CompiledTemplate, conversation: Conversation, say: Say) -> bool:
    whole = say(template, conversation)
    turns = [say(template, conversation, turn + 1) for turn in conversation.turns]
    return whole is not None and any(turn is not None and not whole.startswith(turn) for turn in turns)


def in_order(template: CompiledTemplate, conversation: Conversation, say: Say) -> bool:
    """Whether a template prints each message behind the ones before, and takes none of them together."""
    roles = [message["role"] for message in conversation.messages]
    if {"system", "developer"} & set(roles[1:]) or ("assistant", "assistant") in pairwise(roles):
        return False
    text = say(template, conversation) or ""
    places = [text.find(spoken(message)) for message in conversation.messages if spoken(message)]
    told = [place for place in places if place >= 0]
    return told == sorted(told)


def test_history_of_published_originals_stays_in_place(
    original: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    template = compile(original)
    told = [one for one in tell(original) if in_order(template, one, say)]
    proposals = propose("keep-history", original) if any(moves(template, one, say) for one in told) else []
    mended = compile(proposals[0].source if proposals else original)
    assert [one.name for one in told if moves(mended, one, say)] == []


def test_first_turns_of_published_originals_stay_as_they_are(
    original: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    """What is shed of a turn is no part of what the model says: white space, or a token behind its stop."""
    before = compile(original)
    for proposal in propose("keep-history", original)[:1]:
        after = compile(proposal.source)
        for one in tell(original):
            turn = one.turns[0] if one.turns else 0
            if turn == 0:
                continue
            assert say(after, one, turn, add_generation_prompt=True) == say(
                before, one, turn, add_generation_prompt=True
            )
            old, new = say(before, one, turn + 1), say(after, one, turn + 1)
            assert old == new or (old or "").startswith((new or "").rstrip())


@pytest.mark.parametrize("name", ["qwen3", "qwen3_5_think", "qwen3_5_nothink", "qwen3_6", "qwen3_8"])
def test_edits_are_no_larger_than_those_made_by_hand(name: str, published: dict[str, str], propose: Propose) -> None:
    original, by_hand = published[name], published[f"{name}_training"]
    proposals = propose("keep-history", original)
    if proposals:
        assert changed_characters(original, proposals[0].source) < changed_characters(original, by_hand)


def test_history_stays_whatever_an_option_says(tell: Tell, compile: Compile, say: Say) -> None:
    told = [with_options(one, keep=value) for one in tell(OPTION) for value in (True, False)]
    proposal = next(keep_history(OPTION, told, special_tokens={}))
    mended = compile(proposal.source)
    assert "keep" not in proposal.source
    assert not any(moves(mended, one, say) for one in told)


def test_a_template_that_cannot_be_mended_gets_no_proposal_that_makes_it_worse(compile: Compile, tell: Tell) -> None:
    counting = (
        "{{ messages | length }}{% for message in messages %}[{{ message.role }}]{{ message.content }}{% endfor %}"
    )
    assert list(keep_history(counting, tell(counting), special_tokens={})) == []
