"""GRPO cuts the tool suffix by subtracting two renders, so history must not move."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.verdict import Finding

ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
MOVING = "{% for m in messages %}<{{ m.role }}>{{ m.content if loop.last }}</s>{% endfor %}"


@check(passes=Example(ORIGINAL, ORIGINAL), fails=Example(ORIGINAL, MOVING))
def prefix_preserved(trial: Trial) -> Iterator[Finding]:
    """Appending a message leaves every earlier character in place, from each assistant turn on."""
    whole = trial.training.text if trial.training else ""
    for pair in trial.told:
        text, prompt = pair.training.text or "", pair.training.prompt or ""
        if not whole.startswith(text):
            yield trial.finding("prefix-preserved", "a turn is rewritten when messages follow", pair, text, whole)
            return
        earlier = (pair.before.training.text or "") if pair.before else ""
        if not prompt.startswith(earlier):
            yield trial.finding("prefix-preserved", "a turn is rewritten in the next prompt", pair, earlier, prompt)
            return
