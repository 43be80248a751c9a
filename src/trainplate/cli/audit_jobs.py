"""Many audits side by side, in processes; what goes wrong with one source is told of it and stops no other."""

import copyreg
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children, get_context
from signal import SIG_IGN, SIGINT, signal
from threading import current_thread, main_thread
from types import MappingProxyType

from trainplate.auditing import Audit, Place, Problem, Severity
from trainplate.auditing.auditor import audit_of
from trainplate.auditing.tokens import encoder_for
from trainplate.errors import SyntaxFault, TrainplateError
from trainplate.loading.source import load
from trainplate.reports.collection import Collection, Unread
from trainplate.reports.messages import fault_text

UNWRAPPED = 10_000
"""Columns of a message that each report wraps by itself."""
Answer = tuple[Audit | Unread, ...]
Job = Callable[[str], Answer]
LOST = "the process that audited it was ended: it needed more memory than there is, or something stopped it"


def fixed(tokens: dict[str, str]) -> MappingProxyType[str, str]:
    """Return tokens that cannot be changed, as a template has them."""
    return MappingProxyType(tokens)


# Special tokens come in a type that does not travel between processes by itself.
copyreg.pickle(MappingProxyType, lambda tokens: (fixed, (dict(tokens),)))


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


def side_by_side(sources: Sequence[str], progress: Callable[[], None], job: Job | None = None) -> list[Answer]:
    """Audit sources in processes, as many as there are processors; the answers come in the order of the sources."""
    job = job or answer
    answers: dict[int, Answer] = {}
    with pool(min(len(sources), os.cpu_count() or 1)) as processes:
        with deaf_to_interrupts():
            waiting = {processes.submit(job, source): number for number, source in enumerate(sources)}
        for done in as_completed(waiting):
            if (given := result(done)) is not None:
                answers[waiting[done]] = given
                progress()
    for number, source in enumerate(sources):
        if number not in answers:  # one process that dies takes all others with it: those left get one each
            answers[number] = alone(source, job)
            progress()
    return [answers[number] for number in range(len(sources))]


def alone(source: str, job: Job) -> Answer:
    """Audit a source in a process of its own, which may die of it."""
    with pool(1) as process:
        given = result(process.submit(job, source))
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
    others = set(active_children())
    processes = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield processes
    except KeyboardInterrupt:
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        processes.shutdown(cancel_futures=True)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that start here pass over Ctrl-C, which this one answers for all: none prints a traceback."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)


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
            told = fault_text(template.name, fault, template.source, UNWRAPPED).plain
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
        labels=refusal.labels,
    )
    return replace(audit, problems=(problem, *audit.problems))
