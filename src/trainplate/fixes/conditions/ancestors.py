"""The nodes that hold another one."""

from jinja2 import nodes


def ancestors(root: nodes.Node, node: nodes.Node) -> tuple[nodes.Node, ...]:
    """Return the nodes from the root down to the one that has the node among its children; nothing where none has."""
    waiting: list[tuple[nodes.Node, tuple[nodes.Node, ...]]] = [(root, ())]
    while waiting:
        parent, above = waiting.pop()
        for child in parent.iter_child_nodes():
            if child is node:
                return (*above, parent)
            waiting.append((child, (*above, parent)))
    return ()
