"""What a check demands, in its own words, wherever it is kept."""

from trainplate.checks import all_checks


def documentation_of(check: str) -> str:
    """Return a check's documentation, whose first line is a sentence; an empty text where none of that name is known."""
    known = all_checks().get(check)
    return known.documentation.strip() if known else ""
