"""The README says what is: its commands are those that are run, its example is what comes out."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from trainplate.cli.app import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block_after(mark):
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, f"README.md has no block marked {mark}"
    return found[1]


def test_the_test_command_is_one_line_that_sets_up_all_it_needs():
    command = block_after("tests")
    assert command.count("\n") == 1
    assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    found = [
        line for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if line.startswith("tests=")
    ]
    script = f'{found[0]}; echo "$tests"'
    assert (
        subprocess.run(["bash", "-c", script], check=True, cwd=ROOT, capture_output=True, text=True).stdout == command
    )


def test_everything_generated_is_as_the_commands_print_it_now():
    command = [sys.executable, str(ROOT / "scripts" / "regenerate.py"), "--check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    result = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_workflow_is_yaml_and_audits_as_it_says(tmp_path, monkeypatch, capsys):
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(block_after("workflow"))["jobs"]["audit"]["steps"]
    command = next(step["run"] for step in steps if step.get("run", "").startswith("trainplate "))
    uploaded = next(step["with"]["sarif_file"] for step in steps if "upload-sarif" in step.get("uses", ""))
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "one.jinja").write_text("{% for m in messages %}{{ m.role + m.content }}{% endfor %}")
    monkeypatch.chdir(tmp_path)
    assert run(shlex.split(command)[1:]) in (0, 1)
    found = json.loads((tmp_path / uploaded).read_text())["runs"][0]["results"]
    places = [place["physicalLocation"]["artifactLocation"] for one in found for place in one["locations"]]
    assert {place["uri"] for place in places} == {"templates/one.jinja"}
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", re.findall(r"\]\(((?!https?:)[^)#]+)\)", README))
def test_links_inside_the_repository_lead_somewhere(path):
    assert (ROOT / path).exists()
