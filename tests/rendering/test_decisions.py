from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from trainplate.conversations import Conversation, suite
from trainplate.errors import Declined
from trainplate.rendering import compile_template
from trainplate.rendering.decisions import Watched, watch

TURN = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "published" in metafunc.fixturenames:
        places = getattr(find_spec("trl"), "submodule_search_locations", None) or []
        files = [path for place in places for path in sorted(Path(place, "chat_templates").glob("*.jinja"))]
        files = [path for path in files if not path.stem.endswith("_training")]
        missing = [pytest.param(Path(), marks=pytest.mark.skip(reason="the package trl is not here"), id="missing")]
        metafunc.parametrize("published", [pytest.param(path, id=path.stem) for path in files] or missing)


def ways(watched: Watched, messages: list[dict[str, Any]], **options: Any) -> list[tuple[str, int | None, str, bool]]:
    decided = watched.render(messages, **options)
    text = watched.tree.text
    return [(text(watched.sites[d.site].node), d.moment.message, d.moment.role, d.value) for d in decided.decisions]


def test_each_operand_is_told_with_the_message_that_it_was_asked_for() -> None:
    watched = watch(
        "{% for m in messages %}{% if m.role == 'user' and not loop.last %}{{ m.content }}{% endif %}{% endfor %}"
    )
    assert ways(watched, TURN) == [
        ("m.role == 'user'", 0, "user", True),
        ("loop.last", 0, "user", False),
        ("m.role == 'user'", 1, "assistant", False),
    ]


def test_a_macro_decides_about_the_message_of_its_caller() -> None:
    watched = watch(
        "{% macro say(text) %}{% if text %}{{ text }}{% endif %}{% endmacro %}"
        "{% for m in messages %}{{ say(m.content) }}{% endfor %}{{ say('') }}"
    )
    assert ways(watched, TURN) == [
        ("text", 0, "user", True),
        ("text", 1, "assistant", True),
        ("text", None, "", False),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in range(messages | length) %}{{ messages[i].content if messages[i].content }}{% endfor %}",
        "{% for m in messages[::-1] | reverse %}{{ m.content if m.content }}{% endfor %}",
        "{% for m in messages %}{% for c in 'ab' %}{% endfor %}{{ m.content if m.content }}{% endfor %}",
        "{% for m in messages if m.role %}{{ m.content }}{% endfor %}",
    ],
)
def test_messages_are_known_however_they_are_run_over(source: str) -> None:
    decided = watch(source).render(TURN)
    assert [d.moment.message for d in decided.decisions if d.moment.message is not None][-1:] in ([0], [1])
    assert decided.text == "HiHello"


def test_stored_and_passed_truth_is_told_and_other_values_are_not() -> None:
    watched = watch("{% set a = x is defined %}{% set b = x or 'y' %}{% set c = not x %}{{ dict(d=x == 1) }}")
    assert [watched.tree.text(site.node) for site in watched.sites] == ["x is defined", "x", "x == 1"]


def test_rulings_decide_in_place_of_the_template() -> None:
    watched = watch("{% for m in messages %}{{ m.content if loop.last else '-' }}{% endfor %}")
    (site,) = watched.sites
    assert watched.render(TURN).text == "-Hello"
    assert watched.render(TURN, rulings={site.number: lambda was, now, asked: True}).text == "HiHello"
    assert watched.render(TURN, rulings={site.number: lambda was, now, asked: now.role == "user"}).text == "Hi-"
    asked = watched.render(TURN, add_generation_prompt=True, rulings={site.number: lambda was, now, asked: asked})
    assert asked.text == "HiHello"


def test_decisions_and_ends_of_loops_stand_behind_the_text_printed_before_them() -> None:
    decided = watch("ab{% for m in messages %}{% if m %}cd{% endif %}{% endfor %}ef").render(TURN)
    assert [d.position for d in decided.decisions] == [2, 4]
    assert [end.position for end in decided.ends] == [6]


def test_a_template_that_tells_its_decisions_prints_the_same(published: Path) -> None:
    source = published.read_text(encoding="utf-8")
    plain, watched = compile_template(source), watch(source)
    for conversation in suite()[::9]:
        assert text_of(watched, conversation) == text_of(plain, conversation)


def text_of(template: Any, conversation: Conversation) -> str | None:
    try:
        said = template.render(conversation.messages, conversation.tools)
    except Declined:
        return None
    return said if isinstance(said, str) else said.text
