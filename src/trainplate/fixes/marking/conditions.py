"""The conditions of a template as they are written, to say them again elsewhere."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import nodes

from trainplate.errors import TrainplateError
from trainplate.fixes.marking.blocks import Body, Item, all_items
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.sample import Sample
from trainplate.fixes.marking.splitting import balanced
from trainplate.rendering import CompiledTemplate, compile_template
from trainplate.rendering.marks import PAIRS


def negated(test: str) -> str:
    """Write the opposite of a condition."""
    for word, opposite in (("==", "!="), ("!=", "==")):
        compared = test.count(word) == 1 and balanced(test.partition(word)[0])
        if compared and not re.search(r"[<>]|\b(?:and|or|not|if|is|in)\b|[!=]=.*[!=]=", test):
            return test.replace(word, opposite)
    if test.startswith("not (") and test.endswith(")") and balanced(test[5:-1]):
        return test[5:-1]
    if test.startswith("not ") and not re.search(r"\b(?:and|or|if|is|in)\b", test[4:]):
        return test[4:]
    return f"not {within(test)}"


def within(test: str) -> str:
    """Write a condition as an operand of `and` or `not`."""
    return f"({test})" if re.search(r"\b(?:and|or|if|is|in|not)\b|[=<>]", test) else test


def all_of(tests: Iterable[str]) -> str:
    """Join conditions by `and`."""
    return " and ".join(f"({test})" if re.search(r"\b(?:or|if)\b", test) else test for test in tests)


def any_of(tests: Iterable[str]) -> str:
    """Join conditions by `or`."""
    return " or ".join(f"({test})" if re.search(r"\b(?:if)\b", test) else test for test in tests)


def head_test(draft: Draft, body: Body) -> str | None:
    """Return the condition of an `if` or `elif` as it is written."""
    if body.keyword not in ("if", "elif"):
        return None
    tokens = draft.segments[body.head].tokens
    return draft.source[tokens[1].start : tokens[-1].end]


def path_tests(draft: Draft, around: Body, item: Item) -> list[str] | None:
    """Return the conditions on the way from a body down to an item; None where a loop stands between."""
    found: list[str] = []
    for outer in around.items:
        if not outer.start <= item.start < outer.end or outer is item:
            continue
        if outer.keyword != "if":
            return None
        for index, body in enumerate(outer.bodies):
            if any(inner is item for inner in all_items(body)):
                earlier = [head_test(draft, before) or "" for before in outer.bodies[:index]]
                own = head_test(draft, body)
                found += [negated(test) for test in earlier] + ([own] if own else [])
                below = path_tests(draft, body, item)
                return None if below is None else found + below
    return found


def option_tests(draft: Draft, option: str) -> list[str]:
    """Return the conditions of the template that mention an option and no message, and their opposites.

    Whole conditions come before their parts, and last what asks only whether the option is given: its value matters.
    """
    tree, known = draft.tracer.tree, {option} | namespaces(draft)
    ifs, inline = tree.root.find_all(nodes.If), tree.root.find_all(nodes.CondExpr)
    asked = [*(node.test for node in ifs), *(node.test for node in inline)]
    parts = [part for whole in asked for part in conjuncts(whole)]
    found: dict[str, bool] = {}
    for test in (*asked, *parts):
        names = {name.name for name in (test, *test.find_all(nodes.Name)) if isinstance(name, nodes.Name)}
        text = tree.text(test)
        if option in text and names <= known:
            given = isinstance(test, nodes.Test) and test.name in ("defined", "undefined")
            found.setdefault(text, given or text.endswith("is not defined"))
    ordered = sorted(found, key=lambda text: found[text])
    return [written for text in ordered for written in (text, negated(text))]


def conjuncts(test: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a condition, and the parts of it that are joined by `and`."""
    yield test
    if isinstance(test, nodes.And):
        yield from conjuncts(test.left)
        yield from conjuncts(test.right)


def namespaces(draft: Draft) -> set[str]:
    """Return the names that hold a namespace."""
    return {
        assign.target.name
        for assign in draft.tracer.tree.root.find_all(nodes.Assign)
        if isinstance(assign.target, nodes.Name) and isinstance(assign.node, nodes.Call)
        and isinstance(assign.node.node, nodes.Name) and assign.node.node.name == "namespace"
    }  # fmt: skip


def truths(draft: Draft, test: str, position: int, samples: Sequence[Sample]) -> list[bool | None]:
    """Say for each sample whether a condition holds at a position of the source; None where that is never reached."""
    if not assigned(draft) & set(re.findall(r"\w+", test)):
        results = {
            shown: holds(test, options) for shown, options in {repr(s.options): s.options for s in samples}.items()
        }
        if None not in results.values():
            return [results[repr(sample.options)] for sample in samples]
    yes, no = PAIRS[0]
    probe = f"{{{{ '{yes}' if {test} else '{no}' }}}}"
    asked = compiled(draft.source[:position] + probe + draft.source[position:], tuple(draft.special_tokens.items()))
    return [first_answer(asked, sample, yes, no) for sample in samples]


def truths_of(
    draft: Draft, tests: Sequence[str], position: int, samples: Sequence[Sample]
) -> dict[str, list[bool | None]]:
    """Say the same of several conditions, from one render of each sample; one that fails is asked for itself."""
    answers = answers_at(draft, tests, position, samples)
    if any(len(given) < len(tests) for given in answers):
        return {test: truths(draft, test, position, samples) for test in tests}
    return {test: [given[number] for given in answers] for number, test in enumerate(tests)}


def truths_each_time(
    draft: Draft, tests: Sequence[str], position: int, samples: Sequence[Sample]
) -> dict[str, list[tuple[bool, ...]]]:
    """Say of conditions whether each holds, each time that a position is reached; one that fails is left out."""
    answers = answers_at(draft, tests, position, samples)
    if all(answers):
        return {test: [tuple(given[number :: len(tests)]) for given in answers] for number, test in enumerate(tests)}
    if len(tests) < 2:
        return {}
    halves = (tests[: len(tests) // 2], tests[len(tests) // 2 :])
    return {test: held for half in halves for test, held in truths_each_time(draft, half, position, samples).items()}


def answers_at(draft: Draft, tests: Sequence[str], position: int, samples: Sequence[Sample]) -> list[list[bool]]:
    """Return for each sample whether conditions hold at a position, in order and each time; nothing where one fails."""
    yes, no = PAIRS[0]
    probe = "".join(f"{{{{ '{yes}' if {test} else '{no}' }}}}" for test in tests)
    asked = compiled(draft.source[:position] + probe + draft.source[position:], tuple(draft.special_tokens.items()))
    return [answers(asked, sample, yes, no) for sample in samples]


def answers(asked: CompiledTemplate | None, sample: Sample, yes: str, no: str) -> list[bool]:
    """Return all answers that a template with probes in it prints, none where it fails."""
    try:
        text = "" if asked is None else asked.render(sample.messages, sample.tools, **sample.options)
    except TrainplateError:
        return []
    return [character == yes for character in text if character in (yes, no)]


def assigned(draft: Draft) -> set[str]:
    """Return the names that a template gives values to."""
    targets = (assign.target for assign in draft.tracer.tree.root.find_all(nodes.Assign))
    return {target.name for target in targets if isinstance(target, nodes.Name)}


def first_answer(asked: CompiledTemplate | None, sample: Sample, yes: str, no: str) -> bool | None:
    """Return the first answer that a template with a probe in it prints."""
    try:
        text = "" if asked is None else asked.render(sample.messages, sample.tools, **sample.options)
    except TrainplateError:
        return None
    return next((character == yes for character in text if character in (yes, no)), None)


def holds(test: str, options: Mapping[str, Any]) -> bool | None:
    """Say whether a condition holds under options, as far as they alone decide it."""
    asked = compiled(f"{{{{ 1 if {test} }}}}", ())
    try:
        return None if asked is None else bool(asked.render([], **options))
    except TrainplateError:
        return None


@lru_cache(maxsize=256)
def compiled(source: str, special_tokens: tuple[tuple[str, str], ...]) -> CompiledTemplate | None:
    """Compile a template that asks something; None if the question makes no sense."""
    try:
        return compile_template(source, special_tokens=dict(special_tokens))
    except TrainplateError:
        return None
