"""A file is written whole or not at all."""

import os
import stat

import pytest

from trainplate import writing
from trainplate.writing import WritingError, write_text


def test_text_arrives_byte_for_byte(tmp_path):
    text = "\ufeffa\r\nb\rc\n\n\u4f60 {{ x }}"
    write_text(tmp_path / "t.jinja", text)
    assert (tmp_path / "t.jinja").read_bytes() == text.encode("utf-8")


def test_a_replaced_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "t.jinja"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)


def test_a_new_file_gets_the_permissions_that_the_umask_allows(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "t.jinja", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "t.jinja").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, step, error):
    def fail(*_):
        raise error

    (tmp_path / "t.jinja").write_text("old")
    monkeypatch.setattr(writing.os, step, fail)
    with pytest.raises((WritingError, KeyboardInterrupt)):
        write_text(tmp_path / "t.jinja", "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("t.jinja", "old")]


def test_text_that_is_no_unicode_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(WritingError, match="surrogates"):
        write_text(tmp_path / "t.jinja", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named_with_the_way_out(tmp_path):
    with pytest.raises(WritingError, match=r"t\.jinja: cannot be written: No such file(.|\n)*way out"):
        write_text(tmp_path / "missing" / "t.jinja", "text")


def test_a_device_is_written_to_and_stays_a_device():
    write_text(os.devnull, "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
