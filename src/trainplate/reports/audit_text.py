"""An audit for a terminal: the verdict first, then what is wrong, what is supported, and what to do."""

import textwrap
from collections.abc import Iterator

from rich.text import Text

from trainplate.auditing import Audit, Facts, Problem, Severity, Supports, Trainable
from trainplate.reports.audit_words import VERDICTS, family_line, grouped, patch_line
from trainplate.reports.collection import counts, title_of
from trainplate.reports.messages import Row, block, parting_rows, wrapped_row
from trainplate.reports.next_steps import next_steps
from trainplate.reports.visible_text import cut, in_one_line
from trainplate.verdict import Verdict

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
COLOURS = {Trainable.AS_IT_IS: "bold green", Trainable.AFTER_PATCHING: "bold yellow", Trainable.NOT: "bold red"}
MARGIN, LABEL = 4, 15
LONGEST = 240
"""Characters of what a template prints on its own account; a page shows all of it."""
ANSWERS = {True: "yes", False: "no", None: "not evaluated"}


def audit_text(audit: Audit, width: int) -> Text:
    """Return the whole report; no line is wider than asked for, but for single words that are."""
    parts = [heading(audit, width), *problems(audit, width), checks(audit, width), *about(audit, width)]
    return Text("\n\n").join([*parts, steps(audit, width)])


def heading(audit: Audit, width: int) -> Text:
    """Show the source, the verdict and the family."""
    lines = block((in_one_line(title_of(audit)),), [], width)
    rows = [("verdict", Text(VERDICTS[audit.trainable], COLOURS[audit.trainable])), ("found", Text(counts(audit)))]
    if audit.patch is not None and audit.patch.edits:
        rows.append(wrapped_row("patch", patch_line(audit.patch), width))
    rows.append(wrapped_row("family", in_one_line(family_line(audit.family)), width))
    return Text("\n").join([lines, section("", rows)])


def problems(audit: Audit, width: int) -> Iterator[Text]:
    """Yield what was found, the worst first; what is ignored takes a line at the end."""
    for severity in Severity:
        for problem in audit.problems:
            if problem.severity is severity and not problem.ignored:
                yield problem_text(audit, problem, width)
    if ignored := [problem for problem in audit.problems if problem.ignored]:
        rows = [wrapped_row(in_one_line(one.check), in_one_line(one.ignored), width) for one in ignored]
        yield section("ignored", rows)


def problem_text(audit: Audit, problem: Problem, width: int) -> Text:
    """Show one finding: its place, the text that wrote it, the conversation, both texts, and the cure."""
    words = (problem.severity.value, place_of(audit, problem), in_one_line(problem.check), in_one_line(problem.message))
    text = block(words, list(problem_rows(problem, width)), width)
    text.stylize(STYLES[problem.severity], 0, len(problem.severity.value))
    return text


def problem_rows(problem: Problem, width: int) -> Iterator[Row]:
    """Yield what is to be known beside a problem's message."""
    room = width - MARGIN - LABEL
    if problem.place is not None and problem.place.expression:
        yield "written by", Text(cut(in_one_line(problem.place.expression), room))
    if problem.conversation:
        more = f" and {problem.conversations - 1} more" if problem.conversations > 1 else ""
        yield wrapped_row("conversation", in_one_line(problem.conversation) + more, width)
    yield from parting_rows(problem.before, problem.after, width, problem.labels)
    yield wrapped_row("cured by", in_one_line(problem.cure), width)


def place_of(audit: Audit, problem: Problem) -> str:
    """Return `file:line:column`, or the file alone where no place is known."""
    name = in_one_line(audit.template.name)
    return f"{name}:{problem.place.line}:{problem.place.column}" if problem.place else name


def checks(audit: Audit, width: int) -> Text:
    """Show the checks by what they say; those for which the same reason is given stand together."""
    rows: list[Row] = []
    for verdict in (Verdict.FAILED, Verdict.PASSED, Verdict.NOT_EVALUATED):
        told = [outcome for outcome in audit.outcomes if outcome.verdict is verdict]
        for number, (reason, names) in enumerate(grouped(told).items()):
            said = f"{', '.join(names)}{': ' if reason else ''}{in_one_line(reason)}"
            rows.append(wrapped_row("" if number else verdict.value, said, width))
    return section("checks", rows)


def about(audit: Audit, width: int) -> Iterator[Text]:
    """Yield what the template supports, and what it prints around turns."""
    yield section("supports", list(support_rows(audit.supports, width)))
    rows = list(fact_rows(audit.facts, width))
    if audit.assumed_tokens:
        told = ", ".join(f"{name} {token}" for name, token in audit.assumed_tokens.items())
        rows.append(wrapped_row("assumed", in_one_line(f"{told}, as the family has it"), width))
    if rows:
        yield section("prints", rows)


def support_rows(supports: Supports, width: int) -> Iterator[Row]:
    """Yield what can be said to the template, by the answer; then each option that it reads."""
    asked = {
        "system messages": supports.system,
        "tools": supports.tools,
        "several calls": supports.several_calls,
        "reasoning": supports.reasoning_field,
        "content parts": supports.content_parts,
    }
    for answer, label in ANSWERS.items():
        if named := [name for name, given in asked.items() if given is answer]:
            yield wrapped_row(label, ", ".join(named), width)
    for number, knob in enumerate(supports.knobs):
        values = f" ({', '.join(knob.values)})" if knob.values else ""
        told = f"{knob.name}{values}: {knob.effect}"
        yield wrapped_row("" if number else "options", in_one_line(told), width)


def fact_rows(facts: Facts, width: int) -> Iterator[Row]:
    """Yield what the template prints around turns, as it is written there."""
    told = {
        "turn opener": facts.turn_opener,
        "prefill": facts.prefill,
        "stop tokens": ", ".join(facts.stop_tokens),
        "BOS": facts.bos,
        "clock": "the date or time" if facts.clock else "",
        "system prompt": facts.default_system_prompt,
    }
    yield from (wrapped_row(label, cut(in_one_line(text), LONGEST), width) for label, text in told.items() if text)


def steps(audit: Audit, width: int) -> Text:
    """Show what to do next; commands stand on lines of their own, whole, so that they can be copied."""
    lines = [Text("what to do", style="bold")]
    for step in next_steps(audit):
        lines += wrapped_lines(f"- {step.why}", width)
        if step.command:
            lines.append(Text(f"        {step.command}", style="green"))
    return Text("\n").join(lines)


def wrapped_lines(text: str, width: int, *, margin: int = MARGIN) -> list[Text]:
    """Return a text in lines with a margin."""
    first, others = " " * margin, " " * (margin + 2)
    return [Text(line) for line in textwrap.wrap(text, width, initial_indent=first, subsequent_indent=others)]


def section(title: str, rows: list[Row]) -> Text:
    """Return rows of label and text under a title, or under none."""
    lines = [Text(title, style="bold")] if title else []
    for label, text in rows:
        lines.append(Text.assemble(" " * MARGIN, (label.ljust(LABEL), "dim"), text))
    return Text("\n").join(lines)
