"""A template with markers is left alone where they stand right, and repaired where they do not."""

import pytest

import trainplate
from trainplate.rendering import compile_template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
MARK, END = "{% generation %}", "{% endgeneration %}"
PROMPT = "{% if add_generation_prompt %}<assistant>{% endif %}"
MESSAGES = [
    {"role": "user", "content": "Why is the sky blue?"},
    {"role": "assistant", "content": "Air scatters blue light."},
    {"role": "user", "content": "And grass?"},
    {"role": "assistant", "content": "It is green."},
]
RIGHT = ["Air scatters blue light.</s>", "It is green.</s>"]


def turns(answer: str, other: str = "<{{ m.role }}>{{ m.content }}</s>") -> str:
    return (
        "{% for m in messages %}{% if m.role == 'assistant' %}"
        + answer
        + "{% else %}"
        + other
        + "{% endif %}{% endfor %}"
    ) + PROMPT


def trained(source: str) -> list[str]:
    """Return the texts that a template trains."""
    shown = compile_template(source, special_tokens=TOKENS).render_marked(MESSAGES)
    return [shown.text[start:end] for start, end in shown.spans]


ANSWER = "{{ m.content }}</s>"
WRONG = {
    "around the header too": turns(f"{MARK}<assistant>{ANSWER}{END}"),
    "without the stop token": turns(f"<assistant>{MARK}{{{{ m.content }}}}{END}</s>"),
    "around a text that is trimmed": turns(f"<assistant>{{% filter trim %}}{MARK}  {ANSWER}{END}{{% endfilter %}}"),
    "around every message": "{% for m in messages %}<{{ m.role }}>" + f"{MARK}{ANSWER}{END}" + "{% endfor %}" + PROMPT,
    "around nothing": turns(f"<assistant>{MARK}{END}{ANSWER}"),
    "around the question": turns(f"<assistant>{ANSWER}", f"<user>{MARK}{ANSWER}{END}"),
    "around the last answer alone": turns(
        f"<assistant>{{% if loop.last %}}{MARK}{ANSWER}{END}{{% else %}}{ANSWER}{{% endif %}}"
    ),
    "in a capture": turns(f"{{% set turn %}}<assistant>{MARK}{ANSWER}{END}{{% endset %}}{{{{ turn }}}}"),
    "in a macro": "{% macro turn(m) %}<assistant>" + f"{MARK}{ANSWER}{END}" + "{% endmacro %}" + turns("{{ turn(m) }}"),
    "in a filter": turns(f"{{% filter trim %}}<assistant>{MARK}{ANSWER}{END}{{% endfilter %}}"),
    "twice": turns(f"<assistant>{MARK}{MARK}{{{{ m.content }}}}{END}{END}</s>"),
    "in a comment alone": turns(f"{{# {MARK} goes here #}}<assistant>{ANSWER}"),
}


@pytest.mark.parametrize("where", WRONG)
def test_markers_are_repaired_that_stand(where: str) -> None:
    source = WRONG[where]
    plain = compile_template(source, special_tokens=TOKENS).render(MESSAGES)
    patch = trainplate.patch(source, TOKENS)
    assert patch.edits
    assert trained(patch.training_template) == RIGHT
    assert compile_template(patch.training_template, special_tokens=TOKENS).render(MESSAGES) == plain


@pytest.mark.parametrize(
    "answer",
    [
        f"<assistant>{MARK}{ANSWER}{END}",
        f"<assistant>{MARK}{{{{ m.content }}}}{END}{MARK}</s>{END}",
        f"<assistant>{{%- generation -%}}{ANSWER}{{%- endgeneration -%}}",
        f"<assistant>{MARK}{ANSWER}{END}{{{{ '\\n' }}}}",
        f"<assistant>{MARK}{ANSWER}{{{{ '\\n' }}}}{END}",
    ],
)
def test_markers_that_stand_right_are_left_alone(answer: str) -> None:
    patch = trainplate.patch(turns(answer), TOKENS)
    assert (patch.edits, patch.deviations) == ((), ())
    assert patch.training_template == turns(answer)


def test_markers_of_our_own_are_right_markers() -> None:
    once = trainplate.patch(WRONG["around the header too"], TOKENS)
    assert trainplate.patch(once.training_template, TOKENS).edits == ()
