"""What is trained under each policy, and by a message's own word."""

import numpy as np
import pytest

from trainplate import TrainplateError, assistant_masks

CALL = {"type": "function", "function": {"name": "find", "arguments": {"city": "harbour"}}}


def user(text):
    return {"role": "user", "content": text}


def answer(text, **fields):
    return {"role": "assistant", "content": text, **fields}


RESULT = {"role": "tool", "content": "storm"}
TALK = [user("hi"), answer("one"), user("and"), answer("two"), user("so"), answer("three")]
ERRAND = [user("hi"), answer("yes", tool_calls=[CALL]), RESULT, answer("two", reasoning_content="think")]
CALLED = '<tool_call>find{"city": "harbour"}</tool_call>'


def test_every_turn_is_trained_by_default(trained_text):
    assert trained_text(TALK) == ["one<|im_end|>\n", "two<|im_end|>\n", "three<|im_end|>\n"]


def test_last_turn_trains_the_last_answer_alone(trained_text):
    assert trained_text(TALK, train_on="last-turn") == ["three<|im_end|>\n"]
    assert trained_text([*TALK, user("hello")], train_on="last-turn") == ["three<|im_end|>\n"]


def test_last_round_trains_all_answers_to_the_last_question(trained_text):
    expected = [f"yes{CALLED}<|im_end|>\n", "<think>\nthink\n</think>\n\ntwo<|im_end|>\n"]
    assert trained_text([*TALK, *ERRAND], train_on="last-round") == expected
    assert trained_text([*TALK, *ERRAND, user("hello")], train_on="last-round") == expected


def test_no_reasoning_leaves_out_all_that_is_printed_because_of_it(trained_text):
    assert trained_text(ERRAND, train_on="no-reasoning") == [f"yes{CALLED}<|im_end|>\n", "two<|im_end|>\n"]


def test_no_reasoning_leaves_out_reasoning_inside_the_content(trained_text):
    inline = [user("hi"), answer("<think>\nthink\n</think>\n\ntwo")]
    assert trained_text(inline, train_on="no-reasoning") == ["two<|im_end|>\n"]


def test_tool_calls_train_the_calls_and_how_they_stop(trained_text):
    assert trained_text(ERRAND, train_on="tool-calls") == [f"{CALLED}<|im_end|>\n"]


def test_policies_are_combined(trained_text):
    assert trained_text([*ERRAND, *ERRAND], train_on=["last-turn", "no-reasoning"]) == ["two<|im_end|>\n"]
    assert trained_text([*ERRAND, *ERRAND], train_on=["last-turn", "tool-calls"]) == []
    assert trained_text([*ERRAND, *ERRAND], train_on=["last-round", "tool-calls"]) == [f"{CALLED}<|im_end|>\n"]


def test_a_message_decides_for_its_own_turn(trained_text):
    talk = [*TALK[:1], answer("one", train=False), *TALK[2:]]
    assert trained_text(talk) == ["two<|im_end|>\n", "three<|im_end|>\n"]
    talk = [*TALK[:1], answer("one", train=True), *TALK[2:]]
    assert trained_text(talk, train_on="last-turn") == ["one<|im_end|>\n", "three<|im_end|>\n"]


def test_what_is_meant_for_the_loss_is_hidden_from_the_template(chatml):
    template = "{% for m in messages %}{{ m | tojson }}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    plain = assistant_masks(chatml, TALK, template=template)
    weighed = assistant_masks(chatml, [{**m, "weight": 0.5, "train": True} for m in TALK], template=template)
    assert weighed.input_ids.tolist() == plain.input_ids.tolist()


def test_weights_stand_beside_the_mask(chatml, template):
    talk = [user("hi"), answer("one", weight=0.5), user("and"), answer("two"), user("so"), answer("three", weight=0)]
    batch = assistant_masks(chatml, talk, template=template, loss_weights=True)
    weights = batch.loss_weights
    assert weights.dtype == np.float32
    assert sorted(set(weights.tolist())) == [0.0, 0.5, 1.0]
    assert ((weights > 0) == (batch.assistant_masks == 1)).all()
    trained = [chatml.decode(batch.input_ids[weights == weight]) for weight in (0.5, 1.0)]
    assert trained == ["one<|im_end|>\n", "two<|im_end|>\n"]


def test_white_space_behind_the_stop_token_can_be_left_out(trained_text):
    assert trained_text(TALK[:2], stop_white_space=False) == ["one<|im_end|>"]


def test_white_space_that_is_sampled_stays(chatml):
    template = "{% for m in messages %}<|im_start|>{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    batch = assistant_masks(chatml, [answer("one\n")], template=template, stop_white_space=False)
    assert chatml.decode(batch.input_ids[batch.assistant_masks == 1]) == "one\n"


def test_turns_are_told_apart_where_a_turn_has_several_blocks_or_none(chatml):
    template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' and m.content != 'and' %}"
        "{% generation %}{{ m.content }}{% endgeneration %}<|im_end|>"
        "{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}<|im_end|>{% endfor %}"
    )
    talk = [user("hi"), answer("one"), user("so"), answer("and"), user("so"), answer("two", train=False)]
    batch = assistant_masks(chatml, talk, template=template)
    assert chatml.decode(batch.input_ids[batch.assistant_masks == 1]) == "oneone"


@pytest.mark.parametrize(
    ("fields", "train_on", "said"),
    [
        ({}, "everything", "train_on: 'everything'"),
        ({}, [], "train_on: nothing"),
        ({"train": "yes"}, "assistant", "message 1: train is 'yes'"),
        ({"weight": -1}, "assistant", "message 1: weight is -1"),
        ({"weight": float("nan")}, "assistant", "message 1: weight is nan"),
    ],
)
def test_a_policy_that_means_nothing_is_refused_with_a_way_out(chatml, template, fields, train_on, said):
    with pytest.raises(TrainplateError, match=said):
        assistant_masks(chatml, [user("hi"), answer("one", **fields)], template=template, train_on=train_on)
