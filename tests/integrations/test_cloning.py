"""A model takes over another's chat template, with the tokens it speaks in."""

import pytest

torch = pytest.importorskip("torch", reason="needs the extra test")
pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import HEADERS, byte_level, special, tiny  # noqa: E402
from tiny_trainers import UNKNOWN, fast, tiny_model  # noqa: E402
from transformers import LlamaConfig, LlamaForSequenceClassification  # noqa: E402

import trainplate  # noqa: E402
from trainplate import clone_chat_template  # noqa: E402

NEW = ["<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]


@pytest.fixture
def bare():
    """Return a tokenizer that has never seen a chat, and its model."""
    tokenizer = fast(byte_level([special("<|endoftext|>")]), eos_token="<|endoftext|>", pad_token="<|endoftext|>")
    return tokenizer, tiny_model(tokenizer)


@pytest.fixture
def source(tmp_path):
    """Return a folder with a tokenizer that speaks."""
    tiny("chatml", chat_template=UNKNOWN).save_pretrained(tmp_path / "source")
    return tmp_path / "source"


def rows(model):
    return model.get_input_embeddings().weight.shape[0]


def test_template_tokens_and_eos_come_along(bare, source):
    tokenizer, model = bare
    cloned_model, cloned, added = clone_chat_template(model, tokenizer, str(source))
    assert (cloned_model, cloned) == (model, tokenizer)
    assert tokenizer.chat_template == UNKNOWN
    assert tokenizer.eos_token == "<|im_end|>"
    assert model.config.eos_token_id == model.generation_config.eos_token_id == tokenizer.eos_token_id
    assert set(NEW) <= set(tokenizer.convert_ids_to_tokens(added))


@pytest.mark.parametrize("multiple", [64, 123])
def test_embeddings_are_a_multiple_and_the_tokenizer_is_filled_up_to_them(bare, source, multiple):
    tokenizer, model = bare
    _, _, added = clone_chat_template(model, tokenizer, source, resize_to_multiple_of=multiple)
    assert rows(model) % multiple == 0
    assert rows(model) == model.vocab_size == len(tokenizer.get_vocab())
    assert "<extra_id_0>" in tokenizer.convert_ids_to_tokens(added)


def test_cloning_twice_reuses_the_filling_tokens(bare, source):
    tokenizer, model = bare
    clone_chat_template(model, tokenizer, source, resize_to_multiple_of=123)
    _, _, added = clone_chat_template(model, tokenizer, source, resize_to_multiple_of=124)
    assert rows(model) % 124 == 0
    assert rows(model) == len(tokenizer.get_vocab())
    assert len(set(added)) == len(added)


def test_without_a_multiple_there_is_a_row_for_each_token(bare, source):
    tokenizer, model = bare
    clone_chat_template(model, tokenizer, source, None)
    assert rows(model) == len(tokenizer.get_vocab())


def test_rows_in_reserve_are_kept(bare, source):
    tokenizer, model = bare
    model.resize_token_embeddings(2048)
    clone_chat_template(model, tokenizer, source)
    assert rows(model) == 2048


def test_embeddings_of_known_tokens_stay(bare, source):
    tokenizer, model = bare
    before = model.get_input_embeddings().weight.detach().clone()
    clone_chat_template(model, tokenizer, source)
    assert torch.equal(model.get_input_embeddings().weight[: len(before)], before)


def test_a_conversation_renders_as_at_the_source(bare, source):
    tokenizer, model = bare
    clone_chat_template(model, tokenizer, source)
    talk = [{"role": "user", "content": "Is it so?"}, {"role": "assistant", "content": "No."}]
    assert tokenizer.apply_chat_template(talk, tokenize=False) == (
        "<|start|>user<|who|>Is it so?<|over|>\n<|start|>skipper<|who|>No.<|over|>\n"
    )


def test_a_model_that_does_not_generate_is_cloned_to_as_well(bare, source):
    tokenizer, _ = bare
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    model = LlamaForSequenceClassification(config)
    clone_chat_template(model, tokenizer, source)
    assert model.config.eos_token_id == tokenizer.eos_token_id


def test_a_special_token_that_the_template_prints_comes_along(bare):
    tokenizer, model = bare
    other = tiny("bos", chat_template="{{ bos_token }}{% for m in messages %}{{ m.content }}<|eot_id|>{% endfor %}")
    clone_chat_template(model, tokenizer, other)
    assert tokenizer.bos_token == "<|begin_of_text|>"
    assert {str(token) for token in HEADERS} <= set(tokenizer.get_vocab())


def test_named_templates_come_along(bare):
    tokenizer, model = bare
    named = {"default": UNKNOWN, "tool_use": UNKNOWN + " "}
    clone_chat_template(model, tokenizer, tiny("chatml", chat_template=named))
    assert tokenizer.chat_template == named


def test_a_file_brings_a_template_alone(bare, tmp_path):
    tokenizer, model = bare
    (tmp_path / "mine.jinja").write_text(UNKNOWN, encoding="utf-8")
    before = rows(model)
    assert clone_chat_template(model, tokenizer, tmp_path / "mine.jinja") == (model, tokenizer, [])
    assert tokenizer.chat_template == UNKNOWN
    assert rows(model) == before


def test_trls_name_of_the_argument_is_taken(bare, source):
    tokenizer, model = bare
    clone_chat_template(model, tokenizer, source_tokenizer_path=str(source))
    assert tokenizer.chat_template == UNKNOWN


def test_a_source_without_a_template_changes_nothing(bare):
    tokenizer, model = bare
    vocabulary = dict(tokenizer.get_vocab())
    with pytest.raises(trainplate.LoadingError, match="no chat template to clone"):
        clone_chat_template(model, tokenizer, tiny("chatml"))
    assert tokenizer.chat_template is None
    assert tokenizer.get_vocab() == vocabulary
