"""What spoils a training beside the template is found, each with its cure."""

import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import HEADERS, byte_level, tiny
from tiny_trainers import UNKNOWN, fast, tiny_model

import trainplate
from trainplate.integrations.guards import GuardFailure, guard

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
WITH_BOS = "{{ bos_token }}" + CHATML.replace("<|im_start|>", "<|start_header_id|>").replace("<|im_end|>", "<|eot_id|>")


def found(tokenizer, model=None):
    return {finding.check: finding for finding in guard(trainplate.patch(tokenizer), tokenizer, model)}


def chatml(**names):
    return tiny("chatml", chat_template=CHATML, **names)


def test_a_tokenizer_and_model_that_fit_have_no_findings():
    tokenizer = chatml()
    assert found(tokenizer, tiny_model(tokenizer)) == {}


def test_padding_with_the_stop_token_is_found():
    finding = found(chatml(pad_token="<|im_end|>"))["pad-is-not-trained"]
    assert "'<|im_end|>'" in finding.message
    assert "tokenizer.pad_token =" in finding.cure


def test_no_pad_token_is_found_where_trainers_would_take_the_stop_token():
    assert "no pad token" in found(chatml(pad_token=None))["pad-is-not-trained"].message
    assert "pad-is-not-trained" not in found(chatml(pad_token=None, eos_token="<|endoftext|>"))


def test_an_eos_of_the_tokenizer_that_ends_no_turn_is_found():
    finding = found(chatml(eos_token="<|endoftext|>"))["eos-ends-turns"]
    assert "ends with '<|im_end|>', but the EOS of the tokenizer is '<|endoftext|>'" in finding.message
    assert "tokenizer.eos_token = '<|im_end|>'" in finding.cure


@pytest.mark.parametrize("whose", ["config", "generation_config"])
def test_an_eos_of_the_model_that_ends_no_turn_is_found(whose):
    tokenizer = chatml()
    model = tiny_model(tokenizer)
    getattr(model, whose).eos_token_id = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    finding = found(tokenizer, model)["eos-ends-turns"]
    assert f"model.{whose}.eos_token_id" in finding.cure
    getattr(model, whose).eos_token_id = [0, tokenizer.eos_token_id]
    assert found(tokenizer, model) == {}


def test_a_second_bos_is_found_where_rendered_text_is_tokenised_again():
    tokenizer = tiny("bos", chat_template=WITH_BOS)
    finding = found(tokenizer)["bos-once"]
    assert "add_special_tokens=False" in finding.cure
    assert tokenizer(finding.before)["input_ids"][:2] == [tokenizer.bos_token_id] * 2


def test_one_bos_is_no_finding():
    assert "bos-once" not in found(tiny("bos", chat_template=WITH_BOS.removeprefix("{{ bos_token }}")))
    quiet = fast(byte_level(HEADERS), bos_token="<|begin_of_text|>", eos_token="<|eot_id|>", pad_token="<|pad|>")
    quiet.chat_template = WITH_BOS
    assert "bos-once" not in found(quiet)


def test_a_stop_that_the_tokenizer_cuts_into_pieces_is_found():
    finding = found(tiny("chatml", chat_template=UNKNOWN))["stop-token-is-one-token"]
    assert "'<|over|>'" in finding.message
    assert "add_special_tokens" in finding.cure


@pytest.mark.filterwarnings("ignore:nothing rendered")
def test_findings_warn_and_raise_under_strict():
    tokenizer = chatml(eos_token="<|endoftext|>")
    with pytest.warns(UserWarning, match="eos-ends-turns"), trainplate.training(tokenizer) as swap:
        assert "eos-ends-turns" in {finding.check for finding in swap.findings}
    with pytest.raises(GuardFailure) as failed, trainplate.training(tokenizer, strict=True):
        pass
    assert [finding.check for finding in failed.value.findings] == ["eos-ends-turns"]
    assert "way out" in str(failed.value)


def test_a_models_eos_is_compared_where_the_model_is_given():
    tokenizer = chatml()
    model = tiny_model(tokenizer)
    model.config.eos_token_id = 0
    with pytest.raises(GuardFailure, match="model's config"), trainplate.training(tokenizer, model=model, strict=True):
        pass
