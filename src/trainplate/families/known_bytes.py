"""Whether a template can be a known one, told without loading what else is known of those."""

from functools import cache
from hashlib import sha256

from trainplate.families.location import FINGERPRINTS, PATCHES, chat_templates_folder


def digest(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def may_be_known(source: str) -> bool:
    """Say whether a source may be a known original byte for byte; most are none, and need nothing else to be loaded."""
    return digest(source) in fingerprints()


def may_be_recorded(training: str) -> bool:
    """Say whether a source may be the training template that is recorded of some known original."""
    wanted = digest(training)
    return any(wanted in path.read_text(encoding="utf-8") for path in chat_templates_folder().glob(f"*{PATCHES}"))


@cache
def fingerprints() -> str:
    """Return the text of the file in which the digest of every known original stands."""
    return (chat_templates_folder() / FINGERPRINTS).read_text(encoding="utf-8")
