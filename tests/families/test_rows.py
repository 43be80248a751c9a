"""What each family's training template must do, beyond what holds for all: the promises stand in `rows.toml`."""

import tomllib
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from trainplate import normalise_messages
from trainplate.conversations import arguments_as_json_text, as_parts, named, with_options
from trainplate.errors import Declined
from trainplate.families.catalogue import families
from trainplate.patching.choosing import as_objects
from trainplate.rendering import compile_template

ROWS = tomllib.loads((Path(__file__).parent / "rows.toml").read_text(encoding="utf-8"))["row"]
CLOCK = datetime(2024, 7, 26)
REQUIRED = {"family", "promise", "conversation"}
FIELDS = REQUIRED | {"options", "revisions", "parts", "shows", "never", "text_arguments_alike", "normalised"}


def parameters():
    for row in ROWS:
        yield pytest.param(row, id=f"{row['family']}: {row['promise']}")


@pytest.mark.parametrize("row", list(parameters()))
def test_a_promise_is_kept(row, known_originals):
    chosen = [one for one in known_originals if one.family.family == row["family"]]
    chosen = [one for one in chosen if one.original.revision in row.get("revisions", [one.original.revision])]
    if not chosen:
        pytest.skip("its original is neither in the installed trl nor in a corpus beside the project")
    for known in chosen:
        text = trained(known, in_its_form(known, told(row)) if row.get("normalised") else told(row))
        for piece in row.get("shows", ()):
            assert piece in text, known.template.name
        for piece in row.get("never", ()):
            assert piece not in text, known.template.name
        if row.get("text_arguments_alike"):
            assert trained(known, arguments_as_json_text(told(row))) == text, known.template.name


def told(row):
    conversation = as_objects(with_options(named(row["conversation"]), **row.get("options", {})))
    return as_parts(conversation) if row.get("parts") else conversation


def in_its_form(known, conversation):
    """The conversation with its messages as the training template can take them."""
    messages = normalise_messages(conversation.messages, known.training, known.template.special_tokens)
    return replace(conversation, messages=tuple(messages))


def trained(known, conversation):
    """A conversation as the training template tells it, trained text in brackets."""
    template = compile_template(known.training, special_tokens=known.template.special_tokens, clock=CLOCK)
    marked = template.render_marked(conversation.messages, conversation.tools, **conversation.options)
    text, position = "", 0
    for start, end in marked.spans:
        text += f"{marked.text[position:start]}⟦{marked.text[start:end]}⟧"
        position = end
    return (text + marked.text[position:]).replace("⟧⟦", "")


def test_rows_have_known_fields_and_families():
    known = {family.family for family in families()}
    for row in ROWS:
        assert REQUIRED <= set(row) <= FIELDS
        assert row["family"] in known
        assert row.get("shows") or row.get("never") or row.get("text_arguments_alike")


def test_every_turn_stands_behind_its_opener_and_ends_with_a_stop_token(known):
    """The one promise that holds for all: headers and prefills outside of the markers, the stop token inside."""
    turn = known.family.turn
    text = two_turns(known)
    supplied, sampled = zip(*(part.split("⟦") for part in text.split("⟧")[:2]), strict=True)
    openers = [turn.opens, *(turn.opens + prefill.text for prefill in turn.prefills)]
    begun = tuple(opener[:cut] for opener in openers for cut in range(len(turn.opens), len(opener) + 1))
    assert all(part.endswith(begun) for part in supplied)
    assert all(part.rstrip().endswith(turn.stops) for part in sampled)
    assert not any(turn.opens.strip() in part for part in sampled)


def two_turns(known):
    """Two plain turns, with contents in parts where the template takes no others."""
    conversation = named("two-turns")
    try:
        return trained(known, conversation)
    except Declined:
        return trained(known, as_parts(conversation))
