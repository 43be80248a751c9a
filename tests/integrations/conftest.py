"""Speakers by name, and a folder for each trainer."""

import pytest

ROW = "needs the extra test"


@pytest.fixture(autouse=True, scope="session")
def quiet():
    datasets = pytest.importorskip("datasets", reason=ROW)
    datasets.disable_progress_bars()


@pytest.fixture
def speaker():
    """Return a kind of template by name."""
    pytest.importorskip("transformers", reason=ROW)
    pytest.importorskip("trl", reason=ROW)
    from tiny_trainers import speakers

    return speakers().__getitem__
