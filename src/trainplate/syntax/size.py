"""How large a template may be: reading one cannot be stopped half-way, so that its size is looked at first."""

from trainplate.errors import LimitExceeded

MOST_CHARACTERS = 8_000_000
"""The longest of a thousand published templates has less than 30,000."""
MOST_WORDS = 50_000
"""Names, constants and signs in tags; the most that a published template has are about 5,000."""


def check_characters(source: str) -> None:
    """Refuse a source of more characters than any template has."""
    if len(source) > MOST_CHARACTERS:
        raise LimitExceeded(f"the template has more than {MOST_CHARACTERS:,} characters")


def check_words(words: int) -> None:
    """Refuse a source of more words than can be read in a few seconds."""
    if words > MOST_WORDS:
        raise LimitExceeded(f"the template has more than {MOST_WORDS:,} words in its tags")
