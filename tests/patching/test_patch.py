"""What `patch` takes, what it hands back, and what it leaves alone."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import trainplate
from trainplate.conversations import suite
from trainplate.errors import LoadingError, Refusal
from trainplate.patching.patch import with_known_tokens
from trainplate.syntax import apply_edits
from trainplate.template import Template
from trainplate.verdict import Verdict

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
PLAIN = (
    "{% for m in messages %}\n"
    "    {{- '<' + m.role + '>' + m.content + eos_token }}\n"
    "{%- endfor %}\n"
    "{% if add_generation_prompt %}\n"
    "    {{- '<assistant>' }}\n"
    "{%- endif %}\n"
)
READY = PLAIN.replace(
    "    {{- '<' + m.role + '>' + m.content + eos_token }}\n",
    "    {{- '<' + m.role + '>' }}\n"
    "    {%- if m.role == 'assistant' %}\n"
    "        {%- generation %}{{ m.content + eos_token }}{% endgeneration %}\n"
    "    {%- else %}\n"
    "        {{- m.content + eos_token }}\n"
    "    {%- endif %}\n",
)


def test_template_that_needs_nothing_is_left_alone() -> None:
    patch = trainplate.patch(READY, special_tokens=TOKENS)
    assert (patch.edits, patch.deviations, patch.diff()) == ((), (), "")
    assert patch.training_template == READY
    assert patch.proof == "structure"


def test_text_template_and_tokenizer_are_patched_alike() -> None:
    tokenizer = SimpleNamespace(chat_template=PLAIN, special_tokens_map=TOKENS, name_or_path="org/model")
    processor = SimpleNamespace(chat_template=PLAIN, tokenizer=tokenizer)
    given = [trainplate.patch(one) for one in (Template(PLAIN, TOKENS), tokenizer, processor)]
    assert {patch.training_template for patch in given} == {trainplate.patch(PLAIN, TOKENS).training_template}
    assert given[1].original == Template(PLAIN, TOKENS, "org/model")


ENDS_WITH_EOS = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% else %}{{ eos_token }}{% endif %}"
)


@pytest.mark.parametrize("source", [PLAIN, ENDS_WITH_EOS])
def test_text_alone_is_patched_as_for_a_tokenizer_that_has_the_tokens_it_speaks_of(source: str) -> None:
    assert trainplate.patch(source).training_template == trainplate.patch(source, TOKENS).training_template


def test_tokens_that_are_told_are_all_there_are() -> None:
    without = trainplate.patch(ENDS_WITH_EOS, {})
    assert without.training_template.endswith("{% else %}{{ eos_token }}{% endif %}")
    assert not without.original.stand_ins


def test_a_text_that_stands_for_a_token_is_never_spelled_out() -> None:
    found = trainplate.patch(PLAIN)
    spelled = replace(found, training_template=found.training_template.replace("eos_token", "'<|eos_token|>'"))
    assert with_known_tokens(found) is found
    with pytest.raises(Refusal, match="has to spell out eos_token, which the source does not tell: name the model"):
        with_known_tokens(spelled)


def test_a_refusal_for_want_of_a_stop_token_says_where_an_eos_could_come_from() -> None:
    lines = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    source = lines + "{{ 'assistant: ' if add_generation_prompt }}"
    with pytest.raises(Refusal, match="no EOS is known that could end it: name the model's folder"):
        trainplate.patch(source)
    assert "eos_token" in trainplate.patch(source, {"eos_token": "</s>"}).training_template


def test_tokenizer_without_a_map_of_special_tokens_is_read_by_its_attributes() -> None:
    tokenizer = SimpleNamespace(chat_template=PLAIN, bos_token="<s>", eos_token="</s>", pad_token=None)
    assert trainplate.patch(tokenizer).original.special_tokens == TOKENS


def test_special_tokens_that_are_given_replace_those_that_are_carried() -> None:
    tokenizer = SimpleNamespace(chat_template=PLAIN, special_tokens_map={"eos_token": "<old>"})
    for carrier in (tokenizer, Template(PLAIN, {"eos_token": "<old>"})):
        assert trainplate.patch(carrier, TOKENS).original.special_tokens == TOKENS


def test_template_is_left_in_the_tokenizer_as_it_was() -> None:
    tokenizer = SimpleNamespace(chat_template=PLAIN, special_tokens_map=dict(TOKENS))
    trainplate.patch(tokenizer)
    assert tokenizer == SimpleNamespace(chat_template=PLAIN, special_tokens_map=TOKENS)


def test_tokenizer_with_several_templates_is_asked_which() -> None:
    tokenizer = SimpleNamespace(chat_template={"default": PLAIN, "tool_use": PLAIN}, special_tokens_map=TOKENS)
    with pytest.raises(LoadingError, match="several templates: default, tool_use"):
        trainplate.patch(tokenizer)


def test_tokenizer_without_a_template_is_named() -> None:
    with pytest.raises(LoadingError, match="org/base: has no chat template"):
        trainplate.patch(SimpleNamespace(chat_template=None, name_or_path="org/base"))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_line_ends_and_the_end_of_the_file_stay_as_they_are(line_end: str, last: str) -> None:
    source = (PLAIN.rstrip("\n") + last).replace("\n", line_end)
    patch = trainplate.patch(source, TOKENS)
    training = patch.training_template
    assert patch.edits
    assert training.count("\n") - training.count("\r\n") == (0 if line_end == "\r\n" else training.count("\n"))
    assert training.endswith("{%- endif %}" + last.replace("\n", line_end))
    assert apply_edits(source, patch.edits) == training


def test_mixed_line_ends_move_no_line_that_is_not_edited() -> None:
    source = PLAIN.replace("%}\n{% if", "%}\r\n{% if")
    training = trainplate.patch(source, TOKENS).training_template
    assert "{%- endfor %}\r\n{% if add_generation_prompt %}\n" in training


def test_lines_that_need_no_change_are_not_changed() -> None:
    removed = [line for line in trainplate.patch(PLAIN, TOKENS).diff().splitlines() if line.startswith("-")]
    assert removed == ["--- a/template", "-    {{- '<' + m.role + '>' + m.content + eos_token }}"]


def test_edits_say_which_fix_made_them_and_why() -> None:
    edits = trainplate.patch(PLAIN, TOKENS).edits
    assert edits
    assert {edit.fix for edit in edits} == {"mark-generation"}
    assert all("marker" in edit.because for edit in edits)


def test_report_says_of_every_check_what_became_of_it() -> None:
    report = trainplate.patch(PLAIN, TOKENS).report
    assert set(report.verdicts.values()) <= {Verdict.PASSED, Verdict.NOT_EVALUATED}
    assert report.findings == ()


def test_conversation_that_a_template_declines_is_no_failure() -> None:
    strict = "{% if messages[0].role == 'system' or tools %}{{ raise_exception('no') }}{% endif %}" + PLAIN
    assert trainplate.patch(strict, TOKENS).report.proven


QUOTING = (
    "{% set ns = namespace(talk='') %}{% for m in messages %}{% set ns.talk = ns.talk ~ m.role ~ ': ' ~ m.content %}"
    "{% endfor %}{{ 'Judge this conversation with care and without haste: ' ~ ns.talk ~ '. "
    "Is the last answer of the assistant in it safe or unsafe? Say one word and nothing else.' }}"
)


def test_refusal_carries_the_check_the_conversation_and_two_texts() -> None:
    """A guard quotes answers in its prompt: there is no turn in it that could be trained."""
    with pytest.raises(trainplate.Refusal) as caught:
        trainplate.patch(QUOTING, TOKENS)
    refusal = caught.value
    assert refusal.check in trainplate.patch(READY, TOKENS).report.verdicts
    assert refusal.conversation.partition("[")[0].strip() in {conversation.name for conversation in suite()}
    assert refusal.before != refusal.after
    assert refusal.check in str(refusal)
    assert refusal.conversation in str(refusal)


def test_patching_does_not_depend_on_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    dated = "{{ strftime_now('%d %B %Y') }}" + PLAIN
    patch = trainplate.patch(dated, TOKENS)
    assert "strftime_now" in patch.training_template
    assert patch.report.proven
