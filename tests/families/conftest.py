"""Known originals whose text is at hand, with their training templates as recorded."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from trainplate.families.catalogue import families
from trainplate.families.facts import Family, Original
from trainplate.families.records import RecordedPatch, patches_of
from trainplate.template import Template

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))

from originals_at_hand import CORPUS, at_hand  # noqa: E402


@dataclass(frozen=True)
class Known:
    """A known original: the facts, its text, and its recorded patch."""

    family: Family
    original: Original
    template: Template

    @property
    def source(self) -> str:
        return self.template.source

    @cached_property
    def patch(self) -> RecordedPatch:
        return next(patch for patch in patches_of(self.family.family) if patch.revision == self.original.revision)

    @cached_property
    def training(self) -> str:
        return self.patch.apply(self.source)


def all_known() -> Iterator[Known]:
    for family in families():
        for original, template in at_hand(family):
            yield Known(family, original, template)


KNOWN = list(all_known())
MISSING = [
    f"{family.family} {original.revision}"
    for family in families()
    for original in family.originals
    if not any(one.original is original for one in KNOWN)
]


def parameters(chosen: list[Known]) -> list[Any]:
    """A parameter for each, and one that is left out, with the reason, for each original that is not at hand."""
    reason = "its original is neither in the installed trl nor in a corpus beside the project"
    left_out = [pytest.param(None, id=name, marks=pytest.mark.skip(reason=reason)) for name in MISSING]
    return [pytest.param(one, id=one.template.name) for one in chosen] + left_out


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`known` stands for every known original, `newest` for the last revision of each family."""
    if "known" in metafunc.fixturenames:
        metafunc.parametrize("known", parameters(KNOWN))
    if "newest" in metafunc.fixturenames:
        metafunc.parametrize("newest", parameters(list({one.family.family: one for one in KNOWN}.values())))
    if "family" in metafunc.fixturenames:
        metafunc.parametrize("family", [pytest.param(one, id=one.family) for one in families()])


@pytest.fixture(scope="session")
def known_originals() -> list[Known]:
    """All that are at hand."""
    if not KNOWN:
        pytest.skip("no known original is at hand")
    return KNOWN


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of published templates beside the project."""
    if not CORPUS.is_dir():
        pytest.skip("there is no corpus beside the project")
    return CORPUS
