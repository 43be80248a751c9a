"""Reads TOML into facts, and says of anything that does not belong there where it stands and what is expected."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from trainplate.families.facts import ExpectedDeviation, FactError, Family, Original, Prefill, SecondOpinion, Turn

Fact = TypeVar("Fact")
HASH_DIGITS = 64


@dataclass(frozen=True)
class Table:
    """A table of a TOML file, under the name that messages call it by."""

    place: str
    values: Mapping[str, Any]

    def only(self, *known: str) -> None:
        """Raise FactError where there is a field of another name."""
        for name in self.values:
            if name not in known:
                raise FactError(f"{self.place}: no field is called {name!r}; known are {', '.join(known)}")

    def text(self, name: str, default: str | None = None) -> str:
        """Return a field that holds text; without a default it may not be left out, nor be empty."""
        value = self.values.get(name, default)
        if not isinstance(value, str) or (default is None and not value):
            raise FactError(f"{self.place}: {name} must be a text, but is {value!r}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a field that holds a list of texts."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise FactError(f"{self.place}: {name} must be a list of texts, but is {value!r}")
        return tuple(value)

    def digest(self, name: str) -> str:
        """Return a field that holds a SHA-256."""
        value = self.text(name)
        if len(value) != HASH_DIGITS or not set(value) <= set("0123456789abcdef"):
            raise FactError(f"{self.place}: {name} must be a SHA-256 in lower case, but is {value!r}")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a field that is a table of its own."""
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise FactError(f"{self.place}: {name} must be a table, but is {value!r}")
        return value

    def table(self, name: str) -> "Table":
        """Return a table within this one."""
        return Table(f"{self.place} [{name}]", self.mapping(name))

    def each(self, name: str, read: Callable[["Table"], Fact]) -> tuple[Fact, ...]:
        """Read every table of an array of tables."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise FactError(f"{self.place}: {name} must be tables, each under [[{name}]]")
        return tuple(read(Table(f"{self.place} [[{name}]] {number}", item)) for number, item in enumerate(value, 1))


def read_family(path: Path) -> Family:
    """Return the facts of one file; raises FactError."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FactError(f"{path.name}: {error}") from None
    return family_from(path.stem, Table(path.name, values))


def family_from(family: str, facts: Table) -> Family:
    """Return the facts of a file that was read."""
    facts.only("name", "models", "note", "tokens", "options", "original", "turn", "patch", "deviation", "trl")
    patch = facts.table("patch")
    patch.only("fixes")
    found = Family(
        family=family,
        name=facts.text("name"),
        models=facts.texts("models"),
        originals=facts.each("original", _original),
        note=facts.text("note", ""),
        tokens=facts.mapping("tokens"),
        options={name: tuple(values) for name, values in facts.mapping("options").items()},
        turn=_turn(facts.table("turn")) if "turn" in facts.values else None,
        fixes=patch.texts("fixes"),
        deviations=facts.each("deviation", _deviation),
        second_opinion=_second_opinion(facts.table("trl")) if "trl" in facts.values else None,
    )
    if not found.originals and not found.note:
        raise FactError(f"{facts.place}: without an [[original]] a note must say why there is none")
    if found.originals and found.turn is None:
        raise FactError(f"{facts.place}: [turn] is missing: how a turn opens and stops")
    return found


def _original(facts: Table) -> Original:
    facts.only("revision", "sha256", "normal_form", "source", "alike")
    return Original(
        facts.text("revision"),
        facts.digest("sha256"),
        facts.digest("normal_form"),
        facts.text("source"),
        facts.texts("alike"),
    )


def _turn(facts: Table) -> Turn:
    facts.only("opens", "stops", "prefill")
    return Turn(facts.text("opens"), facts.texts("stops"), facts.each("prefill", _prefill))


def _prefill(facts: Table) -> Prefill:
    facts.only("text", "when", "revisions")
    return Prefill(facts.text("text", ""), facts.mapping("when"), facts.texts("revisions"))


def _deviation(facts: Table) -> ExpectedDeviation:
    facts.only("reason", "because", "conversations")
    return ExpectedDeviation(facts.text("reason"), facts.text("because"), facts.texts("conversations"))


def _second_opinion(facts: Table) -> SecondOpinion:
    facts.only("template", "breaks", "says")
    return SecondOpinion(facts.text("template"), facts.texts("breaks"), facts.text("says", ""))
