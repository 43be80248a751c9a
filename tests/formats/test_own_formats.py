"""Every format of our own writing is a training template by construction, proven as any other would be."""

from dataclasses import replace

import pytest

import trainplate
from trainplate.formats import Part, format_from_json, format_names, format_to_json, load_format
from trainplate.formats.files import folder
from trainplate.rendering import compile_template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
QUESTION = {"role": "user", "content": "Umber1"}
ANSWER = {"role": "assistant", "content": "Amber1"}


def tokens_of(chat_format):
    return {**TOKENS, **chat_format.special_tokens}


@pytest.fixture(params=format_names())
def own(request):
    return load_format(request.param)


def test_a_patch_of_its_template_has_nothing_to_edit(own):
    patch = trainplate.patch(own.template, tokens_of(own))
    assert patch.edits == ()
    assert patch.training_template == own.template
    assert patch.deviations == ()
    assert patch.report.proven
    assert patch.proof == "structure"


def test_what_the_model_writes_is_marked_to_its_stop_token(own):
    compiled = compile_template(own.template, special_tokens=tokens_of(own))
    marked = compiled.render_marked([QUESTION, ANSWER, QUESTION, ANSWER])
    trained = [marked.text[start:end] for start, end in marked.spans]
    stop = own.stops[0].replace("{eos}", tokens_of(own)["eos_token"])
    assert [text.strip() for text in trained] == [f"Amber1{stop}"] * 2


def test_it_comes_back_from_json(own):
    assert format_from_json(format_to_json(own)) == own


def test_its_answers_can_be_read_back(own):
    pytest.importorskip("transformers.utils.chat_parsing", reason="parsing needs transformers 5.13 or newer")
    template = trainplate.response_template(own.template, tokens_of(own))
    assert template is not None
    assert ("tool_calls" in template["fields"]) == (own.call is not None)
    assert ("reasoning_content" in template["fields"]) == (own.reasoning is not None)


def test_every_file_of_the_folder_is_a_format():
    assert {path.stem for path in folder().iterdir()} == set(format_names())
    assert {"alpaca", "chatml", "command_r", "llama3", "mistral"} <= set(format_names())


def test_a_stop_token_that_a_space_follows_keeps_the_space_outside():
    spaced = replace(load_format("mistral"), assistant=Part(" {content}{eos} "))
    marked = compile_template(spaced.template, special_tokens=TOKENS).render_marked([QUESTION, ANSWER])
    assert [marked.text[start:end] for start, end in marked.spans] == ["Amber1</s>"]
    assert marked.text.endswith(" Amber1</s> ")
