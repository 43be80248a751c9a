"""A template with everything a turn can hold, and the text that a mask trains."""

from itertools import groupby

import pytest

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.role == 'assistant' %}{% generation %}"
    "{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}"
    "{% for call in m.tool_calls or [] %}<tool_call>{{ call.function.name }}{{ call.function.arguments | tojson }}"
    "</tool_call>{% endfor %}<|im_end|>\n{% endgeneration %}"
    "{% else %}{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.fixture(scope="session")
def template():
    return TEMPLATE


@pytest.fixture(scope="session")
def chatml():
    pytest.importorskip("transformers", reason="needs the extra test")
    from tiny_tokenizers import tiny

    return tiny("chatml")


@pytest.fixture
def trained_text(chatml, template):
    """Return the trained stretches of a conversation, as text."""
    from trainplate import assistant_masks

    def read(messages, **options):
        batch = assistant_masks(chatml, messages, template=template, **options)
        tokens = zip(batch.input_ids.tolist(), batch.assistant_masks.tolist(), strict=True)
        stretches = groupby(tokens, key=lambda token: token[1])
        return [chatml.decode([token for token, _ in stretch]) for trained, stretch in stretches if trained]

    return read
