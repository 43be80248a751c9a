"""What a check demands, in its own words, wherever it is kept."""

from trainplate.auditing.registry import all_audit_checks
from trainplate.checks import all_checks


def documentation_of(check: str) -> str:
    """Return a check's documentation, whose first line is a sentence; an empty text where no check is called so."""
    known = all_checks().get(check) or all_audit_checks().get(check)
    return known.documentation.strip() if known else ""


def check_names() -> tuple[str, ...]:
    """Return the names of all checks, the contract's first."""
    return (*all_checks(), *all_audit_checks())
