"""The value of this package: a chat format as data, from which a training template is compiled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from trainplate.errors import TrainplateError
from trainplate.formats.parts import Part

VERSION = 2
"""The version of the form in which formats are written; older ones are migrated when they are read."""
NOTHING: Mapping[str, str] = MappingProxyType({})


class FormatError(TrainplateError):
    """Raised where a file is no format: names the file and the key, what was expected there and the way out."""


@dataclass(frozen=True)
class Format:
    """What is printed around each kind of message; a part that is missing says that its message is declined."""

    name: str
    user: Part
    assistant: Part
    """Its content is reasoning, text and calls together; it ends with one of `stops`."""
    stops: tuple[str, ...]
    """What the model emits to end its turn."""
    note: str = ""
    start: Part | None = None
    """Printed once before all: where BOS goes."""
    separator: str = ""
    """Printed between messages, and before the assistant is asked to speak."""
    system: Part | None = None
    tool: Part | None = None
    """A tool's result; its name is the tool's."""
    reasoning: Part | None = None
    call: Part | None = None
    """One tool call; its content are the arguments, as JSON."""
    calls: Part | None = None
    """Around all calls of a turn."""
    call_separator: str = ""
    before_calls: str = ""
    """Printed between text and the calls behind it."""
    tools: Part | None = None
    """The definitions of tools, as JSON; inside the system message where `tools_in` says so."""
    tools_in: str = "system"
    tool_separator: str = "\n"
    before_tools: str = "\n\n"
    """Printed between the system message's own text and the definitions of tools."""
    special_tokens: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Tokens that the tokenizer must have, by the name under which it keeps them."""
    added_tokens: tuple[str, ...] = ()
    """Texts that must each be one token of their own."""

    @property
    def opener(self) -> str:
        """Return what announces a turn of the assistant: the generation prompt."""
        return self.assistant.before

    @property
    def template(self) -> str:
        """Return the chat template: a training template by construction."""
        from trainplate.formats.compilation import compiled

        return compiled(self)
