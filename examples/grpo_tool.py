"""GRPO with a tool, on a chat template that takes reasoning out of earlier turns as Qwen3's does.

    python examples/grpo_tool.py [MODEL] [FOLDER]

Without MODEL a tiny one with random weights is trained; it will hardly call the tool.
"""

import sys
from typing import Any

from datasets import Dataset
from tiny import DEVICE, model_and_tokenizer
from trl import GRPOConfig, GRPOTrainer

import trainplate
from trainplate.loading.source import load

TIDES = {"Brest": "6.4 m", "Lorient": "4.9 m"}
QUESTION = [{"role": "user", "content": "Where does the water stand higher, in Brest or in Lorient?"}]


def tide(harbour: str) -> str:
    """Say how high the water stands in a harbour.

    Args:
        harbour: The name of the harbour.
    """
    return TIDES[harbour]


def names_brest(completions: list[Any], **_: Any) -> list[float]:
    """Reward answers that name the right harbour."""
    return [float("Brest" in (completion[-1].get("content") or "")) for completion in completions]


def main(name: str | None = None, folder: str = "grpo", longest: int = 128) -> GRPOTrainer:
    """Train two steps, with up to three rounds of tool calls in each completion."""
    # One comment more, and TRL, which compares byte for byte, no longer knows the template.
    model, tokenizer = model_and_tokenizer(name, "{# our copy #}" + load("trl:qwen3")[0].source)
    config = GRPOConfig(
        folder,
        max_steps=2,
        save_steps=2,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=longest,
        max_tool_calling_iterations=3,
        report_to="none",
        **DEVICE,
    )
    with trainplate.training(tokenizer, model=model):
        trainer = GRPOTrainer(
            model=model,
            args=config,
            processing_class=tokenizer,
            reward_funcs=names_brest,
            train_dataset=Dataset.from_list([{"prompt": QUESTION}] * 4),
            tools=[tide],
        )
        trainer.train()
    return trainer


if __name__ == "__main__":
    main(*sys.argv[1:])
