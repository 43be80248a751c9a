"""An audit as a value: the verdict on one template, and everything that leads to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trainplate.errors import Refusal
from trainplate.families.identification import Match
from trainplate.patching.patch import Patch
from trainplate.template import Template
from trainplate.verdict import AS_IT_GROWS, Labels, Verdict


class Trainable(StrEnum):
    """Whether a template can be trained on."""

    AS_IT_IS = "as it is"
    AFTER_PATCHING = "after patching"
    NOT = "not"


class Severity(StrEnum):
    """What a problem costs: a wrong training run, an unwelcome surprise, or nothing but knowing it."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Place:
    """Where in the template's source something stands: line and column count from 1."""

    line: int
    column: int
    expression: str = ""
    """The piece of source that wrote the text."""


@dataclass(frozen=True)
class Problem:
    """One finding of an audit: what is wrong, where, which conversation shows it, and what cures it."""

    check: str
    severity: Severity
    message: str
    cure: str
    """What to do about it, in one sentence or command."""
    place: Place | None = None
    conversation: str = ""
    """The conversation that shows it: `name`, or `name[:3]` where it is cut behind its third message."""
    before: str = ""
    after: str = ""
    labels: Labels = AS_IT_GROWS
    """What the two texts are, as reports call them."""
    conversations: int = 1
    """How many conversations show it."""
    ignored: str = ""
    """The reason given for not minding it; an ignored problem counts for nothing."""


@dataclass(frozen=True)
class Outcome:
    """What one check says: passed, failed, or not evaluated, and why not."""

    check: str
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True)
class Knob:
    """An option that the template reads, the values tried, and what each changes."""

    name: str
    values: tuple[str, ...]
    effect: str


@dataclass(frozen=True)
class Supports:
    """What can be said to a template; None where it could not be asked."""

    system: bool | None = None
    tools: bool | None = None
    several_calls: bool | None = None
    reasoning_field: bool | None = None
    content_parts: bool | None = None
    knobs: tuple[Knob, ...] = ()


@dataclass(frozen=True)
class Facts:
    """What a template prints around turns."""

    stop_tokens: tuple[str, ...] = ()
    turn_opener: str = ""
    prefill: str = ""
    """What the generation prompt prints beyond the opener, by default."""
    bos: str = ""
    """What every text begins with; `bos_token` where the template prints it and nothing tells what it is."""
    clock: bool = False
    """Whether it prints the date or time."""
    default_system_prompt: str = ""


@dataclass(frozen=True)
class Part:
    """A piece of a rendered conversation: `trained`, `supplied` or `prefilled`, with the tokens it is cut into."""

    kind: str
    text: str
    tokens: tuple[int, ...] = ()
    """Lengths in characters of the tokens that start in it; empty where no tokenizer is at hand."""


@dataclass(frozen=True)
class ShownConversation:
    """A conversation as the training template prints it; as the original does, all supplied, where there is none."""

    name: str
    parts: tuple[Part, ...]
    declined: str = ""


@dataclass(frozen=True)
class Audit:
    """The verdict on one template."""

    source: str
    """What the user named: a path, an id, `<tokenizer>`."""
    template: Template
    family: Match | None
    trainable: Trainable
    outcomes: tuple[Outcome, ...]
    """The contract's checks on the original first, then those beyond it."""
    problems: tuple[Problem, ...]
    supports: Supports = field(default_factory=Supports)
    facts: Facts = field(default_factory=Facts)
    patch: Patch | None = None
    refusal: Refusal | None = None
    """Why there is no training template."""
    conversations: tuple[ShownConversation, ...] = ()
    assumed_tokens: Mapping[str, str] = field(default_factory=dict)
    """Special tokens that the source does not tell, taken from what is known of the family."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long each step took."""

    def counted(self, severity: Severity) -> int:
        """Return the number of problems of one severity, ignored ones left out."""
        return sum(problem.severity is severity and not problem.ignored for problem in self.problems)
