"""Whatever is no chat template, or a hostile one, ends in a message, soon, on any thread."""

import threading
import time

import pytest

import trainplate
from trainplate.errors import Refusal, SyntaxFault
from trainplate.rendering import Limits
from trainplate.template import Template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
PLAIN = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
TIGHT = Limits(seconds=0.5, characters=2_000_000)
FOR = "{% for i in range(100000) %}"
SPEECHLESS = {
    "a plain text": "Dear reader",
    "nothing": "",
    "a constant": "{{ 'always the same' }}",
    "roles alone": "{% for m in messages %}{{ m.role }}{% endfor %}",
    "questions alone": "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}",
    "a name that nobody gives": "{{ conversation[0].text }}",
}
BROKEN = {
    "an open block": ("{{ a }}\n\n{% for m in messages %}", 3),
    "an open tag": ("{{ a }}\n{{ b", 2),
    "an open comment": ("{{ a }}\n{# b", 2),
    "an unknown tag": ("{{ a }}\n{% loop %}", 2),
    "an unknown filter": ("{{ a }}\n{{ b | nosuch }}", 2),
    "an end without a beginning": ("{{ a }}\n\n\n{% endif %}", 4),
    "a marker that is never closed": ("\n{% generation %}{{ a }}", 2),
}
HOSTILE = {
    "loops for ever": FOR + FOR + "{% endfor %}{% endfor %}" + PLAIN,
    "repeats a text": "{{ 'x' * 10 ** 10 }}" + PLAIN,
    "doubles a text": "{% set ns = namespace(x='a') %}" + FOR + "{% set ns.x = ns.x + ns.x %}{% endfor %}" + PLAIN,
    "prints too much": FOR + "{{ 'abcdefghij' * 10 }}{% endfor %}" + PLAIN,
    "calls itself": "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}" + PLAIN,
    "loops for ever on tools alone": "{% if tools %}" + FOR + FOR + "{% endfor %}{% endfor %}{% endif %}" + PLAIN,
    "loops for ever on the third answer": "{% if messages | length > 5 %}"
    + FOR
    + FOR
    + "{% endfor %}{% endfor %}{% endif %}"
    + PLAIN,
}


@pytest.mark.parametrize("what", SPEECHLESS)
def test_template_that_prints_no_conversation_is_refused(what: str) -> None:
    with pytest.raises(Refusal, match="prints no plain conversation") as caught:
        trainplate.patch(SPEECHLESS[what], TOKENS)
    assert (caught.value.check, caught.value.conversation) == ("renders", "one-turn")


def test_template_that_always_raises_is_refused_in_its_own_words() -> None:
    with pytest.raises(Refusal, match="it says: No, not today"):
        trainplate.patch("{{ raise_exception('No, not today') }}" + PLAIN, TOKENS)


@pytest.mark.parametrize("what", BROKEN)
def test_fault_of_syntax_is_told_with_its_file_and_line(what: str) -> None:
    source, line = BROKEN[what]
    with pytest.raises(SyntaxFault) as caught:
        trainplate.patch(Template(source, TOKENS, "chat.jinja"))
    assert (caught.value.name, caught.value.line) == ("chat.jinja", line)
    assert str(caught.value).startswith(f"chat.jinja:{line}:")


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_template_is_refused_soon(what: str) -> None:
    start = time.monotonic()
    with pytest.raises(Refusal, match=r"longer than|more than|too deeply") as caught:
        trainplate.patch(HOSTILE[what], TOKENS, limits=TIGHT)
    assert caught.value.check == "renders"
    assert caught.value.conversation
    assert time.monotonic() - start < 30


def test_limits_hold_off_the_main_thread_and_threads_do_not_share_them() -> None:
    """A slow template on one thread takes no time from a good one on another."""
    said: dict[str, object] = {}

    def patch(name: str, source: str) -> None:
        try:
            said[name] = trainplate.patch(source, TOKENS, limits=Limits(seconds=4)).edits
        except Refusal as refusal:
            said[name] = refusal

    sources = {"slow": HOSTILE["loops for ever"], "good": PLAIN, "again": PLAIN}
    threads = [threading.Thread(target=patch, args=item) for item in sources.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert isinstance(said["slow"], Refusal)
    assert said["good"] == said["again"] != ()


def test_template_of_a_megabyte_is_patched() -> None:
    comment = "{# " + "long and empty " * 70_000 + "#}"
    patch = trainplate.patch(comment + PLAIN, TOKENS, limits=Limits(seconds=60))
    assert patch.training_template.startswith(comment)
    assert patch.edits


def test_template_of_a_megabyte_of_tags_is_stopped_in_time() -> None:
    many = "{% if false %}" + "{{ x }}abc\n" * 90_000 + "{% endif %}"
    start = time.monotonic()
    with pytest.raises(Refusal, match="more than 50,000 words in its tags"):
        trainplate.patch(many + PLAIN, TOKENS, limits=Limits(seconds=1))
    assert time.monotonic() - start < 30


def test_limit_that_is_reached_before_any_conversation_says_what_was_done_instead() -> None:
    with pytest.raises(Refusal, match=r"takes longer than .* seconds; it was being compiled, and no conv") as caught:
        trainplate.patch("{{ a }}" * 6000 + PLAIN, TOKENS, limits=Limits(seconds=0.001))
    assert caught.value.conversation == ""
    assert "conversation:" not in str(caught.value)


@pytest.mark.parametrize("surrounded", ["\ufeff{}", "{}\x00", "\u2028{}", "{}\x1b[31m"])
def test_characters_that_nobody_sees_do_no_harm(surrounded: str) -> None:
    source = surrounded.replace("{}", PLAIN)
    patch = trainplate.patch(source, TOKENS)
    assert surrounded.replace("{}", "") in patch.training_template
    assert trainplate.patch(patch.training_template, TOKENS).edits == ()
