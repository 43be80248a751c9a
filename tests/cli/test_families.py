"""What is known can be listed and asked for, and a user's own pairs can be kept."""

import json

import pytest

from trainplate.families.catalogue import families

PLAIN = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)


@pytest.fixture
def file(tmp_path):
    """A template that resembles no known one."""
    (tmp_path / "mine.jinja").write_text(PLAIN)
    return tmp_path / "mine.jinja"


def test_every_family_has_its_line(trainplate):
    code, out, _ = trainplate("families")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[:-1]] == [family.family for family in families()]
    assert max(map(len, out.splitlines())) <= 80


def test_all_facts_can_be_had_as_json(trainplate):
    _, out, _ = trainplate("families", "--json")
    stored = {one["family"]: one for one in json.loads(out)}
    assert stored["qwen3"]["turn"]["stops"] == ["<|im_end|>"]
    assert stored.keys() == {family.family for family in families()}


def test_pairs_are_saved_side_by_side(trainplate, file, tmp_path):
    code, _, _ = trainplate("families", "--save", tmp_path / "pairs", file)
    assert code == 0
    assert (tmp_path / "pairs" / "mine.jinja").read_text() == PLAIN
    assert "endgeneration" in (tmp_path / "pairs" / "mine_training.jinja").read_text()


def test_sources_without_a_folder_and_a_folder_without_sources_are_asked_about(trainplate, file, tmp_path):
    for given in (("families", file), ("families", "--save", tmp_path)):
        code, _, err = trainplate(*given)
        assert code == 2
        assert "way out" in err


def test_an_unknown_template_is_said_to_resemble_none(trainplate, file):
    code, out, _ = trainplate("identify", file)
    assert code == 1
    assert "resembles no known original" in out
    assert json.loads(trainplate("identify", "--json", file)[1]) == [{"template": str(file), "match": None}]


def test_a_copy_is_named_with_its_own_lines(trainplate, tmp_path):
    pytest.importorskip("trl", reason="the originals are read from the package trl")
    from trainplate.loading.trl_package import stored_in_trl

    original = stored_in_trl()["qwen3"].read_text(encoding="utf-8")
    copy = tmp_path / "copy.jinja"
    copy.write_text(original.replace("<think>", "<muse>"), encoding="utf-8")
    code, out, _ = trainplate("identify", copy)
    assert code == 0
    assert "Qwen3 (qwen3 v1), nearest" in " ".join(out.split())
    assert "own line" in out
    assert "same bytes" in trainplate("identify", "trl:qwen3")[1]
