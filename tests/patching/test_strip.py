"""Without its markers a template prints what it printed with them, and no tag is left that a server does not know."""

import pytest

from trainplate.errors import LoadingError, SyntaxFault
from trainplate.loading.trl_package import stored_in_trl
from trainplate.patching.patch import patch
from trainplate.patching.strip import markers_in, stripped
from trainplate.syntax import normal_form
from trainplate.template import Template


def served() -> list:
    """Name the training templates of the installed trl; a test that says so where it is not here."""
    try:
        stored = sorted(stored_in_trl().items())
    except LoadingError:
        return [pytest.param(None, id="missing", marks=pytest.mark.skip(reason="the package trl is not here"))]
    return [pytest.param(path, id=name) for name, path in stored if name.endswith("_training")]


@pytest.mark.parametrize("path", served())
def test_published_training_templates_keep_their_text(path):
    source = path.read_text(encoding="utf-8")
    text = stripped(Template(source))
    assert not markers_in(text)
    assert normal_form(text) == normal_form(source, without_markers=True)


def test_markers_that_a_patch_set_alone_are_taken_out_to_the_original():
    source = (
        "{% for m in messages %}{{ m.role }}: {% if m.role == 'assistant' %}{{ m.content }}</s>"
        "{% else %}{{ m.content }}</s>{% endif %}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"
    )
    marked = patch(source).training_template
    assert markers_in(marked)
    assert normal_form(stripped(Template(marked))) == normal_form(source)


def test_line_ends_stay_as_they_are():
    text = stripped(Template("{% for m in messages %}\r\n{% generation %}a\r\n{% endgeneration %}b\r\n{% endfor %}"))
    assert "\r\n" in text
    assert "\n" not in text.replace("\r\n", "")


def test_white_space_around_a_marker_is_printed_as_before():
    source = "{% for m in messages %}a {% generation -%}  b  {%- endgeneration %} c{% endfor %}"
    assert normal_form(stripped(Template(source))) == normal_form(source, without_markers=True)


def test_a_text_that_is_no_template_is_named():
    with pytest.raises(SyntaxFault, match=r"^t\.jinja:1:"):
        stripped(Template("{% generation %}", name="t.jinja"))
