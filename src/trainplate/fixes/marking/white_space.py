"""Puts tags into a source so that the texts around them print as before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trainplate.errors import SyntaxFault
from trainplate.fixes.marking.draft import Draft, printed_start
from trainplate.fixes.marking.layout import closing_sign, opening_sign
from trainplate.syntax import Edit, Kind, Segment, segments


@dataclass(frozen=True)
class Gap:
    """A place between two items: the texts at its sides, what they print, and the tags beyond them."""

    position: int
    before: str
    left: str
    left_printed: str
    right: str
    right_printed: str
    behind: str

    def takes(self, tags: str) -> bool:
        """Say whether everything prints as before, and on the same side, with `tags` put into the gap."""
        try:
            pieces = segments(self.before + self.left + tags + self.right + self.behind)
        except SyntaxFault:
            return False
        inner = pieces[1 if self.before else 0 : len(pieces) - 1 if self.behind else len(pieces)]
        parts = [""]
        for piece in inner:
            if piece.kind is Kind.TEXT:
                parts[-1] += piece.printed
            else:
                parts.append("")
        return parts[0] == self.left_printed and parts[-1] == self.right_printed and not any(parts[1:-1])


def gap_at(draft: Draft, position: int) -> Gap:
    """Return the gap at a position between two segments or within a text."""
    source, pieces = draft.source, draft.segments
    index = next(i for i, piece in enumerate(pieces) if piece.end > position or piece.end == len(source))
    right = index + 1 if pieces[index].end <= position else index
    inside = right < len(pieces) and pieces[right].start < position
    left = right if inside else right - 1
    before, left_text, left_printed = side(source, pieces, left, -1)
    behind, right_text, right_printed = side(source, pieces, right, 1)
    if inside:
        piece = pieces[right]
        offset = min(max(position - printed_start(source, piece), 0), len(piece.printed))
        left_text, right_text = source[piece.start : position], source[position : piece.end]
        left_printed, right_printed = piece.printed[:offset], piece.printed[offset:]
    return Gap(position, before, left_text, left_printed, right_text, right_printed, behind)


def side(source: str, pieces: Sequence[Segment], index: int, step: int) -> tuple[str, str, str]:
    """Return the tag, the text before it as seen from the gap, and what the text prints."""
    text = printed = ""
    if 0 <= index < len(pieces) and pieces[index].kind is Kind.TEXT:
        text, printed = source[pieces[index].start : pieces[index].end], pieces[index].printed
        index += step
    return (stub(source, pieces[index]) if 0 <= index < len(pieces) else ""), text, printed


def stub(source: str, piece: Segment) -> str:
    """Write a short tag that treats the white space around it as another does."""
    if piece.kind is Kind.RAW:
        return source[piece.start : piece.end]
    opening, closing = source[piece.start : piece.inner_start], source[piece.inner_end : piece.end]
    word = {Kind.COMMENT: "", Kind.EXPRESSION: " x ", Kind.STATEMENT: " do x "}[piece.kind]
    return opening + word + closing


def opening_tag(draft: Draft, item_start: int, tag: str, indent: str | None) -> Edit | None:
    """Put a tag before the item at a position: on a line of its own with an indentation, or right before the item."""
    ways = list(signed_ways(tag, opening_sign(draft.source, item_start), closing_sign(draft.source)))
    line = draft.source.rfind("\n", 0, item_start) + 1
    gap = gap_at(draft, item_start)
    above = gap_at(draft, line) if indent is not None else gap
    if indent is not None and above.left_printed == gap.left_printed:
        for way in ways:
            if above.takes(f"{indent}{way}\n"):
                return Edit(line, line, f"{indent}{way}\n")
    for text in (*ways, *(f"{way}\n" for way in ways)):
        if gap.takes(text):
            return Edit(item_start, item_start, text)
    return behind_blank(gap, signed(tag))


def behind_blank(gap: Gap, tag: str) -> Edit | None:
    """Put a tag behind the printed start of a line: it would take that away, unless an expression prints it."""
    kept = gap.left.rstrip(" \t")
    blank = gap.left[len(kept) :]
    shorter = replace(gap, left=kept, left_printed=gap.left_printed.removesuffix(blank))
    text = f"{{{{ '{blank}' }}}}{tag}"
    if blank and gap.left_printed.endswith(blank) and shorter.takes(text):
        return Edit(gap.position - len(blank), gap.position, text)
    return None


def closing_tag(draft: Draft, item_end: int, tag: str, indent: str | None, sign: str) -> Edit | None:
    """Put a tag behind the item that ends at a position; `indent` is that of the tag it closes, if on its own line."""
    gap, source = gap_at(draft, item_end), draft.source
    ways = list(signed_ways(tag, sign, closing_sign(source)))
    line_end = source.find("\n", item_end)
    rest = source[item_end : line_end if line_end >= 0 else len(source)]
    if indent is not None and source[item_end - 1] == "\n":
        for way in (way for way in ways if gap.takes(f"{indent}{way}\n")):
            return Edit(item_end, item_end, f"{indent}{way}\n")
    if indent is not None and not rest.strip():
        for way in ways:
            if gap.takes(f"\n{indent}{way}"):
                return Edit(item_end, item_end, f"\n{indent}{way}")
        if line_end >= 0 and gap.right_printed.startswith(rest + "\n"):
            below = gap_at(draft, line_end + 1) if line_end + 1 < len(source) else None
            if below and below.takes(f"{indent}{signed(tag)}\n"):
                return Edit(line_end + 1, line_end + 1, f"{indent}{signed(tag)}\n")
    for text in (*ways, signed(tag) + "\n"):
        if gap.takes(text):
            return Edit(item_end, item_end, text)
    return behind_blank(gap, signed(tag))


def signed_ways(tag: str, opening: str, closing: str) -> Iterator[str]:
    """Yield `{% tag %}` with the signs of its surroundings, and then with others."""
    signs = [(first, last) for last in (closing, "", "-") for first in (opening, "", "-")]
    yield from (signed(tag, first, last) for first, last in dict.fromkeys(signs))


def signed(tag: str, opening: str = "", closing: str = "") -> str:
    """Write `{% tag %}` with signs."""
    return f"{{%{opening} {tag} {closing}%}}"
