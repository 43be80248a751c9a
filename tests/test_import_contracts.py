"""The layers of the package are as pyproject.toml writes them down."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_every_import_keeps_the_contracts(monkeypatch, capsys):
    linter = pytest.importorskip("importlinter.cli", reason="needs the extra test")
    monkeypatch.chdir(ROOT)
    assert linter.lint_imports(no_cache=True) == linter.EXIT_STATUS_SUCCESS, capsys.readouterr().out
