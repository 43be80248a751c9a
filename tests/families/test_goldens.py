"""Goldens: what each training template makes of a few conversations, trained text in brackets."""

import pytest
from family_files import GOLDENS, golden_of


def path_of(known):
    one = len(known.family.originals) == 1
    return GOLDENS / f"{known.family.family if one else known.template.name.replace(' ', '-')}.txt"


def test_each_conversation_reads_as_reviewed(known):
    assert golden_of(known.template, known.training) == path_of(known).read_text(encoding="utf-8")


def test_every_golden_is_of_a_known_original(known_originals):
    if any(known is None for known in known_originals):
        pytest.skip("not all originals are at hand")
    assert {path.name for path in GOLDENS.iterdir()} >= {path_of(known).name for known in known_originals}


def test_no_long_line_of_a_publisher_stands_in_a_golden(known):
    text = path_of(known).read_text(encoding="utf-8")
    quoted = [line for line in known.source.splitlines() if len(line) > 100 and line.strip() in text]
    assert quoted == []
