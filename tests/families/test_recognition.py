"""The recognition set is frozen: a change is a new version, and asks for every fingerprint to be taken anew."""

import pytest

from trainplate.errors import LoadingError
from trainplate.families import references as module
from trainplate.families.behaviour import DECLINED, answers_in, behaviour_of
from trainplate.families.fingerprint import fingerprint_from, fingerprint_of
from trainplate.families.known_bytes import digest
from trainplate.families.location import chat_templates_folder
from trainplate.families.recognition import recognition
from trainplate.rendering import Limits, budget

FROZEN = {1: "ee9743b252a33aef46026cbb158cb732671ba75f32950528c57058258adfc27f"}
"""SHA-256 of the file, by version."""
ECHO = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def test_the_file_is_that_of_its_version():
    text = (chat_templates_folder() / "recognition.json").read_text(encoding="utf-8")
    assert digest(text) == FROZEN[recognition().version]


def test_questions_have_names_of_their_own():
    labels = [question.label for question in recognition().questions]
    assert len(set(labels)) == len(labels) > 50


def test_an_answer_is_asked_for_once_and_only_under_options_that_are_read():
    behaviour = behaviour_of(ECHO)
    answers = answers_in(behaviour.fingerprint())
    by_label = dict(zip((question.label for question in recognition().questions), answers, strict=True))
    told = [answer for label, answer in by_label.items() if label.startswith("tool-cycles [")]
    assert len(told) > 20
    assert set(told) == {by_label["tool-cycles + generation prompt"]}


def test_an_option_that_is_read_shows_in_its_own_answers_alone():
    behaviour = behaviour_of(ECHO + "{{ 'quiet' if thinking }}")
    answers = dict(
        zip((one.label for one in recognition().questions), answers_in(behaviour.fingerprint()), strict=True)
    )
    usual = answers["tool-cycles + generation prompt"]
    assert [label for label, answer in answers.items() if label.startswith("tool-cycles [") and answer != usual] == [
        "tool-cycles [thinking=True] + generation prompt"
    ]


def test_a_declined_question_is_told_from_an_empty_answer():
    assert behaviour_of("{{ raise_exception('no') }}").answer(0) == DECLINED
    assert behaviour_of("").answer(0) != DECLINED


def test_a_template_that_never_ends_answers_nothing():
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    with budget(Limits(seconds=0.2)):
        assert behaviour_of(endless).fingerprint() == DECLINED * len(recognition().questions)


def test_a_fingerprint_comes_back_from_its_plain_values():
    taken = fingerprint_of(ECHO + "{# ours #}\n")
    assert fingerprint_from(taken.as_dict()) == taken


def test_fingerprints_of_another_version_are_not_used(monkeypatch):
    monkeypatch.setattr(module, "fingerprints", lambda: '{"recognition": 0, "originals": []}')
    module.references.cache_clear()
    with pytest.raises(LoadingError, match=r"(?s)version 0 of the recognition set.*regenerate"):
        module.references()
    module.references.cache_clear()
