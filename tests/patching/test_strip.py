"""Without its markers a template prints what it printed with them, and no tag is left that a server does not know."""

import pytest

from trainplate.errors import SyntaxFault
from trainplate.loading.trl_package import stored_in_trl
from trainplate.patching.patch import patch
from trainplate.patching.strip import markers_in, stripped
from trainplate.syntax import normal_form
from trainplate.template import Template

SERVED = [pytest.param(path, id=name) for name, path in sorted(stored_in_trl().items()) if name.endswith("_training")]


@pytest.mark.parametrize("path", SERVED)
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
