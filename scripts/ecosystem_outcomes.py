"""What the project makes of one file of a folder of templates."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from template_folder import read

import trainplate
from trainplate.errors import Refusal, TrainplateError
from trainplate.rendering import Limits
from trainplate.template import Template

BETTER_TO_WORSE = ("ready", "structure", "suite", "skipped", "refused", "crashed")
REPLAY = "replay"
"""The fix that renders the original inside a macro; all others edit it where it stands."""


@dataclass(frozen=True)
class Outcome:
    """What became of one template, in plain values that can be kept as JSON."""

    name: str
    verdict: str
    """One of `BETTER_TO_WORSE`; `structure` and `suite` are the two kinds of proof."""
    seconds: float = 0.0
    fixes: tuple[str, ...] = ()
    check: str = ""
    """The check in the way of a template that is refused."""
    reason: str = ""
    """What is said of a template that is refused, crashed or skipped."""

    @property
    def replayed(self) -> bool:
        """Whether the original had to be replayed."""
        return REPLAY in self.fixes

    @property
    def told(self) -> str:
        """What a run says of the template; two runs that say the same did the same."""
        if self.verdict in ("structure", "suite"):
            return f"proven by {self.verdict} ({', '.join(self.fixes)})"
        return f"{self.verdict} ({self.check or self.reason})" if self.check or self.reason else self.verdict

    def as_dict(self) -> dict[str, Any]:
        """Return the plain values."""
        return asdict(self)


def outcomes_of(path: Path, *, seconds: float) -> list[Outcome]:
    """Return one outcome for each template of a file, or that it cannot be read."""
    try:
        templates = list(read(path))
    except TrainplateError as error:
        return [Outcome(path.stem, "skipped", reason=first_line(error))]
    return [outcome_of(template, seconds) for template in templates]


def outcome_of(template: Template, seconds: float) -> Outcome:
    """Patch one template, and time it."""
    start = time.perf_counter()
    try:
        patch = trainplate.patch(template, limits=Limits(seconds=seconds))
    except Refusal as refusal:
        return Outcome(template.name, "refused", since(start), (), refusal.check, first_line(refusal))
    except TrainplateError as error:
        return Outcome(template.name, "skipped", since(start), reason=first_line(error))
    except Exception as error:
        return Outcome(template.name, "crashed", since(start), reason=f"{type(error).__name__}: {first_line(error)}")
    return Outcome(template.name, patch.proof if patch.edits else "ready", since(start), tuple(fixes_of(patch)))


def fixes_of(patch: trainplate.Patch) -> Iterator[str]:
    """Yield the fixes that led to a patch, each once."""
    yield from dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", ") if fix)


def since(start: float) -> float:
    """Return the seconds gone, in milliseconds' precision."""
    return round(time.perf_counter() - start, 3)


def first_line(error: Exception) -> str:
    """Return as much of an error as fits in a line."""
    return next(iter(str(error).splitlines()), "")[:300]
