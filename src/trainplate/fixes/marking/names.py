"""Which names are set and read where in a source: what is set inside of markers is unknown behind them."""

from dataclasses import dataclass

from jinja2 import nodes

from trainplate.fixes.marking.blocks import HOLDING, SCOPES, Body, Item, all_items
from trainplate.fixes.marking.draft import Draft
from trainplate.syntax import Kind


@dataclass(frozen=True)
class Names:
    """The places at which names are given a value, and those at which they are read."""

    stores: tuple[tuple[int, str], ...]
    loads: tuple[tuple[int, str], ...]

    def lost(self, items: tuple[Item, ...], scope_end: int, held: tuple[tuple[int, int], ...]) -> bool:
        """Say whether something set in the items is read behind them, up to the end of the scope or in what is held.

        `held` are the macros that read names of the template as a whole.
        """
        start, end = items[0].start, items[-1].end
        inner = [(item.start, item.end) for item in scopes_in(items)]
        kept = {
            name
            for place, name in self.stores
            if start <= place < end and not any(first <= place < last for first, last in inner)
        }
        return bool(kept) and any(
            name in kept and (end <= place < scope_end or any(a <= place < b for a, b in held))
            for place, name in self.loads
        )


def names_in(draft: Draft) -> Names:
    """Find every name in a source."""
    tree = draft.tracer.tree
    stores = [(tree.extent(macro).start, macro.name) for macro in tree.root.find_all(nodes.Macro)]
    loads: list[tuple[int, str]] = []
    for name in tree.root.find_all(nodes.Name):
        place = tree.numbering.places[name.lineno][1]
        (loads if name.ctx == "load" else stores).append((place, name.name))
    return Names(tuple(stores), tuple(loads))


def scopes_in(items: tuple[Item, ...]) -> list[Item]:
    """Return the blocks among and in the items that keep what is set in them to themselves."""
    found = []
    for item in items:
        for inner in (item, *(below for body in item.bodies for below in all_items(body))):
            if inner.bodies and (inner.keyword in SCOPES):
                found.append(inner)
    return found


def macros_in(root: Body) -> tuple[tuple[int, int], ...]:
    """Return where the macros of a template stand."""
    return tuple((item.start, item.end) for item in all_items(root) if item.keyword == "macro" and item.bodies)


def leaves_loop(draft: Draft, items: tuple[Item, ...]) -> bool:
    """Say whether a `break` or `continue` among the items leaves a loop that stands around them."""
    for item in items:
        if item.keyword in ("break", "continue") and draft.segments[item.first].kind is Kind.STATEMENT:
            return True
        if item.bodies and item.keyword != "for" and any(leaves_loop(draft, body.items) for body in item.bodies):
            return True
    return False


def holds(item: Item) -> bool:
    """Say whether a block holds what is printed in it, as a macro or a capture does."""
    return bool(item.bodies) and item.keyword in HOLDING
