"""Finds conditions that tell one occasion from another, among those that a template asks and what it notes down."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, compress
from operator import and_, ge, ne

from jinja2 import nodes

from trainplate.fixes.marking.blocks import path_to
from trainplate.fixes.marking.conditions import (
    all_of,
    any_of,
    conjuncts,
    head_test,
    namespaces,
    negated,
    truths_each_time,
)
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.names import names_in
from trainplate.fixes.marking.roles import loops_around, role_tests
from trainplate.fixes.marking.sample import Sample

FIRST, PROMPT = "loop.first", "add_generation_prompt"
ROLES = ("system", "user", "assistant", "tool")
CONDITIONS = (nodes.And, nodes.Or, nodes.Not, nodes.Compare, nodes.Test)
MOST_ASKED = 100
Answers = tuple[bool, ...]
Told = tuple[tuple[bool | None, ...], ...]
"""For each sample, whether something is to hold each time that a place in the source is reached; None is either."""


@dataclass(frozen=True, eq=False)
class Asked:
    """All conditions of a source, and the names that it gives values to."""

    draft: Draft
    conditions: Mapping[str, frozenset[str]]
    """The names in each condition, and in each part of one, as it is written."""
    stores: tuple[tuple[int, str], ...]
    """Where a name is given a value."""
    namespaces: frozenset[str]

    def names_before(self, position: int) -> set[str]:
        """Return the names that are given a value on the way to a position, in the bodies around it."""
        passed = [item for body, _ in path_to(self.draft.root, position) for item in body.items if item.end <= position]
        plain = [(item.start, item.end) for item in passed if not item.bodies]
        return {name for place, name in self.stores if any(start <= place < end for start, end in plain)}


def asked_in(draft: Draft) -> Asked:
    """Look through a source for what it asks: in its blocks, within its lines, and under a name of its own."""
    tree = draft.tracer.tree
    ifs, inline = tree.root.find_all(nodes.If), tree.root.find_all(nodes.CondExpr)
    named = (node.node for node in tree.root.find_all(nodes.Assign) if isinstance(node.node, CONDITIONS))
    found: dict[str, frozenset[str]] = {}
    for whole in (*(node.test for node in ifs), *(node.test for node in inline), *named):
        for test in conjuncts(whole):
            names = (name.name for name in (test, *test.find_all(nodes.Name)) if isinstance(name, nodes.Name))
            found.setdefault(tree.text(test), frozenset(names))
    return Asked(draft, found, names_in(draft).stores, frozenset(namespaces(draft)))


def telling_tests(asked: Asked, position: int, samples: Sequence[Sample], wanted: Told) -> list[str]:
    """Return the conditions that hold at a position just when they are wanted to, the best first.

    Where no flag tells, other conditions of the template are looked through, and two of them joined.
    """
    draft = asked.draft
    tests = [*([FIRST] if loops_around(draft, position) else ()), *flag_tests(asked, position)]
    role = next(role_tests(draft, position), None)
    tests += [all_of((role, test)) for test in tests] if role else []
    flat = tuple(each for times in wanted for each in times if each is not None)
    told = answers_to(draft, tests, position, samples, wanted)
    found = [test for test in tests if told.get(test) == flat]
    return found or joined_tests(answers_to(draft, asked_tests(asked, position), position, samples, wanted), flat)


def answers_to(
    draft: Draft, tests: Sequence[str], position: int, samples: Sequence[Sample], wanted: Told
) -> dict[str, Answers]:
    """Say of conditions whether each holds, on all occasions one after the other on which something is wanted."""
    held = truths_each_time(draft, tests, position, samples) if tests else {}
    asked = tuple(each is not None for times in wanted for each in times)
    return {test: tuple(compress(chain.from_iterable(answers), asked)) for test, answers in held.items()}


def joined_tests(told: Mapping[str, Answers], wanted: Answers) -> list[str]:
    """Return conditions that hold just when they are wanted to, short ones first.

    One, or two, or what denies two; or else one of two that never hold together or both fail.
    """
    found = [test for test, answers in told.items() if answers == wanted]
    found += (all_of(pair) for pair in pairs(told, wanted))
    found += (f"not ({all_of(pair)})" for pair in pairs(told, tuple(not each for each in wanted)))
    return sorted(found or either_tests(told, wanted), key=len)


def either_tests(told: Mapping[str, Answers], wanted: Answers) -> Iterator[str]:
    """Yield what says of two conditions that one holds and the other does not."""
    for one, other in combinations(told, 2):
        if tuple(map(ne, told[one], told[other])) == wanted:
            yield any_of((all_of((one, negated(other))), all_of((negated(one), other))))


def pairs(told: Mapping[str, Answers], wanted: Answers) -> Iterator[tuple[str, str]]:
    """Yield two conditions that both hold just when they are wanted to, and neither of them alone."""
    covering = {test: answers for test, answers in told.items() if all(map(ge, answers, wanted)) and answers != wanted}
    for one, other in combinations(covering, 2):
        if tuple(map(and_, covering[one], covering[other])) == wanted:
            yield one, other


def flag_tests(asked: Asked, position: int) -> list[str]:
    """Return the conditions of a template on its namespaces alone that can be asked at a position.

    What is asked around the position too comes first, then what is short.
    """
    known, around = asked.names_before(position) & asked.namespaces, heads_around(asked.draft, position)
    tests = {test for test, names in asked.conditions.items() if names and names <= known}
    tests |= set(map(negated, tests))
    return sorted(tests, key=lambda test: (test.removeprefix("not ") not in around, len(test), test))


def heads_around(draft: Draft, position: int) -> str:
    """Return the conditions of the blocks around a position, one after the other."""
    bodies = [body for _, item in path_to(draft.root, position) for body in item.bodies]
    return "\n".join(filter(None, (head_test(draft, body) for body in bodies)))


def asked_tests(asked: Asked, position: int) -> list[str]:
    """Return the conditions of a template, their parts and opposites, that can be asked at a position."""
    known = asked.names_before(position) | targets_around(asked.draft, position)
    unknown = {name for _, name in asked.stores} - known | {PROMPT}
    tests = {test for test, names in asked.conditions.items() if not names & unknown and "\n" not in test}
    tests |= {other for test in tests for other in with_other_roles(test)}
    tests |= set(map(negated, tests))
    return sorted(tests, key=lambda test: (len(test), test))[:MOST_ASKED]


def with_other_roles(test: str) -> set[str]:
    """Return comparisons of what a condition compares with one role, with the others."""
    compared = re.fullmatch(rf"([\w.]+) [!=]= (['\"])(?:{'|'.join(ROLES)})\2", test)
    return {f"{compared[1]} == {compared[2]}{role}{compared[2]}" for role in ROLES} if compared else set()


def targets_around(draft: Draft, position: int) -> set[str]:
    """Return the names that the loops around a position go through their items by."""
    targets = [loop.target for loop in loops_around(draft, position)]
    return {target.name for target in targets if isinstance(target, nodes.Name)}
