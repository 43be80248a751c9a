"""The README says what is: its commands are those that are run, its example is what comes out."""

import re
import subprocess
from pathlib import Path

import pytest

import trainplate
from trainplate.demo import demo_template

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


def test_the_example_is_what_the_demo_changes():
    shown = block_after("the demo's diff")
    diff = trainplate.patch(demo_template().source, special_tokens=demo_template().special_tokens).diff()
    assert shown == diff


@pytest.mark.parametrize("path", re.findall(r"\]\(((?!https?:)[^)#]+)\)", README))
def test_links_inside_the_repository_lead_somewhere(path):
    assert (ROOT / path).exists()
