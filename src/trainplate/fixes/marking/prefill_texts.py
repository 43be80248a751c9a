"""Finds an expression for what the prompt supplies of an answer: one of few texts that the answer starts with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainplate.fixes.marking.conditions import all_of, option_tests, truths_of
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.literals import write_literal
from trainplate.fixes.marking.sample import Sample

LONGEST, DEEPEST = 80, 2
NOTHING = "''"
Texts = tuple[str, ...]
Held = Mapping[int, bool]
"""Whether a condition holds in a sample, by the sample's identity."""


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
    return (
        chosen(fixed, known) if fixed is not None else conditional(tests_of(draft, position, answers), answers, known)
    )


def conditional(tests: Mapping[str, Held], answers: Sequence[Answer], known: Known, depth: int = 1) -> str | None:
    """Return an expression that asks one condition, or else two, or None."""
    halves = {}
    for test, held in tests.items():
        given = [answer for answer in answers if held[id(answer.sample)]]
        rest = [answer for answer in answers if not held[id(answer.sample)]]
        if given and rest and (one := fitting_texts(given)) is not None:
            halves[test] = one, rest
    for test, (one, rest) in halves.items():
        if (other := fitting_texts(rest)) is not None:
            return either(test, one, chosen(other, known), known)
    for test, (one, rest) in halves.items() if depth < DEEPEST else ():
        if (below := conditional(tests, rest, known, depth + 1)) is not None:
            return either(test, one, below, known)
    return None


def tests_of(draft: Draft, position: int, answers: Sequence[Answer]) -> dict[str, Held]:
    """Return the template's conditions on the options that the answers were given under, and where they hold."""
    samples = list({id(answer.sample): answer.sample for answer in answers}.values())
    options = sorted({option for sample in samples for option in sample.options})
    tests = list(dict.fromkeys(test for option in options for test in option_tests(draft, option)))
    return {
        test: {id(sample): bool(result) for sample, result in zip(samples, held, strict=True)}
        for test, held in truths_of(draft, tests, position, samples).items()
        if None not in held and len(set(held)) > 1
    }


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


def either(test: str, one: Texts, other: str, known: Known) -> str:
    """Write an expression for the prefill under a condition, and otherwise."""
    if len(one) == 1 and other == NOTHING:
        return f"{write_literal(one[0])} if {all_of(filter(None, [test, known.starts(one[0])]))} else {NOTHING}"
    first = chosen(one, known)
    return f"{f'({first})' if ' if ' in first else first} if {test} else {other}"


def chosen(texts: Texts, known: Known) -> str:
    """Write an expression for the first of the texts that the answer starts with."""
    if not texts:
        return NOTHING
    text, starts = write_literal(texts[0]), known.starts(texts[0])
    return text if starts is None else f"{text} if {starts} else {chosen(texts[1:], known)}"
