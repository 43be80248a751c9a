"""Where nothing can be proven under some option, a training template says so instead of training on what it prints."""

from collections.abc import Iterable, Mapping
from typing import Any

from trainplate.fixes.candidate import Candidate
from trainplate.fixes.replaying.measurements import quoted

FIX = "decline-options"


def decline_options(source: str, unproven: Iterable[Mapping[str, Any]]) -> Candidate:
    """Return the source with a guard in front for each option value that it is not proven under."""
    guards = [guard(name, value) for options in unproven for name, value in options.items()]
    return Candidate("".join(guards) + source, FIX, "the original is another format under these options")


def guard(name: str, value: Any) -> str:
    """Write the test for one value of one option; only a value that is passed meets it, never the default."""
    written = quoted(value) if isinstance(value, str) else str(value).lower()
    message = f"Nothing is proven for {name}={value}: train without it."
    return (
        f"{{%- if {name} is defined and {name} == {written} %}}\n"
        f"    {{{{- raise_exception({quoted(message)}) }}}}\n"
        "{%- endif %}\n"
    )
