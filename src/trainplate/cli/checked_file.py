"""One changed file, judged: what of it is a chat template, and what keeps that from being trained on."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from trainplate.errors import Declined, LimitExceeded, Refusal, SyntaxFault, too_deep
from trainplate.families.known_bytes import may_be_known, may_be_recorded
from trainplate.loading.touched_file import TRAINING, has_markers, original_beside, training_file
from trainplate.patching.verification import Elsewhere, Verification, hold
from trainplate.rendering import CompiledTemplate, Limits, budget, compile_template
from trainplate.template import Template
from trainplate.verdict import Finding

LIMITS = Limits(seconds=20.0, characters=16_000_000)
"""What all conversations with one template may take together."""
PLAIN = ("one-turn", "two-turns", "then-user", "system")
"""What a published original is told, of which nobody expects more than that it renders."""
MEND = "mend the template there"
SIMPLIFY = "make its loops end, and what it prints smaller"


@dataclass(frozen=True, eq=False)
class Pair:
    """A template that is to be trained on, and the original that it was made from, where there is one."""

    path: Path
    template: Template
    original: Template | None = None
    original_path: Path | None = None

    @property
    def source_file(self) -> Path:
        """The file that `--fix` starts from."""
        return self.original_path or self.path

    @property
    def target(self) -> Path:
        """The file that `--fix` writes: a training template without an original is mended where it lies."""
        if self.original is not None or self.path.stem.endswith(TRAINING):
            return self.path
        return training_file(self.path, self.template.variant)


@dataclass(frozen=True, eq=False)
class Fault:
    """One finding with its place, as `file:line:column`, and what cures it."""

    place: str
    finding: Finding
    cure: str


def pair_of(path: Path, template: Template, shown: str) -> Pair:
    """Return a template with its partner: the original beside a training template, or the other way round."""
    from trainplate.loading.jinja_file import load_jinja_file

    found = original_beside(path, shown)
    if found is not None:
        return Pair(path, with_tokens_of(template, found[1]), found[1], found[0])
    training = training_file(path, template.variant)
    if not training.is_file():
        return Pair(path, template)
    trained = load_jinja_file(training, str(Path(shown).with_name(training.name)))[0]
    return Pair(training, with_tokens_of(trained, template), template, path)


def with_tokens_of(training: Template, original: Template) -> Template:
    """Return a training template with the special tokens of its original too: it may speak of others itself."""
    return replace(training, special_tokens={**training.special_tokens, **original.special_tokens})


def faults_of(pair: Pair, elsewhere: Elsewhere | None = None) -> Iterator[Fault]:
    """Yield what keeps a template from being trained on, the first conversation for each check.

    `elsewhere` has half of the work done by another process, where that is wanted.
    """
    cure = f"trainplate check --fix {shlex.quote(shown_source(pair))}"
    template, original = pair.template, pair.original
    try:
        if original is None and not has_markers(template.source) and not pair.path.stem.endswith(TRAINING):
            missing = Finding("training-template", f"no training template beside it: {pair.target.name}", "")
            yield from faults_of_original(template, Fault(f"{template.name}:1:1", missing, cure))
        else:
            yield from faults_of_training(template, original, cure, elsewhere)
    except SyntaxFault as fault:
        yield Fault(f"{fault.name}:{fault.line}:{fault.column}", Finding("syntax", fault.message, ""), MEND)
    except RecursionError:
        yield Fault(f"{template.name}:1:1", Finding("syntax", too_deep(template.name).message, ""), MEND)
    except LimitExceeded as error:
        yield Fault(f"{template.name}:1:1", Finding("renders", str(error), error.conversation), SIMPLIFY)
    except Refusal as refusal:
        finding = Finding(
            refusal.check, refusal.reason, refusal.conversation, refusal.before, refusal.after, refusal.labels
        )
        yield Fault(f"{template.name}:1:1", finding, MEND)


def shown_source(pair: Pair) -> str:
    """Return the file to name to `--fix`, as the user named it."""
    name = (pair.original or pair.template).name
    return name.partition("#chat_template")[0]


def faults_of_training(
    template: Template, original: Template | None, cure: str, elsewhere: Elsewhere | None
) -> Iterator[Fault]:
    """Hold a training template to the contract, unless it is what is recorded of a known original."""
    if original is not None and is_what_is_recorded(original, template):
        return
    with budget(LIMITS):
        held = hold(template, original, elsewhere=elsewhere)
        if elsewhere is not None and held.is_proven_by_halves(elsewhere):
            return
    with budget(LIMITS):  # anew: what halves took in vain is no fault of the template's
        verified = held.verification()
    findings = verified.first_findings
    if not findings and not verified.report.proven:
        nothing = Finding("renders", "no conversation shows whether it can be trained on: not evaluated", "")
        yield Fault(f"{template.name}:1:1", nothing, MEND)
    if findings:
        for finding, place in zip(findings, placed(verified, template), strict=True):
            yield Fault(f"{template.name}:{place[0]}:{place[1]}", finding, cure)


def is_what_is_recorded(original: Template, training: Template) -> bool:
    """Say whether a training template is the one that is recorded of a known original."""
    if not may_be_known(original.source) or not may_be_recorded(training.source):
        return False
    from trainplate.patching.known import is_on_record  # with all that is known of families

    return is_on_record(original, training)


def placed(verified: Verification, template: Template) -> Iterator[tuple[int, int]]:
    """Yield the place of each finding; the template's beginning where nothing tells it."""
    from trainplate.patching.place_of_finding import places_of
    from trainplate.syntax.line_ends import with_newlines

    source = with_newlines(template.source)
    yield from (place or (1, 1) for place in places_of(verified.first_findings, verified.bench, source))


def faults_of_original(template: Template, missing: Fault) -> Iterator[Fault]:
    """Tell a published original plain conversations; it may decline them, but not run into an error.

    Its training template is missing too, unless it prints nothing that could be trained.
    """
    from trainplate.conversations.suite_files import named
    from trainplate.conversations.support import learn_contents

    with budget(LIMITS):
        compiled = compile_template(template.source, special_tokens=template.special_tokens, name=template.name)
        said: list[Declined] = []
        form = learn_contents(partial(answer, compiled, said))
        if form is None:
            words = f"; it says: {said[0]}" if said else ""
            line = next((one.line for one in said if one.line), 1)
            silent = Finding("renders", f"it prints no plain conversation{words}", "one-turn")
            yield Fault(f"{template.name}:{line}:1", silent, MEND)
            return
        for conversation in map(form.of, map(named, PLAIN)):
            said.clear()
            for prompt in (False, True):
                answer(compiled, said, conversation.messages, None, prompt)
            for error in [one for one in said if not one.deliberate][:1]:
                finding = Finding("renders", f"an error, not an answer: {error}", conversation.label)
                yield Fault(f"{template.name}:{error.line or 1}:1", finding, MEND)
    yield missing


def answer(
    compiled: CompiledTemplate,
    said: list[Declined],
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    prompt: bool,
    **options: Any,
) -> str | None:
    """Render a conversation; where it is declined, keep the answer and return None."""
    try:
        return compiled.render(messages, tools, add_generation_prompt=prompt, **options)
    except Declined as declined:
        said.append(declined)
        return None
