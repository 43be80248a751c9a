"""Originals to patch: all that the package trl stores, and some of the corpus; each is patched once a process."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import trainplate
from trainplate.checks import all_checks
from trainplate.errors import LoadingError, Refusal
from trainplate.loading.trl_package import stored_in_trl
from trainplate.patching.patch import patch_of as by_engine
from trainplate.rendering import Limits
from trainplate.template import Template

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "templates"
ONE_IN = 90
"""Of the corpus, one template in so many is patched."""
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
PATIENCE = Limits(seconds=120)
"""What is tested is the answer, on machines with other work to do; `benchmarks/` tells how long it takes."""


def originals() -> dict[str, str]:
    """Return the originals that the installed trl stores."""
    try:
        stored = stored_in_trl()
    except LoadingError:
        return {}
    found = {name: path for name, path in stored.items() if not name.endswith("_training")}
    return {name: path.read_text(encoding="utf-8") for name, path in sorted(found.items())}


def corpus() -> dict[str, Template]:
    """Return some templates of the corpus, with the special tokens that belong to them."""
    records = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(CORPUS.glob("*.json"))[::ONE_IN])
    return {
        record["id"]: Template(
            record["template"], {**TOKENS, **{name: record[name] for name in TOKENS if record.get(name)}}, record["id"]
        )
        for record in records
    }


ORIGINALS, SAMPLED = originals(), corpus()


def of_trl() -> list[Any]:
    """Return a parameter for each original of trl."""
    return [pytest.param(name) for name in ORIGINALS] or [missing("the package trl")]


def of_corpus() -> list[Any]:
    """Return a parameter for each sampled template of the corpus."""
    return [pytest.param(name) for name in SAMPLED] or [missing("the corpus")]


def missing(what: str) -> Any:
    """Return the parameter of a test that has nothing to work on."""
    return pytest.param("", marks=pytest.mark.skip(reason=f"{what} is not here"), id="missing")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that name `published_patch` see every original of trl and the sample of the corpus, one after the other."""
    if "published_patch" in metafunc.fixturenames:
        metafunc.parametrize("published_patch", [*of_trl(), *of_corpus()], indirect=True, scope="module")


@cache
def patch_of(name: str) -> trainplate.Patch:
    """Patch a published template as if none were known, at the first time of asking."""
    template = Template(ORIGINALS[name], TOKENS, name) if name in ORIGINALS else SAMPLED[name]
    return by_engine(template, PATIENCE)


@pytest.fixture(scope="module")
def published_patch(request: pytest.FixtureRequest) -> trainplate.Patch:
    """Return the patch of a published template; one of the corpus may be refused, and is then passed over."""
    try:
        return patch_of(request.param)
    except Refusal as refusal:
        if request.param in ORIGINALS or refusal.check not in all_checks():
            raise
        pytest.skip(f"refused: {refusal}")
