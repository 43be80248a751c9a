"""A conversation that the original takes may not be lost to training."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.verdict import EXPECTED, Finding

ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
PASSES = Example(ORIGINAL, ORIGINAL)
FAILS = Example(ORIGINAL, "{% for m in messages %}<{{ m.role }}>{{ m.content + m.name }}</s>{% endfor %}")


@check(passes=PASSES, fails=FAILS)
def renders(trial: Trial) -> Iterator[Finding]:
    """Whatever the original renders, the training template renders too.

    Arguments of tool calls are dicts always, whatever form the original wants, and JSON text wherever it takes that.
    Every stage of a conversation counts: each prompt, each turn, the whole. A conversation of which the original itself
    declines a stage, so that nobody could have come to its end, may be declined.
    """
    if trial.training is None:
        if not all(turn.told for turn in trial.original.turns):
            return
        yield trial.finding("renders", "the conversation is declined", before=trial.original.text, labels=EXPECTED)
        return
    for pair in trial.pairs:
        if pair.told and not pair.training.told:
            yield trial.finding(
                "renders", "this stage of the conversation is declined", pair, pair.original.text or "", labels=EXPECTED
            )
            return
    text = trial.text_arguments()
    if text is not None and text.training is None:
        yield trial.finding("renders", "arguments as JSON text are declined", before=text.original, labels=EXPECTED)
