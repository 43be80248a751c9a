"""A folder stands for what lies in it, and for the folders in it that may not be looked into."""

import os

import pytest

from trainplate.cli.audit_sources import expanded
from trainplate.errors import LoadingError
from trainplate.loading.source import load


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A folder whose entries may be neither listed nor looked at, whoever runs this."""
    folder = tmp_path / "closed"
    folder.mkdir()
    for name in ("scandir", "stat"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name), folder, within=name == "stat"))
    return folder


def refusing(call, folder, *, within):
    """Return a call of the system that is not permitted on a folder, or within it."""

    def refused(path=".", *arguments, **options):
        named = "" if isinstance(path, int) else os.fspath(path)
        if (os.path.dirname(named) if within else named) == str(folder):
            raise PermissionError(13, "Permission denied", named)
        return call(path, *arguments, **options)

    return refused


def test_a_folder_that_may_not_be_looked_into_is_told_and_not_passed_over(closed):
    (closed.parent / "open.jinja").write_text("{{ messages }}")
    assert expanded([str(closed.parent)]) == [str(closed.parent / "open.jinja"), str(closed)]


def test_a_source_that_may_not_be_looked_into_is_a_message_and_no_crash(closed):
    assert expanded([str(closed)]) == [str(closed)]
    with pytest.raises(LoadingError, match="closed: cannot be read: Permission denied"):
        load(str(closed))
