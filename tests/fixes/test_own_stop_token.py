from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from trainplate.checks import judge
from trainplate.conversations import Conversation
from trainplate.fixes import Candidate
from trainplate.fixes.own_stop_token import own_stop_token
from trainplate.patching.bench import Bench, lay
from trainplate.patching.script import CLOCK

Propose = Callable[[str, str], list[Candidate]]

FIX = "own-stop-token"
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CASES = sorted((Path(__file__).parent / "cases" / FIX).iterdir())
GLM = (Path(__file__).parent / "cases" / FIX / "marker-on-lines" / "before.jinja").read_text(encoding="utf-8")
TURNS = "{% for m in messages %}{% if m.role == 'assistant' %}A: {% generation %}{{ m.content }}{% endgeneration %}\n"
OTHERS = "{% else %}Q: {{ m.content }}\n{% endif %}{% endfor %}{% if add_generation_prompt %}A: {% endif %}"


@cache
def laid(source: str) -> Bench:
    return lay(source, TOKENS)


@pytest.mark.parametrize("case", [pytest.param(path, id=path.name) for path in CASES])
def test_first_proposal_keeps_the_contract(case: Path, propose: Propose) -> None:
    before = (case / "before.jinja").read_text(encoding="utf-8")
    bench = laid(before)
    for proposal in propose(FIX, before)[:1]:
        assert judge(bench.heard, bench.compiled(proposal.source), eos=bench.eos).findings == ()


def told(source: str, *messages: dict[str, object], prompt: bool = False) -> str:
    return laid(GLM).compiled(source).render(messages, None, add_generation_prompt=prompt)


USER, TOOL = {"role": "user", "content": "Go."}, {"role": "tool", "content": "done"}
CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}
ANSWER = {"role": "assistant", "content": "Gone."}


@pytest.fixture(scope="module")
def glm(propose: Propose) -> str:
    """A template of GLM's kind, with its stop tokens."""
    return propose(FIX, GLM)[0].source


def test_marker_of_the_next_message_is_printed_once(glm: str) -> None:
    assert told(glm, USER, CALL, TOOL, TOOL, ANSWER, USER) == told(GLM, USER, CALL, TOOL, TOOL, ANSWER, USER)


def test_message_prints_its_own_marker_behind_a_turn_that_took_another(glm: str) -> None:
    calls, plain = told(glm, USER, CALL), told(glm, USER, ANSWER)
    assert told(glm, USER, CALL, USER) == f"{calls}<|asker|>Go."
    assert told(glm, USER, ANSWER, TOOL) == f"{plain}<|observer|><result>done</result>"


def test_first_message_prints_its_marker_whatever_comes_last(glm: str) -> None:
    assert told(glm, TOOL, CALL).startswith("<|begin|><|observer|>")
    assert told(glm, USER, CALL).startswith("<|begin|><|asker|>")


def test_answer_behind_an_answer_follows_the_stop_token(glm: str) -> None:
    assert told(glm, USER, ANSWER, ANSWER).endswith("Gone.<|asker|><|answerer|>Gone.<|asker|>")
    assert told(glm, USER, ANSWER, prompt=True).endswith("Gone.<|asker|><|answerer|>")


def test_marker_that_announces_answers_too_is_no_stop_token(propose: Propose) -> None:
    source = "{% for m in messages %}<|turn|>{{ m.role }}\n" + TURNS[TURNS.index("{% if") :].replace("A: ", "")
    source += OTHERS.replace("Q: ", "").replace("A: ", "<|turn|>assistant\n")
    assert "{{ m.content }}{{ eos_token }}{% endgeneration %}" in propose(FIX, source)[0].source


def test_source_without_markers_is_left_alone(propose: Propose) -> None:
    assert propose(FIX, TURNS.replace("{% generation %}", "").replace("{% endgeneration %}", "") + OTHERS) == []


def test_template_that_declines_everything_is_left_alone() -> None:
    silent = "{{ raise_exception('Nothing is said.') }}{% generation %}{% endgeneration %}"
    growth = Conversation("any", (USER, ANSWER))
    assert not list(own_stop_token(silent, [growth], special_tokens=TOKENS, clock=CLOCK, stop="</s>"))
