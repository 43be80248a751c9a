"""A template with markers for any tokenizer, in the control tokens that it knows."""

from typing import Any

TURNS = (
    ("<|im_start|>", "\n", "<|im_end|>\n"),
    ("<|start_header_id|>", "<|end_header_id|>\n\n", "<|eot_id|>"),
    ("<start_of_turn>", "\n", "<end_of_turn>\n"),
    ("<|start|>", "<|message|>", "<|end|>"),
    ("<|", "|>\n", "<|end|>\n"),
    ("[INST] ", " [/INST] ", "</s>"),
)
"""How turns open and close; a tokenizer gets the first of which it knows the closing token."""
TEMPLATE = (
    "{% if tools %}{{ OPENS + 'system' + HEADS + (tools | tojson) + CLOSES }}{% endif %}{% for m in messages %}"
    "{{ OPENS + m.role + HEADS }}{% if m.role == 'assistant' %}{% generation %}"
    "{% if m.reasoning_content %}{{ '<think>\n' + m.reasoning_content + '\n</think>\n\n' }}{% endif %}{{ m.content }}"
    "{% for call in m.tool_calls or [] %}{{ '\n<tool_call>' + call.function | tojson + '</tool_call>' }}{% endfor %}"
    "{{ CLOSES }}{% endgeneration %}{% else %}{{ m.content + CLOSES }}{% endif %}{% endfor %}"
)


def template_for(tokenizer: Any) -> str:
    """Return a template with control tokens that the tokenizer has."""
    known = {token.content for token in tokenizer.added_tokens_decoder.values()}
    opens, heads, closes = next((turn for turn in TURNS if turn[2].strip() in known), TURNS[0])
    return TEMPLATE.replace("OPENS", repr(opens)).replace("HEADS", repr(heads)).replace("CLOSES", repr(closes))
