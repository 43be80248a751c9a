"""The report in JSON obeys its schema, says all that an audit knows, and stays readable whatever a template says."""

import json
from dataclasses import fields, replace

import jsonschema
import pytest
from handmade_audits import good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.auditing import Audit, Facts, Knob, Outcome, Problem, Supports
from trainplate.families.identification import Match, Rung
from trainplate.reports.audit_json import VERSION, as_data, audit_json, audit_schema
from trainplate.reports.collection import Collection, Unread

AUDITS = {"patched": patched_audit, "good": good_audit, "refused": refused_audit, "hostile": hostile_audit}


def check_schema(text):
    """The schema is a schema, and the text obeys it."""
    validator = jsonschema.validators.validator_for(audit_schema())
    validator.check_schema(audit_schema())
    validator(audit_schema()).validate(json.loads(text))


@pytest.mark.parametrize("name", AUDITS)
def test_every_kind_of_audit_obeys_the_schema(name):
    text = audit_json(Collection((AUDITS[name](),)))
    check_schema(text)
    assert text.isascii()


def test_a_recognised_family_obeys_the_schema():
    audit = replace(good_audit(), family=Match("qwen3", "v1", Rung.NEAREST, ("qwen3 v2",), likeness=0.91))
    check_schema(audit_json(Collection((audit,))))
    assert as_data(Collection((audit,)))["audits"][0]["family"]["name"] == "Qwen3"


def test_several_audits_and_what_could_not_be_read_are_one_report():
    collection = Collection((patched_audit(), refused_audit()), (Unread("lost.jinja", "no such file"),))
    check_schema(audit_json(collection))
    data = as_data(collection)
    assert data["summary"] == {"audits": 2, "unread": 1, "errors": 3, "warnings": 0, "notes": 1, "ignored": 1}
    assert data["unread"] == [{"source": "lost.jinja", "message": "no such file"}]


def test_the_schema_refuses_what_the_form_does_not_have():
    data = as_data(Collection((patched_audit(),)))
    data["audits"][0]["trainable"] = "perhaps"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, audit_schema())


def test_the_version_in_the_schema_is_the_one_written():
    assert audit_schema()["properties"]["schema_version"]["const"] == VERSION


@pytest.mark.parametrize(
    ("value", "key"),
    [(Problem, "problem"), (Supports, "supports"), (Facts, "facts"), (Outcome, "checks"), (Knob, "knobs")],
)
def test_everything_an_audit_can_say_is_in_the_schema(value, key):
    """A value that gains a field is told in the report, and the schema names it."""
    definitions = audit_schema()["$defs"]
    audit = definitions["audit"]["properties"]
    found = {
        "problem": definitions["problem"],
        "supports": audit["supports"],
        "facts": audit["facts"],
        "checks": audit["checks"]["items"],
        "knobs": audit["supports"]["properties"]["knobs"]["items"],
    }
    assert set(found[key]["properties"]) == {one.name for one in fields(value)}
    assert {one.name for one in fields(Audit)} - {"outcomes"} <= set(audit) | {"problems"}


def test_the_joined_parts_and_the_diff_are_the_texts_themselves():
    audit = patched_audit()
    data = as_data(Collection((audit,)))["audits"][0]
    assert data["patch"]["diff"] == audit.patch.diff()
    assert "".join(part["text"] for part in data["conversations"][0]["parts"]).startswith("<|user|>\nCan we sail?")
    assert data["conversations"][1]["declined"] == "a question is missing"
    assert data["next"][0]["command"].startswith("trainplate patch templates/harbour.jinja -o ")
