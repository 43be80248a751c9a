"""What has to be measured before an original can be replayed, since a template cannot find it out for itself."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measurements:
    """How an original's prompts and turns end, and what it does to earlier turns."""

    unprompted: tuple[str, ...] = ()
    """Ends of prompts that finished turns contradict (`<think>\\n`), shortest first: the turn is printed without."""
    stop: str = ""
    """The stop token to add behind a turn that has none of its own."""
    stop_after_calls: str = ""
    """The same for a turn that ends in tool calls, where it differs."""
    shed: str = ""
    """What the original prints behind a turn only while nothing follows."""
    deaf: bool = False
    """Whether tool calls are not printed: behind such a turn nothing is shed, as results may be told like turns."""
    alone: bool = False
    """Whether tool calls stand alone: a content beside them is not printed, or printed behind their results."""
    opener: str | None = None
    """What announces a turn, for conversations that begin with one: the original may not render an empty prompt."""
    empty: bool = False
    """Whether a turn may add nothing to its prompt, so that there is nothing to mark."""
    shifts: bool = False
    """Whether a finished turn may have other text in front of its prompt's end: that end is then looked for."""
    merges: bool = False
    """Whether answers that follow each other become one turn: such a conversation is declined."""
    hoists: bool = False
    """Whether a later system message is printed in front of earlier turns: such a conversation is declined."""
    moved: bool = False
    """Whether the original rewrites earlier turns, so that the text between two turns has to be found by a sentinel."""
    ended: str | None = None
    """What the original ends a turn with once something follows, where it ends the last turn in another way."""

    @property
    def stop_token(self) -> str:
        """The expression for the stop token to add behind `message`."""
        if self.stop_after_calls not in ("", self.stop):
            return f"({quoted(self.stop_after_calls)} if message.tool_calls else {quoted(self.stop)})"
        return quoted(self.stop)


def quoted(text: str) -> str:
    """Write a text as a Jinja string."""
    for letter, written in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        text = text.replace(letter, written)
    return f"'{text}'"
