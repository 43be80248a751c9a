"""Templates to learn from: those of the installed trl package, and how to render one."""

from collections.abc import Callable
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from trainplate.conversations import Say, Support, learn_support
from trainplate.errors import Declined
from trainplate.rendering import compile_template

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def say(source: str) -> Say:
    """Return a renderer of one template that answers None where the template declines."""
    compiled = compile_template(source, special_tokens=SPECIAL_TOKENS, clock=datetime(2024, 7, 26))

    def render(messages: Any, tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        try:
            return compiled.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    return render


def original(name: str) -> str:
    """Return an original of the installed trl package."""
    found = find_spec("trl")
    if found is None or not found.submodule_search_locations:
        pytest.skip("trl, whose originals are read here, is not installed")
    return (Path(found.submodule_search_locations[0]) / "chat_templates" / f"{name}.jinja").read_text(encoding="utf-8")


@pytest.fixture(scope="session", name="say")
def renderer() -> Callable[[str], Say]:
    return say


@pytest.fixture(scope="session", name="original")
def originals() -> Callable[[str], str]:
    return original


@pytest.fixture(scope="session")
def learnt() -> Callable[[str], Support]:
    """Return what a given source supports."""
    return lambda source: learn_support(say(source), source)
