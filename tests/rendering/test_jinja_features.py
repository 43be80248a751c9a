"""Whatever Jinja offers means the same under our limits as it does in the environment of transformers."""

from pathlib import Path

import pytest
from jinja2.exceptions import SecurityError, TemplateError

from trainplate.errors import Declined
from trainplate.rendering import compile_template

theirs = pytest.importorskip("transformers.utils.chat_template_utils")

compiled = getattr(theirs, "_cached_compile_jinja_template", theirs._compile_jinja_template)
"""Compiles a template; transformers 5.24 wraps the one name by which older releases have it."""
RESTRICTED = ("namespace(_a", "ns._a", "dict.clear")
"""What older releases leave open: private names in a namespace, and the methods of `dict`."""
LINES = (Path(__file__).parent / "features.txt").read_text(encoding="utf-8").splitlines()
FEATURES = [line.replace("⏎", "\n") for line in LINES if line and not line.startswith("# ")]
VARIABLES = {
    "messages": [{"role": "user", "content": " What is <it>?\n\tNow & then "}, {"role": "tool", "items": [3, 1, 2]}],
    "words": ["Slate", "umber", "Amber"],
    "pairs": {"b": 1, "a": [2, {"c": None}], "items": 3},
    "people": [{"name": "Ada", "n": 2}, {"name": "Bob", "n": 1}, {"name": "Cy", "n": 2}],
}


def outcome(render):
    """The text, or the kind of error and its words, save for refusals that we put in words of our own."""
    try:
        return render()
    except Exception as raised:
        error = raised.__cause__ if isinstance(raised, Declined) else raised
        if isinstance(error, SecurityError):
            return SecurityError
        return TemplateError if type(error).__mro__[1] is TemplateError else type(error), str(error)


@pytest.mark.parametrize("source", FEATURES)
def test_a_feature_means_what_it_does_in_transformers(source):
    if not hasattr(theirs, "_cached_compile_jinja_template") and any(part in source for part in RESTRICTED):
        pytest.skip("this release of transformers restricts neither dict nor namespace")
    template = compile_template(source, special_tokens=VARIABLES)
    expected = outcome(lambda: compiled(source).render(**VARIABLES))
    assert outcome(lambda: template.render(VARIABLES["messages"])) == expected
