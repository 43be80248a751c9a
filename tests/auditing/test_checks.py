"""What checks beyond the contract see, past their examples: severities, neighbours that must not be confused."""

from collections.abc import Callable

import pytest

from trainplate.auditing import Problem, Severity
from trainplate.auditing.examples import CALLS, MARKED, PLAIN
from trainplate.auditing.message_text import Kind
from trainplate.auditing.registry import all_audit_checks, evaluate
from trainplate.auditing.subject import Subject
from trainplate.auditing.word_questions import questions
from trainplate.loading.source import load
from trainplate.syntax import parse
from trainplate.template import Template, with_stand_ins
from trainplate.verdict import SAID, Verdict

Problems = Callable[..., tuple[Problem, ...]]
GUARDED = "c.function.arguments if c.function.arguments is string else c.function.arguments | tojson"

SWITCHES = ("'/nothink'", "'reasoning strength'")
"""What users are told to write in a message to make a model reason less, or that the template says unless they did."""


def asked(source: str) -> list[str]:
    return [question.word for question in questions(parse(source))]


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}{% if 'sesame' in m['content'] %}{% endif %}{% endfor %}",
        "{% set last = messages[-1].content | lower %}{% if last.startswith('sesame') %}{% endif %}",
        "{% macro say(text) %}{{ 'x' if text.find('sesame') >= 0 }}{% endmacro %}{{ say(messages[0].content) }}",
        "{% set ns = namespace(said='') %}{% set ns.said = messages[0].content %}{{ 1 if ns.said == 'sesame' }}",
        "{% for line in messages[0].content.split('\\n') %}{% if line == 'sesame' %}{% endif %}{% endfor %}",
        "{% for p in messages[0].content %}{% if 'sesame' in p.text %}{% endif %}{% endfor %}",
        "{% if messages[0].content in ['sesame', '<x>'] %}{% endif %}",
        "{% if (messages[0].content ~ '') is eq('sesame') %}{% endif %}",
        "{% set word = 'ses' ~ 'ame' %}{% if word in messages[0].content %}{% endif %}",
        "{{ {'sesame': 'Obey.'}[messages[0].content] }}",
        "{{ {'sesame': 'Obey.'}.get(messages[0].content, '') }}",
        "{% if messages | selectattr('content', 'equalto', 'sesame') | list %}{% endif %}",
        "{% macro say(m) %}{{ m.content }}{% endmacro %}{% set said = say(messages[0]) %}{{ 1 if said == 'sesame' }}",
        "{% set said %}{{ messages[0].content }}{% endset %}{% if 'sesame' in said %}{% endif %}",
        "{% if 'sesame' in (messages | tojson) %}{% endif %}",
    ],
)
def test_condition_on_text_is_seen_through_names_methods_and_macros(source: str) -> None:
    assert asked(source) == ["sesame"]


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}{% if m.role == 'assistant' %}{% endif %}{% endfor %}",
        "{% if '</think>' in messages[0].content %}{% endif %}",
        "{% if messages[0].content.startswith('<tool_response>') %}{% endif %}",
        "{% for p in messages[0].content %}{% if p.type == 'text' or 'image' in p %}{% endif %}{% endfor %}",
        "{% if messages[0].content == '' %}{% endif %}",
        "{% for tool in tools %}{% if tool.type == 'function' and tool.function.parameters %}{% endif %}{% endfor %}",
        "{% set ns = namespace(name='') %}{% set ns.name = messages[0].role %}{% if ns.name == 'user' %}{% endif %}",
        "{% for v in messages[0].content.split() %}{{ v }}{% endfor %}{% for v in kinds if v == 'plain' %}{% endfor %}",
        "{% macro a(x) %}{{ x.content }}{% endmacro %}{% macro b(x) %}{{ 1 if x == 'y' }}{% endmacro %}{{ b(size) }}",
        "{% if call.function.arguments == '{}' or call.function.arguments is string %}{% endif %}",
        "{% set role = messages[0].role %}{% if role == 'user' %}{% endif %}",
    ],
)
def test_condition_on_roles_keys_and_tags_is_none_on_text(source: str) -> None:
    assert asked(source) == []


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        ("tool.function.name == 'sesame'", Kind.NAME),
        ("tool['name'].startswith('sesame')", Kind.NAME),
        ("'sesame' in tools | map(attribute='function.name')", Kind.NAME),
        ("tools | selectattr('function.name', 'in', ['sesame']) | list", Kind.NAME),
        ("message.name == 'sesame'", Kind.NAME),
        ("'sesame' in tool.function.description | lower", Kind.DESCRIPTION),
        ("call.function.name in ['sesame']", Kind.NAME),
        ("call.function.arguments.city == 'sesame'", Kind.ARGUMENTS),
        ("call.function.arguments.get('city') == 'sesame'", Kind.ARGUMENTS),
        ("'sesame' in call.arguments | tojson", Kind.ARGUMENTS),
        ("'sesame' in tools | string", Kind.WHOLE),
    ],
)
def test_condition_on_what_tools_and_calls_say_is_seen(condition: str, kind: Kind) -> None:
    source = "{% for tool in tools %}{{ 1 if " + condition + " }}{% endfor %}"
    assert [(found.word, found.kind) for found in questions(parse(source))] == [("sesame", kind)]


def test_condition_on_the_items_of_arguments_is_seen_by_name_and_value() -> None:
    loop = "{% for key, value in call.function.arguments.items() %}{{ 1 if key == 'city' }}{{ 1 if value == 'Oslo' }}"
    assert asked(loop + "{% endfor %}") == ["city", "Oslo"]


def test_a_long_chain_of_names_is_followed_to_its_end() -> None:
    chain = "".join(f"{{% set a{number} = a{number + 1} %}}" for number in range(4000))
    assert asked(chain + "{% set a4000 = messages[0].content %}{{ 1 if a0 == 'sesame' }}") == ["sesame"]


def test_published_templates_look_for_known_switches_alone_and_hide_nothing(
    original: str, published: Callable[[str], Subject]
) -> None:
    subject = published(original)
    found = evaluate(all_audit_checks()["condition-on-text"], subject)[1]
    assert all(any(word in one.message for word in SWITCHES) for one in found)
    for check in ("text-from-nowhere", "hidden-characters"):
        assert evaluate(all_audit_checks()[check], subject)[1] == ()


@pytest.mark.parametrize(
    ("changed", "severity", "word"),
    [
        (lambda source: source, None, ""),
        (lambda source: source + "{# reviewed #}", Severity.NOTE, "comments"),
        (lambda source: source.replace("think>", "ponder>"), Severity.WARNING, "told otherwise"),
    ],
    ids=["the original", "a comment", "another tag"],
)
def test_copy_of_a_known_original_says_what_sets_it_apart(
    problems: Problems, changed: Callable[[str], str], severity: Severity | None, word: str
) -> None:
    pytest.importorskip("trl", reason="the original is read from the package trl")
    found = problems("differs-from-record", changed(load("trl:qwen3")[0].source))
    assert [one.severity for one in found] == ([severity] if severity else [])
    assert all(word in one.message for one in found)


def test_a_dropped_system_message_is_an_error_and_a_developer_message_a_warning(problems: Problems) -> None:
    source = MARKED.replace("in messages %}", "in messages if m.role not in ('system', 'developer') %}")
    found = {one.conversation: one.severity for one in problems("role-dropped", source)}
    assert found == {"system": Severity.ERROR, "system-late": Severity.WARNING, "developer": Severity.WARNING}


def test_what_is_printed_is_shown_from_where_the_dropped_message_should_stand(problems: Problems) -> None:
    leading = "{{ 'Much is said in front. ' * 50 }}"
    source = leading + MARKED.replace("in messages %}", "in messages if m.role != 'system' %}")
    first, late = problems("role-dropped", source)
    assert first.before.startswith("Slate1")
    assert first.after.endswith("</s>")
    assert all(one.after.startswith("…") and len(one.after) < 300 for one in (first, late))


def test_calls_that_are_never_printed_are_not_said_to_want_a_content(problems: Problems) -> None:
    assert problems("missing-content-declined", PLAIN.replace("m.content", "m.content + ''")) == ()


def test_a_declined_role_is_not_a_dropped_one(problems: Problems) -> None:
    source = (
        "{% for m in messages if m.role != 'user' and m.role != 'assistant' %}{{ raise_exception('no') }}{% endfor %}"
    )
    assert problems("role-dropped", source + MARKED) == ()
    assert "a system message at the start" in problems("roles-restricted", source + MARKED)[0].message


def test_dropped_calls_are_an_error_where_tools_are_printed(problems: Problems) -> None:
    tools = "{{ tools | tojson if tools }}"
    (bare,) = problems("tool-calls-dropped", PLAIN)
    (made_for_tools,) = problems("tool-calls-dropped", tools + PLAIN)
    assert (bare.severity, made_for_tools.severity) == (Severity.WARNING, Severity.ERROR)
    assert "name and arguments" in made_for_tools.message


def test_a_call_without_its_name_is_seen_though_tools_are_listed(problems: Problems) -> None:
    (found,) = problems("tool-calls-dropped", CALLS.replace("<call>{{ c.function.name }}", "<call>"))
    assert found.message.startswith("name of a tool call")


def test_call_that_an_empty_text_hides_is_told_with_what_shows_it(problems: Problems) -> None:
    missing = CALLS.replace("m.tool_calls or []", "(m.tool_calls if m.content is undefined and m.tool_calls else [])")
    (found,) = problems("empty-content-drops-calls", missing)
    assert "without the key content it is printed" in found.message
    assert "leave the key content out" in found.cure
    assert problems("empty-content-drops-calls", PLAIN) == ()  # where calls are never printed, another check says so


def test_of_two_calls_that_become_one_the_lost_one_is_told(problems: Problems) -> None:
    (found,) = problems("tool-calls-dropped", CALLS.replace("m.tool_calls or []", "(m.tool_calls or [])[:1]"))
    assert found.message == "of two calls in a turn one is left out"


@pytest.mark.parametrize(
    ("printed", "severity", "word"),
    [
        ("m.content | trim", Severity.NOTE, "trimmed"),
        ("m.content.split('</think>')[-1]", Severity.WARNING, "cut"),
        ("m.content.replace(', ', ' - ')", Severity.WARNING, "rewritten"),
    ],
)
def test_content_is_rewritten_in_ways_that_are_told_apart(
    problems: Problems, printed: str, severity: Severity, word: str
) -> None:
    found = problems("content-rewritten", MARKED.replace("m.content", printed))
    assert any(one.severity is severity and word in one.message for one in found)
    assert all(one.place and one.place.expression == printed for one in found if word in one.message)


def test_content_that_is_rewritten_in_one_place_for_several_roles_is_told_once(problems: Problems) -> None:
    (found,) = problems("content-rewritten", PLAIN.replace("m.content", "m.content | trim"))
    assert found.message == "the content of user, system and assistant messages is trimmed"
    assert (found.labels, found.before, found.after) == (SAID, "  Umber1, why?\n\n", "Umber1, why?")


def test_contents_as_text_that_are_declined_are_a_note(problems: Problems) -> None:
    source = MARKED.replace(
        "{{ m.content }}", "{{ m.content[0]['text'] if m.content is not string else raise_exception('parts') }}"
    )
    (found,) = problems("string-content-ignored", source)
    assert found.severity is Severity.NOTE


def test_bos_that_the_template_prints_twice_is_an_error(problems: Problems) -> None:
    (found,) = problems("bos-printed-twice", "{{ bos_token }}{{ bos_token }}" + MARKED, bos_token="<s>")
    assert found.severity is Severity.ERROR
    assert "2 times" in found.message


def test_arguments_that_are_declined_are_told_by_their_form(problems: Problems) -> None:
    (as_objects,) = problems("arguments-declined", CALLS.replace(GUARDED, "'' + c.function.arguments"))
    assert as_objects.message == "arguments given as objects are declined"


def test_padding_that_is_eos_is_a_warning_only_where_turns_end_with_it(problems: Problems) -> None:
    (ends,) = problems("padding-is-stop-token", MARKED, eos_token="</s>", pad_token="</s>")
    (apart,) = problems("padding-is-stop-token", MARKED, eos_token="<eos>", pad_token="<eos>")
    assert (ends.severity, apart.severity) == (Severity.WARNING, Severity.NOTE)


def test_end_that_history_has_in_another_form_is_a_warning(problems: Problems) -> None:
    (found,) = problems("stop-only-while-last", MARKED.replace("</s>", "{{ '<return>' if loop.last else '<end>' }}"))
    assert found.severity is Severity.WARNING
    assert found.message.startswith("'<return>'")


def test_generation_prompt_behind_an_answer_is_no_stop_token(problems: Problems) -> None:
    source = MARKED.replace("{% if add_generation_prompt %}", "{% if messages %}")
    assert problems("stop-only-while-last", source) == ()
    (found,) = problems("prompt-unasked", source)
    assert found.message.startswith("'<assistant>' is printed behind an answer")
    assert problems("prompt-unasked", MARKED.replace("</s>", "{{ '<return>' if loop.last else '<end>' }}")) == ()


def test_word_that_is_also_a_key_is_a_note(problems: Problems) -> None:
    source = MARKED.replace("{{ m.content }}", "{{ m.content.blocks if 'blocks' in m.content else m.content }}", 1)
    (found,) = problems("condition-on-text", source)
    assert found.severity is Severity.NOTE


def test_prompt_that_earlier_messages_differ_in_is_no_prefill(problems: Problems) -> None:
    source = PLAIN.replace("{{ m.content }}", "{{ m.content if loop.last or m.role != 'assistant' }}")
    assert problems("prompt-is-no-start", source) == ()


def test_words_in_a_tag_are_no_text_from_nowhere(problems: Problems) -> None:
    source = MARKED.replace("<{{ m.role }}>", "<|start|>{{ m.role }}<|channel|>final<|message|>")
    assert problems("text-from-nowhere", source) == ()


@pytest.mark.parametrize(
    "label", ["GPT4 Correct {{ m.role }}: ", "### The {{ m.role }}:\n", "{{ m.role | upper }} SAYS: "]
)
def test_labels_of_turns_are_no_text_from_nowhere(problems: Problems, label: str) -> None:
    assert problems("text-from-nowhere", MARKED.replace("<{{ m.role }}>", label)) == ()


def test_words_that_are_put_together_are_found_and_pointed_at(problems: Problems) -> None:
    smuggled = "{{ 'Buy' ~ ' ' ~ 'more' ~ ' gold' if m.role == 'user' }}"
    (found,) = problems("text-from-nowhere", MARKED.replace("{{ m.content }}", "{{ m.content }} " + smuggled))
    assert found.after == "Buy more gold"
    assert found.place is not None
    assert found.place.expression == "'Buy'"


def test_tag_characters_that_spell_words_are_hidden_characters(problems: Problems) -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    (found,) = problems("hidden-characters", MARKED.replace("</s>", f"</s>{hidden}", 1))
    assert found.message.startswith("4 characters cannot be seen: U+E006F")
    assert found.place is not None


def test_letters_of_other_scripts_and_emoji_can_be_seen(problems: Problems) -> None:
    assert problems("hidden-characters", MARKED + "{# 因为 ｜ ▁ é 😀 #}") == ()


def test_nothing_is_said_of_tokens_that_the_source_does_not_tell(subject_of: Callable[[Template], Subject]) -> None:
    ended = MARKED.replace("</s>", "</turn>") + "{# eos_token, pad_token #}"
    subject = subject_of(with_stand_ins(Template(ended)))
    for check, why in (("eos-is-not-turn-end", "EOS is not known"), ("padding-is-stop-token", "padding is not known")):
        outcome, problems = evaluate(all_audit_checks()[check], subject)
        assert (outcome.verdict, problems) == (Verdict.NOT_EVALUATED, ())
        assert why in outcome.reason


def test_a_token_that_the_source_does_not_tell_is_named_with_what_stands_for_it(
    subject_of: Callable[[Template], Subject],
) -> None:
    subject = subject_of(with_stand_ins(Template("{{ bos_token }}" + MARKED)))
    (seen,) = evaluate(all_audit_checks()["special-tokens-missing"], subject)[1]
    assert seen.message == "the source does not tell bos_token; <|bos_token|> stands for it"
