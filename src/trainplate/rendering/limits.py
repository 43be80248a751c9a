"""How much time and text a template may take, enforced without signals and on any thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

from trainplate.errors import LimitExceeded

TICKS_PER_CHECK = 64
"""Loop turns between two looks at the clock: a turn is far cheaper than a look."""


@dataclass(frozen=True)
class Limits:
    """The most that rendering may take: seconds of time, and characters of text in one piece."""

    seconds: float = 10.0
    characters: int = 64_000_000


DEFAULT_LIMITS = Limits()


class Budget:
    """Time that many renders share: it starts to run when it is made."""

    __slots__ = ("deadline", "limits")

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self.deadline = monotonic() + limits.seconds


_shared: ContextVar[Budget | None] = ContextVar("shared_budget", default=None)


@contextmanager
def budget(limits: Limits = DEFAULT_LIMITS) -> Iterator[Budget]:
    """Let everything rendered inside share one budget, in place of one for each render."""
    shared = Budget(limits)
    token = _shared.set(shared)
    try:
        yield shared
    finally:
        _shared.reset(token)


def current_budget(limits: Limits) -> Budget:
    """Return the budget that is being shared, or else a new one."""
    return _shared.get() or Budget(limits)


class Meter:
    """What one render has used of its budget."""

    __slots__ = ("budget", "left", "written")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.left = TICKS_PER_CHECK
        self.written = 0

    def tick(self) -> None:
        """Count one loop turn or macro call, and stop the render when its time is over."""
        self.left -= 1
        if self.left < 0:
            self.left = TICKS_PER_CHECK
            self.check_time()

    def check_time(self) -> None:
        """Stop the render when its time is over."""
        if monotonic() > self.budget.deadline:
            raise LimitExceeded(f"the template takes longer than {self.budget.limits.seconds:g} seconds")

    def check_size(self, size: int) -> None:
        """Stop the render when a text is larger than it may be."""
        if size > self.budget.limits.characters:
            raise LimitExceeded(f"the template writes more than {self.budget.limits.characters:,} characters")
