"""Several audits as one report: what was found for each source, and what could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass

from trainplate.auditing import Audit, Place, Severity
from trainplate.template import Template


@dataclass(frozen=True)
class Unread:
    """A source that could not be audited, and the message that says why."""

    source: str
    message: str
    template: Template | None = None
    """The one that cannot be audited, where the source could be read."""
    place: Place | None = None
    """Where it stops being a template."""


@dataclass(frozen=True)
class Collection:
    """Audits in the order in which their sources were named."""

    audits: tuple[Audit, ...]
    unread: tuple[Unread, ...] = ()

    def counted(self, severity: Severity) -> int:
        """Return the number of problems of one severity in all audits, ignored ones left out."""
        return sum(audit.counted(severity) for audit in self.audits)


def title_of(audit: Audit) -> str:
    """Return what a report calls a template: the source, and the variant where there are several."""
    return f"{audit.source} [{audit.template.variant}]" if audit.template.variant else audit.source


def counts(audits: Collection | Audit) -> str:
    """Say how many problems there are of each severity: `2 errors, 1 warning`."""
    return ", ".join(counted_severities(audits)) or "nothing found"


def counted_severities(audits: Collection | Audit) -> Iterator[str]:
    """Yield the number and name of each severity that occurs."""
    for severity in Severity:
        if count := audits.counted(severity):
            yield f"{count} {severity.value}{'' if count == 1 else 's'}"
