"""Every error a user can meet: what was expected, what was found, where, and the way out."""

from functools import partial
from typing import Any


class TrainplateError(Exception):
    """Anything this project raises on purpose; its text is one message a person can act on."""


class LoadingError(TrainplateError):
    """Raised where no chat template can be read from what the user named."""


class SyntaxFault(TrainplateError):
    """Raised where a text is no template: `name`, `line` and `column` (from 1) say where it stops being one."""

    def __init__(self, message: str, *, name: str = "<template>", line: int = 1, column: int = 1) -> None:
        super().__init__(f"{name}:{line}:{column}: {message}")
        self.message, self.name, self.line, self.column = message, name, line, column

    def in_file(self, name: str) -> "SyntaxFault":
        """Return the same fault under the name of the file it was found in."""
        return SyntaxFault(self.message, name=name, line=self.line, column=self.column)


def too_deep(name: str) -> SyntaxFault:
    """Return the fault of a template that Python, which calls itself for each level of it, cannot follow."""
    return SyntaxFault("the template is nested too deeply", name=name)


class Declined(TrainplateError):
    """Raised where a template itself refuses a conversation; that is an answer, not a failure."""

    deliberate: bool = False
    """Whether the template called `raise_exception`, rather than ran into an error of Jinja or Python."""
    line: int | None = None
    """The line of the template from which the error came, where it is known."""


class LimitExceeded(TrainplateError):
    """Raised where a template takes more time or writes more text than it is allowed."""

    conversation: str = ""
    """The conversation in which it did, as in `two-turns[:3]`; empty where none was being told."""
    step: str = ""
    """What was being done instead, as in `it was being compiled`."""

    def __str__(self) -> str:
        """Say what was too much, and in which step where no conversation is named for it."""
        said = super().__str__()
        return f"{said}; {self.step}" if self.step and not self.conversation else said

    def during(self, conversation: str) -> "LimitExceeded":
        """Return the same error under the name of the conversation, unless it says already when it happened."""
        if not self.step:
            self.conversation = self.conversation or conversation
        return self

    def amid(self, step: str) -> "LimitExceeded":
        """Return the same error with what was being done, unless it says already when it happened."""
        self.step = self.step or step
        return self


class Refusal(TrainplateError):
    """Raised where no training template can be proven.

    `check` is the law that stands in the way, `conversation` the name of the witness, empty where none was told,
    `before` and `after` the two texts that should agree: what the original says, and what the best attempt says;
    `labels` name them otherwise where a check compares other texts.
    """

    def __init__(
        self,
        reason: str,
        *,
        check: str,
        conversation: str,
        before: str = "",
        after: str = "",
        labels: tuple[str, str] = ("before", "after"),
    ) -> None:
        super().__init__(f"{check}: {reason}" + (f" (conversation: {conversation})" if conversation else ""))
        self.reason, self.check, self.conversation = reason, check, conversation
        self.before, self.after, self.labels = before, after, labels

    @classmethod
    def of_limit(cls, exceeded: LimitExceeded) -> "Refusal":
        """Return the refusal of a template that takes too much, with the conversation in which it did, if any."""
        return cls(str(exceeded), check="renders", conversation=exceeded.conversation)

    def saying(self, more: str) -> "Refusal":
        """Return the same refusal with more words to its reason."""
        return Refusal(**{**vars(self), "reason": f"{self.reason}, and {more}"})

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a refusal travel between processes whole."""
        return partial(Refusal, **vars(self)), ()
