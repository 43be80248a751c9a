"""Our rendering is that of transformers, with its own tracker's spans, on every template at hand."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "compare_rendering.py"
SAMPLED = 12  # every so many templates of the corpus; scripts/compare_rendering.py compares them all

pytest.importorskip("transformers")
pytest.importorskip("trl")
spec = importlib.util.spec_from_file_location("compare_rendering", SCRIPT)
comparison = importlib.util.module_from_spec(spec)
spec.loader.exec_module(comparison)


def sampled(entries):
    """Every template with markers, and some of the others."""
    return [entry for index, entry in enumerate(entries) if comparison.MARKER.search(entry[1]) or index % SAMPLED == 0]


def cases():
    trl = list(comparison.templates(comparison.trl_templates()))
    corpus = list(comparison.templates(comparison.CORPUS)) if comparison.CORPUS.is_dir() else []
    return [pytest.param(*entry, id=entry[0]) for entry in trl + sampled(corpus)]


@pytest.mark.parametrize(("name", "source", "tokens"), cases())
def test_every_render_has_the_text_and_spans_of_transformers(name, source, tokens):
    assert [str(found) for found in comparison.differences(name, source, tokens)] == []


def test_the_corpus_is_there():
    if not comparison.CORPUS.is_dir():
        pytest.skip(f"no corpus at {comparison.CORPUS}: only the templates of trl were compared")
    assert len(list(comparison.templates(comparison.CORPUS))) > 900
