"""`trainplate formats` lists formats, and prints what one of them makes."""

import json

import pytest

from trainplate.cli.app import run
from trainplate.formats import format_from_json, format_names, load_format


@pytest.fixture
def formats(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def ran(*arguments):
        code = run(["formats", *map(str, arguments)])
        return code, *capsys.readouterr()

    return ran


def test_all_are_listed_within_the_width(formats):
    code, listed, _ = formats()
    assert code == 0
    assert {line.split()[0] for line in listed.splitlines() if not line.startswith(" ")} == set(format_names())
    assert max(map(len, listed.splitlines())) <= 80


def test_one_is_printed_as_its_template_byte_for_byte(formats):
    assert formats("chatml") == (0, load_format("chatml").template, "")


def test_json_can_be_read_back(formats, tmp_path):
    _, printed, _ = formats("chatml", "--json")
    assert format_from_json(printed) == load_format("chatml")
    (tmp_path / "mine.json").write_text(printed)
    assert formats(tmp_path / "mine.json")[1] == load_format("chatml").template
    assert set(json.loads(formats("--json")[1])) == set(format_names())


def test_an_unknown_name_ends_in_a_message_and_exit_code_2(formats):
    code, printed, told = formats("nothing")
    assert (code, printed) == (2, "")
    assert "alpaca, chatml" in told
