"""TRL's own GRPOTrainer calls a tool in two rounds, on a template that it refuses by itself."""

from itertools import groupby

import pytest

pytest.importorskip("trl", reason="needs the extra test")
pytest.importorskip("datasets", reason="needs the extra test")

from tiny_trainers import grpo_trainer

import trainplate

TIDES = {"Brest": "6.4 m", "Lorient": "4.9 m"}
THOUGHT = "<think>\nLook.\n</think>\n\n"
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


def tide(harbour: str) -> str:
    """Say how high the water stands.

    Args:
        harbour: The name of a harbour.
    """
    return TIDES[harbour]


def call(harbour):
    return f'{THOUGHT}<tool_call>\n{{"name": "tide", "arguments": {{"harbour": "{harbour}"}}}}\n</tool_call><|im_end|>'


SAID = [call("Brest"), call("Lorient"), f"{THOUGHT}Brest.<|im_end|>"]


def says(prompt):
    """Call the tool twice, then answer."""
    return SAID[prompt.count("<tool_response>")]


def answered(result):
    return f"\n<|im_start|>user\n<tool_response>\n{result}\n</tool_response><|im_end|>\n<|im_start|>assistant\n "


@pytest.fixture
def tokenizer(speaker):
    made = speaker("qwen3").tokenizer()
    made.chat_template += " "  # one space, and TRL does not know it any more
    return made


def pieces(tokenizer, batch, row):
    """Return what each stretch of a completion says, and whether it is trained."""
    ids = batch["completion_ids"][row].tolist()
    mask = (batch["completion_mask"] * batch["tool_mask"])[row].tolist()
    stretches = groupby(zip(ids, mask, strict=True), key=lambda pair: pair[1])
    return [(bool(trained), tokenizer.decode([one for one, _ in stretch])) for trained, stretch in stretches]


def test_trl_alone_refuses_the_template(tokenizer, tmp_path):
    with pytest.raises(ValueError, match="Unrecognized chat template"):
        grpo_trainer(tokenizer, [tide], says, tmp_path)


def test_two_tool_rounds_train_what_the_model_said_and_no_result(tokenizer, tmp_path):
    original = tokenizer.chat_template
    with trainplate.training(tokenizer) as swap:
        trainer = grpo_trainer(tokenizer, [tide], says, tmp_path)
        trainer.train()
    assert trainer.state.global_step == 2
    rounds = [
        (True, SAID[0]),
        (False, answered("6.4 m")),
        (True, SAID[1]),
        (False, answered("4.9 m")),
        (True, SAID[2]),
    ]
    assert [pieces(tokenizer, batch, row) for batch in trainer.seen for row in (0, 1)] == [rounds] * 4
    assert swap.used
    assert tokenizer.chat_template == original
    assert tokenizer.response_template is None
    assert (tmp_path / "checkpoint-2" / "chat_template.jinja").read_bytes() == original.encode()
