"""A template's source as a tree of items: what stands between two tags of a block is one sequence of items."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from trainplate.syntax import Kind, Segment, Tree

BLOCKS = frozenset({"if", "for", "macro", "call", "filter", "with", "block", "autoescape", "generation"})
BRANCHES = frozenset({"elif", "else"})
HOLDING = frozenset({"macro", "call", "filter", "set"})
"""Blocks that hold what is printed in them, or change it."""
SCOPES = frozenset({"for", "with", "macro", "call", "filter", "block", "generation"})
"""Blocks behind which nothing is left of what is set in them."""


@dataclass(frozen=True, eq=False)
class Item:
    """A text or tag, or a whole block with the bodies between its tags; it stands at `[start, end)`."""

    start: int
    end: int
    first: int
    """The index of its first segment, and of its last."""
    last: int
    bodies: tuple["Body", ...] = ()
    keyword: str = ""


@dataclass(frozen=True, eq=False)
class Body:
    """The items between two tags of a block, or of the whole template."""

    items: tuple[Item, ...]
    start: int
    end: int
    keyword: str = ""
    """The word of the tag that opens it: `if`, `elif`, `else`, `for`."""
    head: int = -1
    """The index of that tag's segment."""


@dataclass
class _Open:
    keyword: str
    first: int
    start: int
    bodies: list[Body] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    body_start: int = 0
    word: str = ""
    head: int = -1

    def close_body(self, end: int) -> None:
        self.bodies.append(Body(tuple(self.items), self.body_start, end, self.word, self.head))
        self.items = []


def items_of(tree: Tree, cuts: dict[int, tuple[int, ...]] | None = None) -> Body:
    """Return the items of the whole template; `cuts` are positions in texts, by segment, at which they are divided."""
    stack = [_Open("", 0, 0)]
    for index, segment in enumerate(tree.segments):
        word = segment.keyword
        if opens(segment):
            stack.append(_Open(word, index, segment.start, body_start=segment.end, word=word, head=index))
        elif word in BRANCHES and len(stack) > 1:
            top = stack[-1]
            top.close_body(segment.start)
            top.body_start, top.word, top.head = segment.end, word, index
        elif word.startswith("end") and len(stack) > 1:
            top = stack.pop()
            top.close_body(segment.start)
            item = Item(top.start, segment.end, top.first, index, tuple(top.bodies), top.keyword)
            stack[-1].items.append(item)
        else:
            edges = (segment.start, *(cuts or {}).get(index, ()), segment.end)
            stack[-1].items += [Item(start, end, index, index, keyword=word) for start, end in pairwise(edges)]
    root = stack[0]
    root.close_body(len(tree.source))
    return root.bodies[0]


def opens(segment: Segment) -> bool:
    """Say whether a tag opens a block: `set` does where it has no `=`."""
    if segment.kind is not Kind.STATEMENT:
        return False
    if segment.keyword == "set":
        return all(token.type != "assign" for token in segment.tokens)
    return segment.keyword in BLOCKS


def all_items(body: Body) -> Iterator[Item]:
    """Yield every item, a block before what is in it."""
    for item in body.items:
        yield item
        for inner in item.bodies:
            yield from all_items(inner)


def all_bodies(body: Body) -> Iterator[Body]:
    """Yield a body and those of the blocks in it, the outer ones first."""
    yield body
    for item in body.items:
        for inner in item.bodies:
            yield from all_bodies(inner)


def path_to(body: Body, start: int) -> Iterator[tuple[Body, Item]]:
    """Yield the bodies around a position, each with its item there, the outermost first."""
    for item in body.items:
        if item.start <= start < item.end:
            yield body, item
            for inner in item.bodies:
                yield from path_to(inner, start)


def extent_of(items: Sequence[Item]) -> tuple[int, int]:
    """Return where a run of neighbouring items starts and ends."""
    return items[0].start, items[-1].end
