"""What became of each template of a source: a patch, or the reason why there is none."""

from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

import trainplate
from trainplate.cli.terminal import errors, tell, width_of
from trainplate.errors import LimitExceeded, Refusal, SyntaxFault, TrainplateError
from trainplate.loading.source import load
from trainplate.patching.patch import Patch
from trainplate.reports.messages import block, fault_text, refusal_text
from trainplate.template import Template

SIMPLIFY = "make its loops end, and what it prints smaller"


@dataclass(frozen=True)
class Outcome:
    """A template with its patch, or with the error that stands for it."""

    template: Template
    patch: Patch | None = None
    error: TrainplateError | None = None


def patched(source: str | Path) -> tuple[Outcome, ...]:
    """Patch each template of a source; where one cannot be patched, say why and go on with the next."""
    outcomes = tuple(outcome_of(template) for template in load(source))
    for outcome in outcomes:
        if outcome.error is not None:
            explain_error(outcome.template, outcome.error)
    return outcomes


def outcome_of(template: Template) -> Outcome:
    """Patch one template and keep what came of it."""
    try:
        patch = trainplate.patch(template)
    except (Refusal, SyntaxFault, LimitExceeded) as error:
        return Outcome(template, error=error)
    return Outcome(template, patch)


def explain_error(template: Template, error: TrainplateError) -> None:
    """Show why there is no training template, in the form of all messages."""
    console = errors()
    width = width_of(console)
    if isinstance(error, Refusal):
        text = refusal_text(template.name, error, width)
    elif isinstance(error, SyntaxFault):
        text = fault_text(template.name, error, template.source, width)
    else:
        text = block((template.name, str(error)), [("way out", Text(SIMPLIFY))], width)
    tell(console, text)


def exit_code(outcomes: tuple[Outcome, ...]) -> int:
    """Return 2 where a text is no template, 1 where one was refused, else 0."""
    errors_met = [outcome.error for outcome in outcomes if outcome.error is not None]
    if any(isinstance(error, SyntaxFault) for error in errors_met):
        return 2
    return 1 if errors_met else 0
