"""Writes facts as TOML, always in the same way, so that a review shows what changed and nothing else."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trainplate.families.facts import Family, Original, Turn

LONGEST = 100
"""A list that would make a longer line gets one line for each item."""
SHORT = 60
"""Texts up to this length stand in one line, with escapes for their line ends."""


def toml_text(text: str) -> str:
    """Return a text as TOML: in lines where it has several, with escapes where that cannot be avoided."""
    if len(text) > SHORT and "\n" in text and "'''" not in text and not text.endswith("'") and is_plain(text):
        return f"'''\n{text}'''"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def is_plain(text: str) -> bool:
    """Say whether a text can stand in TOML without escapes."""
    return all(character.isprintable() or character in "\n\t" for character in text)


def toml_value(value: Any) -> str:
    """Return any value of a fact as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return toml_text(value)
        case Mapping():
            return "{ " + ", ".join(f"{name} = {toml_value(item)}" for name, item in value.items()) + " }"
        case list() | tuple():
            line = f"[{', '.join(map(toml_value, value))}]"
            inner = "".join(f"    {toml_value(item)},\n" for item in value)
            return line if len(line) <= LONGEST else f"[\n{inner}]"
    return str(value)


def fields(values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yield a line for each field that says something."""
    for name, value in values:
        if value or value is False or value == 0:
            yield f"{name} = {toml_value(value)}\n"


def family_text(family: Family) -> str:
    """Return the file of a family. Law: reading it gives the same family again."""
    return "\n".join("".join(table) for table in _tables(family))


def _tables(family: Family) -> Iterator[Iterator[str]]:
    yield fields([("name", family.name), ("models", family.models), ("note", family.note)])
    if family.tokens:
        yield _table("[tokens]", family.tokens.items())
    if family.options:
        yield _table("[options]", ((name, list(values)) for name, values in sorted(family.options.items())), empty=True)
    for original in family.originals:
        yield _original(original)
    if family.turn:
        yield from _turn(family.turn)
    if family.fixes:
        yield _table("[patch]", [("fixes", family.fixes)])
    for deviation in family.deviations:
        named = [
            ("reason", deviation.reason),
            ("because", deviation.because),
            ("conversations", deviation.conversations),
        ]
        yield _table("[[deviation]]", named)
    if opinion := family.second_opinion:
        named = [("template", opinion.template), ("breaks", opinion.breaks), ("says", opinion.says)]
        yield _table("[trl]", named)


def _table(header: str, values: Iterable[tuple[str, Any]], *, empty: bool = False) -> Iterator[str]:
    yield f"{header}\n"
    if empty:
        yield from (f"{name} = {toml_value(value)}\n" for name, value in values)
    else:
        yield from fields(values)


def _original(original: Original) -> Iterator[str]:
    named = [
        ("revision", original.revision),
        ("sha256", original.sha256),
        ("normal_form", original.normal_form),
        ("source", original.source),
        ("alike", original.alike),
    ]
    yield from _table("[[original]]", named)


def _turn(turn: Turn) -> Iterator[Iterator[str]]:
    yield _table("[turn]", [("opens", turn.opens), ("stops", turn.stops)])
    for prefill in turn.prefills:
        named = [("text", prefill.text), ("when", prefill.when), ("revisions", prefill.revisions)]
        yield _table("[[turn.prefill]]", named, empty=not prefill.text and not prefill.when)
