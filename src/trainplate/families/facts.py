"""The facts about one family of chat templates, as `chat_templates/<family>.toml` states them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from trainplate.errors import TrainplateError

NOTHING: Mapping[str, Any] = MappingProxyType({})


class FactError(TrainplateError):
    """Raised where a file of facts is not as it must be: the file, the place in it, and what is expected there."""


@dataclass(frozen=True)
class Original:
    """One published revision; facts only, never the publisher's text."""

    revision: str
    sha256: str
    """Of its bytes in UTF-8."""
    normal_form: str
    """SHA-256 of its normal form."""
    source: str
    """A checkpoint that ships it, or where else it was read."""
    alike: tuple[str, ...] = ()
    """Other known originals that say the same to every conversation, as `family revision`."""


@dataclass(frozen=True)
class Prefill:
    """What the generation prompt says beyond the turn opener."""

    text: str
    when: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    """The options that ask for it; none for what is said by default."""
    revisions: tuple[str, ...] = ()
    """The revisions that say it; none for all."""


@dataclass(frozen=True)
class Turn:
    """How an assistant's turn is announced and ended."""

    opens: str
    stops: tuple[str, ...]
    """The tokens that the model emits to end a turn."""
    prefills: tuple[Prefill, ...] = ()


@dataclass(frozen=True)
class ExpectedDeviation:
    """A difference from the original's text that the training template is known to need."""

    reason: str
    """As a patch states it."""
    because: str
    conversations: tuple[str, ...] = ()
    """Names of conversations that show it."""


@dataclass(frozen=True)
class SecondOpinion:
    """What the training template that another project made by hand breaks of the contract."""

    template: str
    """Its name in the package `trl`."""
    breaks: tuple[str, ...] = ()
    """Names of checks; none where it keeps them all."""
    says: str = ""
    """The same in words."""


@dataclass(frozen=True)
class Family:
    """Everything that is known of one family."""

    family: str
    """The name of its file."""
    name: str
    """As people call it."""
    models: tuple[str, ...]
    originals: tuple[Original, ...] = ()
    """None where the publisher's template was not seen yet."""
    note: str = ""
    tokens: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Special tokens of its checkpoints, where the templates print them."""
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: NOTHING)
    """Options that some revision reads, with the values that it tests for."""
    turn: Turn | None = None
    fixes: tuple[str, ...] = ()
    """Names of the fixes that the engine must find, for one revision or another."""
    deviations: tuple[ExpectedDeviation, ...] = ()
    second_opinion: SecondOpinion | None = None

    def original(self, revision: str) -> Original:
        """Return the original of that revision; raises KeyError."""
        return {original.revision: original for original in self.originals}[revision]
