"""What the model is asked with while training is what it will be asked with in use."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.verdict import COMPARED, Finding

ORIGINAL = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
PASSES = Example(ORIGINAL, ORIGINAL)
FAILS = Example(ORIGINAL, ORIGINAL.replace("<assistant>", "<assistant>\n"))


@check(passes=PASSES, fails=FAILS)
def same_prompt(trial: Trial) -> Iterator[Finding]:
    """The first prompt of a conversation is, to the letter, the original's.

    Later prompts hold earlier turns, in which a training template may deviate; `between-turns` sees to those.
    """
    pair = next(iter(trial.told), None)
    if pair is not None and pair.before is None and pair.training.prompt != pair.original.prompt:
        yield trial.finding(
            "same-prompt", "the prompt differs", pair, pair.original.prompt or "", pair.training.prompt or "", COMPARED
        )
