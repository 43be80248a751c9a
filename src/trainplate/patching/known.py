"""Known originals: what was recorded and reviewed of them is applied, at once and without a search."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainplate.checks import Report, all_checks
from trainplate.families.identification import known_original
from trainplate.families.known_bytes import digest
from trainplate.families.records import RecordedPatch, RecordMismatch, recorded
from trainplate.patching.deviations import Deviation
from trainplate.syntax import Edit
from trainplate.template import SPECIAL_TOKENS, Template
from trainplate.verdict import Verdict


@dataclass(frozen=True)
class Recorded:
    """A recorded patch, applied to the original it was made for."""

    record: RecordedPatch
    training_template: str
    edits: tuple[Edit, ...]
    deviations: tuple[Deviation, ...]
    report: Report
    """What was proven when the patch was recorded; the tests hold it to the same conversations again."""


def patch_on_record(original: Template) -> Recorded | None:
    """Return the recorded patch of a template that is a known original byte for byte, else None.

    None too where the tokenizer lacks a token that the record spells out or that is read, or where the record does not
    fit: the engine can find the patch anew.
    """
    match = known_original(original)
    record = recorded(match) if match else None
    if record is None or not record.holds_for(original.special_tokens):
        return None
    try:
        training, edits = record.apply(original.source), record.edits_on(original.source)
    except RecordMismatch:
        return None
    if not reads_known(training, original.special_tokens):
        return None
    deviations = tuple(Deviation(*stated) for stated in record.deviations)
    return Recorded(record, training, edits, deviations, report_of(record))


def is_on_record(original: Template, training: Template) -> bool:
    """Say whether a training template is the one that is recorded of a known original: it was proven then."""
    match = known_original(original)
    record = recorded(match) if match else None
    if record is None or record.sha256 != digest(training.source):
        return False
    return record.holds_for(original.special_tokens) and reads_known(training.source, training.special_tokens)


def reads_known(training: str, special_tokens: Mapping[str, str]) -> bool:
    """Say whether a tokenizer has every special token that a template reads: what is recorded was proven with them."""
    return all(special_tokens.get(name) for name in SPECIAL_TOKENS if name in training)


def report_of(record: RecordedPatch) -> Report:
    """Return what the checks said of a patch when it was recorded."""
    passed = set(record.passed)
    verdicts = {name: Verdict.PASSED if name in passed else Verdict.NOT_EVALUATED for name in all_checks()}
    return Report(verdicts, (), record.conversations)
