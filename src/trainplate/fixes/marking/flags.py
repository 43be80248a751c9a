"""Finds conditions that tell one occasion from another, among those that a template asks and what it notes down."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, compress
from operator import and_, ge

from jinja2 import nodes

from trainplate.fixes.marking.blocks import path_to
from trainplate.fixes.marking.conditions import (
    all_of,
    conjuncts,
    head_test,
    namespaces,
    negated,
    option_tests,
    truths_each_time,
)
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.names import names_in
from trainplate.fixes.marking.roles import loops_around, role_tests
from trainplate.fixes.marking.sample import Sample

FIRST, ASKED = "loop.first", "add_generation_prompt"
ROLES = ("system", "user", "assistant", "tool")
CONDITIONS = (nodes.And, nodes.Or, nodes.Not, nodes.Compare, nodes.Test)
MOST_ASKED = 100
Answers = tuple[bool, ...]
Told = tuple[tuple[bool | None, ...], ...]
"""For each sample, whether something is to hold each time that a place in the source is reached; None is either."""


def telling_tests(draft: Draft, position: int, samples: Sequence[Sample], wanted: Told) -> list[str]:
    """Return the conditions that hold at a position just when they are wanted to, the best first.

    Where no flag tells, other conditions of the template are looked through, and two of them joined.
    """
    tests = [*([FIRST] if loops_around(draft, position) else ()), *flag_tests(draft, position)]
    role = next(role_tests(draft, position), None)
    tests += [all_of((role, test)) for test in tests] if role else []
    flat = tuple(each for times in wanted for each in times if each is not None)
    told = answers_to(draft, tests, position, samples, wanted)
    found = [test for test in tests if told.get(test) == flat]
    return found or joined_tests(answers_to(draft, asked_tests(draft, position), position, samples, wanted), flat)


def answers_to(
    draft: Draft, tests: Sequence[str], position: int, samples: Sequence[Sample], wanted: Told
) -> dict[str, Answers]:
    """Say of conditions whether each holds, on all occasions one after the other on which something is wanted."""
    held = truths_each_time(draft, tests, position, samples) if tests else {}
    asked = tuple(each is not None for times in wanted for each in times)
    return {test: tuple(compress(chain.from_iterable(answers), asked)) for test, answers in held.items()}


def joined_tests(told: Mapping[str, Answers], wanted: Answers) -> list[str]:
    """Return conditions that hold just when they are wanted to, short ones first: one, or two, or what denies two."""
    found = [test for test, answers in told.items() if answers == wanted]
    found += (all_of(pair) for pair in pairs(told, wanted))
    found += (f"not ({all_of(pair)})" for pair in pairs(told, tuple(not each for each in wanted)))
    return sorted(found, key=len)


def pairs(told: Mapping[str, Answers], wanted: Answers) -> Iterator[tuple[str, str]]:
    """Yield two conditions that both hold just when they are wanted to, and neither of them alone."""
    covering = {test: answers for test, answers in told.items() if all(map(ge, answers, wanted)) and answers != wanted}
    for one, other in combinations(covering, 2):
        if tuple(map(and_, covering[one], covering[other])) == wanted:
            yield one, other


def flag_tests(draft: Draft, position: int) -> list[str]:
    """Return the conditions of a template on its namespaces alone that can be asked at a position.

    What is asked around the position too comes first, then what is short.
    """
    known, around = names_before(draft, position), heads_around(draft, position)
    tests = {test for name in known & namespaces(draft) for test in option_tests(draft, name)}
    unknown = namespaces(draft) - known
    asked = (test for test in tests if not unknown & set(re.findall(r"(?<![.\w])\w+", test)))
    return sorted(asked, key=lambda test: (test.removeprefix("not ") not in around, len(test), test))


def heads_around(draft: Draft, position: int) -> str:
    """Return the conditions of the blocks around a position, one after the other."""
    bodies = [body for _, item in path_to(draft.root, position) for body in item.bodies]
    return "\n".join(filter(None, (head_test(draft, body) for body in bodies)))


def asked_tests(draft: Draft, position: int) -> list[str]:
    """Return the conditions of a template, their parts and opposites, that can be asked at a position."""
    tree, stored = draft.tracer.tree, {name for _, name in names_in(draft).stores}
    known = names_before(draft, position) | targets_around(draft, position)
    found: set[str] = set()
    ifs, inline = tree.root.find_all(nodes.If), tree.root.find_all(nodes.CondExpr)
    named = (node.node for node in tree.root.find_all(nodes.Assign) if isinstance(node.node, CONDITIONS))
    for whole in (*(node.test for node in ifs), *(node.test for node in inline), *named):
        for test in conjuncts(whole):
            names = {name.name for name in (test, *test.find_all(nodes.Name)) if isinstance(name, nodes.Name)}
            if ASKED not in names and not names & stored - known:
                asked = {tree.text(test), *with_other_roles(tree.text(test))}
                found |= asked | set(map(negated, asked))
    return sorted((test for test in found if "\n" not in test), key=lambda test: (len(test), test))[:MOST_ASKED]


def with_other_roles(test: str) -> set[str]:
    """Return comparisons of what a condition compares with one role, with the others."""
    compared = re.fullmatch(rf"([\w.]+) [!=]= (['\"])(?:{'|'.join(ROLES)})\2", test)
    return {f"{compared[1]} == {compared[2]}{role}{compared[2]}" for role in ROLES} if compared else set()


def targets_around(draft: Draft, position: int) -> set[str]:
    """Return the names that the loops around a position go through their items by."""
    targets = [loop.target for loop in loops_around(draft, position)]
    return {target.name for target in targets if isinstance(target, nodes.Name)}


def names_before(draft: Draft, position: int) -> set[str]:
    """Return the names that are given a value on the way to a position, in the bodies around it."""
    passed = [item for body, _ in path_to(draft.root, position) for item in body.items if item.end <= position]
    stores = names_in(draft).stores
    return {name for item in passed if not item.bodies for start, name in stores if item.start <= start < item.end}
