"""Arguments come out as JSON, once, whichever form they are given in."""

from collections.abc import Callable

import pytest

from trainplate.conversations import named

Failing = Callable[..., set[str]]
AS_IT_IS = "{{ call.function.arguments }}"
ENCODED = "{{ call.function.arguments | tojson }}"
GUARDED = "{{ call.function.arguments if call.function.arguments is string else call.function.arguments | tojson }}"
CALLS = ("call", "two-calls", "two-calls-different-tools", "arguments-rich", "tool-cycle")


def calling(template: str, arguments: str) -> str:
    """Return a template that prints calls behind contents."""
    calls = "{% for call in m.tool_calls or [] %}{{ call.function.name }}" + arguments + "{% endfor %}"
    return template.replace("{{ m.content }}", "{{ m.content or '' }}" + calls)


def found(original: str, training: str, failing: Failing) -> set[str]:
    return failing(original, training, *map(named, CALLS))


def test_guarded_arguments_pass(plain: str, trained: str, failing: Failing) -> None:
    assert found(calling(plain, GUARDED), calling(trained, GUARDED), failing) == set()


def test_json_text_encoded_twice_is_found(plain: str, trained: str, failing: Failing) -> None:
    assert found(calling(plain, GUARDED), calling(trained, ENCODED), failing) == {"arguments"}


def test_json_text_that_the_original_encodes_twice_is_to_be_mended(plain: str, trained: str, failing: Failing) -> None:
    assert found(calling(plain, ENCODED), calling(trained, ENCODED), failing) == {"arguments"}
    assert found(calling(plain, ENCODED), calling(trained, GUARDED), failing) == set()


def test_json_text_that_is_lost_is_found(plain: str, trained: str, failing: Failing) -> None:
    lost = "{{ call.function.arguments | tojson if call.function.arguments is not string }}"
    assert found(calling(plain, GUARDED), calling(trained, lost), failing) == {"arguments"}


def test_dicts_must_print_where_the_original_takes_text_alone(plain: str, trained: str, failing: Failing) -> None:
    glued = calling(plain, "{{ '' + call.function.arguments }}")
    told = [text_arguments(name) for name in CALLS]
    assert failing(glued, calling(trained, "{{ '' + call.function.arguments }}"), *told) == {"renders"}
    assert failing(glued, calling(trained, GUARDED), *told) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        GUARDED.replace("tojson", "tojson(sort_keys=true)"),
        GUARDED.replace("tojson", "tojson(ensure_ascii=true)"),
        GUARDED.replace("tojson", "tojson(indent=2)"),
        GUARDED.replace("tojson", "string"),
    ],
)
def test_order_and_spelling_of_arguments_are_the_originals(
    arguments: str, plain: str, trained: str, failing: Failing
) -> None:
    assert "same-turn" in found(calling(plain, GUARDED), calling(trained, arguments), failing)


def text_arguments(name: str):  # type: ignore[no-untyped-def]
    from trainplate.conversations import arguments_as_json_text

    return arguments_as_json_text(named(name))
