"""Where a node of Jinja's tree stands: its first and its last token.

Jinja's nodes carry one number and nothing else: that of a token near which the parser made them, which one depends on
the kind of node. The rest follows from the tokens, but for brackets around an expression and for the ends of
statements: those the parser notes on the node itself, where a copy of the node keeps them.
"""

from jinja2 import nodes

from trainplate.syntax.numbering import Numbering

STATEMENT_RANGE = "statement_range"
"""The attribute of a statement in which the parser notes its first and last token."""
BRACKETS_RANGE = "brackets_range"
"""The attribute of an expression in which the parser notes the outermost brackets around it."""

Step = tuple[nodes.Node | None, int]
"""The child at which a node begins or ends and how far from it, or no child and the token itself."""


def token_range(node: nodes.Node, tokens: Numbering, *, outer: bool) -> tuple[int, int]:
    """The first and last token of a node, the `outer` one with the brackets around it.

    Raises KeyError for a node that nobody parsed.
    """
    return _edge(node, tokens, 0, outer), _edge(node, tokens, 1, outer)


def _edge(node: nodes.Node, tokens: Numbering, side: int, outer: bool) -> int:
    # A loop, since a sum of a thousand operands is a tree that is a thousand levels deep on its left.
    shift = 0
    while True:
        noted = getattr(node, STATEMENT_RANGE, None)
        if noted is None and (outer or _is_empty(node)):
            noted = getattr(node, BRACKETS_RANGE, None)
        if noted is not None:
            return int(noted[side]) + shift
        child, number = _ending(node, tokens) if side else _beginning(node)
        if child is None:
            return number + shift
        node, outer, shift = child, True, shift + number


def _is_empty(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Tuple) and not node.items


def _beginning(node: nodes.Node) -> Step:
    match node:
        case nodes.BinExpr(left=child) | nodes.Compare(expr=child) | nodes.CondExpr(expr1=child):
            return child, 0
        case nodes.Getattr(node=child) | nodes.Getitem(node=child) | nodes.Call(node=child) | nodes.Test(node=child):
            return child, 0
        case nodes.Filter(node=nodes.Expr() as child) | nodes.Pair(key=child):
            return child, 0
        case nodes.Not(node=nodes.Test() as child) if child.lineno == node.lineno:
            return child, 0  # `x is not y` is read in one step
        case nodes.Concat(nodes=[child, *_]) | nodes.Tuple(items=[child, *_]):
            return child, 0
        case nodes.Output(nodes=[child, *_]):
            return child, 0 if isinstance(child, nodes.TemplateData) else -1
        case nodes.Keyword(value=child):
            return child, -2
        case nodes.Operand(op=operator, expr=child):
            return child, -2 if operator == "notin" else -1
        case nodes.Expr() if node.lineno is not None and not isinstance(node, nodes.ExtensionAttribute):
            return None, node.lineno
    raise KeyError(f"no place is known for this {type(node).__name__}")


def _ending(node: nodes.Node, tokens: Numbering) -> Step:
    match node:
        case nodes.BinExpr(right=child) | nodes.UnaryExpr(node=child):
            return child, 0
        case nodes.Concat(nodes=[*_, child]) | nodes.Compare(ops=[*_, child]):
            return child, 0
        case nodes.Operand(expr=child) | nodes.Pair(value=child) | nodes.Keyword(value=child):
            return child, 0
        case nodes.CondExpr():
            return node.expr2 or node.test, 0
        case nodes.Output(nodes=[*_, child]):
            return child, 0 if isinstance(child, nodes.TemplateData) else 1
        case nodes.Tuple(items=[*_, child]):
            # Jinja gives a tuple the number of its last comma, which may stand behind the last item.
            return (child, 0) if _edge(child, tokens, 0, True) > node.lineno else (None, node.lineno)
        case nodes.Test(args=[*_, child]) if tokens.type_of(_name_end(node, tokens) + 1) != "lparen":
            return child, 0
    return None, _last_token(node, tokens)


def _last_token(node: nodes.Node, tokens: Numbering) -> int:
    first = node.lineno
    match node:
        case nodes.Call() | nodes.List() | nodes.Dict():
            return tokens.closing[first]
        case nodes.Getitem() if tokens.type_of(first) == "lbracket":
            return tokens.closing[first]
        case nodes.Getitem() | nodes.Getattr() | nodes.Tuple():
            return first + 1
        case nodes.NSRef():
            return first + 2
        case nodes.Filter() | nodes.Test():
            name = _name_end(node, tokens)
            return tokens.closing[name + 1] if tokens.type_of(name + 1) == "lparen" else name
        case nodes.Slice():
            parts = [part for part in (node.start, node.stop, node.step) if part is not None]
            return _past(_edge(parts[-1], tokens, 1, True) if parts else first, tokens, "colon")
        case nodes.Const():
            return _past(first, tokens, "string")
    return first


def _name_end(node: nodes.Filter | nodes.Test, tokens: Numbering) -> int:
    """The last token of the name of a filter or test, which may have dots in it."""
    name = node.lineno
    if isinstance(node, nodes.Test):
        name += 2 if tokens.stream[node.lineno + 1].value == "not" else 1
    while tokens.type_of(name + 1) == "dot":
        name += 2
    return name


def _past(number: int, tokens: Numbering, kind: str) -> int:
    """The last of the tokens of a kind that follow one another behind a token, or that token itself."""
    while tokens.type_of(number + 1) == kind:
        number += 1
    return number
