"""How a template asks for the role of a message, to ask in the same way."""

import re
from collections.abc import Iterator

from jinja2 import nodes

from trainplate.fixes.marking.blocks import Item, all_items, path_to
from trainplate.fixes.marking.conditions import head_test
from trainplate.fixes.marking.draft import Draft

WHOSE = re.compile(r"role|assistant|tool_call|reasoning|think|loop\.index0? *%", re.IGNORECASE)
ACCESSORS = ("{0}.role", "{0}['role']", '{0}["role"]', "{0}.get('role')", '{0}.get("role")')


def role_tests(draft: Draft, position: int) -> Iterator[str]:
    """Yield expressions that say whether the message at a position is an assistant's, the file's own first."""
    for loop in loops_around(draft, position):
        if not isinstance(loop.target, nodes.Name):
            continue
        accessors = [accessor.format(loop.target.name) for accessor in ACCESSORS]
        yield from own_tests(draft, accessors)
        used = next((accessor for accessor in accessors if accessor in draft.source), None)
        if used is not None:
            quote = '"' if draft.source.count('"') > draft.source.count("'") else "'"
            yield f"{used} == {quote}assistant{quote}"


def is_guarded(draft: Draft, position: int) -> bool:
    """Say whether a condition around a position, or one that skips messages before it, tells whose turn it is.

    Samples alone cannot tell: a branch for contents in parts may have been shown in assistant turns only.
    """
    for body, item in path_to(draft.root, position):
        if item.keyword == "if" and asks_whose(draft, item):
            return True
        earlier = (other for other in body.items if other.end <= item.start and other.keyword == "if")
        if any(asks_whose(draft, other) and skips(other) for other in earlier):
            return True
    return False


def asks_whose(draft: Draft, item: Item) -> bool:
    """Say whether a condition mentions a role, or what only an assistant's message has."""
    return any(WHOSE.search(head_test(draft, body) or "") for body in item.bodies)


def skips(item: Item) -> bool:
    """Say whether a block passes over the rest of a message."""
    return any(inner.keyword == "continue" for body in item.bodies for inner in all_items(body))


def loops_around(draft: Draft, position: int) -> list[nodes.For]:
    """Return the loops that stand around a position, the innermost first."""
    tree = draft.tracer.tree
    found = []
    for loop in tree.root.find_all(nodes.For):
        extent = tree.extent(loop)
        if extent.start < position < extent.end:
            found.append((extent.start, loop))
    return [loop for _, loop in sorted(found, key=lambda pair: -pair[0])]


def own_tests(draft: Draft, accessors: list[str]) -> Iterator[str]:
    """Yield the comparisons of these roles with the assistant's that the file has, as they are written."""
    for comparison in draft.tracer.tree.root.find_all(nodes.Compare):
        text = draft.tracer.tree.text(comparison)
        if re.fullmatch(r".*==\s*(['\"])assistant\1", text) and text.split("==")[0].strip() in accessors:
            yield text
