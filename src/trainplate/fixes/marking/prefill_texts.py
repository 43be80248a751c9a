"""Finds an expression for what the prompt supplies of an answer: one of few texts that the answer starts with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainplate.fixes.marking.conditions import all_of, option_tests, truths
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.literals import write_literal
from trainplate.fixes.marking.sample import Sample

LONGEST = 80
Texts = tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """A text printed in an assistant turn, of whose beginning the prompt supplies from `low` to `high` characters."""

    sample: Sample
    text: str
    low: int
    high: int


def prefill_of(draft: Draft, position: int, answers: Sequence[Answer], certain: str) -> str | None:
    """Return an expression for what the prompt supplies of `answer`, to stand at a position; None where there is none.

    `certain` is what every answer is known to begin with.
    """
    fixed = fitting_texts(answers)
    if fixed is not None:
        return chosen(fixed, certain)
    for test in tests_of(draft, answers):
        held = truths(draft, test, position, [answer.sample for answer in answers])
        if None not in held and len(set(held)) == 2:
            given = [
                [answer for answer, result in zip(answers, held, strict=True) if result is side]
                for side in (True, False)
            ]
            one, other = map(fitting_texts, given)
            if one and other is not None:
                return either(test, one, other, certain)
    return None


def tests_of(draft: Draft, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the template's conditions on the options that the answers were given under."""
    for option in sorted({option for answer in answers for option in answer.sample.options}):
        yield from option_tests(draft, option)


def fitting_texts(answers: Sequence[Answer]) -> Texts | None:
    """Return texts, longest first, the first fitting of which is what the prompt supplies; None if none are right."""
    texts = sorted({answer.text[: answer.low] for answer in answers if answer.low}, key=len, reverse=True)
    if not fit(texts, answers) or any(len(text) > LONGEST for text in texts):
        return None
    for text in tuple(texts):
        fewer = [other for other in texts if other != text]
        texts = fewer if fit(fewer, answers) else texts
    return tuple(texts)


def fit(texts: Sequence[str], answers: Sequence[Answer]) -> bool:
    """Say whether the first fitting of some texts is what the prompt supplies of every answer."""
    return all(
        answer.low <= len(next((text for text in texts if answer.text.startswith(text)), "")) <= answer.high
        for answer in answers
    )


def either(test: str, one: Texts, other: Texts, certain: str) -> str:
    """Write an expression for the prefill under a condition, and otherwise."""
    if len(one) == 1 and not other:
        starts = [] if certain.startswith(one[0]) else [f"answer.startswith({write_literal(one[0])})"]
        return f"{write_literal(one[0])} if {all_of([test, *starts])} else ''"
    first = chosen(one, certain)
    return f"{f'({first})' if ' if ' in first else first} if {test} else {chosen(other, certain)}"


def chosen(texts: Texts, certain: str) -> str:
    """Write an expression for the first of the texts that `answer` starts with."""
    if not texts:
        return "''"
    text = write_literal(texts[0])
    rest = "" if certain.startswith(texts[0]) else f" if answer.startswith({text}) else {chosen(texts[1:], certain)}"
    return text + rest
