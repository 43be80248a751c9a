"""A prompt with a message missing teaches answers to questions that nobody asked."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check, everything
from trainplate.checks.trial import Trial
from trainplate.verdict import EXPECTED, Finding

ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
MARKED = ORIGINAL.replace(
    "{{ m.content }}</s>",
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}"
    "{% else %}{{ m.content }}</s>{% endif %}",
)
FAILS = Example(ORIGINAL, MARKED.replace("else %}{{ m.content }}", "else %}{{ m.content if loop.first }}"))


@check(passes=Example(ORIGINAL, MARKED), fails=FAILS, concerns=everything)
def nothing_lost(trial: Trial) -> Iterator[Finding]:
    """What the original prints is printed in training too; the assistant's words are trained, those of others never.

    This holds too where the original cannot keep text in place (it prints a later message in front of earlier turns, or
    merges answers that follow each other): a training template may decline such a conversation, never print part of it.
    """
    if trial.training is None:
        return
    text, trained = trial.training.text, trial.training.spans
    for message, said in trial.conversation.said:
        own = message["role"] == "assistant"
        for word in said:
            at = text.find(word)
            if at < 0 and word in trial.original.text:
                yield trial.finding("nothing-lost", f"{word!r} is lost", None, trial.original.text, text, EXPECTED)
                return
            if at >= 0 and own != any(start <= at and at + len(word) <= end for start, end in trained):
                what = "is not trained" if own else "is trained"
                yield trial.finding(
                    "nothing-lost",
                    f"{word!r} of the {message['role']} {what}",
                    None,
                    text,
                    word,
                    ("printed", "this word"),
                )
                return
