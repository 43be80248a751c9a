"""`trainplate check` finds the chat templates of a commit, and says of each what keeps it from being trained on."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trainplate.cli import is_plain
from trainplate.cli.app import run
from trainplate.cli.checked_file import Pair, faults_of
from trainplate.cli.checking import check_files
from trainplate.conversations.suite_files import named
from trainplate.rendering import Limits
from trainplate.template import Template

SRC = str(Path(__file__).parents[2] / "src")
PLAIN = (
    "{% for m in messages %}\n{{ '<' + m.role + '>' + m.content + '</s>' -}}\n{% endfor %}\n"
    "{% if add_generation_prompt %}\n{{ '<assistant>' -}}\n{% endif %}\n"
)
READY = (
    "{% for m in messages %}\n{{ '<' + m.role + '>' -}}\n"
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content + '</s>' }}{% endgeneration %}\n"
    "{% else %}{{ m.content + '</s>' }}{% endif %}\n{% endfor %}\n"
    "{% if add_generation_prompt %}\n{{ '<assistant>' -}}\n{% endif %}\n"
)
LATE_MARKER = READY.replace("{% generation %}{{ m.content + '</s>' }}", "{{ m.content }}{% generation %}{{ '</s>' }}")


@pytest.fixture
def check(tmp_path, capsys, monkeypatch):
    """Write the given files, check those that are named, and return the exit code and what was printed."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def checked(*arguments, **files):
        for name, text in files.items():
            Path(name.replace("__", ".")).write_text(text)
        code = run(["check", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return checked


def lines_of(text):
    return [line.strip() for line in text.splitlines()]


def test_files_of_other_kinds_are_passed_over_silently(check):
    page = "<p>{{ message.content }}</p>{% for message in flashes %}{# messages #}{% endfor %}"
    code, out, err = check(
        *("notes.md", "page.jinja", "tokenizer_config.json", "config.json"),
        notes__md=PLAIN,
        page__jinja=page,
        tokenizer_config__json='{"eos_token": "</s>", "chat_template": null}',
        config__json='{"chat_template": "{{ messages }}"}',
    )
    assert (code, out, err) == (0, "", "no chat template among the files\n")


def test_original_without_training_template_is_told_what_is_missing_and_how_to_get_it(check):
    code, out, err = check("chat.jinja", chat__jinja=PLAIN)
    assert code == 1
    assert lines_of(out)[0].startswith("chat.jinja:1:1  training-template  no training template beside it:")
    assert "cured by       trainplate check --fix chat.jinja" in lines_of(out)
    assert err == "1 chat template checked, 1 with findings\n"


def test_command_that_cures_is_told_as_a_shell_takes_it(check):
    Path("my models").mkdir()
    Path("my models/chat.jinja").write_text(PLAIN)
    assert "cured by       trainplate check --fix 'my models/chat.jinja'" in lines_of(check("my models/chat.jinja")[1])


def test_original_that_prints_nothing_is_not_told_to_be_fixed(check):
    code, out, _ = check("chat.jinja", chat__jinja="{{ messages[0].role }}{{ documents[0].text }}")
    assert code == 1
    assert "prints no plain conversation" in " ".join(out.split())
    assert "--fix" not in out


def test_fix_writes_the_training_template_and_is_then_content(check):
    code, out, err = check("--fix", "chat.jinja", chat__jinja=PLAIN)
    assert (code, out) == (1, "")
    assert "chat_training.jinja; add it to the commit" in err
    written = Path("chat_training.jinja").read_text()
    assert "{% generation %}" in written
    assert Path("chat.jinja").read_text() == PLAIN
    for arguments in (["chat.jinja"], ["chat_training.jinja"], ["--fix", "chat.jinja", "chat_training.jinja"]):
        assert check(*arguments) == (0, "", "1 chat template checked, none with findings\n")
    assert Path("chat_training.jinja").read_text() == written


@pytest.mark.parametrize("touched", ["chat.jinja", "chat_training.jinja"])
def test_pair_that_no_longer_agrees_is_found_whichever_file_was_touched(check, touched):
    code, out, _ = check(touched, chat__jinja=PLAIN.replace("<assistant>", "<bot>"), chat_training__jinja=READY)
    assert code == 1
    assert out.startswith("chat_training.jinja:")
    assert "same-prompt" in out
    assert "cured by       trainplate check --fix chat.jinja" in lines_of(out)
    assert check("--fix", touched)[0] == 1
    assert "<bot>" in Path("chat_training.jinja").read_text()
    assert check(touched)[0] == 0


def test_template_with_markers_is_held_to_its_own_text_and_the_place_is_told(check):
    assert check("chat.jinja", chat__jinja=READY)[0] == 0
    code, out, _ = check("chat.jinja", chat__jinja=LATE_MARKER)
    assert code == 1
    column = LATE_MARKER.splitlines()[2].index("m.content") + 1
    assert lines_of(out)[0].startswith(f"chat.jinja:3:{column}  mask-is-sampled-text  ")
    assert any(line.startswith("conversation   ") for line in lines_of(out))


def test_training_template_without_an_original_is_mended_where_it_lies(check):
    assert check("--fix", "chat_training.jinja", chat_training__jinja=LATE_MARKER)[0] == 1
    assert [path.name for path in Path().iterdir()] == ["chat_training.jinja"]
    assert check("chat_training.jinja")[0] == 0


def test_templates_in_json_files_have_their_training_templates_beside_them(check):
    both = {"default": PLAIN, "tool_use": PLAIN.replace("</s>", "</t>")}
    config = json.dumps({"chat_template": both, "eos_token": "</s>"})
    code, out, _ = check("tokenizer_config.json", tokenizer_config__json=config)
    assert code == 1
    assert "tokenizer_config.json#chat_template[tool_use]:1:1" in out
    assert check("--fix", "tokenizer_config.json")[0] == 1
    assert "</t>" in Path("tokenizer_config_tool_use_training.jinja").read_text()
    assert check("tokenizer_config.json") == (0, "", "2 chat templates checked, none with findings\n")
    assert check("tokenizer_config_tool_use_training.jinja")[0] == 0
    Path("tokenizer_config_tool_use_training.jinja").write_text(LATE_MARKER)
    assert check("tokenizer_config_tool_use_training.jinja")[0] == 1


def test_fault_of_the_syntax_is_told_with_its_place(check):
    code, out, _ = check("chat.jinja", chat__jinja="{{ messages[0].role }}\n{% for m in messages %}{{ m | nosuch }}")
    assert code == 1
    assert lines_of(out)[0].startswith("chat.jinja:2:")
    assert "syntax" in lines_of(out)[0]


def test_error_on_a_plain_conversation_is_told_with_its_line(check):
    broken = PLAIN + "{% if messages | length > 2 %}\n{{ messages[0].content + 1 }}\n{% endif %}\n"
    code, out, _ = check("chat.jinja", chat__jinja=broken)
    assert code == 1
    assert "chat.jinja:8:1  renders  an error, not an answer: TypeError" in out
    assert "conversation   two-turns" in lines_of(out)


def test_special_tokens_that_no_tokenizer_tells_are_stood_in_for(check):
    assert check("chat.jinja", chat__jinja="{{ bos_token + '' -}}\n" + READY)[0] == 0
    Path("chat.jinja").write_text("{{ bos_token + nothing.at_all -}}\n" + READY)
    assert "'nothing' is undefined" in check("chat.jinja")[1]


def test_original_may_decline_what_it_does_not_know(check):
    refusing = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + PLAIN
    _, out, _ = check("chat.jinja", chat__jinja=refusing)
    assert [line for line in lines_of(out) if line.startswith("chat.jinja")] == lines_of(out)[:1]
    assert "training-template" in out


def test_template_that_prints_nothing_of_what_is_said_is_told_so(check):
    code, out, _ = check(
        "chat.jinja", chat__jinja="{% if messages[0].role %}\n{{ raise_exception('never') }}{% endif %}"
    )
    assert code == 1
    assert "chat.jinja:2:1  renders  it prints no plain conversation; it says: never" in out


def test_limit_names_the_conversation_that_reached_it(check, monkeypatch):
    monkeypatch.setattr("trainplate.cli.checked_file.LIMITS", Limits(seconds=1))
    loops = "{% for i in range(100000) %}" * 2 + "{% endfor %}" * 2
    slow = "{% if messages | length > 4 %}" + loops + "{% endif %}" + READY
    code, out, _ = check("chat.jinja", chat__jinja=slow)
    assert code == 1
    assert "renders  the template takes longer than 1 second" in out
    name = next(line for line in lines_of(out) if line.startswith("conversation")).split()[1].partition("[")[0]
    assert len(named(name).messages) > 4


def test_words_of_a_template_cannot_steer_the_terminal(check):
    shouting = PLAIN + "{{ raise_exception('\x1b]0;owned\x07' ~ 'x' * 100000) }}"
    _, out, _ = check("chat.jinja", chat__jinja=shouting)
    assert "\x1b" not in out
    assert len(out) < 4000


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("missing.jinja", None, "no such file"),
        ("missing.md", None, "no such file"),
        ("folder", "", "a folder"),
        ("chat.jinja", b"{{ messages[0].role }}\xff", "is not UTF-8"),
        ("tokenizer_config.json", b'{"chat_template": "{{ messages }}"', "not JSON"),
    ],
)
def test_what_cannot_be_read_is_one_message_and_exit_2(check, name, data, said):
    if data == "":
        Path(name).mkdir()
    elif data is not None:
        Path(name).write_bytes(data)
    Path("good").mkdir()
    Path("good/chat.jinja").write_text(READY)
    code, out, err = check(name, "good/chat.jinja")
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())
    assert "1 chat template checked, none with findings" in err


def test_what_fix_writes_for_a_lone_file_stands_the_next_check(tmp_path, monkeypatch):
    """The last message is followed by a token that the file does not tell, and that moves when others are appended."""
    monkeypatch.chdir(tmp_path)
    ending = "{% if add_generation_prompt %}<|assistant|>{% else %}{{ eos_token }}{% endif %}"
    Path("chat.jinja").write_text("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}" + ending)
    assert run(["check", "--fix", "chat.jinja"]) == 1
    assert run(["check", "chat.jinja"]) == 0


def test_the_time_that_halves_took_in_vain_is_not_held_against_a_template(monkeypatch):
    dropped = []

    class Late:
        def __init__(self, job):
            pass

        def result(self):
            return b""

        def drop(self):
            time.sleep(1.5 * len(dropped))  # what compiles comes first
            dropped.append(self)

    monkeypatch.setattr("trainplate.cli.checked_file.LIMITS", Limits(seconds=1.5))
    pair = Pair(Path("chat_training.jinja"), Template(LATE_MARKER), Template(PLAIN), Path("chat.jinja"))
    assert "mask-is-sampled-text" in {fault.finding.check for fault in faults_of(pair, Late)}


def test_several_pairs_are_not_split(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    split = []

    class Here:
        def __init__(self, job):
            split.append(self)
            self.result = job

        def drop(self):
            pass

    for name in ("one", "two"):
        Path(f"{name}.jinja").write_text(PLAIN)
        Path(f"{name}_training.jinja").write_text(READY)
    assert check_files(["one.jinja", "two.jinja"], elsewhere=Here) == 0
    assert not split
    assert check_files(["one.jinja", "one_training.jinja"], elsewhere=Here) == 0
    assert len(split) == 2
    assert "1 chat template checked, none with findings" in capsys.readouterr().err


def test_closed_output_is_no_fault_of_ours(tmp_path):
    (tmp_path / "chat.jinja").write_text(READY)
    code = "import sys\nsys.stdout = None\nfrom trainplate.cli import main\nmain()\n"
    result = run_process("check", "chat.jinja", code=code, folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "1 chat template checked, none with findings\n")


def test_only_files_and_fix_go_the_quick_way():
    assert is_plain(["a.jinja", "--fix"])
    assert not is_plain(["--help", "a.jinja"])
    assert not is_plain(["--fix"])
    assert not is_plain([])


def run_process(*arguments, code="from trainplate.cli import main; main()", folder="."):
    environment = {**os.environ, "PYTHONPATH": SRC, "COLUMNS": "80"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=folder)


def test_process_exits_as_the_command_does(tmp_path):
    (tmp_path / "chat.jinja").write_text(PLAIN)
    assert run_process("check", "chat.jinja", folder=tmp_path).returncode == 1
    assert run_process("check", "--fix", "chat.jinja", folder=tmp_path).returncode == 1
    assert run_process("check", "chat.jinja", folder=tmp_path).returncode == 0
    assert run_process("check", "missing.jinja", folder=tmp_path).returncode == 2
    assert run_process("check", folder=tmp_path).returncode == 2
    assert "Check the chat templates" in run_process("check", "--help", folder=tmp_path).stdout


def test_process_imports_nothing_heavy_and_no_fix(tmp_path):
    """A commit waits for it: neither tensors nor tokenizers, nor what parses options, nor the search."""
    (tmp_path / "chat.jinja").write_text(READY)
    code = "import sys\nfrom trainplate.cli import check_at_once\nprint(check_at_once(sys.argv[1:]), *sys.modules)\n"
    result = run_process("chat.jinja", code=code, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    verdict, *modules = result.stdout.split()
    assert verdict == "0"
    heavy = {"transformers", "tokenizers", "numpy", "torch", "huggingface_hub", "typer", "click", "rich", "datasets"}
    assert heavy.isdisjoint(name.partition(".")[0] for name in modules)
    assert not [name for name in modules if name.startswith(("trainplate.fixes", "trainplate.patching.search"))]


@pytest.mark.parametrize(
    ("training", "code", "told"),
    [("{{ bos_token }}", 1, "chat_training.jinja:1:1"), ("", 2, "chat_training.jinja:1: empty")],
)
def test_training_template_that_lost_its_text_is_held_against_the_original_beside_it(check, training, code, told):
    found, out, err = check("chat_training.jinja", chat__jinja=PLAIN, chat_training__jinja=training)
    assert found == code
    assert told in out + err
