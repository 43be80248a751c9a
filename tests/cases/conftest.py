"""Cases: faults that people reported, made small, with the facts that hold once a template is patched."""

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import trainplate
from trainplate.auditing import Audit, audit_all
from trainplate.conversations import Message
from trainplate.errors import LoadingError
from trainplate.loading.trl_package import stored_in_trl
from trainplate.rendering import CompiledTemplate, Limits, compile_template

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
OTHERS = {
    "normalise_messages": "the messages are to be mended, not the template",
    "loader": "loading is at fault, not the template",
}
"""Outcomes that no template can bring about, each with the reason."""


@dataclass(frozen=True)
class Case:
    """One fault: a template, what is said to it, and what is expected."""

    stored: dict[str, Any]

    @property
    def messages(self) -> list[Message]:
        """Return what is said."""
        return list(self.stored["messages"])

    @property
    def expected(self) -> dict[str, Any]:
        """Return the facts."""
        return dict(self.stored["expect"])

    @property
    def patched(self) -> dict[str, Any]:
        """Return the facts about the patched template."""
        return dict(self.expected.get("patched") or {})

    @property
    def special_tokens(self) -> dict[str, str]:
        """Return the special tokens by name."""
        return dict(self.stored.get("special_tokens") or {})

    @property
    def source(self) -> str:
        """Return the template as given; of named ones, that which transformers picks."""
        given = self.stored["template"]
        if isinstance(given, dict):
            given = given["tool_use" if self.stored.get("tools") and "tool_use" in given else "default"]
        return from_trl(given.removeprefix("trl:")) if given.startswith("trl:") else str(given)

    def appended(self) -> Iterator[tuple[str, list[Message]]]:
        """Yield the messages that are appended, with the name of the fact they are about."""
        for key, fact in (("append", "prefix_preserved"), ("append_alt", "prefix_preserved_with_append_alt")):
            if self.stored.get(key):
                yield fact, [*self.messages, *self.stored[key]]

    def compiled(self, source: str) -> CompiledTemplate:
        """Compile a template as the case's own."""
        return compile_template(source, special_tokens=self.special_tokens)

    @property
    def options(self) -> dict[str, Any]:
        """Return what rendering is asked for besides messages."""
        return {"tools": self.stored.get("tools"), **(self.stored.get("kwargs") or {})}


def from_trl(file: str) -> str:
    """Return a template of the installed trl."""
    try:
        return stored_in_trl()[file.removesuffix(".jinja")].read_text(encoding="utf-8")
    except LoadingError as error:
        pytest.skip(str(error).splitlines()[0])


@cache
def patch_of(source: str, tokens: tuple[tuple[str, str], ...]) -> trainplate.Patch:
    """Patch a template, at the first time of asking."""
    return trainplate.patch(source, dict(tokens), limits=Limits(seconds=120))


KINDS: dict[str, Callable[[Case], bool]] = {
    "case": lambda case: True,
    "varied_case": lambda case: bool(case.stored.get("variants")),
    "audited_case": lambda case: True,
    "named_case": lambda case: isinstance(case.stored["template"], dict),
}
"""The arguments by which a test asks for cases, and which of them it sees."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests see every case of their kind; of those that are about something else, why they are passed over."""
    for kind in KINDS.keys() & set(metafunc.fixturenames):
        paths = sorted(CASES.glob("s*.json"))
        cases = {path.stem: Case(json.loads(path.read_text(encoding="utf-8"))) for path in paths}
        absent = pytest.param(None, id="missing", marks=pytest.mark.skip(reason="the cases are not here"))
        found = [
            pytest.param(case, id=name, marks=[] if kind == "audited_case" else marks_of(case))
            for name, case in cases.items()
            if KINDS[kind](case)
        ]
        metafunc.parametrize(kind, found or [absent])


def marks_of(case: Case) -> list[pytest.MarkDecorator]:
    """Return why a test cannot hold of a case."""
    if case.expected["outcome"] in OTHERS:
        return [pytest.mark.skip(reason=OTHERS[case.expected["outcome"]])]
    return []


@pytest.fixture
def patch(case: Case) -> trainplate.Patch:
    """Return the patch of a case's template; where it may be refused too, refusing ends the test."""
    try:
        return patch_of(case.source, tuple(case.special_tokens.items()))
    except trainplate.Refusal as refusal:
        if "refuse" not in case.expected["outcome_ok"]:
            raise
        pytest.skip(f"refused, as it may be: {refusal}")


@pytest.fixture
def tokenizer(case: Case) -> Any:
    """Return the case's tiny tokenizer, as transformers wraps it."""
    return tokenizer_of(case)


@pytest.fixture
def audits(audited_case: Case) -> tuple[Audit, ...]:
    """Return the audits of a case's tokenizer, one for each of its templates."""
    return audits_of(audited_case)


@pytest.fixture
def audited() -> Callable[[str], tuple[Audit, ...]]:
    """Return what audits the tokenizer of the case of that name."""

    def of(name: str) -> tuple[Audit, ...]:
        path = CASES / f"{name}.json"
        if not path.exists():
            pytest.skip("the cases are not here")
        return audits_of(Case(json.loads(path.read_text(encoding="utf-8"))))

    return of


def audits_of(case: Case) -> tuple[Audit, ...]:
    """Audit a case's tokenizer, at the first time of asking."""
    name = case.stored["id"]
    if name not in AUDITS:
        made, given = tokenizer_of(case), case.stored["template"]
        made.chat_template = given if isinstance(given, dict) else case.source
        AUDITS[name] = audit_all(made, limits=Limits(seconds=120))
    return AUDITS[name]


AUDITS: dict[str, tuple[Audit, ...]] = {}
"""What was audited already: several tests look at each."""


def tokenizer_of(case: Case) -> Any:
    """Build a case's tiny tokenizer."""
    pytest.importorskip("transformers")
    spec = importlib.util.spec_from_file_location("mini_tokenizers", CASES / "mini_tokenizers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.build(case.stored)
