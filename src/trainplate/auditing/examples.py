"""Templates and a tokenizer of our own, small enough to read, from which checks make their examples."""

from typing import Any

PLAIN = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
MARKED = PLAIN.replace(
    "{{ m.content }}</s>",
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}"
    "{% else %}{{ m.content }}</s>{% endif %}",
)
CALLS = PLAIN.replace(
    "</s>{% endfor %}",
    "{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}"
    "{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}</call>"
    "{% endfor %}</s>{% endfor %}",
).replace("{% for m", "{{ tools | tojson if tools }}{% for m", 1)

ENDING_IN_A_SIGN = (
    "{% for m in messages %}{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content }}#{% endgeneration %}{% else %}${{ m.content }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{% endif %}"
)
"""A turn that ends in `#`, in front of one that begins with `$`: a tokenizer may have a token for the two."""


def tokenizer_of_letters(*merged: str, adds_bos: bool = False, bos: str = "<s>", tokens: tuple[str, ...] = ()) -> Any:
    """Make a tokenizer of the library `tokenizers` whose tokens are letters, but for the pairs that are merged."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors

    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), *merged]
    pairs = [(pair[0], pair[1]) for pair in merged]
    made = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=pairs))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.add_special_tokens([AddedToken(token, normalized=False) for token in (bos, *tokens)])
    if adds_bos:
        made.post_processor = processors.TemplateProcessing(
            single=f"{bos} $A", special_tokens=[(bos, made.token_to_id(bos))]
        )
    return made
