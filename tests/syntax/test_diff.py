import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.syntax import changed_characters, unified_diff

TEXT = st.lists(st.sampled_from(["a", "-", "+", " b", "\n", "\r\n", "\n\n", "{{ x }}\n"]), max_size=25).map("".join)


def side(diff: str, sign: str) -> str:
    """The text that a diff with all of the context shows on one side."""
    lines: list[str] = []
    shown = False
    for line in diff.split("\n")[3:-1]:
        if line.startswith("\\"):
            lines[-1:] = [lines[-1].removesuffix("\n")] if shown else lines[-1:]
        elif shown := line[0] in (" ", sign):
            lines.append(f"{line[1:]}\n")
    return "".join(lines)


@given(TEXT, TEXT)
def test_a_diff_with_all_the_context_holds_both_texts(original: str, training: str) -> None:
    """Law: what is not added is the original, what is not removed the training template, line ends included."""
    diff = unified_diff(original, training, name="x", context=1000)
    if original == training:
        assert diff == ""
    else:
        assert (side(diff, "-"), side(diff, "+")) == (original, training)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
@pytest.mark.parametrize("context", [0, 3])
@pytest.mark.parametrize(
    ("original", "training"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb\nc", "a\nb\nc\n"),
        ("a\nb\nc\n", "a\nb\nd"),
        ("a\r\nb\r\nc\r\n", "a\r\nb\r\nnew\r\nc\r\n"),
        ("a\r\nb\nc", "a\nb\r\nd"),
        ("one line {{ x }}", "one line {{ x | trim }}"),
        ("a\x0cb\u2028c\rd\n" * 9, "a\x0cb\u2028c\rd\n" * 4 + "e\n" + "a\x0cb\u2028c\rd\n" * 5),
    ],
)
def test_git_makes_one_text_of_the_other(original: str, training: str, context: int, tmp_path: Path) -> None:
    file, patch = tmp_path / "chat.jinja", tmp_path / "change.diff"
    file.write_bytes(original.encode())
    patch.write_bytes(unified_diff(original, training, name="chat.jinja", context=context).encode())
    subprocess.run(["git", "apply", "--unidiff-zero", "--whitespace=nowarn", patch.name], cwd=tmp_path, check=True)
    assert file.read_bytes() == training.encode()


def test_a_diff_names_the_files_and_says_where_a_newline_is_missing() -> None:
    assert unified_diff("a\nb", "a\nc\n", name="chat.jinja") == (
        "--- a/chat.jinja\n+++ b/chat.jinja\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
    )


@given(TEXT, TEXT)
def test_the_size_of_a_change_does_not_depend_on_its_direction(original: str, training: str) -> None:
    """Law: nothing changes by nothing, and there is as long as back where the lines are the same."""
    assert changed_characters(original, original) == 0
    assert (changed_characters(original, training) == 0) == (original.splitlines() == training.splitlines())


@pytest.mark.parametrize(
    ("original", "training", "size"),
    [("a\nbc\n", "a\nbd\n", 6), ("a\r\nb", "a\nb\n", 0), ("", "--- a\n", 6), ("++ b\na", "a", 5)],
)
def test_added_and_removed_lines_count_with_their_signs(original: str, training: str, size: int) -> None:
    assert changed_characters(original, training) == size


def test_the_size_of_what_trl_patches_by_hand_is_the_known_one(trl_texts: dict[str, str]) -> None:
    if version("trl") != "1.16.0":
        pytest.skip("the figure is that of trl 1.16.0")
    pairs = [(trl_texts[name.removesuffix("_training")], name) for name in trl_texts if name.endswith("_training")]
    assert sum(changed_characters(original, trl_texts[name]) for original, name in pairs) == 52_142
