"""A run over a folder says what became of each template, and what changed against the last run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "ecosystem.py"
PLAIN = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
STATE = "state.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    templates = tmp_path / "templates"
    (templates / "model").mkdir(parents=True)
    (templates / "a-record.json").write_text(json.dumps({"template": PLAIN, "eos_token": "<end>", "bos_token": None}))
    (templates / "b-file.jinja").write_text(PLAIN)
    (templates / "c-mute.jinja").write_text("{{ 'always the same' }}")
    (templates / "d-broken.json").write_text("{")
    (templates / "e-other.json").write_text('{"text": 1}')
    (templates / "model" / "chat_template.jinja").write_text(PLAIN)
    return templates


def run(folder: Path, *options: str) -> tuple[int, str]:
    """Run the script on a folder, with its state beside it."""
    command = [sys.executable, str(SCRIPT), str(folder), "--state", str(folder.parent / STATE), "--processes", "1"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_run_counts_what_became_of_each_template_and_names_bad_files(folder: Path) -> None:
    code, said = run(folder)
    assert code == 0
    assert "4 templates: 3 proven or ready (75.0 %)" in said
    assert "refused 1: renders 1" in said
    assert "skipped  d-broken: d-broken.json: " in said
    assert "skipped  e-other: e-other.json: no record" in said
    assert "marked in place 3, replayed 0" in said


def test_run_that_goes_like_the_last_one_moves_nothing(folder: Path) -> None:
    run(folder, "--only", "b-file")
    code, said = run(folder, "--only", "b-file")
    assert (code, "against the last run: 0 told otherwise, 0 worse" in said) == (0, True)


def test_template_that_was_proven_and_is_refused_is_worse_and_the_others_are_kept(folder: Path) -> None:
    run(folder)
    (folder / "b-file.jinja").write_text("{{ raise_exception('no more') }}")
    code, said = run(folder, "--only", "b-file")
    assert code == 1
    assert "WORSE  b-file: proven by suite (mark-generation) -> refused (renders)" in said
    kept = [json.loads(line)["name"] for line in (folder.parent / STATE).read_text().splitlines()]
    assert kept == ["a-record", "b-file", "c-mute", "d-broken", "e-other", "model"]


def test_template_that_was_refused_and_is_proven_is_no_worse(folder: Path) -> None:
    run(folder, "--only", "c-mute")
    (folder / "c-mute.jinja").write_text(PLAIN)
    code, said = run(folder, "--only", "c-mute")
    assert (code, "moved  c-mute: refused (renders) -> proven" in said) == (0, True)
