"""Differences: the user's own lines are shown, what is only written otherwise is named, and no more."""

import pytest

from trainplate.families.behaviour import behaviour_of
from trainplate.families.difference import OwnLine, difference
from trainplate.families.fingerprint import fingerprint_of
from trainplate.families.pieces import pieces
from trainplate.families.references import Reference

SOURCE = """{# what a turn is #}
{%- for message in messages %}
    {{- '<' ~ message.role ~ '>' ~ message.content ~ '<end>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<assistant>' }}
{%- endif %}"""
REFERENCE = Reference("own", "v1", fingerprint_of(SOURCE))


def apart(changed):
    return difference(changed, pieces(changed), REFERENCE, behaviour_of(changed))


@pytest.mark.parametrize(
    ("change", "manner"),
    [
        (("<end>' }}", "<end>'  }}"), "white space control"),
        (("{{- '<assistant>' }}", "{{ '<assistant>' -}}"), "white space control"),
        (("'<assistant>'", '"<assistant>"'), "quotes or spaces within tags"),
        (("{# what a turn is #}\n", ""), "comments"),
        (("{# what a turn is #}", "{# a turn #}"), "comments"),
        (("{%- endif %}", "{%- endif %}\n"), "white space at the end"),
        (("\n", "\r\n"), "line ends"),
        (("    {{-", "        {{-"), "white space between tags"),
    ],
)
def test_what_is_only_written_otherwise_is_named(change, manner):
    found = apart(SOURCE.replace(*change))
    assert found.manners == (manner,)
    assert (found.lines, found.missing) == ((), 0)


def test_own_lines_are_shown_with_their_numbers():
    found = apart(SOURCE.replace("{%- endfor %}", "{%- endfor %}\n{{- eos_token }}"))
    assert found.lines == (OwnLine(5, "{{- eos_token }}"),)
    assert (found.missing, found.manners) == (0, ())


def test_a_line_that_was_changed_is_the_users_own_and_the_references_is_missing():
    found = apart(SOURCE.replace("<end>", "<stop>"))
    assert [line.number for line in found.lines] == [3]
    assert found.missing == 1


def test_a_conversation_that_is_told_otherwise_is_named():
    assert apart(SOURCE.replace("<end>", "<stop>")).conversation == "question"
    assert apart(SOURCE.replace("<assistant>", "<bot>")).conversation == "question + generation prompt"
    assert apart(SOURCE.replace("message", "m").replace("ms", "messages")).conversation is None
