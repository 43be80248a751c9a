"""What a template takes is learnt by telling it, and is what its source says."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trainplate.conversations import FEATURES, Answer, Form, Say, Support, learn_support
from trainplate.rendering import Handling, compile_template

KNOWN = tomllib.loads((Path(__file__).parent / "known_support.toml").read_text(encoding="utf-8"))
WORDS_FOR = {"prints": "printed", "drops": "dropped", "declines": "declined", "garbles": "garbled"}
PLAIN = """{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}
{% if add_generation_prompt %}<assistant>{% endif %}"""


@pytest.mark.parametrize("name", KNOWN)
def test_known_original_supports_what_it_is_known_to(
    name: str, original: Callable[[str], str], learnt: Callable[[str], Support]
) -> None:
    known, support = KNOWN[name], learnt(original(name))
    for word, answer in WORDS_FOR.items():
        features = known.get(word, ())
        assert {feature: support.answers[feature] for feature in features} == dict.fromkeys(features, answer)
    assert {knob: list(values) for knob, values in support.knobs.items()} == known.get("knobs", {})
    assert support.form == Form(known.get("contents", "strings"), known.get("arguments", "objects"))


def test_every_feature_gets_an_answer(learnt: Callable[[str], Support]) -> None:
    assert set(learnt(PLAIN).answers) == set(FEATURES)


def test_template_that_prints_no_chat_speaks_not(learnt: Callable[[str], Support]) -> None:
    for source in ("", "hello", "{{ raise_exception('no') }}", "{% for m in messages %}{{ m.role }}{% endfor %}"):
        support = learnt(source)
        assert not support.speaks
        assert not support.prints("system")
        assert support.refuses("system")


def test_parts_are_the_form_where_strings_do_not_print(learnt: Callable[[str], Support]) -> None:
    source = "{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}"
    assert learnt(source).form.contents == "parts"


def test_parts_printed_as_python_are_garbled(learnt: Callable[[str], Support]) -> None:
    assert learnt(PLAIN).answers["parts"] == Answer.GARBLED


@pytest.mark.parametrize("key", ["reasoning_content", "thinking", "reasoning"])
def test_reasoning_is_found_under_the_key_that_is_read(key: str, learnt: Callable[[str], Support]) -> None:
    support = learnt(f"{{% for m in messages %}}{{{{ m.{key} }}}}{{{{ m.content }}}}{{% endfor %}}")
    assert support.prints("reasoning", "reasoning-in-history")


def test_arguments_go_as_text_only_where_objects_are_declined(learnt: Callable[[str], Support]) -> None:
    loop = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}[%]{% endfor %}{% endfor %}"
    concatenating = learnt(loop.replace("[%]", "{{ '' + c.function.arguments }}"))
    printing = learnt(loop.replace("[%]", "{{ c.function.arguments }}"))
    assert concatenating.form.arguments == "text"
    assert concatenating.prints("calls", "text-arguments")
    assert printing.form.arguments == "objects"
    assert printing.prints("calls", "text-arguments")


def test_value_that_changes_nothing_is_idle(learnt: Callable[[str], Support]) -> None:
    support = learnt("{% if a is defined and a is false %}no{% endif %}{% if b and not messages %}{% endif %}" + PLAIN)
    assert support.knobs == {"a": (False,)}
    assert support.idle == {"a": (True,), "b": (True, False)}


def test_value_that_is_declined_is_no_value(learnt: Callable[[str], Support]) -> None:
    source = "{% if mode == 'bad' %}{{ raise_exception('no') }}{% elif mode == 'good' %}yes{% endif %}" + PLAIN
    support = learnt(source)
    assert support.knobs == {"mode": ("good",)}
    assert "mode" not in support.idle


def test_prompt_is_found_where_there_is_one(learnt: Callable[[str], Support]) -> None:
    assert learnt(PLAIN).prompts
    assert not learnt("{% for m in messages %}{{ m.content }}{% endfor %}").prompts


def test_support_is_plain_data(learnt: Callable[[str], Support]) -> None:
    stored = json.loads(json.dumps(learnt(PLAIN).as_dict()))
    assert stored["answers"]["system"] == "printed"
    assert stored["form"] == {
        "contents": "strings",
        "arguments": "objects",
        "reasoning_key": "reasoning_content",
        "silence": "empty",
    }


def test_calls_that_need_null_are_told_so_where_that_is_asked(say: Callable[[str], Say]) -> None:
    printed = "{% if m.content is none %}{{ m.tool_calls | tojson }}{% else %}{{ m.content }}{% endif %}"
    source = "{% for m in messages %}{{ m.role }}" + printed + "{% endfor %}"
    template = compile_template(source, handling=Handling(none_dropped=False))

    def keeping(messages: Any, tools: Any, add_generation_prompt: bool, **options: Any) -> str:
        return template.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)

    assert learn_support(keeping, source).answers["calls"] == "dropped"
    assert learn_support(keeping, source, silence="null").answers["calls"] == "printed"


def test_learning_takes_few_renders(say: Callable[[str], Say]) -> None:
    counted, count = say(PLAIN), 0

    def render(*args: Any, **options: Any) -> str | None:
        nonlocal count
        count += 1
        return counted(*args, **options)

    learn_support(render, PLAIN)
    assert count <= 25
