"""A model's tokenizer is found with transformers and without."""

import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny

from trainplate import LoadingError, assistant_masks
from trainplate.masks import tokenizer_source
from trainplate.masks.tokenizer_source import FileTokenizer, tokenizer_of

TALK = [{"role": "user", "content": "the river"}, {"role": "assistant", "content": "the answer"}]


@pytest.fixture
def model(tmp_path, template):
    tokenizer = tiny("bos", truncation_side="left")
    tokenizer.chat_template = template
    tokenizer.save_pretrained(tmp_path)
    return tmp_path


def test_the_files_alone_give_the_rows_that_transformers_gives(model, template, monkeypatch):
    whole = tokenizer_of(str(model))
    monkeypatch.setattr(tokenizer_source, "find_spec", lambda package: None)
    light = tokenizer_of(str(model))
    assert isinstance(light, FileTokenizer)
    assert light.truncation_side == "left"
    assert light.pad_token_id == whole.pad_token_id
    made = [assistant_masks(it, [TALK, TALK[:1]], template=template, padding=True) for it in (whole, light)]
    assert made[0].input_ids.tolist() == made[1].input_ids.tolist()
    assert made[0].assistant_masks.tolist() == made[1].assistant_masks.tolist()


def test_a_folder_without_a_tokenizer_is_refused(tmp_path):
    with pytest.raises(LoadingError, match=r"no tokenizer\.json in it"):
        tokenizer_of(str(tmp_path))
