"""Gives a model the chat template of another, with the tokens it speaks in."""

from pathlib import Path
from typing import Any

from trainplate.errors import LoadingError
from trainplate.integrations.template_places import shown_as
from trainplate.loading.source import load

TEMPLATE_FILES = (".jinja", ".jinja2", ".j2")
FILLER = "<extra_id_{}>"


def clone_chat_template(
    model: Any,
    tokenizer: Any,
    source: Any = None,
    resize_to_multiple_of: int | None = 64,
    *,
    source_tokenizer_path: Any = None,
) -> tuple[Any, Any, list[int]]:
    """Give a tokenizer and its model the template of `source`, and return both with the ids of the tokens added.

    `source` is a folder, a Hub id or a tokenizer; its added tokens come along, and its EOS becomes that of tokenizer,
    config and generation config. The embeddings are resized to a multiple of `resize_to_multiple_of` and the tokenizer
    is filled up with `<extra_id_N>` to their number. `source_tokenizer_path` is TRL's name for `source`.

    Other than TRL: a `.jinja` file may be given, which brings no tokens; several named templates come along as they
    are; embeddings never shrink, which would cut off rows that checkpoints keep in reserve; a BOS or other special
    token that the template prints comes along where the tokenizer has none; and a source without a template raises
    LoadingError before anything is changed.
    """
    source = source_tokenizer_path if source is None else source
    if source is None:
        raise TypeError("clone_chat_template() needs the argument 'source'")
    if isinstance(source, str | Path) and str(source).endswith(TEMPLATE_FILES):
        tokenizer.chat_template = load(source)[0].source
        return model, tokenizer, []
    other = loaded(source)
    tokenizer.chat_template = other.chat_template
    added = [token for token in other.added_tokens_decoder.values() if token.content not in tokenizer.get_vocab()]
    tokenizer.add_tokens(added)
    take_special_tokens(tokenizer, other)
    stop_with(model, tokenizer)
    resize(model, tokenizer, resize_to_multiple_of)
    added += filled_up(model, tokenizer)
    return model, tokenizer, [tokenizer.convert_tokens_to_ids(str(token)) for token in added]


def loaded(source: Any) -> Any:
    """Return the tokenizer to clone from, once it is known to have a template."""
    if isinstance(source, str | Path):
        from transformers import AutoTokenizer

        source = AutoTokenizer.from_pretrained(source)
    if source.chat_template is None:
        raise LoadingError(f"{shown_as(source)}: has no chat template to clone\n    way out   name a chat model")
    return source


def take_special_tokens(tokenizer: Any, other: Any) -> None:
    """Take over the EOS, and those special tokens that the template prints and the tokenizer has not."""
    texts = other.chat_template.values() if isinstance(other.chat_template, dict) else [other.chat_template]
    for name, token in other.special_tokens_map.items():
        printed = any(name in text for text in texts)
        if isinstance(token, str) and name != "eos_token" and printed and getattr(tokenizer, name, None) is None:
            setattr(tokenizer, name, token)
    tokenizer.eos_token = other.eos_token


def stop_with(model: Any, tokenizer: Any) -> None:
    """Let a model stop with the tokenizer's EOS; one that does not generate has no generation config."""
    model.config.get_text_config().eos_token_id = tokenizer.eos_token_id
    if model.can_generate():
        model.generation_config.eos_token_id = tokenizer.eos_token_id


def resize(model: Any, tokenizer: Any, multiple: int | None) -> None:
    """Give every token an embedding, and keep those there are."""
    rows = model.get_input_embeddings().weight.shape[0]
    model.resize_token_embeddings(max(highest(tokenizer), rows), pad_to_multiple_of=multiple)


def filled_up(model: Any, tokenizer: Any) -> list[str]:
    """Add tokens until there is one for each embedding, and return those that are new."""
    rows, added, number = model.get_input_embeddings().weight.shape[0], [], 0
    while highest(tokenizer) < rows:
        if tokenizer.add_tokens(FILLER.format(number)):
            added.append(FILLER.format(number))
        number += 1
    return added


def highest(tokenizer: Any) -> int:
    """Return how many embeddings a tokenizer needs: its highest id, and one."""
    ids: list[int] = list(tokenizer.get_vocab().values())
    return max(ids) + 1
