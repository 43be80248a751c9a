"""TRL's functions under their own names: what TRL promises of them holds for any template, and where TRL errs."""

import json
import re

import pytest

theirs = pytest.importorskip("trl.chat_template_utils", reason="needs the extra test")

from jinja2 import TemplateError  # noqa: E402
from tiny_tokenizers import byte_level, special, tiny  # noqa: E402
from tiny_trainers import UNKNOWN, fast, from_trl  # noqa: E402

import trainplate as ours  # noqa: E402

MARKERS = ("has_generation_markers",)
TOOLS = ("supports_tool_calling",)
PREFIX = ("is_chat_template_prefix_preserving",)
STOP = ("is_chat_template_stop_token_trained",)
CONTROL = re.compile(r"<\|[^|<>'\s]+\|>|<｜[^<>'\s]+?｜>|<\|?[a-z_]+\|?>|</[a-z_]+>|\[[A-Za-z_/]+\]")

HISTORY = "drops or rewrites what an earlier turn said once messages follow; TRL appends one tool result and no more"
BEHIND_CALLS = "prints the text beside a call behind it, and drops it once the result follows"
NO_TOOLS = "takes no tools, which TRL's question about prefixes cannot do without: it raises"
CALLS_END = "leaves the end of a turn that calls a tool untrained; TRL looks at a plain answer alone"
PARTS = "takes contents as parts, which TRL gives to processors alone"
WHERE_TRL_ERRS = {
    PREFIX: {
        "gemma3": NO_TOOLS,  # and Cohere's
        "idefics3": NO_TOOLS,  # and SmolVLM's
        "llava_next_training": NO_TOOLS,
        "gemma4": BEHIND_CALLS,  # of its five revisions all but the second
        "diffusion_gemma_training": BEHIND_CALLS,
        "glm4moe_training": HISTORY,
        "gptoss_training": HISTORY,
        "lfm2_2_5": HISTORY,
        "nemotron_3_nano_training": HISTORY,  # and its three sisters
        "qwen3_6": HISTORY,  # and both of Qwen3.5
    },
    STOP: {"diffusion_gemma_training": CALLS_END, "llava_next_training": PARTS},
}
AGREED = ["qwen2_5", "qwen3", "qwen3_training", "llama3_1", "phi3", "lfm2_v2_training"]
LOOKED_AT = sorted({*AGREED, *(name for errors in WHERE_TRL_ERRS.values() for name in errors)})


@pytest.fixture(scope="module")
def speaks_all():
    """Return a tokenizer that keeps every control token of the stored templates whole."""
    names = sorted({mark for name in LOOKED_AT for mark in CONTROL.findall(from_trl(name))} | {"<s>", "</s>", "<pad>"})
    return fast(byte_level([special(name) for name in names]), bos_token="<s>", eos_token="</s>", pad_token="<pad>")


def answers(module, names, tokenizer, template):
    tokenizer.chat_template = template
    [name] = names
    try:
        return getattr(module, name)(template if names is MARKERS else tokenizer)
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("template", LOOKED_AT)
def test_answers_are_trls_but_where_trl_errs(template, speaks_all):
    source = from_trl(template)
    for names in (MARKERS, TOOLS, PREFIX, STOP):
        same = answers(ours, names, speaks_all, source) == answers(theirs, names, speaks_all, source)
        assert same == (template not in WHERE_TRL_ERRS.get(names, {})), names


TALK = [{"role": "user", "content": "What is 2 * 3?"}]
TOOL = {
    "type": "function",
    "function": {"name": "multiply", "description": "Multiplies.", "parameters": {"type": "object", "properties": {}}},
}
CALL = {"type": "function", "function": {"name": "multiply", "arguments": {"a": 2, "b": 3}}}
ANSWERS = {
    "plain": {"role": "assistant", "content": "It is 6."},
    "reasoned": {"role": "assistant", "content": "It is 6.", "reasoning_content": "Twice three."},
    "thinking inline": {"role": "assistant", "content": "<think>\nTwice three.\n</think>\n\nIt is 6."},
    "calling": {"role": "assistant", "content": "", "tool_calls": [CALL]},
    "calling twice": {"role": "assistant", "content": "Both.", "tool_calls": [CALL, CALL]},
}
PATCHED = ["qwen2_5", "qwen3", "lfm2_v2", "llama3"]
"""Originals whose training template prints a first turn as they do; others deviate, and say so."""


@pytest.fixture(scope="module", params=PATCHED)
def patched(request, speaks_all):
    """Return a tokenizer with an original, and its training template."""
    made = tiny("chatml", bos_token="<|endoftext|>")
    made.add_tokens(sorted(set(CONTROL.findall(from_trl(request.param)))), special_tokens=True)
    made.chat_template = from_trl(request.param)
    return made, ours.get_training_chat_template(made)


def with_template(tokenizer, template):
    again = tiny("chatml", bos_token="<|endoftext|>")
    again.add_tokens(list(tokenizer.get_added_vocab()), special_tokens=True)
    again.chat_template = template
    return again


def test_a_training_template_passes_trls_own_questions(patched):
    tokenizer, template = patched
    trained = with_template(tokenizer, template)
    for module in (ours, theirs):
        assert module.has_generation_markers(template)
        assert module.is_chat_template_stop_token_trained(trained)
        assert module.is_chat_template_stop_token_trained(tokenizer, chat_template=template)
        assert not module.supports_tool_calling(trained) or module.is_chat_template_prefix_preserving(trained)
        assert module.get_training_chat_template(trained) is None


@pytest.mark.parametrize("tools", [None, [TOOL]], ids=["", "tools"])
@pytest.mark.parametrize("asked", [False, True], ids=["", "asked"])
def test_a_training_template_asks_as_the_original_does(patched, tools, asked):
    tokenizer, template = patched
    given = {"tools": tools, "tokenize": False, "add_generation_prompt": asked}
    assert tokenizer.apply_chat_template(TALK, chat_template=template, **given) == tokenizer.apply_chat_template(
        TALK, **given
    )


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_training_template_prints_a_turn_as_the_original_does(patched, kind):
    tokenizer, template = patched
    messages = [*TALK, ANSWERS[kind]]
    given = {"tools": [TOOL] if "calling" in kind else None, "tokenize": False}
    trained = tokenizer.apply_chat_template(messages, chat_template=template, **given)
    assert trained == tokenizer.apply_chat_template(messages, **given)
    text = json.loads(json.dumps(messages).replace('{"a": 2, "b": 3}', json.dumps('{"a": 2, "b": 3}')))
    try:
        original = tokenizer.apply_chat_template(text, **given)
    except TemplateError:
        return  # arguments as JSON text are taken where the original takes them
    # An original may encode such a text once more; a training template never does.
    assert tokenizer.apply_chat_template(text, chat_template=template, **given) in (original, trained)


def test_masks_are_on_what_the_assistant_says(patched):
    tokenizer, template = patched
    messages = [*TALK, ANSWERS["plain"], *TALK, ANSWERS["plain"]]
    asked = tokenizer.apply_chat_template(
        messages[:3], tokenize=False, add_generation_prompt=True, chat_template=template
    )
    whole = tokenizer.apply_chat_template(messages, tokenize=False, chat_template=template)
    encoded = tokenizer.apply_chat_template(
        messages, chat_template=template, return_dict=True, return_assistant_tokens_mask=True
    )
    pairs = list(zip(encoded["input_ids"], encoded["assistant_masks"], strict=True))
    said = whole.removeprefix(asked).rstrip()
    assert tokenizer.decode([one for one, mask in pairs if mask]).count(said) == 2
    assert not any(mask for _, mask in pairs[: len(tokenizer(asked, add_special_tokens=False)["input_ids"])][-6:])


def test_a_template_that_cannot_be_trained_raises_valueerror_with_its_witness():
    tokenizer = tiny("chatml", chat_template="{{ messages | length }}")
    with pytest.raises(ValueError, match="no plain conversation") as refused:
        ours.get_training_chat_template(tokenizer)
    assert isinstance(refused.value, ours.Refusal)
    assert refused.value.check == "renders"


def test_the_older_name_of_the_argument_is_taken_but_not_both():
    tokenizer = tiny("chatml", chat_template=UNKNOWN)
    assert ours.get_training_chat_template(tokenizer=tokenizer) == ours.get_training_chat_template(tokenizer)
    for wrong in ({}, {"processing_class": tokenizer, "tokenizer": tokenizer}):
        for module in (ours, theirs):
            with pytest.raises(TypeError):
                module.get_training_chat_template(**wrong)


def test_a_tokenizer_without_a_template_is_told_the_choices():
    with pytest.raises(ours.LoadingError, match="clone_chat_template"):
        ours.get_training_chat_template(tiny("chatml"))


MARKED = "{% for m in messages %}{{ m.role }}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
UNMARKED = MARKED.replace("{% generation %}", "").replace("{% endgeneration %}", "")


@pytest.mark.parametrize(
    ("template", "marked"),
    [
        (MARKED, True),
        (MARKED.replace("{% generation", "{%- generation"), True),
        (MARKED.replace("{% generation %}", "{%+ generation -%}"), True),
        (MARKED.replace("{% generation %}", "{%\n  generation\n%}"), True),
        ({"default": MARKED, "tool_use": UNMARKED}, True),
        ({"default": UNMARKED, "tool_use": MARKED}, False),
        ({"only": MARKED}, True),
        (UNMARKED, False),
        (UNMARKED + "{# {% generation %} #}", False),
        (UNMARKED + "{{ '{% generation %}' }}", False),
        (UNMARKED + "{% raw %}{% generation %}{% endraw %}", False),
        (None, False),
    ],
)
def test_markers_are_blocks_and_not_texts_that_look_like_them(template, marked):
    assert ours.has_generation_markers(template) is marked


ROUND = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
    "{% for c in m.tool_calls or [] %}{{ c.function.name ~ ' ' ~ ARGUMENTS }}{% endfor %}<|im_end|>{% endfor %}"
)
DICTS = ROUND.replace("ARGUMENTS", "(c.function.arguments | tojson)")
TEXTS = ROUND.replace("c.function.name ~ ' ' ~ ARGUMENTS", "c.function.name + c.function.arguments")
IDS = DICTS.replace("{{ c.function", "{% if c.id | length != 9 %}{{ raise_exception('id') }}{% endif %}{{ c.function")


@pytest.mark.parametrize(
    ("template", "supported"),
    [
        (DICTS, True),
        (TEXTS, True),
        (IDS, True),
        ({"default": UNMARKED, "tool_use": DICTS}, True),
        (DICTS.replace("c.function.name ~", ""), False),
        (UNMARKED, False),
        ("{{ messages[0].content + 1 }}", False),
        (None, False),
    ],
)
def test_tools_are_supported_where_call_and_result_are_printed(template, supported):
    assert ours.supports_tool_calling(tiny("chatml", chat_template=template)) is supported


@pytest.mark.parametrize(
    ("late", "preserved"),
    [("", True), ("{% if loop.last %}<think>{% endif %}", False), ("{{ messages | length }}", False)],
)
def test_text_that_moves_is_no_prefix(late, preserved):
    template = UNMARKED.replace("{{ m.content }}", "{{ '\n' + m.content }}" + late + "<|im_end|>")
    assert ours.is_chat_template_prefix_preserving(tiny("chatml", chat_template=template)) is preserved


def test_reasoning_that_later_messages_take_away_is_no_prefix():
    assert not ours.is_chat_template_prefix_preserving(tiny("chatml", chat_template=UNKNOWN))


def test_tokens_that_merge_with_what_follows_are_no_prefix():
    merging = "{% for m in messages %}{{ m.content + '\n' }}{% endfor %}"
    kept = merging.replace("'\n'", "'<|im_end|>'")
    assert ours.is_chat_template_prefix_preserving(tiny("chatml", chat_template=kept))
    assert not ours.is_chat_template_prefix_preserving(tiny("chatml", chat_template=merging))


STOPPED = (
    "{% for m in messages %}{{ m.role + '\n' }}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}"
    "END{% endgeneration %}BEHIND{% else %}{{ m.content }}<|im_end|>{% endif %}{% endfor %}"
)


@pytest.mark.parametrize(
    ("end", "behind", "trained"),
    [
        ("<|im_end|>", "", True),
        ("<|im_end|>", "\n", True),
        ("<|im_end|>\n", "", True),
        ("", "<|im_end|>", False),
        ("\n", "<|im_end|>", False),
        ("", "", False),
    ],
)
def test_a_stop_token_is_trained_where_it_stands_inside_the_markers(end, behind, trained):
    template = STOPPED.replace("END", end, 1).replace("BEHIND", behind)
    assert ours.is_chat_template_stop_token_trained(tiny("chatml", chat_template=template)) is trained
    assert ours.is_chat_template_stop_token_trained(tiny("chatml", chat_template=UNMARKED), template) is trained


def test_a_stop_token_that_the_vocabulary_was_born_with_counts():
    template = STOPPED.replace("END", "</s>", 1).replace("BEHIND", "")
    assert ours.is_chat_template_stop_token_trained(tiny("legacy", chat_template=template))
