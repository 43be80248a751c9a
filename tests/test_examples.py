"""The examples run, without a network, and do what they say."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs the extra test")
pytest.importorskip("datasets", reason="needs the extra test")

EXAMPLES = Path(__file__).parents[1] / "examples"
CALL = '<tool_call>\n{"name": "tide", "arguments": {"harbour": "HARBOUR"}}\n</tool_call><|im_end|>'
SAID = [CALL.replace("HARBOUR", "Brest"), CALL.replace("HARBOUR", "Lorient"), "In Brest.<|im_end|>"]
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.fixture
def example(monkeypatch):
    """Return an example's functions by its file's name."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return lambda name: runpy.run_path(str(EXAMPLES / name))


def test_sft_trains_what_the_assistant_says(example, tmp_path, capsys):
    made = example("sft_assistant_only.py")
    made["main"](folder=str(tmp_path))
    assert (
        capsys.readouterr()
        .out.rstrip()
        .endswith(
            "<think>6.4 m is plenty.</think>Yes, at ten past nine.<|im_end|>\n"
            "<think>The tide moves on.</think>Half an hour later.<|im_end|>"
        )
    )
    assert (tmp_path / "checkpoint-2" / "chat_template.jinja").read_text(encoding="utf-8") == made["TEMPLATE"]


def test_grpo_calls_its_tool(example, tmp_path, monkeypatch):
    from trl import GRPOTrainer

    def generate(trainer, prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        tokenizer = trainer.processing_class
        said = [SAID[tokenizer.decode(ids).count("<tool_response>")] for ids in prompt_ids]
        return [tokenizer(text)["input_ids"] for text in said], None

    monkeypatch.setattr(GRPOTrainer, "_generate_single_turn", generate)
    trainer = example("grpo_tool.py")["main"](folder=str(tmp_path), longest=600)
    assert trainer.state.global_step == 2
    logged = trainer.state.log_history[0]
    assert (logged["tools/call_frequency"], logged["tools/failure_frequency"], logged["reward"]) == (2, 0, 1)
    assert (tmp_path / "checkpoint-2" / "chat_template.jinja").read_text(encoding="utf-8").startswith("{# our copy #}")
