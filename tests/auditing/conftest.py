"""What tests of audits share: a template as its checks see it, without the search for a patch."""

from collections.abc import Callable
from functools import cache

import pytest

from trainplate.auditing.audit import Problem
from trainplate.auditing.facts import facts_of
from trainplate.auditing.registry import all_audit_checks, evaluate
from trainplate.auditing.special_tokens import with_tokens
from trainplate.auditing.subject import Subject
from trainplate.errors import LoadingError
from trainplate.families.identification import identify
from trainplate.loading.source import load
from trainplate.loading.trl_package import stored_in_trl
from trainplate.patching.bench import lay
from trainplate.syntax import parse, with_newlines
from trainplate.template import Template


def originals() -> list[str]:
    """Name the originals of the installed trl; none where it is not here."""
    try:
        return [name for name in sorted(stored_in_trl()) if not name.endswith("_training")]
    except LoadingError:
        return []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that name `original` see every original of trl, or say that none was here to be tested."""
    if "original" in metafunc.fixturenames:
        absent = pytest.param("", id="missing", marks=pytest.mark.skip(reason="the package trl is not here"))
        metafunc.parametrize("original", originals() or [absent])


@cache
def studied_in_trl(name: str) -> Subject:
    """Learn of a published template, at the first time of asking."""
    return studied(load(f"trl:{name}")[0])


def studied(template: Template) -> Subject:
    """Learn of a template what checks look at, but for a patch and the contract."""
    match = identify(template)
    known, assumed = with_tokens(template, match)
    bench = lay(with_newlines(known.source), known.special_tokens)
    original = bench.compiled(bench.source)
    facts = facts_of(bench, parse(bench.source), original)
    return Subject(known, bench, match, None, None, facts, None, original, assumed_tokens=assumed)


@pytest.fixture
def subject_of() -> Callable[[Template], Subject]:
    return studied


@pytest.fixture
def published() -> Callable[[str], Subject]:
    return studied_in_trl


@pytest.fixture
def problems() -> Callable[..., tuple[Problem, ...]]:
    """Return what one check sees in a template's text."""

    def seen(check: str, source: str, **special_tokens: str) -> tuple[Problem, ...]:
        return evaluate(all_audit_checks()[check], studied(Template(source, special_tokens)))[1]

    return seen
