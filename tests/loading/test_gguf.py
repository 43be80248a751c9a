"""A GGUF file gives the templates and special tokens in its metadata, whatever its tensors weigh."""

import sys

import pytest

from trainplate.auditing import Trainable, audit
from trainplate.errors import LoadingError
from trainplate.loading.source import load

TEXT = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
VOCABULARY = ["<unk>", "<s>", "</s>", "<pad>", "a"]


def write(path, *, template=None, named=(), tokens=True, tensor=False):
    gguf = pytest.importorskip("gguf")
    import numpy as np

    writer = gguf.GGUFWriter(path, "llama")
    if tokens:
        writer.add_token_list(VOCABULARY)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
        writer.add_pad_token_id(3)
        writer.add_unk_token_id(99)
    if template or named:
        entries = [{"name": name, "template": text} for name, text in named]
        given = [*([{"name": "default", "template": template}] if template else []), *entries]
        writer.add_chat_template(given if named else template)
    if tensor:
        writer.add_tensor("output.weight", np.zeros((4, 32), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_template_and_special_tokens_are_read_from_the_metadata(tmp_path):
    path = write(tmp_path / "m.gguf", template=TEXT, tensor=True)
    (template,) = load(path)
    assert (template.source, template.variant) == (TEXT, None)
    assert template.special_tokens == {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    assert template.name == f"{path}#tokenizer.chat_template"


def test_named_templates_are_all_found(tmp_path):
    templates = load(write(tmp_path / "m.gguf", template=TEXT, named=[("tool_use", TEXT + "!")]))
    assert {template.variant: template.source for template in templates} == {"default": TEXT, "tool_use": TEXT + "!"}


def test_a_file_without_a_template_says_so(tmp_path):
    with pytest.raises(LoadingError, match=r"m\.gguf: has no chat template in its metadata"):
        load(write(tmp_path / "m.gguf"))


def test_a_file_without_tokens_gives_none(tmp_path):
    (template,) = load(write(tmp_path / "m.gguf", template=TEXT, tokens=False))
    assert template.special_tokens == {}


@pytest.mark.parametrize("kept", [4, 24, 60, 150])
def test_a_file_that_is_cut_off_is_a_clear_error(tmp_path, kept):
    path = write(tmp_path / "m.gguf", template=TEXT)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LoadingError, match=r"m\.gguf: a GGUF file that is cut off or broken\n.*fetch the file again"):
        load(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<!doctype html>", "not a GGUF file, as it does not begin with GGUF"),
        (b"GG", "not a GGUF file"),
        (b"", "an empty file"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 64, "cut off or broken"),
        (b"GGUF\x09\x00\x00\x00" + b"\x00" * 64, "of version 9, which the package gguf cannot read"),
    ],
)
def test_what_is_no_gguf_file_is_told(tmp_path, content, told):
    pytest.importorskip("gguf")
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(LoadingError, match=told):
        load(path)


def test_a_file_that_may_not_be_opened_is_told(tmp_path, monkeypatch):
    path = write(tmp_path / "m.gguf", template=TEXT)

    def closed(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("numpy.memmap", closed)
    monkeypatch.setattr(type(path), "open", closed)
    with pytest.raises(LoadingError, match=r"m\.gguf: cannot be read: Permission denied"):
        load(path)


def test_without_the_package_the_extra_is_named(tmp_path, monkeypatch):
    path = write(tmp_path / "m.gguf", template=TEXT)
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(LoadingError, match=r"pip install 'trainplate\[gguf\]'"):
        load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LoadingError, match=r"m\.gguf: no such file"):
        load(tmp_path / "m.gguf")


def test_an_audit_takes_such_a_file(tmp_path):
    report = audit(write(tmp_path / "m.gguf", template=TEXT))
    assert report.trainable is Trainable.AFTER_PATCHING
    assert report.facts.stop_tokens == ("</s>",)
