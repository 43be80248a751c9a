"""Work in a process of its own, each time asked of a process made for it, as none with threads should be split."""

import os
import subprocess
import sys

import pytest

HEAD = "import os, sys, time\nfrom trainplate.cli.elsewhere import SplitProcess, elsewhere\n"


def printed(program: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", HEAD + program], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stderr == ""
    return result.stdout


@pytest.fixture(autouse=True)
def can_be_split() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("a process cannot be split on this system")


def test_what_is_made_is_returned_whole() -> None:
    assert printed("print(len(SplitProcess(lambda: b'x' * 3_000_000).result()))") == "3000000\n"


def test_what_was_there_is_seen_and_what_is_changed_there_is_not() -> None:
    program = "seen = [1]\ndef job():\n    seen.append(2)\n    return bytes(seen)\n"
    assert printed(program + "print(SplitProcess(job).result(), seen)") == "b'\\x01\\x02' [1]\n"


@pytest.mark.parametrize("job", ["1 / 0", "os._exit(3)", "os.kill(os.getpid(), 9)", "sys.exit(0)"])
def test_nothing_is_returned_where_it_fails(job: str) -> None:
    assert printed(f"print(SplitProcess(lambda: {job}).result())") == "b''\n"


def test_what_was_printed_before_is_printed_once() -> None:
    assert printed("print('once', end=' ')\nprint(SplitProcess(lambda: b'yes').result())") == "once b'yes'\n"


def test_what_is_dropped_is_ended() -> None:
    program = "begun = SplitProcess(lambda: time.sleep(600))\nprocess = begun.process\nbegun.drop()\n"
    program += "try:\n    os.kill(process, 0)\nexcept ProcessLookupError:\n    print('gone')\nbegun.drop()"
    assert printed(program) == "gone\n"


def test_what_is_waited_for_is_ended_by_an_interrupt() -> None:
    program = (
        "import signal\nbegun = SplitProcess(lambda: time.sleep(600))\nprocess = begun.process\nsignal.alarm(1)\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "try:\n    begun.result()\nexcept KeyboardInterrupt:\n    begun.drop()\n"
        "try:\n    os.kill(process, 0)\nexcept ProcessLookupError:\n    print('gone')"
    )
    assert printed(program) == "gone\n"


def test_nothing_is_returned_where_it_is_not_told_how_a_process_ends() -> None:
    program = "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nbegun = SplitProcess(lambda: b'yes')\n"
    assert printed(program + "print(begun.result())\nbegun.drop()\nSplitProcess(lambda: b'').drop()") == "b''\n"


@pytest.mark.parametrize("missing", ["fork", "pipe"])
def test_nothing_is_returned_where_the_system_has_none_to_give(missing: str) -> None:
    program = f"def none():\n    raise BlockingIOError\nos.{missing} = none\nopened = len(os.listdir('/dev/fd'))\n"
    program += "begun = SplitProcess(lambda: b'yes')\nprint(begun.result())\nbegun.drop()\n"
    assert printed(program + "assert len(os.listdir('/dev/fd')) == opened") == "b''\n"


def test_one_processor_is_not_shared() -> None:
    program = "os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])\nprint(elsewhere())"
    assert printed(program) == "None\n"
