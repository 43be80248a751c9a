"""Whatever is changed in a right training template, some check finds it, unless it says and trains the same."""

import re
from collections.abc import Iterator

import pytest

from trainplate.checks import judge
from trainplate.errors import Declined, SyntaxFault
from trainplate.patching.bench import Bench, lay

EOS = "</s>"
TOKEN = re.compile(r"\{%|%\}|\{\{|\}\}|\w+|\s+|.")
BEHIND_A_TURN = re.compile(rf"\s*{EOS}\s*")
THINK = "{% if m.reasoning_content @ %}<think>{{ m.reasoning_content }}</think>{% endif %}"
CALLS = (
    "{% for c in m.tool_calls or [] %}[call]{{ c.function.name }}"
    "{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}{% endfor %}"
)
TOOLS = "{% if tools %}[tools]{{ tools | tojson }}[/tools]{% endif %}"
AS_IT_IS = "{{ m.content or '' }}"


def turns(text: str, end: str = EOS) -> str:
    return (
        "{% for m in messages %}<{{ m.role }}>" + text + end + "{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )


def marked(text: str, end: str = EOS, other_end: str = EOS) -> str:
    answer = "{% if m.role == 'assistant' %}{% generation %}" + text + end + "{% endgeneration %}"
    return turns(answer + "{% else %}" + AS_IT_IS + other_end + "{% endif %}", "")


PAIRS = {
    "plain": (turns(AS_IT_IS), marked(AS_IT_IS)),
    "no end": (turns(AS_IT_IS, ""), marked(AS_IT_IS, "{{ eos_token }}", "")),
    "calls": (TOOLS + turns(AS_IT_IS + CALLS), TOOLS + marked(AS_IT_IS + CALLS)),
    "reasoning dropped from history": (
        turns(THINK.replace("@", "and loop.last") + AS_IT_IS),
        marked(THINK.replace("@", "") + AS_IT_IS),
    ),
}
EVERY = 9
"""Of all mutants, one in so many is judged."""


def mutants(source: str) -> Iterator[str]:
    """Yield the source with some tokens left out, two of them swapped, or a letter more."""
    tokens = TOKEN.findall(source)
    for at in range(len(tokens)):
        before = "".join(tokens[:at])
        yield f"{before}X{''.join(tokens[at:])}"
        for length in (1, 2, 3, 5, 8):
            middle, behind = "".join(tokens[at : at + length]), tokens[at + length :]
            yield before + "".join(behind)
            yield before + "".join(behind[:1]) + middle + "".join(behind[1:])


def sayings(bench: Bench, source: str) -> list[tuple[str, list[str]] | None]:
    """Return all that a source says and trains, white space around a turn's end aside."""
    template, said = bench.compiled(source), []
    for heard in bench.heard:
        told = heard.conversation
        for stage in (*told.turns, *(turn + 1 for turn in told.turns), None):
            for prompt in (False, True):
                arguments = told.messages[:stage], told.tools
                try:
                    shown = template.render_marked(*arguments, add_generation_prompt=prompt, **told.options)
                except Declined:
                    said.append(None)
                    continue
                trained = [BEHIND_A_TURN.sub(EOS, shown.text[start:end]) for start, end in shown.spans]
                said.append((BEHIND_A_TURN.sub(EOS, shown.text), trained))
    return said


def survives(bench: Bench, source: str) -> bool:
    """Say whether no check finds anything."""
    try:
        return judge(bench.heard, bench.compiled(source), eos=EOS, first_only=True).proven
    except SyntaxFault:
        return False


@pytest.mark.parametrize("name", PAIRS)
def test_mutant_that_no_check_finds_says_and_trains_the_same(name: str) -> None:
    original, training = PAIRS[name]
    bench = lay(original, {"bos_token": "<s>", "eos_token": EOS})
    assert survives(bench, training)
    right = sayings(bench, training)
    judged = list(dict.fromkeys(mutants(training)))[::EVERY]
    survivors = [mutant for mutant in judged if survives(bench, mutant)]
    assert [mutant for mutant in survivors if sayings(bench, mutant) != right] == []
    assert len(judged) > 40
