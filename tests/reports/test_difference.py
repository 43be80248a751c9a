"""A diff keeps its text and gains colour."""

from trainplate.reports.difference import difference_text

DIFF = "--- original\n+++ training\n@@ -1 +1 @@\n-a\n+b\n c\n"


def test_a_diff_keeps_its_text():
    assert difference_text(DIFF).plain == DIFF


def test_what_goes_is_red_and_what_comes_is_green():
    text = difference_text(DIFF)
    styles = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}
    assert (styles["-a"], styles["+b"], styles["--- original"]) == ("red", "green", "bold")
