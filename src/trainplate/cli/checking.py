"""The files of a commit: which of them are chat templates, and what keeps those from being trained on."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from trainplate.cli.checked_file import Fault, Pair, faults_of, pair_of
from trainplate.cli.exit_codes import complain
from trainplate.errors import LimitExceeded, LoadingError, Refusal, SyntaxFault
from trainplate.loading.text_file import failure
from trainplate.loading.touched_file import templates_touched
from trainplate.patching.verification import Elsewhere

LONGEST_NAME = 200


def check_files(files: Sequence[str], fix: bool = False, elsewhere: Elsewhere | None = None) -> int:
    """Check each chat template among the files, print what is found, and return the exit code.

    0 says that all can be trained on, 1 that something was found or written, 2 that a file could not be read.
    `elsewhere` splits the process, which a command may do but not a program that this is part of.
    """
    pairs, unread = pairs_in(files)
    codes = [2] * unread
    for pair in pairs:
        # Several pairs take no less time in two processes each, and more of both processors.
        faults = tuple(faults_of(pair, elsewhere if len(pairs) == 1 else None))
        if faults:
            codes.append(mend(pair, faults) if fix else report(faults))
    if pairs or not unread:
        print(summary(len(pairs), len(codes) - unread), file=sys.stderr)
    return max(codes, default=0)


def pairs_in(files: Iterable[str]) -> tuple[list[Pair], int]:
    """Return what is to be checked, a pair once though both its files changed, and how many files were unreadable."""
    found: dict[tuple[Path, str | None], Pair] = {}
    unread = 0
    for shown in files:
        try:
            for pair in pairs_of(shown):
                found.setdefault((pair.path.resolve(), pair.template.variant), pair)
        except LoadingError as error:
            unread += 1
            complain(str(error))
    return list(found.values()), unread


def pairs_of(shown: str) -> Iterator[Pair]:
    """Yield the templates of one file, each with its partner."""
    if not shown:
        raise failure("FILE", "empty", "name a file")
    path = Path(shown)
    try:
        for template in templates_touched(path, shown):
            yield pair_of(path, template, shown)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise failure(shown[:LONGEST_NAME], f"cannot be read: {reason}", "check the path and its permissions") from None


def summary(checked: int, faulty: int) -> str:
    """Say how many templates were checked, and how many of them something was found in."""
    templates = "1 chat template" if checked == 1 else f"{checked} chat templates"
    return f"{templates} checked, {faulty or 'none'} with findings" if checked else "no chat template among the files"


def report(faults: Iterable[Fault]) -> int:
    """Print findings, and return the exit code that they mean."""
    from trainplate.cli.terminal import output, tell, width_of
    from trainplate.reports.messages import finding_text

    console = output()
    for fault in faults:
        tell(console, finding_text(fault.place, fault.finding, width_of(console), fault.cure))
    return 1


def mend(pair: Pair, faults: Sequence[Fault]) -> int:
    """Search for a training template and write it; where there is none, say why."""
    import trainplate
    from trainplate.cli.outcomes import explain_error
    from trainplate.cli.terminal import errors, tell, width_of
    from trainplate.reports.patch_summary import summary_text
    from trainplate.writing import write_text

    original = pair.original or pair.template
    try:
        patch = trainplate.patch(original)
    except (Refusal, SyntaxFault, LimitExceeded) as error:
        explain_error(original, error)
        return 1
    write_text(pair.target, patch.training_template)
    written = f"{pair.target}; add it to the commit"
    tell(errors(), summary_text(original.name, patch, width_of(errors()), written))
    return 1
