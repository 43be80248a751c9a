"""Commands, run in the process of the tests."""

import pytest

from trainplate.cli.app import run


@pytest.fixture
def trainplate(capsys, monkeypatch):
    """Run a command without colour, and return its exit code and what it printed where."""
    monkeypatch.setenv("COLUMNS", "80")

    def ran(*arguments):
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return ran
