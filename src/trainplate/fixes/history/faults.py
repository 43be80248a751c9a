"""What an edit for the sake of history may not change: first prompts, turns, and the text between them."""

from collections.abc import Iterator

from trainplate.conversations import words
from trainplate.fixes.history.stages import Growth, Teller, first_break

LONGEST_ENDING = 200
"""What is shed may be this long: a generation prompt or a document's end, never a message."""


def is_sound(original: Teller, candidate: Teller, growth: Growth) -> bool:
    """Say whether a candidate keeps the history of a growth in place, and says what the original says."""
    return first_break(candidate, growth) is None and next(faults(original, candidate, growth), None) is None


def faults(original: Teller, candidate: Teller, growth: Growth) -> Iterator[str]:
    """Yield what a candidate says otherwise than the original."""
    before: str | None = None
    for number, (ask, answer) in enumerate(growth.stages):
        theirs = [original.say(growth, stage) for stage in (ask, answer)]
        ours = [candidate.say(growth, stage) for stage in (ask, answer)]
        for stage, told, retold in zip((ask, answer), theirs, ours, strict=True):
            if told is not None and retold is None:
                yield f"declines {stage}"
        if None in theirs or None in ours:
            before = ours[1].text if ours[1] else None
            continue
        prompt, turn = (told.text for told in theirs if told)
        new_prompt, new_turn = (told.text for told in ours if told)
        if number == 0 and new_prompt != prompt:
            yield "another prompt"
        if number == 0 and not same_but_ending(turn, new_turn):
            yield "another turn"
        if turn.startswith(prompt) and not (
            new_turn.startswith(new_prompt) and same_but_ending(turn[len(prompt) :], new_turn[len(new_prompt) :])
        ):
            yield "another answer"
        if before is not None and new_prompt.startswith(before) and not prompt.endswith(new_prompt[len(before) :]):
            yield "another text between turns"
        before = new_turn


def same_but_ending(original: str, candidate: str) -> bool:
    """Say whether two texts are the same, save for an ending that was shed."""
    if original == candidate:
        return True
    ending = original[len(candidate.rstrip()) :]
    shed = original.startswith(candidate.rstrip()) and len(ending) <= LONGEST_ENDING
    return shed and not words(ending)
