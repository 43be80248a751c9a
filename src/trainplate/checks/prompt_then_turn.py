"""What the model samples stands behind the prompt it was given, so the prompt must start the turn."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.verdict import Finding

ORIGINAL = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
FAILS = Example(ORIGINAL, ORIGINAL.replace("<assistant>", "<assistant><think>"))


@check(passes=Example(ORIGINAL, ORIGINAL), fails=FAILS)
def prompt_then_turn(trial: Trial) -> Iterator[Finding]:
    """The prompt with its generation prompt is the start of the finished turn, wherever the original has it so."""
    for pair in trial.told:
        if pair.original.continues and not pair.training.continues:
            yield trial.finding(
                "prompt-then-turn",
                "the prompt no longer starts the turn",
                pair,
                pair.training.prompt or "",
                pair.training.text or "",
                ("prompt", "turn"),
            )
            return
