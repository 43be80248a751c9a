"""A format of an older version becomes the same format of the present version."""

import json

import pytest

from trainplate.formats import VERSION, FormatError, format_from_json, format_from_toml, format_to_json

FIRST = """
version = 1
name = "Pairs"
bos = true
stop = "</s>"
separator = "\\n"
[special_tokens]
eos_token = "</s>"
[user]
before = "<u>"
after = "</u>"
[assistant]
before = "<a>"
after = "</s>"
[system]
after = "|"
"""
NOW = """
version = 2
name = "Pairs"
start = "{bos}"
stops = ["</s>"]
separator = "\\n"
[special_tokens]
eos_token = "</s>"
[parts]
user = "<u>{content}</u>"
assistant = "<a>{content}</s>"
system = "{content}|"
"""


def test_pairs_of_texts_become_parts():
    assert format_from_toml(FIRST) == format_from_toml(NOW)


def test_what_was_migrated_is_exported_in_the_present_version():
    exported = format_to_json(format_from_toml(FIRST))
    assert json.loads(exported)["version"] == VERSION
    assert format_from_json(exported) == format_from_toml(NOW)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('before = "<u>"', 'behind = "<u>"', r"old\.toml: user\.behind: is no text before or after the content"),
        ("bos = true", 'bos = "<s>"', r"old\.toml: bos: must be true or false, but is '<s>'"),
        ('stop = "</s>"', "", r"old\.toml: stops: names nothing that ends a turn"),
        ("version = 1", "version = 0", r"old\.toml: version: must be a number from 1 to 2, but is 0"),
    ],
)
def test_a_fault_in_an_older_version_names_the_file_and_the_key(old, new, message):
    with pytest.raises(FormatError, match=message):
        format_from_toml(FIRST.replace(old, new), "old.toml")
