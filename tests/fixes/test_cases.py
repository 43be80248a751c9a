"""Cases of a fix are folders: what it is given, what it makes of that, and why."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trainplate.fixes import Candidate

Propose = Callable[[str, str], list[Candidate]]

CASES = Path(__file__).parent / "cases"
FOLDERS = [
    pytest.param(path.parent, id=f"{path.parts[-3]}/{path.parts[-2]}") for path in sorted(CASES.glob("*/*/why.txt"))
]


@pytest.mark.parametrize("case", FOLDERS)
def test_first_proposal_is_the_one_expected(case: Path, propose: Propose) -> None:
    before, after = ((case / f"{name}.jinja").read_text(encoding="utf-8") for name in ("before", "after"))
    proposals = propose(case.parent.name, before)
    assert (proposals[0].source if proposals else before) == after


@pytest.mark.parametrize("case", FOLDERS)
def test_what_is_mended_needs_no_more_mending(case: Path, propose: Propose) -> None:
    assert propose(case.parent.name, (case / "after.jinja").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("case", FOLDERS)
def test_every_proposal_names_its_fix_and_a_reason(case: Path, propose: Propose) -> None:
    for proposal in propose(case.parent.name, (case / "before.jinja").read_text(encoding="utf-8")):
        assert proposal.fix == case.parent.name
        assert len(proposal.because) > 20
