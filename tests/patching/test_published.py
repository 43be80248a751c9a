"""Every original that trl stores is proven, and the laws of a patch hold for each, and for a sample of the corpus."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import trainplate
from trainplate.conversations import suite
from trainplate.rendering import Limits
from trainplate.syntax import apply_edits, normal_form
from trainplate.verdict import Verdict

JUDGE = Path(__file__).resolve().parents[3] / "shared" / "tools" / "judge.py"
NEVER_IDLE = ("mask-is-sampled-text", "prefix-preserved", "renders", "same-prompt", "same-turn", "stop-trained")
NAMES = {conversation.name for conversation in suite()}


def test_it_is_proven(published_patch: trainplate.Patch) -> None:
    report = published_patch.report
    assert report.proven
    assert Verdict.FAILED not in report.verdicts.values()
    assert {report.verdicts[check] for check in NEVER_IDLE} == {Verdict.PASSED}
    assert report.conversations > 10


def test_edits_lead_from_the_original_to_the_training_template(published_patch: trainplate.Patch) -> None:
    patch = published_patch
    assert apply_edits(patch.original.source, patch.edits) == patch.training_template
    assert all(edit.fix and edit.because for edit in patch.edits)
    assert (patch.edits == ()) == (patch.training_template == patch.original.source)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_diff_applies(published_patch: trainplate.Patch, tmp_path: Path) -> None:
    patch = published_patch
    diff = patch.diff()
    if not patch.edits:
        assert diff == ""
        return
    file = tmp_path / re.findall(r"^\+\+\+ b/(.*)$", diff, re.MULTILINE)[0]
    file.write_bytes(patch.original.source.encode())
    (tmp_path / "its.diff").write_bytes(diff.encode())
    subprocess.run(["git", "apply", "--whitespace=nowarn", "its.diff"], cwd=tmp_path, check=True)
    assert file.read_bytes() == patch.training_template.encode()


def test_proof_by_structure_is_claimed_where_the_normal_forms_agree_without_markers(
    published_patch: trainplate.Patch,
) -> None:
    patch = published_patch
    forms = [normal_form(text, without_markers=True) for text in (patch.original.source, patch.training_template)]
    assert (patch.proof == "structure") == (forms[0] == forms[1])


def test_deviations_name_conversations_that_exist_and_each_reason_once(published_patch: trainplate.Patch) -> None:
    deviations = published_patch.deviations
    assert {re.split(r" ?\[", deviation.conversation)[0] for deviation in deviations} <= NAMES
    assert len({deviation.reason for deviation in deviations}) == len(deviations)


def test_patching_a_patched_template_changes_nothing(published_patch: trainplate.Patch) -> None:
    tokens = published_patch.original.special_tokens
    again = trainplate.patch(published_patch.training_template, tokens, limits=Limits(seconds=120))
    assert again.edits == ()
    assert again.training_template == published_patch.training_template
    assert again.proof == "structure"


@pytest.fixture
def judge(independent_judge: ModuleType) -> Iterator[ModuleType]:
    """Lend the judge to one test: it stops the clock of templates that transformers keeps compiled for others."""
    from transformers.utils import chat_template_utils

    yield independent_judge
    chat_template_utils._compile_jinja_template.cache_clear()


@pytest.fixture(scope="module")
def independent_judge() -> ModuleType:
    """Return the judge that knows nothing of the project."""
    pytest.importorskip("transformers", reason="the judge renders as transformers does")
    if not JUDGE.is_file():
        pytest.skip("the independent judge is not here")
    spec = importlib.util.spec_from_file_location("judge", JUDGE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_independent_judge_agrees(published_patch: trainplate.Patch, judge: ModuleType) -> None:
    original, tokens = published_patch.original, dict(published_patch.original.special_tokens)
    verdict, witness, judged = judge.judge(original.source, published_patch.training_template, tokens)
    assert (verdict, witness) == ("proven", "")
    assert judged > 10
