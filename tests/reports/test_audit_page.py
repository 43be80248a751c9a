"""The page says all that an audit knows, and nothing that a template prints becomes part of its language."""

import re
from dataclasses import replace
from html.parser import HTMLParser

from handmade_audits import HOSTILE, good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.reports.audit_page import audit_page
from trainplate.reports.collection import Collection, Unread
from trainplate.verdict import SAID


class Seen(HTMLParser):
    """The tags of a page, and its text without that of scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.attributes = [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        if self.tags[-1:] not in (["script"], ["style"]):
            self.text += data


def test_the_verdict_the_findings_the_cures_and_the_difference_are_there():
    audit = patched_audit()
    text = Seen(audit_page(Collection((audit,)))).text
    assert "can be trained on after patching" in text
    assert "trainplate patch templates/harbour.jinja -o templates/harbour_training.jinja" in text
    for problem in audit.problems:
        assert problem.message in text
        assert problem.check in text
    assert "we train on a single day" in text
    assert "Appending a message leaves every earlier character in place" in text
    assert all(line in text for line in audit.patch.diff().split("\n")[3:])
    assert "The template declines this conversation: a question is missing" in text


def test_an_audit_without_patch_or_conversations_has_no_sections_for_them():
    tags = Seen(audit_page(Collection((good_audit(),))))
    assert ("href", "#a1-changes") not in tags.attributes
    assert ("href", "#a1-conversations") not in tags.attributes
    assert "Nothing was found." in tags.text


def test_what_is_lost_is_marked_and_what_stands_in_its_place_is_not():
    audit = refused_audit()
    lost = replace(audit.problems[0], labels=SAID, before="Answer briefly.", after="<|user|>")
    page = audit_page(Collection((replace(audit, problems=(lost,)),)))
    assert "<figcaption>said</figcaption>" in page
    assert "<mark>Answer briefly.</mark>" in page
    assert "<mark>&lt;|user|&gt;</mark>" not in page
    assert "<figcaption>printed</figcaption>" in page


def test_tokens_can_be_outlined_where_there_are_some():
    audit = patched_audit()
    bare = [replace(one, parts=tuple(replace(part, tokens=()) for part in one.parts)) for one in audit.conversations]
    switch = ("data-shows", "tokens")
    assert switch in Seen(audit_page(Collection((audit,)))).attributes
    assert switch not in Seen(audit_page(Collection((replace(audit, conversations=tuple(bare)),)))).attributes


def test_a_refusal_is_told():
    text = Seen(audit_page(Collection((refused_audit(),)))).text
    assert "cannot be trained on" in text
    assert "no two renderings agree (conversation: one-turn)" in text
    assert "trainplate explain same-turn" in text


def test_several_audits_are_one_page_with_a_summary():
    audits = (patched_audit(), good_audit(), refused_audit())
    seen = Seen(audit_page(Collection(audits, (Unread("lost.jinja", "no such file"),))))
    assert seen.tags.count("table") == 1
    assert "3 templates, 1 could not be read" in seen.text
    assert "no such file" in seen.text
    identities = [value for name, value in seen.attributes if name == "id"]
    assert len(identities) == len(set(identities))
    targets = {value[1:] for name, value in seen.attributes if name == "href"}
    assert targets <= set(identities)


def test_hostile_text_adds_no_tag_and_no_attribute():
    page = audit_page(Collection((hostile_audit(),)))
    seen = Seen(page)
    assert seen.tags.count("script") == 1
    assert "img" not in seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert HOSTILE in seen.text
    page.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e]", page)


def test_the_page_names_nothing_outside_of_itself():
    page = audit_page(Collection((patched_audit(),)))
    assert not re.search(r"\b(src|srcset|poster|data|action|formaction)=", page)
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src &#39;none&#39;" in page
