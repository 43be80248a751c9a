"""One way to write what can be written in several: quotes, numbers, the space between words."""

from collections.abc import Collection, Sequence

from trainplate.syntax.tree import Tree

Word = tuple[str, str]
"""The type of a token, as Jinja's lexer names it, and how it is written."""

ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
OPENING = frozenset(["lparen", "lbracket", "lbrace", "dot"])
CLOSING = frozenset(["rparen", "rbracket", "rbrace", "comma", "colon"])
OPERANDS = frozenset(["name", "string", "integer", "float", "rparen", "rbracket", "rbrace"])
NUMBERS = frozenset(["integer", "float"])
KEYWORDS = frozenset(["and", "call", "elif", "else", "for", "if", "in", "is", "not", "or", "recursive", "set", "with"])
"""Names behind which a bracket opens an operand, rather than a call or a subscript."""


def quoted(text: str) -> str:
    """A text as a Jinja constant in single quotes, in which every character can be seen."""
    return f"'{''.join([ESCAPES.get(character) or _visible(character) for character in text])}'"


def _visible(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def spelled(tree: Tree, first: int, last: int, constants: Collection[int] = ()) -> str:
    """The tokens from `first` to `last` in the one way in which they are written.

    `constants` are the numbers of the names that stand for true, false or none, which Jinja also reads with a capital.
    Law: Jinja reads the same from them, texts that stand side by side as the one text that they make.
    """
    words: list[Word] = []
    for number in range(first, last + 1):
        kind, text = _word(tree, number)
        if kind == "string" and words and words[-1][0] == kind:
            words[-1] = kind, words[-1][1][:-1] + text[1:]
        else:
            words.append((kind, text.lower() if number in constants else text))
    return "".join(text if _touches(words, index) else f" {text}" for index, (_, text) in enumerate(words))


def _word(tree: Tree, number: int) -> Word:
    kind, (_, start, end) = tree.numbering.type_of(number), tree.numbering.places[number]
    text = tree.source[start:end]
    if kind == "string":
        return kind, quoted(tree.numbering.stream[number].value)
    return kind, text.replace("_", "").lower() if kind in NUMBERS else text


def _touches(words: Sequence[Word], index: int) -> bool:
    """Whether a word stands right behind the one before it."""
    if index == 0:
        return True
    (before, text), (kind, _) = words[index - 1 : index + 1]
    if before in OPENING or kind in CLOSING:
        return True
    if kind == "dot":
        return before not in NUMBERS  # `1 .5` is no float
    if kind in ("lparen", "lbracket"):
        return before in OPERANDS and text not in KEYWORDS
    return before in ("sub", "add") and not _ends_operand(words, index - 2)


def _ends_operand(words: Sequence[Word], index: int) -> bool:
    """Whether an operand ends here, so that a sign behind it has two sides."""
    return index >= 0 and words[index][0] in OPERANDS and words[index][1] not in KEYWORDS
