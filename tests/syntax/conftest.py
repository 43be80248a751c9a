import json
from importlib.util import find_spec
from pathlib import Path

import pytest

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "templates"
ONE_IN = 40
"""Of the corpus, every test that goes through templates one by one takes one in so many."""


def in_trl() -> dict[str, str]:
    spec = find_spec("trl")
    if spec is None or not spec.submodule_search_locations:
        return {}
    files = Path(next(iter(spec.submodule_search_locations)), "chat_templates").glob("*.jinja")
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(files)}


def in_corpus(one_in: int) -> dict[str, str]:
    files = sorted(CORPUS.glob("*.json"))[::one_in]
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))["template"] for path in files}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "published" in metafunc.fixturenames:
        known = in_trl() | in_corpus(ONE_IN)
        reason = "neither the package trl nor the corpus is here"
        missing = [pytest.param("", marks=pytest.mark.skip(reason=reason), id="missing")]
        metafunc.parametrize("published", [pytest.param(text, id=name) for name, text in known.items()] or missing)


@pytest.fixture(scope="session")
def published_texts() -> tuple[str, ...]:
    """All the templates at hand, for tests that take them together."""
    texts = tuple((in_trl() | in_corpus(1)).values())
    if not texts:
        pytest.skip("neither the package trl nor the corpus is here")
    return texts


@pytest.fixture(scope="session")
def trl_texts() -> dict[str, str]:
    """The templates that the package trl stores, by name."""
    texts = in_trl()
    if not texts:
        pytest.skip("the package trl is not here")
    return texts
