"""A small tokenizer with a template that is ready to train on, and conversations for it."""

import pytest

TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if m.role == 'assistant' %}{% generation %}"
    "{% if m.reasoning_content and mood != 'curt' %}<think>{{ m.reasoning_content }}</think>{% endif %}"
    "{{ m.content }}{% for call in m.tool_calls or [] %}<tool_call>{{ call.function.arguments | tojson }}</tool_call>"
    "{% endfor %}{{ '<|im_end|>' }}{% endgeneration %}{{ '\n' }}{% else %}"
    "{% if m.role == 'judge' %}{{ raise_exception('no judges here') }}{% endif %}"
    "{{ m.content + '<|im_end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


@pytest.fixture(scope="session")
def tokenizer():
    pytest.importorskip("datasets", reason="needs the extra test")
    pytest.importorskip("transformers", reason="needs the extra test")
    from tiny_tokenizers import tiny

    made = tiny("chatml")
    made.chat_template = TEMPLATE
    return made


@pytest.fixture
def talks():
    """Return forty conversations of two rounds."""
    return [
        [
            {"role": "user", "content": f"the river {index}"},
            {"role": "assistant", "content": f"the answer {index}"},
            {"role": "user", "content": "so"},
            {"role": "assistant", "content": "the storm " * (index % 7)},
        ]
        for index in range(40)
    ]
