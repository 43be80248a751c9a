"""Options that a template reads, such as `preserve_thinking`: fixing one can be a smaller edit than its conditions."""

from collections.abc import Iterable, Iterator
from itertools import product

from jinja2 import nodes

from trainplate.conversations import read_knobs
from trainplate.rendering.atoms import Site
from trainplate.syntax import Tree


def knobs_fixed(tree: Tree, sites: Iterable[Site]) -> Iterator[tuple[str, str]]:
    """Yield sources in which an option that these conditions ask for has one value, whatever the caller says.

    With each goes the new line. Where the template itself gives the option a default, that is what changes.
    """
    asked = {name.name for site in sites for name in names_in(site.root)}
    options = asked & read_knobs(tree.source).keys() if asked else ()
    for name, value in product(sorted(options), ("true", "false")):
        statements = (node for node in tree.root.body if isinstance(node, nodes.Assign))
        default = next((node for node in statements if gives_default(node, name)), None)
        line = f"{{%- set {name} = {value} %}}"
        if default is None:
            yield f"{line}\n{tree.source}", line
        else:
            extent = tree.extent(default.node)
            yield f"{tree.source[: extent.outer_start]}{value}{tree.source[extent.outer_end :]}", line


def names_in(condition: nodes.Node) -> Iterator[nodes.Name]:
    """Yield the names that a condition mentions."""
    if isinstance(condition, nodes.Name):
        yield condition
    yield from condition.find_all(nodes.Name)


def gives_default(node: nodes.Assign, name: str) -> bool:
    """Say whether a statement is `{% set name = ... %}`, with the option itself in its value."""
    target = node.target
    named = isinstance(target, nodes.Name) and target.name == name
    return named and any(part.name == name for part in names_in(node.node))
