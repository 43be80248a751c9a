import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.syntax import Edit, apply_edits, edits_between

TEXT = st.text(alphabet="ab \n{%}", max_size=60)


def test_edits_are_replacements_at_places_of_the_source() -> None:
    edits = [Edit(8, 9, "C"), Edit(0, 1, "A"), Edit(4, 4, "+")]
    assert apply_edits("abc abc c", edits) == "Abc +abc C"


def test_insertions_at_the_same_place_keep_their_given_order() -> None:
    assert apply_edits("xy", [Edit(1, 1, "1"), Edit(1, 1, "2"), Edit(1, 1, "3")]) == "x123y"


def test_an_insertion_goes_before_a_replacement_that_starts_there_and_behind_one_that_ends_there() -> None:
    assert apply_edits("xyz", [Edit(1, 2, "Y"), Edit(1, 1, "<"), Edit(2, 2, ">")]) == "x<Y>z"


@pytest.mark.parametrize(
    ("first", "second"),
    [(Edit(0, 3, "one"), Edit(2, 4, "two")), (Edit(0, 3, "one"), Edit(1, 1, "two")), (Edit(0, 3, "one"),) * 2],
)
def test_overlapping_edits_are_refused_and_both_are_named(first: Edit, second: Edit) -> None:
    with pytest.raises(ValueError, match="overlap") as caught:
        apply_edits("abcdef", [second, first])
    assert repr(first) in str(caught.value)
    assert repr(second) in str(caught.value)


@pytest.mark.parametrize("edit", [Edit(-1, 0, ""), Edit(2, 1, ""), Edit(0, 9, "")])
def test_edits_outside_of_the_source_are_refused(edit: Edit) -> None:
    with pytest.raises(ValueError, match="outside"):
        apply_edits("abc", [edit])


@given(TEXT, TEXT)
def test_edits_between_two_texts_lead_from_one_to_the_other(before: str, after: str) -> None:
    """Law: `apply_edits(before, edits_between(before, after)) == after`."""
    assert apply_edits(before, edits_between(before, after)) == after


@given(TEXT)
def test_nothing_lies_between_a_text_and_itself(text: str) -> None:
    assert edits_between(text, text) == ()


def test_edits_between_leave_equal_lines_and_words_alone() -> None:
    before = "{% for m in messages %}\n{{ m.content }}\n{% endfor %}\n"
    after = "{% for m in messages %}\n{{ m.content | trim }}\n{% endfor %}\n{{ x }}\n"
    first, second = edits_between(before, after, "trim", "because")
    assert first == Edit(before.index(" }}") + 1, before.index(" }}") + 1, "| trim ", "trim", "because")
    assert (second.start, second.end, second.replacement) == (len(before), len(before), "{{ x }}\n")


@pytest.mark.parametrize("line", ["{{ x }}\n", "{{ x }}", "ab\n\n"])
def test_a_megabyte_of_repetition_is_compared_too(line: str) -> None:
    before = line * (1_000_000 // len(line))
    after = f"start{before[:500_000]}middle{before[500_003:]}end"
    assert apply_edits(before, edits_between(before, after)) == after
