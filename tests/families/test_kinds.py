"""Families whose originals were not seen yet: their kind is patched as any unknown template, and soon recognised."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import trainplate
from trainplate.conversations import named
from trainplate.families.catalogue import families
from trainplate.families.identification import identify
from trainplate.rendering import compile_template

ROOT = Path(__file__).resolve().parents[2]
KINDS = Path(__file__).parent / "kinds"
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
UNSEEN = [family.family for family in families() if not family.originals]
ADD_AND_ASK = """
import json, sys
from trainplate.families.identification import identify
from trainplate.families.records import recorded
source = open(sys.argv[1], encoding="utf-8").read()
match = identify(source)
patch = recorded(match)
print(json.dumps([match.family, match.how, patch.apply(source)]))
"""


@pytest.mark.parametrize("name", UNSEEN)
def test_the_kind_of_an_unseen_family_is_patched_as_an_unknown_template(name):
    source = (KINDS / f"{name}.jinja").read_text(encoding="utf-8")
    assert identify(source) is None
    patch = trainplate.patch(source, special_tokens=TOKENS)
    assert patch.report.proven


def test_published_markers_that_cover_the_header_are_moved_behind_it():
    source = (KINDS / "muse_spark.jinja").read_text(encoding="utf-8")
    patch = trainplate.patch(source, special_tokens=TOKENS)
    original, training = (compile_template(text, special_tokens=TOKENS) for text in (source, patch.training_template))
    for name in ("two-turns", "reasoned-tool-cycles", "two-calls"):
        told = named(name)
        marked = training.render_marked(told.messages, told.tools)
        assert marked.text == original.render(told.messages, told.tools)
        assert all(marked.text[:start].endswith("<|start|>assistant") for start, _ in marked.spans)
        assert all(marked.text[:end].endswith("<|eot|>") for _, end in marked.spans)


def test_content_calls_and_the_end_of_a_turn_are_marked():
    source = (KINDS / "mistral_large_4.jinja").read_text(encoding="utf-8")
    patch = trainplate.patch(source, special_tokens=TOKENS)
    told = named("tool-cycle")
    marked = compile_template(patch.training_template, special_tokens=TOKENS).render_marked(told.messages, told.tools)
    assert [marked.text[start:end] for start, end in marked.spans] == [
        '[TOOL_CALLS]get_weather[ARGS]{"city": "Coral1"}</s>',
        "Amber2, it is 21 degrees.</s>",
    ]


@pytest.mark.parametrize("name", UNSEEN[:1])
def test_a_template_is_recognised_as_soon_as_its_reference_is_added(name, tmp_path):
    """One command in a copy of the project, then the same template is asked for."""
    for folder in ("src", "scripts", "chat_templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for path in (tmp_path / "chat_templates").glob("*.toml"):
        if not path.name.startswith((name, "qwen3.")):
            path.unlink()
    (tmp_path / "tests").mkdir()
    source = tmp_path / "own.jinja"
    shutil.copy(KINDS / f"{name}.jinja", source)
    run = [sys.executable, str(tmp_path / "scripts" / "add_reference.py"), str(source), "--family", name]
    environment = {"PYTHONPATH": str(tmp_path / "src"), "PATH": ""}
    added = subprocess.run(run, check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert added.returncode == 0, added.stdout + added.stderr
    assert {f"{name}.toml: written", f"{name}.patches.toml: written"} <= set(added.stdout.splitlines())
    ask = [sys.executable, "-c", ADD_AND_ASK, str(source)]
    answer = subprocess.run(ask, check=True, capture_output=True, text=True, env=environment).stdout
    family, how, training = json.loads(answer)
    assert (family, how) == (name, "same bytes")
    assert "{%- generation %}" in training or "{% generation %}" in training
    again = subprocess.run(run, check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert again.returncode == 1
    assert f"known already, as {name} v1" in again.stderr
