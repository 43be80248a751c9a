"""The clauses of an `{% if %}` block: which tags open them, and where the block ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from trainplate.syntax import Segment


@dataclass(frozen=True)
class Block:
    """An `if` or `for` block, by the indices of its tags: those that open a clause, and the one that ends it."""

    openings: tuple[int, ...]
    end: int

    def next_tag(self, opening: int) -> int:
        """Return the tag behind the clause that is opened by the given one."""
        later = [tag for tag in self.openings if tag > opening]
        return later[0] if later else self.end


def blocks(pieces: Sequence[Segment]) -> dict[int, Block]:
    """Return the block that each opening tag of an `if` or `for` belongs to, by the index of that tag."""
    found: dict[int, Block] = {}
    open_tags: list[list[int]] = []
    for index, piece in enumerate(pieces):
        if piece.keyword in ("if", "for"):
            open_tags.append([index])
        elif piece.keyword in ("elif", "else") and open_tags:
            open_tags[-1].append(index)
        elif piece.keyword in ("endif", "endfor") and open_tags:
            block = Block(tuple(open_tags.pop()), index)
            found.update(dict.fromkeys(block.openings, block))
    return found
