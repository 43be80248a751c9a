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


@dataclass(frozen=True)
class Known:
    """The name that holds the answer where the expression stands, and what every answer begins with."""

    name: str
    start: str = ""

    def starts(self, text: str) -> str | None:
        """Return the condition that the answer starts with a text; None where it always does."""
        return None if self.start.startswith(text) else f"{self.name}.startswith({write_literal(text)})"


def prefill_of(draft: Draft, position: int, answers: Sequence[Answer], known: Known) -> str | None:
    """Return an expression, to stand at a position, for what the prompt supplies of an answer, or None."""
    fixed = fitting_texts(answers)
    if fixed is not None:
        return chosen(fixed, known)
    for test in tests_of(draft, answers):
        held = truths(draft, test, position, [answer.sample for answer in answers])
        if None not in held and len(set(held)) == 2:
            given = [
                [answer for answer, result in zip(answers, held, strict=True) if result is side]
                for side in (True, False)
            ]
            one, other = map(fitting_texts, given)
            if one and other is not None:
                return either(test, one, other, known)
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


def either(test: str, one: Texts, other: Texts, known: Known) -> str:
    """Write an expression for the prefill under a condition, and otherwise."""
    if len(one) == 1 and not other:
        return f"{write_literal(one[0])} if {all_of(filter(None, [test, known.starts(one[0])]))} else ''"
    first = chosen(one, known)
    return f"{f'({first})' if ' if ' in first else first} if {test} else {chosen(other, known)}"


def chosen(texts: Texts, known: Known) -> str:
    """Write an expression for the first of the texts that the answer starts with."""
    if not texts:
        return "''"
    text, starts = write_literal(texts[0]), known.starts(texts[0])
    return text if starts is None else f"{text} if {starts} else {chosen(texts[1:], known)}"
