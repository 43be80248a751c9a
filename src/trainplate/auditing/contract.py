"""The contract, held against a template as it is: what each check says, and the findings as problems."""

import re
from collections.abc import Iterable, Iterator, Sequence

from trainplate.auditing.audit import Outcome, Place, Problem, Severity
from trainplate.auditing.places import place_of_segment
from trainplate.auditing.subject import Subject
from trainplate.checks import Report, all_checks
from trainplate.errors import Refusal
from trainplate.fixes import all_fixes
from trainplate.patching.patch import Patch
from trainplate.syntax.grammar import GENERATION
from trainplate.verdict import Finding, Verdict

ABOUT_MARKERS = frozenset({"mask-is-sampled-text", "markers-count"})
UNMARKED = re.compile(r"is (not )?trained|is not trained$")
NO_MARKERS = "it has no markers, so nothing is trained"
NOTHING_TO_SHOW = "no conversation that the template renders can show it"
COMPARING = frozenset({"same-prompt", "same-turn", "between-turns", "prompt-then-turn"})
"""These hold a training template against its original; a template held against itself shows nothing by them."""
NOTHING_TO_COMPARE = "it compares a training template with its original"


def outcomes_of(report: Report, *, marked: bool) -> Iterator[Outcome]:
    """Yield what each check of the contract says of the original."""
    for name, verdict in report.verdicts.items():
        if name in COMPARING:
            yield Outcome(name, Verdict.NOT_EVALUATED, NOTHING_TO_COMPARE)
            continue
        reason = NOTHING_TO_SHOW if verdict is Verdict.NOT_EVALUATED else ""
        if verdict is Verdict.FAILED and not marked and not list(telling(report.findings, name, marked=False)):
            reason = NO_MARKERS
        yield Outcome(name, verdict, reason)


def telling(findings: Iterable[Finding], check: str, *, marked: bool) -> Iterator[Finding]:
    """Yield a check's findings, but those that say no more than that there are no markers."""
    for finding in findings:
        if finding.check == check and (marked or not (check in ABOUT_MARKERS or UNMARKED.search(finding.message))):
            yield finding


def problems_of(subject: Subject, report: Report, *, marked: bool) -> Iterator[Problem]:
    """Yield one problem for each kind of finding, with the conversation that shows it best: the shortest."""
    for check in (name for name in all_checks() if name not in COMPARING):
        kinds: dict[str, list[Finding]] = {}
        for finding in telling(report.findings, check, marked=marked):
            kinds.setdefault(kind_of(finding.message), []).append(finding)
        for found in kinds.values():
            yield problem_of(subject, found)


def kind_of(message: str) -> str:
    """Return a message without what it quotes, so that the same fault in two conversations is one."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "'…'", message)


def problem_of(subject: Subject, found: Sequence[Finding]) -> Problem:
    """Make a problem of the findings of one kind."""
    first = found[0]
    return Problem(
        check=first.check,
        severity=Severity.ERROR,
        message=first.message,
        cure=cure_of(first.check, subject.patch, subject.refusal),
        place=subject.writers.place_of(first) or marker_of(subject, first.check),
        conversation=first.witness,
        before=first.before,
        after=first.after,
        labels=first.labels,
        conversations=len({finding.witness for finding in found}),
    )


def marker_of(subject: Subject, check: str) -> Place | None:
    """Return where the first marker stands, for a finding about markers whose text leads nowhere."""
    if check not in ABOUT_MARKERS:
        return None
    markers = (index for index, segment in enumerate(subject.tree.segments) if segment.keyword == GENERATION)
    first = next(markers, None)
    return None if first is None else place_of_segment(subject.tree, first)


def cure_of(check: str, patch: Patch | None, refusal: Refusal | None) -> str:
    """Say what cures a breach of the contract: the patch, by the fixes that made it, or that nothing here does."""
    if patch is None:
        reason = refusal.reason if refusal else "nothing can be proven"
        return f"no patch is proven ({reason})"
    used = dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", ") if fix)
    known = all_fixes()
    curing = [fix for fix in used if fix in known and check in known[fix].cures] or list(used)
    return f"trainplate patch ({', '.join(curing)})" if curing else "trainplate patch"
