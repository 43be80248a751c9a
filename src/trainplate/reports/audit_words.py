"""What an audit found, in words that the terminal's report and the page share."""

from collections.abc import Iterable

from trainplate.auditing import Outcome, Trainable
from trainplate.families.catalogue import family_named
from trainplate.families.identification import Match, Rung
from trainplate.patching.patch import Patch
from trainplate.reports.patch_summary import counted_edits

VERDICTS = {
    Trainable.AS_IT_IS: "can be trained on as it is",
    Trainable.AFTER_PATCHING: "can be trained on after patching",
    Trainable.NOT: "cannot be trained on",
}
PROOFS = {"structure": "proven by structure: only markers come in", "suite": "proven on a suite of conversations"}


def patch_line(patch: Patch) -> str:
    """Say what a patch does, and how it is proven."""
    fixes = dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", ") if fix)
    named = f" ({', '.join(fixes)})" if fixes else ""
    record = f", recorded for {patch.record}" if patch.record else ""
    return f"{counted_edits(patch)}{named}{record}, {PROOFS[patch.proof]}"


def family_line(match: Match | None) -> str:
    """Say which family a template is of, and how that was recognised."""
    if match is None:
        return "none that is known"
    name = family_named(match.family).name
    also = f"; so are {', '.join(match.also)}" if match.also else ""
    how = f"nearest, {match.likeness:.0%} alike" if match.how is Rung.NEAREST else match.how.value
    return f"{name} ({match.family} {match.revision}), {how}{also}{difference_line(match)}"


def difference_line(match: Match) -> str:
    """Say in what a template differs from the recorded original; nothing where it does not."""
    apart = match.difference
    said = [f"other {', '.join(apart.manners)}"] if apart.manners else []
    if apart.lines:
        numbers = [str(line.number) for line in apart.lines]
        more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
        said.append(f"own lines {', '.join(numbers[:8])}{more}")
    if apart.missing:
        said.append(f"{apart.missing} pieces missing")
    return "; " + "; ".join(said) if said else ""


def grouped(outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """Return the names of checks by the reason that is given; those without one come first."""
    groups: dict[str, list[str]] = {"": []}
    for outcome in outcomes:
        groups.setdefault(outcome.reason, []).append(outcome.check)
    return {reason: names for reason, names in groups.items() if names}
