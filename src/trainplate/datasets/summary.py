"""What became of a data set: counted, added up over batches, and told in a table."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from trainplate.datasets.problems import MEANINGS, Problem

EXAMPLES = 3
"""How many rows are named for each kind of problem."""


@dataclass
class Summary:
    """Counts of one batch or of a whole data set."""

    rows: int = 0
    """Conversations that were given."""
    kept: int = 0
    """Rows that came out."""
    tokens: int = 0
    trained: int = 0
    merged_with_prompt: int = 0
    torn_at_end: int = 0
    by_offsets: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """How many rows came out with so many tokens."""
    problems: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    """How many of the rows with a problem were dropped for it."""
    examples: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    normalised: Counter[str] = field(default_factory=Counter)
    encoder: str = ""

    def note(self, row: int, problem: Problem, *, dropped: bool) -> None:
        """Count a problem, and keep the first of its kind as examples."""
        self.problems[problem.kind] += 1
        self.dropped[problem.kind] += dropped
        shown = self.examples.setdefault(problem.kind, [])
        if len(shown) < EXAMPLES:
            shown.append((row, problem.detail))

    def add(self, other: "Summary") -> None:
        """Add the counts of another batch."""
        for name in ("rows", "kept", "tokens", "trained", "merged_with_prompt", "torn_at_end", "by_offsets"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("lengths", "problems", "dropped", "normalised"):
            getattr(self, name).update(getattr(other, name))
        for kind, shown in other.examples.items():
            own = self.examples.setdefault(kind, [])
            own += shown[: EXAMPLES - len(own)]
        self.encoder = other.encoder or self.encoder

    @property
    def lost(self) -> int:
        """Rows that were dropped."""
        return sum(self.dropped.values())

    def length_at(self, share: float) -> int:
        """Return the length that this share of the rows does not exceed."""
        wanted, seen = share * self.lengths.total(), 0
        for length in sorted(self.lengths):
            seen += self.lengths[length]
            if seen >= wanted:
                return length
        return 0

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(vars(self), ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> "Summary":
        """Read what `to_json` wrote."""
        values = json.loads(text)
        for name in ("problems", "dropped", "normalised"):
            values[name] = Counter(values[name])
        values["lengths"] = Counter({int(length): count for length, count in values["lengths"].items()})
        values["examples"] = {kind: [(row, said) for row, said in shown] for kind, shown in values["examples"].items()}
        return Summary(**values)

    def __str__(self) -> str:
        return "\n".join(f"{label:<20}{text}" for label, text in self.lines())

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the table, line by line, as label and text."""
        yield "rows", f"{self.kept:,} of {self.rows:,}"
        yield "tokens", f"{self.tokens:,}, of which {self.trained:,} are trained ({self.share:.1%})"
        if self.lengths:
            middle, most = self.length_at(0.5), self.length_at(0.95)
            yield (
                "lengths",
                f"{min(self.lengths):,} to {max(self.lengths):,}, half up to {middle:,}, 95 % up to {most:,}",
            )
        if self.merged_with_prompt or self.torn_at_end:
            torn = f"{self.merged_with_prompt:,} tokens merge with the prompt, {self.torn_at_end:,} with what follows"
            yield "edges", f"{torn}; they are trained"
        for change, count in self.normalised.items():
            yield "changed", f"{change}: {count:,}"
        yield from self.problem_lines()
        if self.encoder:
            yield "encoded by", self.encoder

    def problem_lines(self) -> Iterator[tuple[str, str]]:
        """Yield each kind of problem with the first rows that have it."""
        for kind, count in self.problems.items():
            done = f"{self.dropped[kind]:,} dropped" if self.dropped[kind] else "kept"
            yield kind, f"{count:,} of {self.rows:,} rows {MEANINGS[kind]} ({done})"
            for row, detail in self.examples.get(kind, []):
                yield "", f"row {row}: {' '.join(detail.split())[:160]}"

    @property
    def share(self) -> float:
        """The share of tokens that is trained."""
        return self.trained / self.tokens if self.tokens else 0.0
