"""An audit of a local folder is one light process: no library is loaded that it does not need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trainplate
from trainplate.auditing.examples import CALLS, tokenizer_of_letters

CODE = """
import json, sys
import trainplate
report = trainplate.audit(sys.argv[1])
loaded = [name for name in sys.argv[2:] if name in sys.modules]
print(json.dumps([report.trainable, loaded]))
"""
HEAVY = ["transformers", "torch", "numpy", "trl", "datasets", "rich", "typer"]
SOURCE = Path(trainplate.__file__).parents[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chat_template.jinja").write_text(CALLS)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"eos_token": "</s>"}))
    tokenizer_of_letters(tokens=("</s>",)).save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def run(source: str, *modules: str) -> tuple[str, list[str]]:
    command = [sys.executable, "-c", CODE, source, *modules]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    trainable, loaded = json.loads(ran.stdout)
    return trainable, loaded


def test_a_folder_is_audited_without_heavy_libraries(folder: Path) -> None:
    trainable, loaded = run(str(folder), *HEAVY)
    assert trainable == "after patching"
    assert loaded == []


@pytest.mark.parametrize("name", ["qwen3", "llama3_1"])
def test_a_real_tokenizer_is_read_without_them(name: str) -> None:
    path = Path(__file__).resolve().parents[3] / "shared" / "tokenizers" / name
    if not path.is_dir():
        pytest.skip("the tokenizers are not here")
    _, loaded = run(str(path), *HEAVY)
    assert loaded == []


def test_a_lone_file_needs_no_tokenizers(tmp_path: Path) -> None:
    (tmp_path / "t.jinja").write_text(CALLS)
    for source in (str(tmp_path / "t.jinja"), CALLS):
        assert run(source, *HEAVY, "tokenizers", "huggingface_hub")[1] == []
