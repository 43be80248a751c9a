"""Cases of marking are folders: what is given, what comes of it, and why."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trainplate.fixes.mark_generation import Unmarkable

Mark = Callable[[str], str | Unmarkable]

CASES = Path(__file__).parent / "cases"
FOLDERS = [pytest.param(path.parent, id=path.parent.name) for path in sorted(CASES.glob("*/why.txt"))]


@pytest.mark.parametrize("case", FOLDERS)
def test_the_template_is_marked_as_by_hand(case: Path, mark: Mark) -> None:
    before, after = ((case / f"{name}.jinja").read_text(encoding="utf-8") for name in ("before", "after"))
    assert mark(before) == after


@pytest.mark.parametrize("case", FOLDERS)
def test_every_case_says_why(case: Path) -> None:
    assert len((case / "why.txt").read_text(encoding="utf-8").split()) > 5
