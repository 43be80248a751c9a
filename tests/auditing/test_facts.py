"""What a template prints around turns is measured, and is what is recorded of known originals."""

from collections.abc import Callable

import pytest

from trainplate.auditing.subject import Subject
from trainplate.families.catalogue import family_named
from trainplate.families.identification import Rung
from trainplate.template import Template

NEXT_ROLES = ("<|user|>", "<|observation|>")
"""What ends turns that print nothing of their own; it is known once there is a training template."""
Study = Callable[[Template], Subject]
BODY = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
THINKS = BODY + (
    "{% if add_generation_prompt %}<assistant>"
    "{{ '<think></think>' if enable_thinking is defined and not enable_thinking else '<think>' }}{% endif %}"
)


def test_measured_facts_are_the_recorded_ones(original: str, published: Callable[[str], Subject]) -> None:
    subject = published(original)
    match, facts = subject.match, subject.facts
    if match is None or match.how is not Rung.BYTES:
        pytest.skip("another revision than the recorded ones")
    turn = family_named(match.family).turn
    assert turn is not None
    prefills = [
        one.text for one in turn.prefills if not one.when and match.revision in (one.revisions or [match.revision])
    ]
    assert facts.turn_opener == turn.opens
    assert facts.prefill in (prefills or [""])
    assert facts.stop_tokens or turn.stops[0] in NEXT_ROLES, "only the next role's marker may be missing"
    assert set(facts.stop_tokens) <= set(turn.stops)


def facts(study: Study, source: str, **special_tokens: str) -> tuple[str, ...]:
    found = study(Template(source, special_tokens)).facts
    return found.turn_opener, found.prefill, *found.stop_tokens


def test_prefill_is_parted_from_the_opener_by_options_and_finished_turns(subject_of: Study) -> None:
    assert facts(subject_of, THINKS) == ("<assistant>", "<think>", "</s>")


def test_token_that_is_half_shared_stays_whole(subject_of: Study) -> None:
    source = (
        BODY.replace("<{{ m.role }}>", "<|{{ m.role }}|>") + "{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    assert facts(subject_of, source) == ("<|assistant|>", "", "</s>")


def test_opener_within_the_question_is_found(subject_of: Study) -> None:
    said = "{{ '[INST]' + m.content + '[/INST]' if m.role == 'user' else m.content + '</s>' }}"
    source = "{% for m in messages %}" + said + "{% endfor %}"
    assert facts(subject_of, source) == ("[/INST]", "", "</s>")


@pytest.mark.parametrize(
    ("source", "tokens", "bos"),
    [
        ("{{ bos_token }}" + BODY, {"bos_token": "<s>"}, "<s>"),
        ("{{ bos_token }}" + BODY, {}, "bos_token"),
        (BODY, {"bos_token": "<s>"}, ""),
    ],
    ids=["printed", "printed but unknown", "not printed"],
)
def test_bos_is_what_texts_begin_with(subject_of: Study, source: str, tokens: dict[str, str], bos: str) -> None:
    assert subject_of(Template(source, tokens)).facts.bos == bos


@pytest.mark.parametrize(
    ("lead", "words"),
    [
        ("<system>Be kind to all.</s>", "Be kind to all."),
        ("<|start|>system<|message|>Be kind.\nSpeak softly.<|end|>\n", "Be kind.\nSpeak softly."),
        ("<|im_start|>system\nBe kind.<|im_end|>\n", "Be kind."),
        ("<system></s>", ""),
        ("[gMASK]<sop>", ""),
    ],
)
def test_default_system_prompt_is_the_words_alone(subject_of: Study, lead: str, words: str) -> None:
    source = "{% if messages[0].role != 'system' %}" + lead + "{% endif %}" + BODY
    assert subject_of(Template(source)).facts.default_system_prompt == words


def test_template_that_prints_no_plain_conversation_has_no_facts(subject_of: Study) -> None:
    found = subject_of(Template("{{ messages | length }}{{ strftime_now('%Y') }}")).facts
    assert (found.stop_tokens, found.turn_opener, found.clock) == ((), "", True)
