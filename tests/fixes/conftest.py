"""Originals to try fixes on, and what they are told meanwhile."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from trainplate.conversations import Conversation, applicable, learn_support
from trainplate.errors import Declined
from trainplate.fixes import Candidate
from trainplate.patching.bench import lay
from trainplate.patching.survey import survey
from trainplate.rendering import CompiledTemplate, compile_template

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CLOCK = datetime(2024, 7, 26)

Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Propose = Callable[[str, str], list[Candidate]]
Say = Callable[..., str | None]


@cache
def compiled(source: str) -> CompiledTemplate:
    return compile_template(source, special_tokens=SPECIAL_TOKENS, clock=CLOCK)


def said(template: CompiledTemplate, conversation: Conversation, length: int | None = None, **more: Any) -> str | None:
    options = {**conversation.options, **more}
    try:
        return template.render(conversation.messages[:length], conversation.tools, **options)
    except Declined:
        return None


@cache
def told(source: str) -> tuple[Conversation, ...]:
    template = compiled(source)

    def say(messages: Sequence[dict[str, Any]], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        try:
            return template.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    support = learn_support(say, source)
    printed = [one for one in applicable(support).conversations if support.prints(*one.needs & {"parts", "images"})]
    return tuple(printed)


def proposed(fix: str, source: str) -> list[Candidate]:
    name = fix.replace("-", "_")
    propose = getattr(import_module(f"trainplate.fixes.{name}"), name)
    if fix == "strip-markers":
        return list(propose(source))
    measured = missing_stops(source) if fix == "own-stop-token" else {}
    return list(propose(source, told(source), special_tokens=SPECIAL_TOKENS, clock=CLOCK, **measured))


def missing_stops(source: str) -> dict[str, str]:
    bench = lay(source, SPECIAL_TOKENS)
    how = survey(bench.heard, bench.support, bench.eos)
    return {"stop": how.stop, "stop_after_calls": how.stop_after_calls}


def in_trl() -> dict[str, str]:
    spec = find_spec("trl")
    if spec is None or not spec.submodule_search_locations:
        return {}
    files = Path(next(iter(spec.submodule_search_locations)), "chat_templates").glob("*.jinja")
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(files)}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture, chosen in (("original", False), ("marked", True)):
        if fixture in metafunc.fixturenames:
            known = {name: text for name, text in in_trl().items() if name.endswith("_training") == chosen}
            missing = [pytest.param("", marks=pytest.mark.skip(reason="the package trl is not here"), id="missing")]
            metafunc.parametrize(fixture, [pytest.param(text, id=name) for name, text in known.items()] or missing)


@pytest.fixture(scope="session")
def published() -> dict[str, str]:
    """The templates of the package trl, by name."""
    return in_trl() or pytest.skip("the package trl is not here")


@pytest.fixture(scope="session")
def compile() -> Compile:
    """Compile a source as the fixes are told to."""
    return compiled


@pytest.fixture(scope="session")
def tell() -> Tell:
    """The named conversations that a template takes, in the form it takes."""
    return told


@pytest.fixture(scope="session")
def say() -> Say:
    """Render a conversation, or its first messages; None where it is declined."""
    return said


@pytest.fixture(scope="session")
def propose() -> Propose:
    """All that a fix, by its name, proposes for a source."""
    return proposed
