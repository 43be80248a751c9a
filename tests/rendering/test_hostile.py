"""Every hostile template is refused in clear words, within its limits, and reaches nothing outside."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "hostile"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jinja"))
SECONDS, CHARACTERS = 0.3, 4_000_000
PROGRAM = """
import json, re, sys, time
sys.path[:0] = sys.argv[1:3]
from hostile_ending import ending_of, reached, watch
from trainplate.rendering import Limits
for harmless in ("{{ raise_exception('no') }}", "{% for", "{% for m in messages %}{{ m.content }}</s>{% endfor %}"):
    ending_of(harmless, Limits())
sources = {path: open(path, encoding="utf-8").read() for path in sys.argv[5:]}
watch()
for path, source in sources.items():
    del reached[:]
    started = time.process_time()
    kind, said = ending_of(source, Limits(float(sys.argv[3]), int(sys.argv[4])))
    took = time.process_time() - started
    print(json.dumps([path, kind, said, took, reached]), flush=True)
# The high-water mark of this program alone: what `getrusage` tells counts the process that started it too.
status = open("/proc/self/status", encoding="utf-8").read() if sys.platform == "linux" else "VmHWM: 0"
print(json.dumps(["peak", int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) // 1024]))
"""
REFUSED = (
    r"takes longer than|makes more than|makes a number of|calls itself|nested too deeply|is unsafe|costly way|"
    r"date with|prints no plain conversation|words in its tags|too many|Missing end|Limit for integer|"
    r"cannot read a number|unexpected|expected token|Unexpected|Encountered unknown|is never closed|underscore"
)


@pytest.fixture(scope="module")
def endings():
    """How all of them end, one after the other in a single process, which stays alive."""
    command = [sys.executable, "-c", PROGRAM, str(ROOT / "src"), str(ROOT / "scripts"), str(SECONDS), str(CHARACTERS)]
    paths = [str(FOLDER / f"{name}.jinja") for name in NAMES]
    result = subprocess.run([*command, *paths], check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return {Path(path).stem: rest for path, *rest in found}


def test_there_are_enough_of_them_and_each_says_what_it_tries():
    assert len(NAMES) >= 40
    for name in NAMES:
        assert re.match(r"\{#- \w[^#]+\. -#\}\n", (FOLDER / f"{name}.jinja").read_text()), name


@pytest.mark.parametrize("name", NAMES)
def test_hostile_template_is_refused_in_time_and_reaches_nothing(endings, name):
    kind, said, seconds, reached = endings[name]
    assert kind in ("Refusal", "SyntaxFault"), said
    assert re.search(REFUSED, said), said
    assert seconds < SECONDS + 1
    assert reached == []


def test_memory_stays_bounded(endings):
    """All that a render makes is at most eight times the text that it may print, and four bytes a character."""
    if sys.platform != "linux":
        pytest.skip("the peak of a process is read where Linux tells it")
    assert 20 < endings["peak"][0] < 500


def test_refusal_names_the_conversation_that_reached_the_limit(endings):
    assert "(conversation: tools" in endings["only-with-tools"][1]
    assert "(conversation: one-turn)" in endings["loops-in-loops"][1]
    assert "one-turn" not in endings["late-in-a-conversation"][1]
