"""A model that never sees its stop token trained never stops."""

from collections.abc import Iterator

from trainplate.checks.endings import may_be_added
from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Pair, Trial
from trainplate.conversations import Message, text_of
from trainplate.verdict import Finding

ORIGINAL = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
ROLE = "{% if m.role == 'assistant' %}"
STOPS = (
    f"{ROLE}{{% generation %}}{{{{ m.content }}}}{{{{ eos_token }}}}{{% endgeneration %}}"
    "{% else %}{{ m.content }}{% endif %}"
)


ENDING = ("turn ends", "behind it")
UNTRAINED = ("turn ends", "trained")


@check(passes=Example(ORIGINAL, ORIGINAL.replace("{{ m.content }}", STOPS)), fails=Example(ORIGINAL, ORIGINAL))
def stop_trained(trial: Trial) -> Iterator[Finding]:
    """Each turn ends, inside its markers, with the token that the model must emit to stop.

    Where the original prints nothing behind an answer, that is EOS or the start of what it prints next.
    """
    if trial.training is None:
        return
    for pair in trial.told:
        text = (pair.training.text or "").rstrip()
        ending = bare_end(pair, pair.original.text or "")
        if ending is not None and not ending.strip():
            stop = bare_end(pair, text) or ""
            if not stop.strip() or not may_be_added(stop, pair, trial):
                yield trial.finding("stop-trained", "nothing says that the turn is over", pair, text[-60:], "", ENDING)
                return
        if not pair.silent and not any(start < len(text) <= end for start, end in trial.training.spans):
            yield trial.finding("stop-trained", "the end of the turn is not trained", pair, text[-60:], "", UNTRAINED)
            return


def bare_end(pair: Pair, text: str) -> str | None:
    """Return what stands behind a plain answer; None where the turn ends in something else, or is not printed."""
    return plain_end(pair.message, text)


def plain_end(message: Message, text: str) -> str | None:
    """Return what stands behind the content of an assistant's message without tool calls."""
    content = text_of(message.get("content")).strip()
    last = content.rpartition("\n")[2].strip()
    if not last or message.get("tool_calls") or last not in text:
        return None
    return text[text.rfind(last) + len(last) :]
