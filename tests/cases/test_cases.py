"""The facts of each case hold: of its template as given, and of the one that it is patched into."""

from collections.abc import Iterator
from typing import Any, Protocol

import pytest

import trainplate
from trainplate.conversations import Message
from trainplate.errors import Declined

Flag = int | str
EITHER = "?"


class Case(Protocol):
    """What a case offers; see `conftest.py`."""

    stored: dict[str, Any]
    source: str
    messages: list[Message]
    expected: dict[str, Any]
    patched: dict[str, Any]
    options: dict[str, Any]
    special_tokens: dict[str, str]

    def compiled(self, source: str) -> Any: ...
    def appended(self) -> Iterator[tuple[str, list[Message]]]: ...


def preserved(case: Case, source: str, longer: list[Message]) -> bool | str:
    """Say whether what is said stays in place when more is said; `raises` where more is declined."""
    template = case.compiled(source)
    try:
        shorter = template.render(case.messages, **case.options)
        return bool(template.render(longer, **case.options).startswith(shorter))
    except Declined:
        return "raises"


def flags(text: str, spans: Any) -> list[bool]:
    """Say of every character whether it is trained."""
    trained = [False] * len(text)
    for start, end in spans:
        trained[start:end] = [True] * (end - start)
    return trained


def check_facts(case: Case, text: str, trained: list[bool]) -> None:
    """Hold a text and what of it is trained against the facts."""
    segments = case.patched.get("segments")
    if segments:
        assert text == "".join(piece for piece, _ in segments)
        expected = [flag for piece, flag in segments for _ in piece]
        assert shown(text, trained, expected) == shown(text, [flag == 1 for flag in expected], expected)
    behind = 0
    for piece in case.patched.get("trained_text", ()):
        places = (at for at in range(behind, len(text)) if text.startswith(piece, at))
        place = next((at for at in places if all(trained[at : at + len(piece)])), None)
        assert place is not None, f"{piece!r} is not all trained"
        behind = place + len(piece)
    for piece in case.patched.get("not_trained", ()):
        places = [at for at in range(len(text)) if text.startswith(piece, at)]
        assert not any(any(trained[at : at + len(piece)]) for at in places), f"{piece!r} is trained"


def shown(text: str, trained: list[bool], expected: list[Flag]) -> str:
    """Return a text with what is trained in brackets, as far as that is fixed."""
    marks = [is_trained and flag != EITHER for is_trained, flag in zip(trained, expected, strict=True)]
    edges = zip(f"{text} ", [*marks, False], [False, *marks], strict=True)
    return "".join(f"{'⟦' * (now and not before)}{'⟧' * (before and not now)}{letter}" for letter, now, before in edges)


def test_outcome_is_the_expected_one(case: Case, patch: trainplate.Patch) -> None:
    outcome = "patch" if patch.edits else "already_ok"
    assert outcome in case.expected["outcome_ok"]
    assert patch.report.proven


def test_facts_about_the_original_hold(case: Case) -> None:
    known = case.expected.get("original") or {}
    if "raises" in known:
        with pytest.raises(Declined) as caught:
            case.compiled(case.source).render(case.messages, **case.options)
        assert type(caught.value.__cause__).__name__ == known["raises"]
    for fact, longer in case.appended():
        if fact in known:
            assert preserved(case, case.source, longer) == known[fact]


def test_patched_text_and_its_trained_characters_are_the_expected_ones(case: Case, patch: trainplate.Patch) -> None:
    marked = case.compiled(patch.training_template).render_marked(case.messages, **case.options)
    check_facts(case, marked.text, flags(marked.text, marked.spans))


def test_patched_text_is_the_originals_where_it_should_be(case: Case, patch: trainplate.Patch) -> None:
    if not case.patched.get("text_same_as_original"):
        pytest.skip("the patched text differs, as it should")
    texts = [
        case.compiled(source).render(case.messages, **case.options) for source in (case.source, patch.training_template)
    ]
    assert texts[0] == texts[1]


def test_patched_text_stays_in_place_when_messages_follow(case: Case, patch: trainplate.Patch) -> None:
    for fact, longer in case.appended():
        if isinstance(case.patched.get(fact), bool) or case.patched.get(fact) == "raises":
            assert preserved(case, patch.training_template, longer) == case.patched[fact]


def test_trained_tokens_are_the_expected_ones(case: Case, patch: trainplate.Patch, tokenizer: Any) -> None:
    """Through transformers' own mask: a character is trained where its token is."""
    encoded = tokenizer.apply_chat_template(
        case.messages,
        chat_template=patch.training_template,
        tokenize=True,
        return_dict=True,
        return_assistant_tokens_mask=True,
        **case.options,
    )
    text = tokenizer.apply_chat_template(
        case.messages, chat_template=patch.training_template, tokenize=False, **case.options
    )
    again = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    assert again["input_ids"] == encoded["input_ids"]
    spans = [span for span, mask in zip(again["offset_mapping"], encoded["assistant_masks"], strict=True) if mask]
    check_facts(case, text, flags(text, spans))


def variants(case: Case) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each variant of a case's template, with its source."""
    for variant in case.stored.get("variants") or ():
        argument = variant["arg"]
        if variant["op"] == "replace":
            yield variant, case.source.replace(*argument)
        else:
            yield variant, case.source + argument if variant["op"] == "append" else argument + case.source


def test_variants_are_patched_each_for_itself(varied_case: Case) -> None:
    """A change that matters to what is printed is in the patched text too."""
    case = varied_case
    for variant, source in variants(case):
        original = case.compiled(source).render(case.messages, **case.options)
        assert (original == case.compiled(case.source).render(case.messages, **case.options)) == variant["same_render"]
        patch = trainplate.patch(source, case.special_tokens)
        marked = case.compiled(patch.training_template).render_marked(case.messages, **case.options)
        if variant["same_render"]:
            check_facts(case, marked.text, flags(marked.text, marked.spans))
        assert marked.text == original
        assert all(preserved(case, patch.training_template, longer) for _, longer in case.appended())


def test_every_named_template_is_patched(named_case: Case) -> None:
    case = named_case
    for source in case.stored["template"].values():
        patch = trainplate.patch(source, case.special_tokens)
        marked = case.compiled(patch.training_template).render_marked(case.messages, **case.options)
        trained = [marked.text[start:end] for start, end in marked.spans]
        assert trained == case.patched["trained_text"]
