"""Many audits side by side, in processes; what goes wrong with one source is told of it and stops no other."""

import copyreg
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from types import MappingProxyType

from trainplate.auditing import Audit, Place, Problem, Severity
from trainplate.auditing.auditor import audit_of
from trainplate.auditing.tokens import encoder_for
from trainplate.errors import SyntaxFault, TrainplateError
from trainplate.loading import load
from trainplate.reports.collection import Collection, Unread
from trainplate.reports.messages import fault_text

NARROW = 80
Answer = tuple[Audit | Unread, ...]
LOST = "the process that audited it was ended: it needed more memory than there is, or something stopped it"


def _plain(mapping: MappingProxyType) -> tuple[type, tuple[dict]]:  # type: ignore[type-arg]
    return MappingProxyType, (dict(mapping),)


copyreg.pickle(MappingProxyType, _plain)  # special tokens come in one, and audits come from other processes


def audited(sources: Sequence[str], progress: Callable[[], None]) -> Collection:
    """Audit every source; `progress` is called as each is done."""
    if len(sources) == 1:
        answers = [answer(sources[0])]
        progress()
    else:
        answers = side_by_side(sources, progress)
    found = [one for given in answers for one in given]
    return Collection(
        tuple(one for one in found if isinstance(one, Audit)), tuple(one for one in found if isinstance(one, Unread))
    )


def side_by_side(sources: Sequence[str], progress: Callable[[], None]) -> list[Answer]:
    """Audit sources in processes, as many as there are processors; the answers come in the order of the sources."""
    answers: dict[int, Answer] = {}
    with pool(min(len(sources), os.cpu_count() or 1)) as processes:
        waiting = {processes.submit(answer, source): number for number, source in enumerate(sources)}
        for done in as_completed(waiting):
            if (given := result(done)) is not None:
                answers[waiting[done]] = given
                progress()
    for number, source in enumerate(sources):
        if number not in answers:  # one process that dies takes all others with it: those left get one each
            answers[number] = alone(source)
            progress()
    return [answers[number] for number in range(len(sources))]


def alone(source: str) -> Answer:
    """Audit a source in a process of its own, which may die of it."""
    with pool(1) as process:
        given = result(process.submit(answer, source))
    return (Unread(source, LOST),) if given is None else given


def result(done: Future[Answer]) -> Answer | None:
    """Return what a process answered; None where it died."""
    try:
        return done.result()
    except BrokenProcessPool:
        return None


@contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes that start afresh, since a copy of one with threads may hang."""
    processes = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield processes
    finally:
        processes.shutdown(cancel_futures=True)


def answer(source: str) -> Answer:
    """Audit each template of a source, or say why it could not be."""
    try:
        encoder = encoder_for(source)
        templates = load(source)
    except TrainplateError as error:
        return (Unread(source, str(error)),)
    except Exception as error:
        return (Unread(source, own_fault(error)),)
    answers: list[Audit | Unread] = []
    for template in templates:
        try:
            answers.append(with_refusal(audit_of(template, source, encoder)))
        except SyntaxFault as fault:
            told = fault_text(template.name, fault, template.source, NARROW).plain
            answers.append(Unread(source, told, template, Place(fault.line, fault.column)))
        except TrainplateError as error:
            answers.append(Unread(source, str(error), template))
        except Exception as error:
            answers.append(Unread(source, own_fault(error), template))
    return tuple(answers)


def own_fault(error: Exception) -> str:
    """Return the message for a fault that is ours; raises it where its traceback is asked for."""
    if os.environ.get("TRAINPLATE_TRACEBACK"):
        raise error
    said = f"a fault of trainplate itself: {type(error).__name__}: {error}"
    return f"{said}\n    way out   report it with the template and what TRAINPLATE_TRACEBACK=1 prints"


def with_refusal(audit: Audit) -> Audit:
    """Return the audit with its refusal among the problems, where none of them says the same."""
    refusal = audit.refusal
    if refusal is None or any((one.check, one.message) == (refusal.check, refusal.reason) for one in audit.problems):
        return audit
    problem = Problem(
        check=refusal.check,
        severity=Severity.ERROR,
        message=refusal.reason,
        cure=f"mend the template until `trainplate patch` proves it; `trainplate explain {refusal.check}` says the law",
        conversation=refusal.conversation,
        before=refusal.before,
        after=refusal.after,
    )
    return replace(audit, problems=(problem, *audit.problems))
