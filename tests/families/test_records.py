"""Recorded patches: they fit their original alone, give what was reviewed, and hold no text of the publisher's."""

from dataclasses import replace

import pytest

from trainplate.families import identification
from trainplate.families.identification import identify
from trainplate.families.known_bytes import digest
from trainplate.families.records import RecordedEdit, RecordMismatch, patches_of, place_hash, recorded
from trainplate.syntax import apply_edits

LONGEST_SHARED = 64
"""So many characters in a row are no accident."""
SOURCE = "{% for m in messages %}{{ m.content }}{% endfor %}"


def test_a_record_gives_the_template_that_was_reviewed(known):
    assert digest(known.patch.apply(known.source)) == known.patch.sha256
    assert apply_edits(known.source, known.patch.edits_on(known.source)) == known.training


def test_a_recognised_original_is_patched_without_being_asked_or_compared(known, monkeypatch):
    for slow in ("pieces", "behaviour_of", "normal_form"):
        monkeypatch.setattr(identification, slow, lambda *given: pytest.fail("more than its bytes was looked at"))
    assert recorded(identify(known.template)).apply(known.source) == known.training


def test_a_copy_has_no_record(known):
    assert recorded(identify(known.source + "{# ours #}")) is None


def test_a_record_does_not_fit_another_text(known):
    if not known.patch.edits:
        pytest.skip("nothing is edited in this original")
    with pytest.raises(RecordMismatch):
        known.patch.apply("{# longer #}" + known.source)


def test_records_hold_no_text_of_the_publisher(known):
    for edit in known.patch.edits:
        for part in edit.text:
            if isinstance(part, str):
                windows = (part[at : at + LONGEST_SHARED] for at in range(len(part) - LONGEST_SHARED + 1))
                assert not any(window in known.source for window in windows), part


def test_a_record_states_its_proof_and_every_deviation_with_its_reason(known):
    patch = known.patch
    assert patch.proof in ("structure", "suite")
    assert patch.conversations > 10
    assert {"mask-is-sampled-text", "prefix-preserved", "same-turn", "renders"} <= set(patch.passed)
    assert all(reason and conversation for reason, conversation in patch.deviations)
    assert bool(patch.edits) == bool(patch.fixes) == bool(patch.because)


def test_every_revision_has_a_record_and_no_other(family):
    assert [patch.revision for patch in patches_of(family.family)] == [one.revision for one in family.originals]


def example(**changes):
    edit = RecordedEdit(0, 0, place_hash(SOURCE, 0, 0), ("{# ours #}", (0, 3)))
    patch = next(iter(patches_of("qwen3")))
    made = replace(patch, edits=(edit,), tokens={})
    return replace(made, sha256=digest(apply_edits(SOURCE, made.edits_on(SOURCE))), **changes)


def test_ranges_of_the_original_stand_in_new_text():
    assert example().apply(SOURCE) == "{# ours #}{% " + SOURCE


def test_a_result_that_was_not_reviewed_is_not_given():
    with pytest.raises(RecordMismatch, match="gives another template than the one reviewed"):
        replace(example(), sha256="0" * 64).apply(SOURCE)


def test_the_place_of_an_edit_is_told_however_its_tags_are_written():
    spaced = SOURCE.replace("{{ m.content }}", "{{m.content}}")
    at = SOURCE.index("{{")
    assert place_hash(SOURCE, at, at) == place_hash(spaced, at, at)
    assert place_hash(SOURCE, at, at) != place_hash(SOURCE.replace("content", "text"), at, at)


def test_a_record_with_tokens_of_its_own_holds_for_those_alone():
    patch = example(tokens={"eos_token": "<end>"})
    assert patch.holds_for({"eos_token": "<end>", "bos_token": "<s>"})
    assert not patch.holds_for({"eos_token": "</s>"})
    assert not patch.holds_for({})
