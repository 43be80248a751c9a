"""What a template's text prints: trim_blocks, lstrip_blocks and the signs of the tags around it, applied.

The rules are those of Jinja's lexer (jinja.palletsprojects.com, "Whitespace Control").
"""


def without_start(text: str, sign: str, *, after_expression: bool) -> str:
    """The text behind a tag whose end carries `sign`: `-` takes all white space, blocks and comments one newline."""
    if sign == "-":
        return text.lstrip()
    if sign != "+" and not after_expression and text.startswith("\n"):
        return text[1:]
    return text


def without_end(text: str, sign: str, *, starts_line: bool, before_expression: bool = False) -> str:
    """The text before a tag whose start carries `sign`: `-` takes all white space, blocks their indentation.

    `starts_line` says whether the text, before anything was taken from it, starts at the beginning of a line.
    """
    if sign == "-":
        return text.rstrip()
    if sign == "+" or before_expression:
        return text
    line = text.rfind("\n") + 1
    return text[:line] if (line or starts_line) and text[line:].isspace() else text
