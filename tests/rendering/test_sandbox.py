"""Names are looked up as Jinja's own sandbox does, also where that is answered without asking all that it asks."""

from collections.abc import Callable
from typing import Any

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from trainplate.rendering import compile_template

VALUES: dict[str, Any] = {
    "text": "abc", "empty": "", "words": ["a", "b"], "table": {"type": "image", "items": 1, "": 2}, "number": 3,
}  # fmt: skip
NAMES = ("type", "upper", "items", "append", "index", "copy", "missing", "", "__class__", "__len__", "real")
PLAIN = ImmutableSandboxedEnvironment()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", NAMES)
def test_an_item_or_attribute_is_defined_where_jinja_has_it(value: str, name: str) -> None:
    looked_up = [f"{value}['{name}']", f"{value}.{name}"] if name else [f"{value}['']"]
    for expression in looked_up:
        source = (
            f"{{{{ {expression} is defined }}}} {{{{ {expression} is callable }}}} {{{{ {expression} is string }}}}"
        )
        ours = compile_template(source).render([], **VALUES)
        assert ours == PLAIN.from_string(source).render(VALUES)


@pytest.mark.parametrize("expression", ["table['type']", "table.type", "text[0]", "words[-1]", "text[5] is defined"])
def test_what_is_there_is_what_jinja_finds(expression: str) -> None:
    source = f"{{{{ {expression} }}}}"
    assert compile_template(source).render([], **VALUES) == PLAIN.from_string(source).render(VALUES)


CALLS = ("get('type')", "get('type', 'x')", "get(words[0])", "get(name)", "get(name, nothing)", "get(missing)", "get()")
CALLS += ("get('a', 'b', 'c')", "get(words)", "items()", "items(1)", "keys()", "values() | list", "upper()")
AROUND = ("{}", "{{% for word in words %}}{}{{% endfor %}}", "{{% block one %}}{}{{% endblock %}}")


@pytest.mark.parametrize("value", [*VALUES, "nothing", "missing", "own"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("around", AROUND)
def test_a_call_returns_what_it_does_in_jinja_or_fails_alike(value: str, call: str, around: str) -> None:
    source = "{% set own = namespace(get=upper, type='image') %}" + around.format(f"{{{{ {value}.{call} }}}}")
    given = {**VALUES, "name": "type", "nothing": None, "upper": str.upper}
    assert outcome(lambda: compile_template(source).render([], **given)) == outcome(
        lambda: PLAIN.from_string(source).render(given)
    )


def outcome(render: Callable[[], str]) -> str:
    """Return what is printed, or the message of the failure."""
    try:
        return render()
    except Exception as error:
        said = str(error).removeprefix("TypeError: ")
        return said.replace("trainplate.rendering.globals.SafeNamespace", "jinja2.utils.Namespace")
