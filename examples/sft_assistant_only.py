"""SFT on what the assistant says and nothing else, with a chat template that nobody has patched before.

    python examples/sft_assistant_only.py [MODEL] [FOLDER]

Without MODEL a tiny one with random weights is trained, with a template that TRL does not know.
"""

import sys

from datasets import Dataset
from tiny import DEVICE, model_and_tokenizer
from trl import SFTConfig, SFTTrainer

import trainplate

TEMPLATE = """\
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + ':\\n' }}
    {%- if message.reasoning_content and loop.last %}
        {{- '<think>' + message.reasoning_content + '</think>' }}
    {%- endif %}
    {{- message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant:\\n' }}
{%- endif %}
"""
CONVERSATION = [
    {"role": "user", "content": "Can we sail from Brest tonight?"},
    {"role": "assistant", "reasoning_content": "6.4 m is plenty.", "content": "Yes, at ten past nine."},
    {"role": "user", "content": "And tomorrow?"},
    {"role": "assistant", "reasoning_content": "The tide moves on.", "content": "Half an hour later."},
]


def main(name: str | None = None, folder: str = "sft") -> None:
    """Train two steps, and say what was trained on."""
    model, tokenizer = model_and_tokenizer(name, TEMPLATE)
    config = SFTConfig(folder, assistant_only_loss=True, max_steps=2, save_steps=2, report_to="none", **DEVICE)
    with trainplate.training(tokenizer, model=model):
        trainer = SFTTrainer(
            model=model,
            args=config,
            processing_class=tokenizer,
            train_dataset=Dataset.from_list([{"messages": CONVERSATION}] * 8),
        )
        trainer.train()
    labels = trainer.train_dataset[0]["labels"]
    print(tokenizer.decode([label for label in labels if label != -100]))


if __name__ == "__main__":
    main(*sys.argv[1:])
