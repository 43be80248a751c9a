"""How much time and text a template may take, enforced without signals and on any thread.

Nothing watches from outside: the compiled code itself counts its loop turns and the size of what it makes, and looks
at the clock now and then. That costs a few microseconds a render, and it stops a template at a place of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from sys import getallocatedblocks
from time import monotonic
from typing import Any

from jinja2.utils import Namespace

from trainplate.errors import LimitExceeded

TICKS_PER_CHECK = 32
"""Loop turns between two looks at the clock: a turn is far cheaper than a look."""
SMALL = 65_536
"""Texts and lists up to this size are made too fast, and cost too little memory, to be counted one by one."""
CHURN = 8
"""How many times over a render may make the text that it may write: large texts and lists are counted as made."""
CHARACTERS_AN_ITEM = 16
"""What an item of a list takes in memory, about, beside its own characters."""
CHARACTERS_COPIED_A_SECOND = 2_000_000_000
"""About what Python copies in a second, to tell beforehand how long a costly method would take."""

CHARACTERS_AN_ENTRY = 96
"""What an entry of a dict or set takes."""
KEPT = 4
"""How many times over all renders under one budget may print what one may: their texts are kept and compared."""
WIDEST_CHARACTER = 4
"""One character beyond the first 65,536 of Unicode makes Python keep four bytes for each of its text."""
SECONDS_BETWEEN_LOOKS = 0.05
"""Most renders end before the first look at Python's own count of its objects, which takes some microseconds."""
MOST_BLOCKS = 6_000_000
"""Objects that may be made and kept while a budget lasts: some 500 MB of small ones."""

LEAVES = frozenset((str, int, bool, float, type(None)))
CONTAINERS = (list, tuple, dict, set, frozenset, Namespace)
SIZED = (str, bytes, list, tuple, dict, set, frozenset)


@dataclass(frozen=True)
class Limits:
    """The most that rendering may take: seconds of time, and characters of text at once."""

    seconds: float = 10.0
    characters: int = 64_000_000


DEFAULT_LIMITS = Limits()


class Budget:
    """The time that many renders share; it starts to run when it is made."""

    __slots__ = ("blocks", "deadline", "kept", "limits", "next_look")

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        now = monotonic()
        self.limits = limits
        self.deadline = now + limits.seconds
        self.next_look = now + SECONDS_BETWEEN_LOOKS
        self.blocks: int | None = None
        self.kept = 0

    def check_time(self, ahead: float = 0.0) -> None:
        """Raise `LimitExceeded` where the time is over, or will be in as many seconds."""
        now = monotonic()
        if now > self.next_look:
            self.look_at_memory(now)
        if now + ahead > self.deadline:
            unit = "second" if self.limits.seconds == 1 else "seconds"
            raise LimitExceeded(f"the template takes longer than {self.limits.seconds:g} {unit}")

    def keep(self, text: str) -> None:
        """Count a text that was printed, where it is large: hundreds of conversations may each print one."""
        if len(text) > SMALL:
            self.kept += len(text) * bytes_a_character(text)
            if self.kept > KEPT * self.limits.characters:
                most = KEPT * self.limits.characters
                raise LimitExceeded(f"the template makes more than {most:,} characters of text in all conversations")

    def look_at_memory(self, now: float) -> None:
        """Raise `LimitExceeded` where many small objects, none of which is counted, take all memory together."""
        self.next_look = now + SECONDS_BETWEEN_LOOKS
        blocks = getallocatedblocks()
        if self.blocks is None:
            self.blocks = blocks
        elif blocks - self.blocks > MOST_BLOCKS:
            raise LimitExceeded(f"the template makes more than {MOST_BLOCKS:,} objects")


_shared: ContextVar[Budget | None] = ContextVar("shared_budget", default=None)


@contextmanager
def budget(limits: Limits = DEFAULT_LIMITS) -> Iterator[Budget]:
    """Let everything rendered inside share one budget, in place of a new one for each render."""
    shared = Budget(limits)
    token = _shared.set(shared)
    try:
        yield shared
    finally:
        _shared.reset(token)


def current_budget(limits: Limits = DEFAULT_LIMITS) -> Budget:
    """Return the budget that is being shared, or else a new one."""
    return _shared.get() or Budget(limits)


class Meter:
    """What one render takes of its budget. The compiled code calls the methods, so the common case comes first."""

    __slots__ = ("budget", "left", "made", "most", "small", "written")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.most = budget.limits.characters
        self.small = min(SMALL, self.most)
        self.left = TICKS_PER_CHECK
        self.written = 0
        self.made = 0

    def tick(self) -> None:
        """Count a loop turn or a macro call, and stop where the time is over."""
        self.left -= 1
        if self.left < 0:
            self.left = TICKS_PER_CHECK
            self.check_made()
            self.budget.check_time()

    def check_size(self, size: float) -> None:
        """Stop before, or just after, a text or list of this size is made."""
        if size > self.most:
            raise LimitExceeded(f"the template makes more than {self.most:,} characters of text")

    def check_work(self, characters: float) -> None:
        """Stop before work that copies so many characters, where it would end after the deadline."""
        if characters > self.small:
            self.budget.check_time(characters / CHARACTERS_COPIED_A_SECOND)

    def counted(self, pieces: Iterable[str]) -> list[str]:
        """Collect what is written, piece by piece, and stop where it is too much."""
        written = []
        for piece in pieces:
            self.written += len(piece)
            if self.written > self.most:
                self.check_size(self.written)
            written.append(piece)
        return written

    def measured(self, pieces: Iterable[str]) -> list[str]:
        """Collect the pieces of a single text, and stop where it is too long or takes too long."""
        collected, size = [], 0
        for piece in pieces:
            size += len(piece)
            self.check_size(size)
            self.tick()
            collected.append(piece)
        return collected

    def charge(self, size: int, weight: int = 1) -> None:
        """Count a large text or list that was made; many of them take memory and time without being written."""
        self.check_size(size)
        self.made += size * weight
        self.check_made()
        self.budget.check_time()

    def check_made(self) -> None:
        """Stop where all that was made in this render, kept or not, is too much."""
        if self.made > CHURN * self.most:
            raise LimitExceeded(f"the template makes more than {CHURN * self.most:,} characters of text on its way")

    def grown(self, value: Any) -> Any:
        """Return a value that was just made, unless it or all that was made is too large."""
        if value.__class__ is str:
            size = len(value)
        elif isinstance(value, SIZED):
            size = extent(value)
        else:
            return value
        if size > self.small:
            self.charge(size, bytes_a_character(value))
        else:
            self.made += size
        return value

    def fresh(self, value: Any) -> Any:
        """Return what a call made, counted, and weighed where it is a container."""
        kind = value.__class__
        if kind in LEAVES and kind is not str:
            return value
        return self.weighed(self.grown(value))

    def weighed(self, value: Any) -> Any:
        """Return a value, unless it holds so much that to print, compare or hash it would never end.

        Twenty lists that each hold the one before twice are small in memory and a million items long in print.
        """
        if value.__class__ not in LEAVES and isinstance(value, CONTAINERS):
            self.weigh(value)
        return value

    def weigh(self, container: Any) -> int:
        """Add up the characters and items that a container would print, and stop as soon as that is too much."""
        weight = 0
        pending = [container]
        while pending:
            holder = pending.pop()
            self.tick()
            for item in contents(holder):
                kind = item.__class__
                if kind is str:
                    weight += len(item)
                elif kind not in LEAVES and isinstance(item, CONTAINERS):
                    pending.append(item)
            weight += 1 + (0 if isinstance(holder, Namespace) else len(holder))
            if weight > self.most:
                self.check_size(weight)
        return weight

    def text(self, value: Any) -> str:
        """Return what `{{ value }}` prints."""
        if value.__class__ is str:
            return value
        return str(self.weighed(value))

    def joined(self, values: Sequence[Any]) -> str:
        """Return what `a ~ b` makes."""
        return self.concat([value if value.__class__ is str else self.text(value) for value in values])

    def concat(self, parts: Sequence[str]) -> str:
        """Join texts, unless they are too large together."""
        size = sum(map(len, parts))
        if size <= self.small:
            self.made += size
            return "".join(parts)
        self.charge(size)
        return self.wide("".join(parts))

    def wide(self, text: str) -> str:
        """Return a text that is counted already, once more where its characters take more than a byte each."""
        self.made += len(text) * (bytes_a_character(text) - 1)
        return text


def bytes_a_character(value: Any) -> int:
    """Return how many bytes Python may keep for each character of a text."""
    return 1 if not isinstance(value, str) or value.isascii() else WIDEST_CHARACTER


def extent(value: Any) -> int:
    """Return the size of a text in characters, and of a list or dict in as many as its items take."""
    if isinstance(value, str | bytes):
        return len(value)
    return len(value) * (CHARACTERS_AN_ITEM if isinstance(value, list | tuple) else CHARACTERS_AN_ENTRY)


def contents(container: Any) -> Iterable[Any]:
    """Return all that a container prints: its items, or its keys and its values."""
    if isinstance(container, dict):
        return [*container, *container.values()]
    if isinstance(container, Namespace):
        return attributes(container).values()
    items: Iterable[Any] = container
    return items


def attributes(namespace: Namespace) -> dict[str, Any]:
    """Return what a namespace holds; Jinja keeps it under a private name."""
    held: dict[str, Any] = object.__getattribute__(namespace, "_Namespace__attrs")
    return held
