"""Audits side by side come back in order, whole, and none of them takes another along."""

import pickle
from dataclasses import replace

from handmade_audits import good_audit, patched_audit, refused_audit
from jobs_that_die import dies_of_poison

from trainplate.cli.audit_jobs import LOST, audited, side_by_side, with_refusal
from trainplate.demo import FOLDER
from trainplate.errors import Refusal

DEMO = str(FOLDER / "chat_template.jinja")


def test_answers_come_in_the_order_of_the_sources(tmp_path):
    (tmp_path / "short.jinja").write_text("{% for m in messages %}{{ m.role + m.content }}{% endfor %}")
    sources, done = [DEMO, str(tmp_path / "missing.jinja"), str(tmp_path / "short.jinja")], []
    found = audited(sources, lambda: done.append(1))
    assert [audit.source for audit in found.audits] == [sources[0], sources[2]]
    assert [unread.source for unread in found.unread] == [sources[1]]
    assert len(done) == 3


def test_a_process_that_dies_is_told_of_its_source_alone():
    done = []
    answers = side_by_side(["slow", "poison", "plain"], lambda: done.append(1), dies_of_poison)
    assert [unread.message for (unread,) in answers] == ["answered", LOST, "answered"]
    assert len(done) == 3


def test_audits_travel_between_processes_whole():
    for audit in (patched_audit(), good_audit(), refused_audit()):
        copy = pickle.loads(pickle.dumps(audit))
        if audit.refusal is not None:
            assert (str(copy.refusal), vars(copy.refusal)) == (str(audit.refusal), vars(audit.refusal))
        assert copy.template == audit.template
        assert copy.problems == audit.problems
        assert (copy.patch and copy.patch.diff()) == (audit.patch and audit.patch.diff())


def test_a_refusal_is_a_problem_once():
    audit = refused_audit()
    assert with_refusal(audit) == audit
    other = Refusal("the prompt differs", check="same-prompt", conversation="system", before="a", after="b")
    first, *others = with_refusal(replace(audit, refusal=other)).problems
    assert (first.check, first.message, first.conversation) == ("same-prompt", "the prompt differs", "system")
    assert tuple(others) == audit.problems
