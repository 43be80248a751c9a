"""A conversation that the original takes may not be lost to training."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.conversations import arguments_as_json_text
from trainplate.errors import Declined
from trainplate.verdict import EXPECTED, Finding

ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
PASSES = Example(ORIGINAL, ORIGINAL)
FAILS = Example(ORIGINAL, "{% for m in messages %}<{{ m.role }}>{{ m.content + m.name }}</s>{% endfor %}")

LONGEST_WORDS = 120


@check(passes=PASSES, fails=FAILS)
def renders(trial: Trial) -> Iterator[Finding]:
    """Whatever the original renders, the training template renders too.

    Arguments of tool calls are dicts always, whatever form the original wants, and JSON text wherever it takes that.
    Every stage of a conversation counts: each prompt, each turn, the whole. A conversation of which the original itself
    declines a stage, so that nobody could have come to its end, may be declined.
    """
    told, original = trial.conversation, trial.original
    if trial.training is None:
        if all(turn.told for turn in original.turns):
            refusal = trial.refusal_of(told, told.messages, False)
            message = declined("the conversation is declined", refusal)
            yield trial.finding("renders", message, before=original.text, labels=EXPECTED)
        return
    for pair in trial.pairs:
        if pair.told and not pair.training.told:
            prompt = pair.training.prompt is None
            stage = told.messages[: pair.original.index + (not prompt)]
            message = declined("this stage of the conversation is declined", trial.refusal_of(told, stage, prompt))
            yield trial.finding("renders", message, pair, pair.original.text or "", labels=EXPECTED)
            return
    text = trial.text_arguments()
    if text is not None and text.training is None:
        with_text = arguments_as_json_text(trial.heard)
        refusal = trial.refusal_of(with_text, with_text.messages, False)
        message = declined("arguments as JSON text are declined", refusal)
        yield trial.finding("renders", message, before=text.original, labels=EXPECTED)


def declined(what: str, refusal: Declined | None) -> str:
    """Say what is declined, in the template's own words as far as they fit."""
    said = " ".join(str(refusal or "").split())
    return f"{what}: {said if len(said) <= LONGEST_WORDS else said[:LONGEST_WORDS] + '…'}" if said else what
