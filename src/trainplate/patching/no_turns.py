"""Originals that have no turns to train: they print no plain conversation, or quote the answers of one in a prompt."""

from trainplate.checks.stop_trained import plain_end
from trainplate.errors import Refusal
from trainplate.patching.bench import Bench

LONGEST_END = 60
"""What stands behind a plain answer is longer than this only where the answer is quoted."""


def silence(bench: Bench) -> str:
    """Say that a template prints no plain conversation, with its own words where it has any."""
    said = f"; it says: {bench.declined}" if bench.declined else ""
    return f"the template prints no plain conversation of a question and an answer{said}"


def quoted_answer(bench: Bench) -> Refusal | None:
    """Return the refusal of a template that quotes answers in a prompt, as guards and reward models do, else None."""
    one = next((one for one in bench.heard if one.conversation.name == "one-turn"), None)
    turn = one.telling.turns[0] if one is not None else None
    if one is None or turn is None or not turn.told or turn.continues:
        return None
    behind = plain_end(one.heard.messages[turn.index], turn.text or "")
    if behind is None or len(behind) <= LONGEST_END:
        return None
    return Refusal(
        "the template quotes answers inside a prompt, as guards do: there is no turn to train",
        check="prompt-then-turn",
        conversation="one-turn",
        before=turn.prompt or "",
        after=turn.text or "",
    )
