"""Names are looked up as Jinja's own sandbox does, also where that is answered without asking all that it asks."""

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
