"""Bad input ends in one clear message and an exit code, never in a traceback or half a file."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trainplate.cli.app import run

GOOD = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)
BAD = {
    "no template": ("t.jinja", "Dear reader", 2, "t.jinja:1: no {{ }} and no {% %}"),
    "empty": ("t.jinja", "", 2, "t.jinja:1: empty"),
    "an open tag": ("t.jinja", "{{ a }}\n{% for m in messages %}", 2, "t.jinja:"),
    "an unknown tag": ("t.jinja", "{{ a }}\n{% loop %}", 2, "t.jinja:2:"),
    "always raises": ("t.jinja", "{{ raise_exception('never') }}", 1, "t.jinja "),
    "broken JSON": ("tokenizer_config.json", "{", 2, "tokenizer_config.json:1:2: not JSON"),
    "not UTF-8": ("t.jinja", b"{{ a }}\n\xff", 2, "t.jinja:2: byte 8 (0xff) is not UTF-8"),
    "nested beyond all bounds": ("t.jinja", "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", 2, "t.jinja:"),
    "calls itself": ("t.jinja", "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", 1, "t.jinja"),
    "prints nothing that was said": ("t.jinja", "{{ 'always the same' }}", 1, "t.jinja "),
}


def check_message(err, expected, tmp_path):
    assert f"{tmp_path}/{expected}" in " ".join(err.split())
    assert "Traceback" not in err
    assert "a fault of trainplate itself" not in err


@pytest.mark.parametrize("command", ["patch", "diff", "show"])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_message_with_file_line_and_way_out(tmp_path, capsys, name, command):
    file, text, code, expected = BAD[name]
    (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run([command, str(tmp_path / file)]) == code
    printed = capsys.readouterr()
    check_message(printed.err, expected, tmp_path)
    assert printed.out == ""
    assert "way out" in printed.err


@pytest.mark.parametrize("name", BAD)
def test_nothing_is_written_for_bad_input(tmp_path, name):
    file, text, code, _ = BAD[name]
    (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "out.jinja").write_text("old")
    assert run(["patch", str(tmp_path / file), "-o", str(tmp_path / "out.jinja")]) == code
    assert {path.name for path in tmp_path.iterdir()} == {file, "out.jinja"}
    assert (tmp_path / "out.jinja").read_text() == "old"


def test_one_bad_template_among_named_ones_does_not_stop_the_others(tmp_path, capsys):
    entry = {"chat_template": {"default": "{% loop %}", "tool_use": GOOD}}
    (tmp_path / "chat_template.json").write_text(json.dumps(entry))
    assert run(["patch", str(tmp_path), "--diff"]) == 2
    printed = capsys.readouterr()
    assert "[default]:1:" in printed.err
    assert "[tool_use]" in printed.err
    assert "generation" in printed.out


def test_an_output_that_cannot_be_written_is_one_message(tmp_path, capsys):
    (tmp_path / "t.jinja").write_text(GOOD)
    assert run(["patch", str(tmp_path / "t.jinja"), "-o", str(tmp_path / "missing" / "out.jinja")]) == 2
    assert "missing/out.jinja: cannot be written: No such file or directory" in " ".join(
        capsys.readouterr().err.split()
    )


@pytest.mark.parametrize("arguments", [["nonsense"], ["patch"], ["patch", "a", "b"], ["show", "--nonsense"]])
def test_wrong_usage_exits_with_2(arguments, capsys):
    assert run(arguments) == 2
    assert "Usage" in capsys.readouterr().err


def test_a_fault_of_our_own_is_one_message_too(monkeypatch, capsys):
    def broken(source):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("trainplate.cli.outcomes.load", broken)
    assert run(["diff", "t.jinja"]) == 2
    assert "a fault of trainplate itself: ZeroDivisionError: division by zero" in capsys.readouterr().err


def test_a_terminal_that_knows_no_brackets_is_served(tmp_path):
    (tmp_path / "t.jinja").write_text(GOOD)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", "from trainplate.cli import main; main()", "show", str(tmp_path / "t.jinja")]
    result = subprocess.run(command, check=True, capture_output=True, env=environment)
    assert rb"\u27e6Half an hour later.</s>\u27e7" in result.stdout


ODD = {
    "a name that is too long": ("a" * 5000, "cannot be read: File name too long"),
    "a link to itself": ("loop.jinja", "a symbolic link that leads to no file"),
    "UTF-16": ("wide.jinja", "looks like UTF-16"),
    "a folder in its place": ("folder.jinja", "not a file"),
    "a device": ("/dev/zero", "not a file"),
    "no name": ("", "empty"),
}


@pytest.mark.parametrize("command", ["audit", "check", "identify", "patch"])
@pytest.mark.parametrize("what", ODD)
def test_odd_names_end_in_one_message_and_exit_code_2(tmp_path, monkeypatch, capsys, what, command):
    if (what, command) in {("a folder in its place", "check"), ("a device", "check")}:
        pytest.skip("of files of a commit, such a one is named or passed over as another kind")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.jinja").symlink_to("loop.jinja")
    (tmp_path / "wide.jinja").write_text(GOOD, encoding="utf-16")
    (tmp_path / "folder.jinja").mkdir()
    name, expected = ODD[what]
    assert run([command, name]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "a fault of trainplate itself" not in said
    assert expected in said or what == "a folder in its place"
    assert "way out" in said


@pytest.mark.parametrize("command", ["audit", "check", "identify", "patch", "show"])
def test_long_chain_is_nested_too_deeply_for_every_command(tmp_path, capsys, command):
    (tmp_path / "t.jinja").write_text(GOOD + "{{ a" + "()" * 3000 + " }}")
    assert run([command, str(tmp_path / "t.jinja")]) == (1 if command == "check" else 2)
    said = " ".join("".join(capsys.readouterr()).split())
    assert "nested too deeply" in said
    assert "a fault of trainplate itself" not in said


SCRIPT = "import sys; from trainplate.cli import main; sys.exit(main())"


def in_process(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, **options)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is full")
def test_output_that_finds_no_room_is_no_fault_of_ours():
    with open("/dev/full", "w") as full:
        process = in_process("formats", stdout=full)
        said = process.communicate()[1].decode()
    assert process.returncode == 2
    assert said.startswith("what was found cannot be written: No space left on device")


@pytest.mark.parametrize("command", ["check", "patch"])
def test_interrupted_command_says_nothing_and_ends_with_130(tmp_path, command):
    loop = "{% for i in range(3000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}"
    (tmp_path / "slow.jinja").write_text("{% for m in messages %}{{ m.content }}" + loop + "{% endfor %}")
    process = in_process(command, tmp_path / "slow.jinja", stdout=subprocess.PIPE)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    said = process.communicate()
    assert (process.returncode, *said) == (130, b"", b"")


def test_check_that_nobody_reads_to_its_end_does_not_pass(tmp_path):
    (tmp_path / "t.jinja").write_text(GOOD)
    process = in_process("check", tmp_path / "t.jinja", stdout=subprocess.PIPE)
    process.stdout.close()
    said = process.stderr.read().decode()
    assert process.wait() == 1
    assert "Traceback" not in said
