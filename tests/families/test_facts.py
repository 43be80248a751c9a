"""The facts themselves: complete, sorted, each stated once, and named where they are not as they must be."""

import re
from collections import Counter
from pathlib import Path

import pytest

from trainplate.checks import all_checks
from trainplate.families.catalogue import families, family_files
from trainplate.families.facts import FactError
from trainplate.families.location import chat_templates_folder
from trainplate.families.records import patches_of
from trainplate.families.references import references
from trainplate.families.schema import read_family
from trainplate.families.toml import family_text

FOLDER = chat_templates_folder()
LIST = Path(__file__).resolve().parents[3] / "shared" / "families.md"
FACTS = """
name = "Example"
models = ["example/one"]

[[original]]
revision = "v1"
sha256 = "{digest}"
normal_form = "{digest}"
source = "example/one"

[turn]
opens = "<assistant>"
stops = ["<end>"]
""".format(digest="0123456789abcdef" * 4)


def read(tmp_path, text):
    path = tmp_path / "example.toml"
    path.write_text(text, encoding="utf-8")
    return read_family(path)


def test_reading_what_was_written_gives_the_same_family(family, tmp_path):
    path = tmp_path / f"{family.family}.toml"
    path.write_text(family_text(family), encoding="utf-8")
    assert read_family(path) == family


def test_every_file_is_written_as_it_would_be_written_again(family):
    assert family_text(family) == (FOLDER / f"{family.family}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ('source = "example/one"', 'sauce = "example/one"'),
            r"\[\[original\]\] 1: no field is called 'sauce'; known are",
        ),
        (('revision = "v1"\n', ""), r"\[\[original\]\] 1: revision must be a text, but is None"),
        (('stops = ["<end>"]', "stops = 3"), r"\[turn\]: stops must be a list of texts, but is 3"),
        (('sha256 = "0123', 'sha256 = "X123'), r"sha256 must be a SHA-256 in lower case"),
        (('[turn]\nopens = "<assistant>"\nstops = ["<end>"]\n', ""), r"\[turn\] is missing"),
        (('name = "Example"', "name ="), r"example.toml: Invalid value"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_belongs_there(tmp_path, change, message):
    with pytest.raises(FactError, match=message):
        read(tmp_path, FACTS.replace(*change))


def test_a_family_without_originals_must_say_why(tmp_path):
    with pytest.raises(FactError, match="a note must say why there is none"):
        read(tmp_path, 'name = "Example"\nmodels = []\n')
    assert read(tmp_path, 'name = "Example"\nmodels = []\nnote = "Not seen yet."\n').originals == ()


def test_nothing_else_lies_among_the_facts():
    patches = {path.name for path in FOLDER.glob("*.patches.toml")}
    assert patches == {f"{family.family}.patches.toml" for family in families() if family.originals}
    others = {path.name for path in FOLDER.iterdir() if path.is_file() and path.suffix != ".toml"}
    assert others == {"README.md", "fingerprints.json", "recognition.json"}
    assert all(re.fullmatch(r"[a-z0-9_]+\.toml", path.name) for path in family_files(FOLDER))


def test_every_family_that_must_be_known_has_its_file():
    if not LIST.exists():
        pytest.skip("the list of families that must be known is not here")
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("| ") and not line.startswith("| id |")]
    wanted = set()
    for first, *others in (row.split(", ") for row in rows):
        stem = first.rsplit("_", 1)[0]
        wanted |= {first, *(f"{stem}{name}" if name.startswith("_") else name for name in others)}
    assert {family.family for family in families()} == wanted


def test_bytes_are_of_one_revision_alone():
    stated = Counter(original.sha256 for family in families() for original in family.originals)
    assert [digest for digest, count in stated.items() if count > 1] == []


def test_revisions_that_share_a_normal_form_or_behave_alike_name_one_another():
    stated = {f"{f.family} {o.revision}": o for f in families() for o in f.originals}
    behaviours = {one.label: one.fingerprint.behaviour for one in references()}
    for label, original in stated.items():
        alike = {other for other in stated if other != label and behaviours[other] == behaviours[label]}
        assert set(original.alike) == alike, label
        shared = {other for other, one in stated.items() if other != label and one.normal_form == original.normal_form}
        assert shared <= alike, label


def test_every_fingerprint_is_that_of_a_stated_original_and_the_other_way_round():
    stated = {(f.family, o.revision, o.sha256, o.normal_form) for f in families() for o in f.originals}
    stored = [(r.family, r.revision, r.fingerprint.sha256, r.fingerprint.normal_form) for r in references()]
    assert stored == sorted(stored)
    assert set(stored) == stated


def test_what_is_listed_is_listed_once_and_in_order(family):
    revisions = [original.revision for original in family.originals]
    assert len(set(revisions)) == len(revisions)
    assert len(set(family.models)) == len(family.models)
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+", model) for model in family.models)
    assert list(family.fixes) == sorted(set(family.fixes))
    reasons = [deviation.reason for deviation in family.deviations]
    assert reasons == sorted(set(reasons))


def test_prefills_name_options_that_are_read_and_revisions_that_are_known(family):
    for prefill in family.turn.prefills if family.turn else ():
        assert set(prefill.revisions) <= {original.revision for original in family.originals}
        for option, value in prefill.when.items():
            assert value in family.options[option]


def test_a_family_states_the_fixes_and_deviations_of_its_records(family):
    records = patches_of(family.family)
    assert set(family.fixes) == {fix for patch in records for fix in patch.fixes}
    found = {reason for patch in records for reason, _ in patch.deviations}
    assert {deviation.reason for deviation in family.deviations} == found
    assert all(deviation.because and deviation.conversations for deviation in family.deviations)


def test_the_second_opinion_names_checks_and_says_in_words_what_they_find(family):
    opinion = family.second_opinion
    if opinion is not None:
        assert set(opinion.breaks) <= set(all_checks())
        assert bool(opinion.breaks) == bool(opinion.says), "what trl's template breaks has to be said in words too"
