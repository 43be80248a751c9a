"""What may be known is told from files alone, and is never denied of what is known."""

import subprocess
import sys
from pathlib import Path

import trainplate
from trainplate.families.known_bytes import may_be_known, may_be_recorded

ECHO = "{% for m in messages %}{{ m.content }}{% endfor %}"


def test_no_known_original_is_denied(known_originals):
    assert all(may_be_known(one.source) for one in known_originals)


def test_no_recorded_training_template_is_denied(known):
    assert may_be_recorded(known.training)


def test_another_template_is_neither():
    assert not may_be_known(ECHO)
    assert not may_be_recorded(ECHO)


def test_asking_loads_nothing_else_of_what_is_known():
    program = (
        "import sys; from trainplate.families.known_bytes import may_be_known; may_be_known('');"
        "print(*sorted(name for name in sys.modules if name.startswith('trainplate.')))"
    )
    source = str(Path(trainplate.__file__).parents[1])
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=source)
    loaded = set(ran.stdout.split())
    assert loaded == {
        "trainplate.errors", "trainplate.families", "trainplate.families.known_bytes", "trainplate.families.location",
    }  # fmt: skip
