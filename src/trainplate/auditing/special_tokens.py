"""The special tokens that a template prints, where its source does not tell them: a lone file seldom does."""

from collections.abc import Mapping
from dataclasses import replace

from jinja2 import nodes

from trainplate.families.catalogue import family_named
from trainplate.families.identification import Match, Rung
from trainplate.syntax import Tree, parse, with_newlines
from trainplate.template import Template

SAME = (Rung.BYTES, Rung.NORMAL_FORM, Rung.BEHAVIOUR)
"""The rungs on which a template says what its original says."""


def tokens_read(tree: Tree) -> dict[str, nodes.Name]:
    """Return the names of the special tokens that a template reads, each with the first place where it does."""
    found: dict[str, nodes.Name] = {}
    for node in tree.walk():
        if isinstance(node, nodes.Name) and node.ctx == "load" and node.name.endswith("_token"):
            found.setdefault(node.name, node)
    return found


def with_tokens(template: Template, match: Match | None) -> tuple[Template, Mapping[str, str]]:
    """Return a template with the tokens of its family where its source tells none, and which they are."""
    told = template.special_tokens.keys() - template.stand_ins
    missing = tokens_read(parse(with_newlines(template.source))).keys() - told
    if not missing or match is None or match.how not in SAME:
        return template, {}
    known = family_named(match.family).tokens
    assumed = {name: known[name] for name in sorted(missing) if name in known}
    tokens = {**template.special_tokens, **assumed}
    return replace(template, special_tokens=tokens, stand_ins=template.stand_ins - assumed.keys()), assumed
