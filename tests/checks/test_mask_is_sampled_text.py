"""Which characters must stand between markers, which may, and which may not."""

from collections.abc import Callable

import pytest

from trainplate.checks import Report
from trainplate.conversations import named

Failing = Callable[..., set[str]]
MARK, END = "{% generation %}", "{% endgeneration %}"


def test_header_between_markers_is_found(plain: str, failing: Failing) -> None:
    turn = "<{{ m.role }}>{{ m.content }}</s>"
    training = plain.replace(turn, f"{{% if m.role == 'assistant' %}}{MARK}{turn}{END}{{% else %}}{turn}{{% endif %}}")
    assert failing(plain, training, named("one-turn")) == {"mask-is-sampled-text"}


def test_first_character_of_an_answer_left_out_is_found(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    training = trained.replace(f"{MARK}{{{{ m.content }}}}", f"{{{{ m.content[:1] }}}}{MARK}{{{{ m.content[1:] }}}}")
    (finding,) = [f for f in judged(plain, training, named("one-turn")).findings if f.check == "mask-is-sampled-text"]
    assert finding.after.partition("⟦")[2].startswith("A⟧mber1")
    assert "sampled, but not trained" in finding.message


def test_user_text_between_markers_is_found(plain: str, failing: Failing) -> None:
    everything = plain.replace("{{ m.content }}</s>", f"{MARK}{{{{ m.content }}}}</s>{END}")
    assert {"mask-is-sampled-text", "nothing-lost"} <= failing(plain, everything, named("one-turn"))


def test_what_the_prompt_supplies_is_not_trained(plain: str, trained: str, failing: Failing) -> None:
    """A prefill belongs to the prompt wherever turns begin with it."""
    prefilled = "<{{ m.role }}>{{ '<think>' if m.role == 'assistant' }}"
    original = plain.replace("<{{ m.role }}>", prefilled).replace("<assistant>", "<assistant><think>")
    right = trained.replace("<{{ m.role }}>", prefilled).replace("<assistant>", "<assistant><think>")
    wrong = trained.replace("<assistant>", "<assistant><think>").replace(MARK, MARK + "<think>")
    assert failing(original, right, named("one-turn"), named("two-turns")) == set()
    assert failing(original, wrong, named("one-turn")) == {"mask-is-sampled-text"}


def test_prefill_under_an_option_is_the_prompts_only_under_that_option(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    block = "{{ '<no>' if enable_thinking is false }}"
    original = plain.replace("<assistant>", "<assistant>" + block).replace(
        "<{{ m.role }}>", "<{{ m.role }}>{% if m.role == 'assistant' %}" + block + "{% endif %}"
    )
    right = trained.replace("<assistant>", "<assistant>" + block).replace(MARK, block + MARK)
    wrong = trained.replace("<assistant>", "<assistant>" + block).replace(MARK, MARK + block)
    assert judged(original, right).proven
    report = judged(original, wrong)
    assert {finding.check for finding in report.findings} == {"mask-is-sampled-text"}
    assert all("enable_thinking=False" in finding.witness for finding in report.findings)


@pytest.mark.parametrize("own", ["", "{{ '\n' }}"])
def test_where_the_prompt_contradicts_the_turn_what_both_share_may_not_be_trained(
    own: str, plain: str, trained: str, failing: Failing
) -> None:
    """White space of the turn's own that stands between header and answer may be trained or not."""
    spaced = f"<{{{{ m.role }}}}>{{% if m.role == 'assistant' %}}{own}{{% endif %}}"
    original = plain.replace("<assistant>", "<assistant><think>").replace("<{{ m.role }}>", spaced)
    inside = trained.replace("<assistant>", "<assistant><think>").replace(MARK, MARK + own)
    outside = trained.replace("<assistant>", "<assistant><think>").replace(MARK, own + MARK)
    header = plain.replace("<assistant>", "<assistant><think>").replace(
        "<{{ m.role }}>{{ m.content }}</s>",
        f"{{% if m.role == 'assistant' %}}{MARK}<assistant>{own}{{{{ m.content }}}}</s>{END}"
        "{% else %}<{{ m.role }}>{{ m.content }}</s>{% endif %}",
    )
    assert failing(original, inside, named("two-turns")) == set()
    assert failing(original, outside, named("two-turns")) == set()
    assert failing(original, header, named("two-turns")) == {"mask-is-sampled-text"}


def test_what_announces_a_call_is_trained_where_prompts_contradict_turns(failing: Failing) -> None:
    """A prefill that no turn has leaves a plain answer's beginning open, but not that of a call."""
    said = "{{ a if a is string else a | tojson }}</call>"
    call = "<call>{{ c.function.name }} {% set a = c.function.arguments %}"
    turn = f"<assistant>OPEN{{% for c in m.tool_calls or [] %}}{call}{said}{{% endfor %}}{{{{ m.content }}}}</s>CLOSE"
    whole = (
        "{% for m in messages %}{% if m.role == 'assistant' %}" + turn + "{% else %}<{{ m.role }}>{{ m.content }}</s>"
        "{% endif %}{% endfor %}{% if add_generation_prompt %}<assistant><think>{% endif %}"
    )
    original, right = whole.replace("OPEN", "").replace("CLOSE", ""), whole.replace("OPEN", MARK).replace("CLOSE", END)
    late = whole.replace("OPEN", "").replace("CLOSE", END).replace(said, MARK + said + END)
    late = late.replace("{% endfor %}{{ m.content }}", "{% endfor %}" + MARK + "{{ m.content }}")
    assert failing(original, right, named("call"), named("two-turns")) == set()
    assert failing(original, late, named("two-turns")) == set()
    assert failing(original, late, named("call")) == {"mask-is-sampled-text"}


@pytest.mark.parametrize(("prefill", "free"), [("!<think>", True), ("!<think>!", False), ("!", False)])
def test_what_announces_reasoning_may_be_left_out_where_the_prompt_ends_with_it(
    prefill: str, free: bool, failing: Failing
) -> None:
    turn = "<assistant>[0]{% if m.reasoning_content %}<think>[1]{{ m.reasoning_content }}</think>[2]{% endif %}[3]"
    whole = (
        "{% for m in messages %}{% if m.role == 'assistant' %}" + turn + "{{ m.content }}</s>[4]"
        "{% else %}<{{ m.role }}>{{ m.content }}</s>{% endif %}{% endfor %}"
        f"{{% if add_generation_prompt %}}<assistant>{prefill}{{% endif %}}"
    )

    def written(*markers: str) -> str:
        text = whole
        for place, marker in enumerate(markers):
            text = text.replace(f"[{place}]", marker)
        return text

    original, trained = written("", "", "", "", ""), written(MARK, "", "", "", END)
    supplied = written("", MARK, END, MARK, END)
    assert failing(original, trained, named("reasoning")) == set()
    assert failing(original, supplied, named("reasoning")) == (set() if free else {"mask-is-sampled-text"})
