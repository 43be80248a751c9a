"""A template that lies beside no tokenizer prints a text where a token would be, and says so."""

import json
from pathlib import Path

from trainplate.loading.source import load
from trainplate.template import Template, with_stand_ins

SOURCE = "{{ bos_token }}{% for m in messages %}{{ m.content + eos_token }}{% endfor %}"


def test_each_token_that_a_source_speaks_of_has_a_text() -> None:
    found = with_stand_ins(Template(SOURCE))
    assert found.special_tokens == {"bos_token": "<|bos_token|>", "eos_token": "<|eos_token|>"}
    assert found.stand_ins == {"bos_token", "eos_token"}


def test_a_token_that_is_told_stays_what_it_is() -> None:
    found = with_stand_ins(Template(SOURCE, {"eos_token": "</s>"}))
    assert found.special_tokens["eos_token"] == "</s>"
    assert found.stand_ins == {"bos_token"}


def test_a_lone_file_has_stand_ins_and_one_beside_a_tokenizer_has_none(tmp_path: Path) -> None:
    file = tmp_path / "chat_template.jinja"
    file.write_text(SOURCE)
    assert load(file)[0].stand_ins == {"bos_token", "eos_token"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"eos_token": "</s>"}))
    beside = load(file)[0]
    assert (dict(beside.special_tokens), beside.stand_ins) == ({"eos_token": "</s>"}, frozenset())
