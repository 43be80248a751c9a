"""Texts that a template prints around what it is told, as patterns that forgive white space."""

import re
from collections.abc import Iterable

from trainplate.responses.probes import NAME, SECOND_NAME

TOKEN = re.compile(r"<[^<>\s]+>|\[/?[A-Z_]+\]")
BEGUN = re.compile(r"[<\[][^<>\[\]\s]*\Z")
ENDED = re.compile(r"\A[^<>\[\]\s{(]*[>\])]")
NAMES = r"[\w.:/-]+"
SPACES = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
GIVEN = re.compile(rf"{NAME}|{SECOND_NAME}|call0000\d")
GIVEN_NAME = rf"(?P<name>{NAMES})"


def soft(text: str) -> str:
    """Return a pattern for a text in which each run of white space may be any other, or none."""
    parts = re.split(r"(\s+)", text)
    return "".join(r"\s*" if part.isspace() else hard(part) for part in parts)


def optional_edges(text: str) -> str:
    """Return a pattern for a text each of whose white space characters may be missing, and none may be another."""
    return "".join(f"{SPACES.get(one, one)}?" if one.isspace() else re.escape(one) for one in text)


def hard(text: str) -> str:
    """Return a pattern for exactly this text, with any other in place of a probe's names and ids."""
    return GIVEN.sub(lambda _: NAMES, re.escape(text))


def shared_start(a: str, b: str) -> str:
    """Return the longest start of two texts that does not end inside a token."""
    length = next((i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))
    shared = a[:length]
    begun = BEGUN.search(shared)
    return shared[: begun.start()] if begun and length < max(len(a), len(b)) else shared


def shared_end(a: str, b: str) -> str:
    """Return the longest end of two texts that does not begin inside a token."""
    length = next(
        (i for i, (one, other) in enumerate(zip(reversed(a), reversed(b), strict=False)) if one != other),
        min(len(a), len(b)),
    )
    shared = a[len(a) - length :]
    ended = ENDED.search(shared)
    return shared[ended.end() :] if ended and length < max(len(a), len(b)) else shared


def first_token(text: str) -> str:
    """Return the first token of a text up to its end; the whole text, stripped, where it has none."""
    found = TOKEN.search(text.lstrip())
    return text.lstrip()[: found.end()] if found else text.strip()


def leading_token(text: str) -> str:
    """Return the token with which a text begins, or nothing."""
    found = TOKEN.match(text.lstrip())
    return found.group() if found else ""


def endings(tails: Iterable[str]) -> str:
    """Return a pattern for each token of what ends a turn: whichever comes, nothing of it is content."""
    patterns: dict[str, None] = {}
    for tail in tails:
        tokens = TOKEN.findall(tail)
        whole = "".join(tokens) == "".join(tail.split())
        patterns |= dict.fromkeys(rf"{soft(token)}\s*" for token in (tokens if whole else [tail]))
    return "|".join(patterns)
