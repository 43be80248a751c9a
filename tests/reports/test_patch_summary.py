"""A patch is summed up in lines that fit the screen."""

from types import SimpleNamespace

from trainplate.reports.patch_summary import summary_text


def patch_with(edits, deviations, untold=()):
    return SimpleNamespace(
        proof="suite",
        edits=tuple(SimpleNamespace(fix=fix) for fix in edits),
        deviations=tuple(SimpleNamespace(reason=reason, conversation=name) for reason, name in deviations),
        untold_fields=tuple(untold),
    )


def test_edits_fixes_and_deviations_are_named_once():
    reason = "reasoning is kept where the original drops it, in every turn that has any of it at all"
    patch = patch_with(["keep-history", "mark-generation", "keep-history"], [(reason, "one"), (reason, "two")])
    assert summary_text("a.jinja", patch, 80, "b.jinja").plain.splitlines() == [
        "a.jinja  3 edits, proof: suite",
        "    fixes          keep-history, mark-generation",
        "    deviation      reasoning is kept where the original drops it, in every turn",
        "                   that has any of it at all (one and 1 more)",
        "    written to     b.jinja",
    ]


def test_a_training_template_has_nothing_to_change():
    assert summary_text("a.jinja", patch_with([], []), 80).plain == "a.jinja  nothing to change, proof: suite"


def test_what_nothing_is_proven_of_is_told():
    lines = summary_text("a.jinja", patch_with([], [], ["prefix", "tool_plan"]), 90).plain.splitlines()
    assert lines[1:] == ["    not proven     answers with 'prefix', 'tool_plan', which no conversation tells"]
