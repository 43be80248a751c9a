"""Two texts are shown with what only one of them has marked."""

from hypothesis import given
from hypothesis import strategies as st

from trainplate.reports.differing import LEAD, LONGEST, Stretch, differing

SHORT = st.text(alphabet="ab <|>\n", max_size=40)


def own(stretches):
    """Return what is marked."""
    return [one.text for one in stretches if one.own]


@given(SHORT, SHORT)
def test_short_texts_are_shown_whole_and_agree_in_all_that_is_not_marked(before, after):
    """The stretches of each text join to it; those that are not marked join to the same text on both sides."""
    first, second = differing(before, after)
    assert "".join(one.text for one in first) == before
    assert "".join(one.text for one in second) == after
    assert "".join(one.text for one in first if not one.own) == "".join(one.text for one in second if not one.own)


def test_what_was_taken_out_and_what_was_appended_are_marked_apart():
    before = "<user>\nWhy is the sky blue?<end>\n<bot>\n<think>\n\n</think>\n\nAir scatters blue light.<end>\n"
    after = "<user>\nWhy is the sky blue?<end>\n<bot>\nAir scatters blue light.<end>\n<user>\nAnd grass?<end>\n"
    first, second = differing(before, after)
    assert "".join(own(first)) == "<think>\n\n</think>\n\n"
    assert "".join(own(second)) == "<user>\nAnd grass?<end>\n"


def test_texts_that_are_hardly_alike_are_marked_whole():
    first, second = differing("one two three", "uno due tre")
    assert (first, second) == ((Stretch("one two three", True),), (Stretch("uno due tre", True),))


def test_a_text_that_lacks_a_piece_has_nothing_marked():
    first, second = differing("abc", "ac")
    assert (own(first), own(second)) == (["b"], [])


def test_what_is_long_is_cut_where_both_agree_and_in_the_middle_of_what_is_own():
    first, _ = differing("x" * 900 + "y" * 5000 + "z" * 900, "x" * 900 + "z" * 900)
    assert [one.text for one in first] == [
        "…" + "x" * LEAD,
        "y" * (LONGEST // 2) + "…" + "y" * (LONGEST // 2),
        "z" * LEAD + "…",
    ]
