"""Recognition: the right rung for every known original and for all that can be done to one, and none for others."""

import json
import re
from collections.abc import Callable

import pytest

from trainplate.errors import SyntaxFault
from trainplate.families import identification
from trainplate.families.catalogue import families
from trainplate.families.identification import Rung, identify, known_original
from trainplate.syntax import Edit, Kind, apply_edits, segments
from trainplate.template import Template

CHATML = """
{%- for message in messages %}
    {{- '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
"""
TAGS = (Kind.EXPRESSION, Kind.STATEMENT)


def with_trailing_newline(source: str) -> str:
    return source + "\n" if not source.endswith("\n") else source[:-1]


def with_crlf(source: str) -> str:
    return source.replace("\n", "\r\n") if "\r" not in source else source.replace("\r\n", "\n")


def with_comments(source: str) -> str:
    return "{#- ours -#}" + source


def with_other_quotes(source: str) -> str:
    """Every string in double quotes, or in single ones where it has them already."""
    edits = []
    for tag in tags(source):
        for word in tag.tokens:
            inner = word.text[1:-1]
            if word.type == "string" and not set("'\"\\") & set(inner):
                quote = "'" if word.text[0] == '"' else '"'
                edits.append(Edit(word.start, word.end, f"{quote}{inner}{quote}"))
    return apply_edits(source, edits)


def with_other_white_space_control(source: str) -> str:
    """White space in front of each tag that takes it away."""
    signed = [tag.start for tag in tags(source) if source[tag.start + 2 : tag.start + 3] == "-"]
    return apply_edits(source, [Edit(start, start, "\n    ") for start in signed if start])


def with_renamed_variable(source: str) -> str:
    """Another name for the variable of the first loop over messages."""
    name = next(
        (
            tag.tokens[1].text
            for tag in tags(source)
            if tag.keyword == "for"
            and tag.tokens[2].text == "in"
            and any(w.text.endswith("messages") for w in tag.tokens)
        ),
        None,
    )
    edits = []
    for tag in tags(source):
        for before, word in zip((None, *tag.tokens), tag.tokens, strict=False):
            if word.type == "name" and word.text == name and (before is None or before.text != "."):
                edits.append(Edit(word.start, word.end, "einwurf"))
    return apply_edits(source, edits)


def with_edited_system_prompt(source: str) -> str:
    """Three words more in the longest sentence that the template says itself."""
    comments = [range(one.start, one.end) for one in segments(source) if one.kind is Kind.COMMENT]
    found = re.finditer(r"[A-Z][a-z]+(?: [A-Za-z,-]+){3,}", source)
    sentences = [(len(one[0]), one.end()) for one in found if not any(one.start() in range_ for range_ in comments)]
    if not sentences:
        return source
    end = max(sentences)[1]
    return f"{source[:end]} in plain words{source[end:]}"


def tags(source: str) -> list:
    return [segment for segment in segments(source) if segment.kind in TAGS]


WRITTEN_OTHERWISE: dict[Callable[[str], str], str] = {
    with_trailing_newline: "white space at the end",
    with_crlf: "line ends",
    with_comments: "comments",
    with_other_quotes: "quotes or spaces within tags",
    with_other_white_space_control: "",
}


def test_a_known_original_is_recognised_by_its_bytes(known):
    match = identify(known.template)
    assert (match.family, match.revision, match.how) == (known.family.family, known.original.revision, Rung.BYTES)
    assert match.also == known.original.alike
    assert not match.difference
    assert known_original(known.source) == match
    assert known_original(known.source + " ") is None


@pytest.mark.parametrize("change", WRITTEN_OTHERWISE, ids=lambda change: change.__name__)
def test_what_is_only_written_otherwise_has_the_same_normal_form(known, change):
    changed = change(known.source)
    if changed == known.source:
        pytest.skip("there is nothing to change in this template")
    match = identify(changed)
    assert (match.family, match.revision, match.how) == (known.family.family, known.original.revision, Rung.NORMAL_FORM)
    assert WRITTEN_OTHERWISE[change] in (*match.difference.manners, "")
    assert match.difference.lines == ()
    assert match.difference.conversation is None


def test_a_renamed_variable_is_recognised_by_behaviour(known):
    changed = with_renamed_variable(known.source)
    if changed == known.source:
        pytest.skip("there is no loop over messages with a variable of one name")
    match = identify(changed)
    assert match.how is Rung.BEHAVIOUR
    assert f"{known.family.family} {known.original.revision}" in (f"{match.family} {match.revision}", *match.also)
    assert "names" in match.difference.manners
    assert match.difference.lines == ()


def test_an_edited_system_prompt_is_recognised_as_nearest_and_shown(known):
    changed = with_edited_system_prompt(known.source)
    if changed == known.source:
        pytest.skip("the template says no sentence of its own")
    match = identify(changed)
    assert match.family == known.family.family or match.family in {name.split()[0] for name in known.original.alike}
    assert match.how in (Rung.NEAREST, Rung.BEHAVIOUR)
    assert [line for line in match.difference.lines if "in plain words" in line.text]
    if match.how is Rung.NEAREST:
        assert match.difference.conversation is not None


@pytest.mark.parametrize(
    "other",
    [
        CHATML,
        "",
        "Hello.",
        "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
        "{{ bos_token }}{% for m in messages %}[INST] {{ m.content }} [/INST]{% endfor %}",
        "{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}",
    ],
    ids=["chatml", "empty", "constant", "plain", "inst", "turns"],
)
def test_a_template_that_resembles_none_is_not_matched(other):
    assert identify(other) is None


def test_other_templates_of_the_corpus_are_not_matched(corpus):
    """Formats that no family here speaks, by the corpus's own grouping."""
    foreign = {
        "llama2",
        "mistral-classic",
        "vicuna",
        "alpaca",
        "falcon",
        "yi",
        "zephyr",
        "rwkv",
        "solar",
        "chatml",
        "phi2",
    }
    index = json.loads((corpus.parent / "index.json").read_text(encoding="utf-8"))
    chosen = [entry["id"] for entry in index if entry["family"] in foreign][::3]
    assert len(chosen) > 20
    for name in chosen:
        template = json.loads((corpus / f"{name}.json").read_text(encoding="utf-8"))["template"]
        match = identify(template)
        # Fine-tunes named after one family often carry the template of another, word for word.
        assert match is None or match.likeness > 0.85 or match.how is not Rung.NEAREST, (name, match)


def test_a_template_is_recognised_however_it_is_given(known_originals):
    source = known_originals[0].source
    assert identify(source) == identify(Template(source, {"eos_token": "</s>"}))


def test_what_is_no_template_is_a_syntax_fault():
    with pytest.raises(SyntaxFault):
        identify("{% for %}")


def test_a_copy_in_another_form_is_not_asked_anything(known_originals, monkeypatch):
    monkeypatch.setattr(identification, "behaviour_of", lambda *given: pytest.fail("it was asked what it says"))
    for one in known_originals[::4]:
        assert identify(with_comments(one.source)).how is Rung.NORMAL_FORM


def test_families_say_which_others_behave_alike():
    known = {f"{family.family} {one.revision}" for family in families() for one in family.originals}
    assert {other for family in families() for one in family.originals for other in one.alike} <= known
