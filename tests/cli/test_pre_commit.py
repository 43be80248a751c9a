"""The hooks do in a repository, run by pre-commit itself, what the README says."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trainplate.demo import FOLDER

ROOT = Path(__file__).parents[2]
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
WHO = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git"),
    pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="needs the extra test"),
]


class Repository:
    """A repository with pre-commit set up, and everything that belongs to it in one folder."""

    def __init__(self, folder, hook):
        self.folder, self.home = folder / "work", folder
        hooks = folder / "hooks"
        for made in (hooks, self.folder, folder / "bin"):
            made.mkdir()
            if made.name != "bin":
                self.git("init", "-q", at=made)
        # What is under test is installed already: pre-commit shall not build it again, for which it needs a network.
        (hooks / ".pre-commit-hooks.yaml").write_text(HOOKS.replace("language: python", "language: system"))
        self.git("add", ".", at=hooks)
        self.git("commit", "-q", "-m", "hooks", at=hooks)
        revision = self.git("rev-parse", "HEAD", at=hooks).strip()
        config = f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n"
        (self.folder / ".pre-commit-config.yaml").write_text(config)
        command = f'#!/bin/sh\nexec {sys.executable} -c "from trainplate.cli import main; main()" "$@"\n'
        (folder / "bin" / "trainplate").write_text(command)
        (folder / "bin" / "trainplate").chmod(0o755)
        installed = self.run(sys.executable, "-m", "pre_commit", "install")
        assert installed.returncode == 0, installed.stdout + installed.stderr

    def run(self, *command, at=None):
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "PRE_COMMIT_HOME": str(self.home / "cache"),
            "PYTHONPATH": str(ROOT / "src"),
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }
        return subprocess.run(
            command, check=False, capture_output=True, text=True, env=environment, cwd=at or self.folder
        )

    def git(self, *arguments, at=None):
        result = self.run("git", *WHO, *arguments, at=at)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def commit(self):
        """Try to commit all that is there; return whether that was allowed, and what was said."""
        self.git("add", ".")
        result = self.run("git", *WHO, "commit", "-m", "a change")
        return result.returncode == 0, result.stdout + result.stderr


@pytest.fixture
def original():
    return (FOLDER / "chat_template.jinja").read_text(encoding="utf-8")


def test_commit_of_an_original_is_stopped_until_its_training_template_is_beside_it(tmp_path, original):
    repository = Repository(tmp_path, "trainplate-check")
    (repository.folder / "notes.md").write_text("{{ messages }}")
    assert repository.commit()[0]
    (repository.folder / "chat.jinja").write_text(original)
    allowed, said = repository.commit()
    assert not allowed
    assert "chat.jinja:1:1  training-template" in said
    assert repository.run("trainplate", "check", "--fix", "chat.jinja").returncode == 1
    allowed, said = repository.commit()
    assert allowed, said
    training = repository.folder / "chat_training.jinja"
    training.write_text(training.read_text().replace("|>\\n", "|>\\n\\n", 1))
    allowed, said = repository.commit()
    assert not allowed
    assert "chat_training.jinja:" in said


def test_hook_writes_the_training_template_and_stops_the_commit_once(tmp_path, original):
    repository = Repository(tmp_path, "trainplate-patch")
    (repository.folder / "models").mkdir()
    (repository.folder / "models" / "chat.jinja").write_text(original)
    allowed, said = repository.commit()
    assert not allowed
    assert "add it to the commit" in said
    allowed, said = repository.commit()
    assert allowed, said
    assert "models/chat_training.jinja" in repository.git("ls-files").splitlines()
