"""A response template is derived from what a template prints, and given out only when messages come back."""

import builtins

import pytest
from responses.dialects import DIALECTS, OBJECT, dialect

import trainplate
from trainplate.rendering import compile_template
from trainplate.responses import derive_response_template
from trainplate.responses.proof import parser

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CALLS = [
    {"type": "function", "function": {"name": "tide", "arguments": {"harbour": "Brest", "days": 3}}},
    {"type": "function", "function": {"name": "moon", "arguments": {}}},
]
INTEGER = {"type": "object", "properties": {"harbour": {"type": "string"}, "days": {"type": "integer"}}}
TOOLS = [
    {"type": "function", "function": {"name": "tide", "parameters": INTEGER}},
    {"type": "function", "function": {"name": "moon", "parameters": {"type": "object", "properties": {}}}},
]
QUESTION = {"role": "user", "content": "And now?"}
ANSWER = {"role": "assistant", "content": "Look.", "reasoning_content": "Hm, two.", "tool_calls": CALLS}
DROPPING = (
    "{% for m in messages %}{% if m.role == 'assistant' %}"
    "{{ '<|assistant|>' ~ m.content.split('</think>')[-1] ~ '<|end|>' }}"
    "{% else %}{{ '<|user|>' ~ m.content ~ '<|end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|><think>\\n' }}{% endif %}"
)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_message_that_no_probe_has_said_comes_back(name, parse):
    found = derive_response_template(DIALECTS[name], TOKENS)
    assert found.template is not None, found.findings
    compiled = compile_template(DIALECTS[name], special_tokens=TOKENS)
    prompt = compiled.render([QUESTION], TOOLS, add_generation_prompt=True)
    text = compiled.render([QUESTION, ANSWER], TOOLS)
    assert text.startswith(prompt)
    message = parse(found.template, prompt, text[len(prompt) :], TOOLS)
    calls = message.pop("tool_calls")
    assert [call["function"] for call in calls] == [call["function"] for call in CALLS]
    assert message == {"role": "assistant", "content": "Look.", "reasoning_content": "Hm, two."}


def test_a_block_that_the_prompt_has_closed_leaves_content_alone(parse):
    source = DIALECTS["a prompt that may close the block"]
    template = trainplate.response_template(source, TOKENS)
    prompt = "<|user|>And now?<|end|><|assistant|><think>\n\n</think>\n"
    assert parse(template, prompt, "Look.<|end|>") == {"role": "assistant", "content": "Look."}


def test_reasoning_that_the_template_drops_is_learnt_from_its_training_template(parse):
    template = trainplate.response_template(DROPPING, TOKENS)
    message = parse(template, "<|user|>And now?<|end|><|assistant|><think>\n", "Hm.\n</think>\n\nLook.<|end|>")
    assert message == {"role": "assistant", "reasoning_content": "Hm.", "content": "Look."}


def test_calls_that_cannot_be_read_leave_none_and_a_finding_that_shows_them(parse):
    found = derive_response_template(dialect("{{ '<call>' ~ f.name ~ f.arguments ~ '</call>' }}"), TOKENS)
    assert found.template is None
    assert found.findings[0].witness
    assert trainplate.response_template(dialect("{{ f.name ~ f.arguments.values() | join }}"), TOKENS) is None


def test_what_cannot_be_told_apart_in_odd_messages_is_a_finding_beside_the_template(parse):
    one_list = dialect(
        "{{ f.name ~ '(' }}{% for k, v in f.arguments.items() %}{{ ', ' if not loop.first }}"
        "{{ k ~ '=' ~ (\"'\" ~ v ~ \"'\" if v is string else v | tojson) }}{% endfor %}{{ ')' }}",
        before="<calls>[",
        behind="]</calls>",
        between=", ",
    )
    found = derive_response_template(one_list, TOKENS)
    assert found.template is not None, found.findings
    assert any("quotes and lines" in finding.witness for finding in found.findings)


def test_a_template_without_calls_reads_content_alone(parse):
    plain = (
        "{% for m in messages %}{{ '<' ~ m.role ~ '>' ~ m.content ~ '</s>' }}{% endfor %}"
        "{{ '<assistant>' if add_generation_prompt }}"
    )
    template = trainplate.response_template(plain, TOKENS)
    assert set(template["fields"]) == {"content"}


def test_a_template_that_announces_no_turn_is_left_unproven():
    plain = "{% for m in messages %}{{ m.content ~ '\n' }}{% endfor %}"
    found = derive_response_template(plain, TOKENS)
    assert found.template is None
    assert found.findings[0].message == "no token announces a turn"


def test_without_transformers_nothing_can_be_proven(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("transformers"):
            raise ImportError(name)
        return real(name, *rest)

    parser.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    found = derive_response_template(dialect("{{ '<call>' }}" + OBJECT + "{{ '</call>' }}"), TOKENS)
    parser.cache_clear()
    assert found.template is None
    assert found.findings[0].message == "parsing needs transformers 5.13 or newer"


def test_a_token_that_a_text_alone_does_not_tell_ends_no_answer(parse):
    source = (
        "{% for m in messages %}{{ '<|' + m.role + '|>' + m.content + eos_token }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
    )
    found = derive_response_template(source)
    assert found.template is None
    assert "eos_token, which the source does not tell" in found.findings[0].message
    assert "</s>" in str(derive_response_template(source, TOKENS).template)
