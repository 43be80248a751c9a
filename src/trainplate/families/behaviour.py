"""What a template says to the recognition set, as one short hash per question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from trainplate.errors import Declined, LimitExceeded
from trainplate.families.pieces import hashed
from trainplate.families.recognition import Question, Recognition, recognition
from trainplate.rendering import CompiledTemplate, compile_template

ANSWER_DIGITS = 6
DECLINED = "-" * ANSWER_DIGITS
"""The answer of a template that declines a question, for whatever reason."""


@dataclass
class Behaviour:
    """The answers of one template, each asked for when it is first needed."""

    template: CompiledTemplate
    source: str
    asked: Recognition
    _known: dict[int, str] = field(default_factory=dict, repr=False)

    def answer(self, index: int) -> str:
        """Return the answer to one question as a hash."""
        if index not in self._known:
            self._known[index] = self._ask(index)
        return self._known[index]

    def fingerprint(self) -> str:
        """Return the answers to all questions, joined."""
        return "".join(self.answer(index) for index in range(len(self.asked.questions)))

    def agrees(self, fingerprint: str) -> bool:
        """Say whether every answer is that of a fingerprint; the first that differs ends the asking."""
        answers = answers_in(fingerprint)
        return len(answers) == len(self.asked.questions) and all(
            self.answer(index) == answer for index, answer in enumerate(answers)
        )

    def _ask(self, index: int) -> str:
        question = self.asked.questions[index]
        same = self._without_unread_options(question)
        if same is not None:
            return self.answer(same)
        told = question.conversation
        try:
            text = self.template.render(
                told.messages, told.tools, add_generation_prompt=question.prompt, **told.options
            )
        except (Declined, LimitExceeded):
            return DECLINED
        return hashed(text, ANSWER_DIGITS)

    def _without_unread_options(self, question: Question) -> int | None:
        """The question that comes to the same, where the template never names the options of this one."""
        options = question.conversation.options
        if not options or any(re.search(rf"\b{name}\b", self.source) for name in options):
            return None
        wanted = question.conversation.name, question.prompt
        return next(
            number
            for number, other in enumerate(self.asked.questions)
            if not other.conversation.options and (other.conversation.name, other.prompt) == wanted
        )


def behaviour_of(source: str) -> Behaviour:
    """Compile a template to be asked; raises SyntaxFault, and LimitExceeded where compiling alone takes too long."""
    asked = recognition()
    template = compile_template(source, special_tokens=asked.special_tokens, clock=asked.clock)
    return Behaviour(template, source, asked)


def answers_in(fingerprint: str) -> Sequence[str]:
    """Return the answers that a fingerprint is made of."""
    return [fingerprint[at : at + ANSWER_DIGITS] for at in range(0, len(fingerprint), ANSWER_DIGITS)]
