"""The right mask wherever a release of transformers has, or had, another; F and P number the flaws.

Expected are the trained tokens, row by row, as the vocabulary writes them: `Ġ` and `▁` for a space, `Ċ` for a line end.
"""

import sys
import threading

import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import CHATML, plain, tiny

from trainplate import LoadingError, assistant_masks
from trainplate.rendering import TornMarkers

CHAT = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content + '<|im_end|>' }}{% endgeneration %}{{ '\n' }}"
    "{% else %}{{ m.content + '<|im_end|>\n' }}{% endif %}{% endfor %}"
)
TURN = (
    "{{ '<|im_start|>' + m.role + '\n' }}{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ m.content + '<|im_end|>' }}{% endif %}"
)
BARE = (
    "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content + '<|im_end|>' }}"
    "{% endgeneration %}{% else %}{{ '<|im_start|>' + m.content + '<|im_end|>' }}{% endif %}{% endfor %}"
)


def user(text):
    return {"role": "user", "content": text}


def answer(text):
    return {"role": "assistant", "content": text}


TALK = [user("river"), answer("hello"), user("city"), answer("the answer")]
HELLO = ["h", "el", "lo", "<|im_end|>"]
THE_ANSWER = ["t", "h", "e", "Ġanswer", "<|im_end|>"]


def trained(tokenizer, batch, row=None):
    ids, mask = batch.input_ids, batch.assistant_masks
    if row is not None:
        ids, mask = ids[row], mask[row]
    assert len(ids) == len(mask)
    return tokenizer.convert_ids_to_tokens(ids[mask == 1].tolist())


def check(tokenizer, conversation, template, expected, **options):
    batch = assistant_masks(tokenizer, conversation, template=template, **options)
    assert trained(tokenizer, batch) == expected
    if not options:
        told = tokenizer.apply_chat_template(conversation, chat_template=template, return_dict=True)
        assert batch.input_ids.tolist() == told["input_ids"]
    return batch


def test_f1_left_truncation_keeps_the_mask_on_its_tokens():
    tokenizer = tiny("chatml", truncation_side="left")
    batch = check(tokenizer, TALK, CHAT, THE_ANSWER, max_length=12)
    assert len(batch.input_ids) == 12
    assert batch.counts.cut == 1


def test_f1_right_truncation_keeps_what_is_left():
    assert check(tiny("chatml"), TALK, CHAT, ["h", "el"], max_length=11).counts.cut == 1


def test_f2_a_last_character_that_offsets_leave_out_is_trained_and_nothing_behind_it():
    spaced = BARE.replace("m.content + '<|im_end|>' }}{% endgen", "m.content + ' ' }}{% endgen")
    check(tiny("trimmed"), TALK, spaced, ["h", "el", "lo", "Ġ", "t", "h", "e", "Ġanswer", "Ġ"])


@pytest.mark.parametrize("kind", ["trimmed", "chatml"])
def test_f3_a_first_character_that_offsets_leave_out_hides_no_turn(kind):
    led = BARE.replace("{% generation %}{{ m.content", "{% generation %}{{ ' ' + m.content")
    check(tiny(kind), TALK, led, ["Ġhello", "<|im_end|>", "Ġthe", "Ġanswer", "<|im_end|>"])


@pytest.mark.parametrize("before", ["", "{{ '' }}"])
def test_f4_a_turn_may_be_the_first_token(before):
    template = before + "{% generation %}{{ '<think>' }}{% endgeneration %}{{ 'hello hello' }}"
    check(tiny("chatml"), TALK, template, ["<think>"])


def test_f5_a_turn_before_all_other_output_is_trained():
    check(tiny("chatml"), [answer("hello"), *TALK[2:]], BARE, HELLO + THE_ANSWER)


def test_f6_all_tokens_of_a_last_character_are_trained():
    template = CHAT.replace("{{ m.content + '<|im_end|>' }}{% endgeneration %}", "{{ m.content }}{% endgeneration %}")
    check(tiny("chatml"), [user("hello"), answer("hi 🙂")], template, ["h", "i", "Ġ", "ð", "Ł", "Ļ", "Ĥ"])


def test_f6_all_byte_tokens_of_a_last_character_are_trained():
    template = (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'assistant' %}"
        "{% generation %}{{ ' ' + m.content }}{% endgeneration %}{{ eos_token }}"
        "{% else %}{{ '[INST] ' + m.content + '[/INST]' }}{% endif %}{% endfor %}"
    )
    expected = ["▁hi", "▁", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>"]
    check(tiny("spaced"), [user("hello"), answer("hi 🙂")], template, expected)


def test_f7_a_token_across_the_start_is_trained_and_counted():
    batch = check(tiny("chatml"), [user("river"), answer("\nhello")], CHAT, ["ĊĊ", *HELLO])
    assert batch.counts.merged_with_prompt == 1


def test_f7_a_token_across_the_end_is_trained_and_counted():
    template = (
        "{% for m in messages %}{{ m.role + ': ' }}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}"
        "{% endgeneration %}{{ '\n\n' }}{% else %}{{ m.content + '\n\n' }}{% endif %}{% endfor %}"
    )
    batch = check(tiny("chatml"), [user("river"), answer("the answer.")], template, ["Ġthe", "Ġanswer", ".ĊĊ"])
    assert batch.counts.torn_at_end == 1


def test_f7_an_added_token_that_swallows_sampled_white_space_is_trained_and_counted():
    template = (
        "{% for m in messages %}{{ '<|' + m.role + '|>\n' }}{% if m.role == 'assistant' %}{% generation %}"
        "{{ m.content + '<|end|>\n' }}{% endgeneration %}{% else %}{{ m.content + '<|end|>\n' }}{% endif %}{% endfor %}"
    )
    expected = ["<|assistant|>", "▁hello", "<|end|>"]
    batch = check(tiny("stripping"), [user("river"), answer(" hello")], template, expected)
    assert (batch.counts.merged_with_prompt, batch.counts.by_offsets) == (1, 1)


def test_f7_a_run_of_line_ends_across_the_start_is_trained():
    template = (
        "{% for m in messages %}{{ '<start_of_turn>' + m.role + '\n' }}{% if m.role == 'assistant' %}{% generation %}"
        "{{ m.content + '<end_of_turn>' }}{% endgeneration %}{{ '\n' }}"
        "{% else %}{{ m.content + '<end_of_turn>\n' }}{% endif %}{% endfor %}"
    )
    expected = ["\n\n", "h", "el", "lo", "<end_of_turn>"]
    batch = check(tiny("newlines"), [user("river"), answer("\nhello")], template, expected)
    assert batch.counts.merged_with_prompt == 1


@pytest.mark.parametrize(
    "template",
    [
        "{{ '<|im_start|>' }}{{ '\n' }}{% generation %}{{ '' }}{% endgeneration %}{{ '\n' }}{{ 'hello' }}",
        "{{ '' }}{% generation %}{{ '' }}{% endgeneration %}{{ 'hello' }}",
        "{{ 'hello' }}{% generation %}{{ '' }}{% endgeneration %}",
    ],
)
def test_f8_an_empty_block_trains_nothing(template):
    assert check(tiny("chatml"), TALK, template, []).counts.untrained == 1


def test_f8_an_empty_block_between_tokens_leaves_the_others_alone():
    empty = "{{ '<|im_start|>' }}{% generation %}{{ '' }}{% endgeneration %}{{ '<|im_end|>' }}"
    check(tiny("chatml"), TALK, empty + "{% generation %}hello{% endgeneration %}", HELLO[:3])


@pytest.mark.parametrize(
    "template",
    [
        "{% macro turn(m) %}" + TURN + "{% endmacro %}{% for m in messages %}{{ turn(m) }}{% endfor %}",
        "{% for m in messages %}{% set x %}" + TURN + "{% endset %}{{ x }}{% endfor %}",
        "{% for m in messages %}{% filter trim %}" + TURN + "{% endfilter %}{% endfor %}",
        "{% for m in messages recursive %}" + TURN + "{% endfor %}",
    ],
    ids=["macro", "set", "filter", "recursive"],
)
def test_f9_a_block_inside_what_collects_text_is_found_where_it_is_printed(template):
    check(tiny("chatml"), TALK, template, HELLO + THE_ANSWER)


def test_f9_a_block_that_is_kept_and_printed_later_is_found_there():
    template = (
        "{% for m in messages %}{% set x %}{% generation %}{{ m.content }}{% endgeneration %}{% endset %}"
        "{{ m.role + '\n' }}{{ x if m.role == 'assistant' else m.content }}{{ '<|im_end|>' }}{% endfor %}"
    )
    check(tiny("chatml"), TALK, template, HELLO[:3] + THE_ANSWER[:4])


def test_f9_a_block_inside_a_block_counts_once():
    inner = "{{ 'hello ' }}{% generation %}{{ 'the city ' }}{% endgeneration %}{{ 'is' }}"
    template = "{{ '<|im_start|>' }}{% generation %}" + inner + "{% endgeneration %}{{ '<|im_end|>hello' }}"
    batch = assistant_masks(tiny("chatml"), TALK, template=template)
    assert batch.assistant_masks.tolist() == [0, *[1] * (len(batch.input_ids) - 5), 0, 0, 0, 0]


def test_f9_a_block_whose_text_is_changed_afterwards_is_refused_in_clear_words():
    template = "{% for m in messages %}{% set x %}{% generation %}{{ m.content }}{% endgeneration %}{% endset %}"
    with pytest.raises(TornMarkers, match="generation block"):
        assistant_masks(tiny("chatml"), TALK, template=template + "{{ x[:3] }}{{ x | length }}{% endfor %}")


def test_f10_overflowing_tokens_are_cut_off_and_counted_not_returned():
    batch = assistant_masks(tiny("chatml"), [TALK, TALK], template=CHAT, max_length=11)
    assert [len(ids) for ids in batch.input_ids] == [11, 11]
    assert batch.counts.cut == 2


@pytest.mark.parametrize("side", ["left", "right"])
def test_f11_padding_on_either_side_moves_the_mask_with_its_tokens(side):
    tokenizer = tiny("chatml", padding_side=side)
    batch = assistant_masks(tokenizer, [TALK[:2], TALK], template=CHAT, padding=True)
    assert batch.input_ids.shape == batch.assistant_masks.shape == batch.attention_mask.shape
    assert trained(tokenizer, batch, 0) == HELLO
    assert trained(tokenizer, batch, 1) == HELLO + THE_ANSWER
    told = tokenizer.apply_chat_template([TALK[:2], TALK], chat_template=CHAT, return_dict=True, padding=True)
    assert batch.input_ids.tolist() == told["input_ids"]
    assert batch.attention_mask.tolist() == told["attention_mask"]


def test_f11_a_span_at_the_first_character_is_right_beside_left_padding():
    tokenizer = tiny("chatml", padding_side="left")
    batch = assistant_masks(tokenizer, [[answer("hello")], [answer("the answer")]], template=BARE, padding=True)
    assert [trained(tokenizer, batch, row) for row in (0, 1)] == [HELLO, THE_ANSWER]


def test_f12_padding_behind_a_character_without_offsets_is_not_trained():
    tokenizer = tiny("trimmed")
    spaced = BARE.replace("m.content + '<|im_end|>' }}{% endgen", "m.content + ' ' }}{% endgen")
    batch = assistant_masks(tokenizer, [[user("a"), answer("hello")], TALK], template=spaced, padding=True)
    assert trained(tokenizer, batch, 0) == ["h", "el", "lo", "Ġ"]


def test_f13_a_marker_in_a_comment_is_none():
    template = (
        "{# {% generation %} #}{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
    )
    batch = assistant_masks(tiny("chatml"), TALK, template=template)
    assert batch.counts.trained > 0, "the template was patched, as it marks nothing"


@pytest.mark.parametrize("tag", ["{%+ generation %}", "{%\n generation\n%}"])
def test_f13_a_marker_is_known_however_it_is_spelled(tag):
    check(tiny("chatml"), TALK, CHAT.replace("{% generation %}", tag), HELLO + THE_ANSWER)


def test_f13_text_that_looks_like_a_marker_is_text():
    talk = [user("{% generation %} and {% endgeneration %}"), answer("hello")]
    check(tiny("chatml"), talk, CHAT, HELLO)


def test_f13_a_stop_token_inside_an_answer_ends_nothing():
    check(
        tiny("chatml"),
        [user("hello"), answer("the<|im_end|> answer")],
        CHAT,
        [*THE_ANSWER[:3], "<|im_end|>", *THE_ANSWER[3:]],
    )


def test_f14_threads_get_the_masks_that_one_thread_gets():
    tokenizer = tiny("chatml")
    expected = assistant_masks(tokenizer, TALK, template=CHAT).assistant_masks.tolist()
    tokenizer("river", truncation=True, padding="max_length", max_length=5)  # which the encoder remembers
    found, before = [], sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work():
        for _ in range(40):
            found.append(assistant_masks(tokenizer, TALK, template=CHAT).assistant_masks.tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert found == [expected] * 160


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("legacy", ["▁hello", "</s>", "▁", "▁hello", "</s>"]),
        ("spaced", ["h", "el", "lo", "</s>", "▁hello", "</s>"]),
    ],
)
def test_f15_a_space_that_the_tokenizer_puts_in_front_of_a_turn_is_trained(kind, expected):
    tokenizer = tiny(kind)
    tokenizer.add_tokens([plain("<|user|>"), plain("<|assistant|>")])
    template = (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}"
        "{{ m.content + eos_token }}{% endgeneration %}"
        "{% else %}{{ '<|user|>' + m.content + '<|assistant|>' }}{% endif %}{% endfor %}"
    )
    batch = check(tokenizer, [user("hello"), answer("hello"), user("river"), answer(" hello")], template, expected)
    assert batch.counts.by_offsets == 0


def test_f16_a_stop_token_that_is_cut_off_is_counted():
    batch = assistant_masks(tiny("chatml"), [TALK, TALK[:2]], template=CHAT, max_length=13)
    assert (batch.counts.cut, batch.counts.untrained) == (1, 0)


def test_f17_masks_need_no_switches_of_apply_chat_template():
    batch = assistant_masks(tiny("chatml"), TALK, template=CHAT)
    assert set(batch) == {"input_ids", "assistant_masks"}
    assert (batch.input_ids.dtype, batch.assistant_masks.dtype) == ("int32", "uint8")


def test_f17_a_tokenizer_that_python_runs_is_refused_with_a_way_out():
    slow = type("SlowTokenizer", (), {"chat_template": CHAT})()
    with pytest.raises(LoadingError, match=r"SlowTokenizer.*\n.*AutoTokenizer"):
        assistant_masks(slow, TALK, template=CHAT)


def test_f18_a_normalizer_that_makes_one_character_into_several_trains_them_all():
    template = CHAT.replace("m.content + '<|im_end|>' }}{% endgen", "m.content }}{% endgen")
    tokenizer = tiny("nfkc")
    batch = assistant_masks(tokenizer, [user("ﬁx"), answer("ﬁ① ½")], template=template)
    assert tokenizer.decode(batch.input_ids[batch.assistant_masks == 1]) == "fi1 1⁄2"
    assert batch.counts.by_offsets == 0


def test_f18_a_letter_composed_across_the_start_is_trained():
    template = (
        "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}"
        "{{ '<|im_end|>' }}{% else %}{{ '<|im_start|>' + m.content + ' e' }}{% endif %}{% endfor %}"
    )
    tokenizer = tiny("chatml")
    batch = assistant_masks(tokenizer, [user("hello"), answer("\u0301bc")], template=template)
    assert tokenizer.decode(batch.input_ids[batch.assistant_masks == 1]) == "ébc"
    assert batch.counts.merged_with_prompt == 1


def test_every_kind_of_tiny_tokenizer_has_its_chatml_tokens():
    assert {token.content for token in CHATML} <= set(tiny("chatml").get_vocab())
