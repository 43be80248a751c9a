"""The way in: a chat template becomes a training template with its proof, or is refused with a witness."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

from trainplate.checks import Report
from trainplate.conversations import untold_fields
from trainplate.errors import LimitExceeded, Refusal, SyntaxFault, too_deep
from trainplate.families.known_bytes import may_be_known
from trainplate.patching.bench import Bench, lay, modest
from trainplate.patching.collecting import sparing_collection
from trainplate.patching.deviations import Deviation, deviations_of
from trainplate.patching.no_turns import quoted_answer, silence
from trainplate.patching.script import CLOCK
from trainplate.rendering import DEFAULT_LIMITS, Limits, budget, compile_template
from trainplate.template import Template, with_stand_ins

if TYPE_CHECKING:
    from trainplate.patching.search import Found
    from trainplate.syntax import Edit

STOPS = "stop-trained"
WAY_OUT = "name the model's folder or Hub id in place of the file, or pass special_tokens={...}"
SEARCHING = 10
"""How many times as long as the original's own renderings a search may take."""
Proof = Literal["structure", "suite"]


class Applied(Protocol):
    """A training template that stands on a tokenizer."""

    def restore(self) -> None:
        """Put the original back."""


@dataclass(frozen=True)
class Patch:
    """An original, its training template, and everything that leads from the one to the other."""

    original: Template
    training_template: str
    edits: "tuple[Edit, ...]"
    """Replacements on the original's source; none where it could be trained on as it was."""
    deviations: tuple[Deviation, ...]
    report: Report
    proof: Proof
    """`structure` where only markers were inserted, which can change no text; `suite` where conversations prove it."""
    record: str = ""
    """The known original whose recorded patch this is, as `qwen3 v1`; empty where it was searched for."""

    @cached_property
    def untold_fields(self) -> tuple[str, ...]:
        """The fields of answers that the training template reads and no conversation of the proof has."""
        tokens = self.original.special_tokens
        return untold_fields(compile_template(self.training_template, special_tokens=tokens, clock=CLOCK))

    def diff(self) -> str:
        """Return the difference to the original as a unified diff; empty where nothing had to change."""
        from trainplate.syntax import unified_diff

        name = self.original.name.strip("<>").lstrip("/")
        return unified_diff(self.original.source, self.training_template, name=name)

    def apply(self, tokenizer: Any) -> Applied:
        """Put the training template on a tokenizer or processor; the handle's `restore` takes it off again.

        Raises TrainplateError where the tokenizer carries another template than was patched.
        """
        # Tokenizers belong to other libraries, which patching does not know: what knows them is fetched when needed.
        applied: Applied = import_module("trainplate.integrations.swap").apply(self, tokenizer)
        return applied


def patch(template: Any, special_tokens: Mapping[str, str] | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Patch:
    """Turn a chat template into a training template that is proven: a known original as recorded, any other by search.

    `template` is the template's text, a `Template`, or a tokenizer or processor with one. Raises Refusal, with the
    check and the conversation that stand in the way, where nothing can be proven; SyntaxFault, with line and column,
    where the text is no template; LoadingError where a tokenizer has none, or several under names.
    """
    original = as_template(template, special_tokens)
    try:
        return known_patch(original) or with_known_tokens(patch_of(original, limits))
    except Refusal as refusal:
        if refusal.check == STOPS and "eos_token" not in original.special_tokens:
            raise refusal.saying(f"no EOS is known that could end it: {WAY_OUT}") from refusal
        raise
    except LimitExceeded as error:
        raise Refusal.of_limit(error) from error
    except SyntaxFault as error:
        raise error.in_file(original.name) from error
    except RecursionError as error:
        raise too_deep(original.name) from error


def with_known_tokens(patch: Patch) -> Patch:
    """Return a patch that spells out no stand-in for a token; raises Refusal where it does."""
    original = patch.original
    for name in sorted(original.stand_ins):
        token = original.special_tokens[name]
        if patch.training_template.count(token) > original.source.count(token):
            reason = f"the training template has to spell out {name}, which the source does not tell: {WAY_OUT}"
            raise Refusal(reason, check=STOPS, conversation="")
    return patch


def as_template(template: Any, special_tokens: Mapping[str, str] | None) -> Template:
    """Return what was given as a template with its special tokens."""
    if isinstance(template, Template):
        return template if special_tokens is None else Template(template.source, special_tokens, template.name)
    if isinstance(template, str):
        return with_stand_ins(Template(template)) if special_tokens is None else Template(template, special_tokens)
    from trainplate.loading.live_tokenizer import load_one

    found: Template = load_one(template)
    return found if special_tokens is None else Template(found.source, special_tokens, found.name)


def known_patch(original: Template) -> Patch | None:
    """Return the patch that is recorded of a known original; None for any other template."""
    if not may_be_known(original.source):
        return None
    from trainplate.patching.known import patch_on_record  # with all that is known of families

    found = patch_on_record(original)
    if found is None:
        return None
    record = found.record
    return Patch(
        original=original,
        training_template=found.training_template,
        edits=found.edits,
        deviations=found.deviations,
        report=found.report,
        proof=record.proof,
        record=f"{record.family} {record.revision}",
    )


def patch_of(original: Template, limits: Limits) -> Patch:
    """Search for a training template, and put together all that is to be known of it.

    The limits hold for the original's own renderings together; a search, which renders many candidates, has longer.
    """
    from trainplate.syntax import with_newlines

    source = with_newlines(original.source)
    with sparing_collection():
        with budget(limits):
            bench = lay(source, original.special_tokens)
        return patch_on(bench, original, limits)


def patch_on(bench: Bench, original: Template, limits: Limits = DEFAULT_LIMITS) -> Patch:
    """Search for a training template for an original that lies on the bench; raises Refusal and LimitExceeded."""
    from trainplate.syntax import with_line_ends_of

    source = bench.source
    if not bench.support.speaks:
        raise Refusal(silence(bench), check="renders", conversation="one-turn")
    if (quoting := quoted_answer(bench)) is not None:
        raise quoting
    with sparing_collection(), budget(replace(limits, seconds=limits.seconds * SEARCHING)):
        bench, found = searched(bench)
    edits = edits_of(source, found)
    training = with_line_ends_of(original.source, found.source) if edits else original.source
    return Patch(
        original=original,
        training_template=training,
        edits=edits_of(original.source, found, training),
        deviations=deviations_of(found.trials, bench.support.form),
        report=found.report,
        proof="structure" if is_same_structure(source, found.source) else "suite",
    )


def searched(bench: Bench) -> "tuple[Bench, Found]":
    """Return what a search finds, and what it was held to: calls without content only where they can be had.

    An original that takes null may say such calls so that nothing can be trained on; others it does not print at all.
    """
    from trainplate.patching.search import search  # with the fixes, which a mere check does not need

    try:
        try:
            return bench, search(bench)
        except Refusal:
            without = modest(bench)
            if without is bench:
                raise
        return without, search(without)
    except LimitExceeded as error:
        raise error.amid("a training template was being searched for") from None


def edits_of(source: str, found: "Found", training: str | None = None) -> "tuple[Edit, ...]":
    """Return the replacements that lead from the source to the training template, with the fixes that ask for them."""
    from trainplate.syntax import edits_between

    fixes = ", ".join(dict.fromkeys(step.fix for step in found.steps))
    because = "; ".join(dict.fromkeys(step.because for step in found.steps))
    return tuple(edits_between(source, found.source if training is None else training, fixes, because))


def is_same_structure(source: str, training: str) -> bool:
    """Whether a training template differs from its source in markers alone, which print nothing."""
    from trainplate.syntax import normal_form

    return normal_form(training, without_markers=True) == normal_form(source, without_markers=True)
