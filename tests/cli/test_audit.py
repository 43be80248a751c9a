"""`trainplate audit` says what it found in the form that is asked for, and its exit code says whether it counts."""

import json
from pathlib import Path

import jsonschema
import pytest

from trainplate.cli.app import run
from trainplate.cli.audit_jobs import audited
from trainplate.reports.audit_json import audit_schema

PLAIN = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)
MARKED = (
    "{% for m in messages %}{{ '<' + m.role + '>' }}"
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content + '</s>' }}{% endgeneration %}"
    "{% else %}{{ m.content + '</s>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)
BROKEN = "{% for m in messages %}\n{{ m.content "


@pytest.fixture
def trainplate(capsys, monkeypatch, tmp_path):
    """Run `trainplate audit` in a folder of its own, and return its exit code and what it printed where."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    for name, text in (("plain.jinja", PLAIN), ("marked.jinja", MARKED), ("broken.jinja", BROKEN)):
        Path(name).write_text(text)

    def ran(*arguments):
        code = run(["audit", *arguments])
        return code, *capsys.readouterr()

    return ran


@pytest.fixture
def checks(trainplate):
    """The checks with a finding of that severity in the plain template."""
    problems = json.loads(trainplate("plain.jinja", "--json")[1])["audits"][0]["problems"]

    def found(severity):
        return sorted({problem["check"] for problem in problems if problem["severity"] == severity})

    return found


def test_the_report_of_one_template_fits_a_terminal_and_ends_with_what_to_do(trainplate):
    code, out, err = trainplate("plain.jinja")
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == "plain.jinja"
    assert "can be trained on after patching" in out
    assert "trainplate patch plain.jinja -o plain_training.jinja" in out.partition("\nwhat to do\n")[2]
    assert max(map(len, out.splitlines())) <= 80


def test_a_training_template_is_clean(trainplate):
    code, out, _ = trainplate("marked.jinja")
    assert code == 0
    assert "can be trained on as it is" in out


def test_json_is_all_that_is_printed_and_obeys_its_schema(trainplate):
    code, out, err = trainplate("plain.jinja", "--json")
    assert (code, err) == (1, "")
    jsonschema.validate(json.loads(out), audit_schema())


def test_sarif_and_html_are_written_beside_the_report(trainplate):
    code, out, err = trainplate("plain.jinja", "--sarif", "audit.sarif", "--html", "audit.html")
    assert code == 1
    assert "what to do" in out
    assert err == "written to audit.sarif\nwritten to audit.html\n"
    assert json.loads(Path("audit.sarif").read_text())["version"] == "2.1.0"
    assert Path("audit.html").read_text().startswith("<!doctype html>")


def test_a_report_that_cannot_be_written_is_one_message(trainplate):
    code, _, err = trainplate("plain.jinja", "--html", "missing/audit.html")
    assert code == 2
    assert "missing/audit.html: cannot be written" in err


def test_text_that_is_no_template_is_told_with_its_place(trainplate):
    code, out, err = trainplate("broken.jinja")
    assert (code, out) == (2, "")
    assert err.startswith("broken.jinja:2:1")
    assert "line 2         {{ m.content" in err
    assert "way out" in err


def test_fail_on_says_what_counts(trainplate):
    assert trainplate("plain.jinja", "--fail-on", "never")[0] == 0
    assert trainplate("plain.jinja", "--fail-on", "warning")[0] == 1
    assert trainplate("broken.jinja", "--fail-on", "never")[0] == 2
    assert trainplate("plain.jinja", "--fail-on", "sometimes")[0] == 2


def test_what_is_ignored_does_not_count_and_is_told_with_its_reason(trainplate, checks):
    ignored = [f"--ignore={check}=we know" for check in checks("error")]
    code, out, _ = trainplate("plain.jinja", *ignored)
    assert code == 0
    assert "\nignored\n" in out
    assert "we know" in out
    assert trainplate("plain.jinja", *ignored, "--fail-on", "warning")[0] == int(bool(checks("warning")))


def test_a_project_may_ignore_checks_in_its_own_file(trainplate, checks):
    entries = ", ".join(f'{check} = "we know"' for check in checks("error"))
    Path("pyproject.toml").write_text(f"[tool.trainplate]\nignore = {{ {entries} }}\n")
    code, out, _ = trainplate("plain.jinja")
    assert code == 0
    assert "we know" in out


def test_the_file_of_a_project_holds_in_its_folders_too(trainplate, monkeypatch):
    Path("pyproject.toml").write_text('[tool.trainplate.ignore]\nmarkers-absent = "we know"\n')
    Path("inner/deep").mkdir(parents=True)
    monkeypatch.chdir("inner/deep")
    assert "we know" in trainplate("../../plain.jinja")[1]
    Path("../pyproject.toml").write_text("[project]\nname = 'another'\n")
    assert "we know" not in trainplate("../../plain.jinja")[1]


def test_the_command_line_goes_before_the_file(trainplate):
    Path("pyproject.toml").write_text('[tool.trainplate.ignore]\nmarkers-absent = "from the file"\n')
    out = trainplate("plain.jinja", "--ignore", "markers-absent=from the line")[1]
    assert "from the line" in out
    assert "from the file" not in out


@pytest.mark.parametrize("option", ["markers-absent", "markers-absent=", "markers-absent= "])
def test_a_reason_is_required(trainplate, option):
    code, out, err = trainplate("plain.jinja", "--ignore", option)
    assert (code, out) == (2, "")
    assert "a reason is required" in err
    assert "--ignore markers-absent='REASON'" in err


def test_a_check_that_nobody_knows_is_answered_with_those_that_are_close(trainplate):
    code, _, err = trainplate("plain.jinja", "--ignore", "marker-absent=why not")
    assert code == 2
    assert "no check is called 'marker-absent'" in err
    assert "markers-absent" in err.partition("way out")[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.trainplate]\nignore = ['markers-absent']", "no table of checks and reasons"),
        ("[tool.trainplate]\nignore = { markers-absent = '' }", "a reason is required"),
        ("[tool.trainplate]\nignor = { markers-absent = 'why' }", "no setting is called 'ignor'"),
        ("[tool.trainplate]\nignore = { markers-absent = 1 }", "a reason is required"),
        ("[tool]\ntrainplate = 1", "no table"),
        ("tool = 1", "no table"),
        ("[tool.trainplate", "not TOML"),
    ],
)
def test_a_file_that_says_it_wrongly_is_named(trainplate, text, said):
    Path("pyproject.toml").write_text(text)
    code, out, err = trainplate("plain.jinja")
    assert (code, out) == (2, "")
    assert err.startswith("pyproject.toml")
    assert said in err


def test_several_sources_are_a_table_and_one_report(trainplate):
    code, out, err = trainplate("plain.jinja", "marked.jinja", "broken.jinja", "--sarif", "all.sarif")
    assert code == 2
    assert err.startswith("broken.jinja:2:1")
    rows = {line.split("  ")[0]: line for line in out.splitlines()}
    assert "after patching" in rows["plain.jinja"]
    assert "as it is" in rows["marked.jinja"]
    assert "could not be read" in rows["broken.jinja"]
    assert max(map(len, out.splitlines())) <= 80
    (one,) = json.loads(Path("all.sarif").read_text())["runs"]
    assert one["invocations"][0]["executionSuccessful"] is False
    files = {at["physicalLocation"]["artifactLocation"]["uri"] for one in one["results"] for at in one["locations"]}
    assert files >= {"plain.jinja"}


def test_one_file_under_two_spellings_is_audited_once(trainplate):
    out = trainplate("plain.jinja", "./plain.jinja", "plain.jinja", "--json")[1]
    assert [one["source"] for one in json.loads(out)["audits"]] == ["plain.jinja"]


def test_a_folder_stands_for_the_templates_below_it(trainplate):
    Path("models/one").mkdir(parents=True)
    Path("models/.hidden").mkdir()
    Path("models/base").mkdir()
    Path("models/one/tokenizer_config.json").write_text(json.dumps({"chat_template": MARKED}))
    Path("models/base/tokenizer_config.json").write_text("{}")
    Path("models/.hidden/x.jinja").write_text(BROKEN)
    Path("models/two.jinja").write_text(MARKED)
    code, out, _ = trainplate("models", "models/two.jinja", "--json")
    assert code == 0
    assert [one["source"] for one in json.loads(out)["audits"]] == ["models/two.jinja", "models/one"]


def test_a_folder_without_templates_is_told(trainplate):
    Path("empty").mkdir()
    code, _, err = trainplate("empty")
    assert code == 2
    assert "empty: no chat template" in err


def test_each_named_template_is_audited(trainplate):
    entry = {"chat_template": {"default": MARKED, "tool_use": PLAIN}}
    Path("tokenizer_config.json").write_text(json.dumps(entry))
    code, out, _ = trainplate("tokenizer_config.json", "--json")
    assert code == 1
    audits = json.loads(out)["audits"]
    assert [(one["template"]["variant"], one["trainable"]) for one in audits] == [
        ("default", "as it is"),
        ("tool_use", "after patching"),
    ]
    out = trainplate("tokenizer_config.json")[1]
    assert out.startswith("tokenizer_config.json [default]\n")
    assert "\n\n\ntokenizer_config.json [tool_use]\n" in out


def test_a_refusal_is_among_the_problems(trainplate):
    Path("refused.jinja").write_text("{% for m in messages %}{{ range(100) | random }}{{ m.content }}{% endfor %}")
    code, out, _ = trainplate("refused.jinja", "--json")
    (audit,) = json.loads(out)["audits"]
    assert (code, audit["trainable"]) == (1, "not")
    assert audit["refusal"]["check"] in {one["check"] for one in audit["problems"] if one["severity"] == "error"}


def test_one_source_that_breaks_an_audit_stops_no_other(trainplate, monkeypatch):
    monkeypatch.setattr("trainplate.cli.audit_jobs.audit_of", lambda *_: 1 / 0)
    found = audited(["plain.jinja"], lambda: None)
    assert "a fault of trainplate itself: ZeroDivisionError" in found.unread[0].message
