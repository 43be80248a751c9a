"""What is said of servers holds: minijinja, on which some are based, rejects markers and takes what is stripped."""

import pytest

from trainplate.auditing.examples import MARKED
from trainplate.patching.strip import stripped
from trainplate.template import Template

MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]


def test_minijinja_rejects_markers_and_takes_the_stripped_template() -> None:
    minijinja = pytest.importorskip("minijinja")
    environment = minijinja.Environment(trim_blocks=True, lstrip_blocks=True)
    with pytest.raises(minijinja.TemplateError, match="generation"):
        environment.render_str(MARKED, messages=MESSAGES)
    text = environment.render_str(stripped(Template(MARKED)), messages=MESSAGES)
    assert text == "<user>Hi</s><assistant>Yes</s>"
