"""Records what the engine makes of known originals: edits without the publisher's text, and all that was proven."""

from collections.abc import Iterator, Mapping

from trainplate.families.known_bytes import digest
from trainplate.families.records import Range, RecordedEdit, RecordedPatch, place_hash
from trainplate.families.toml import toml_value
from trainplate.patching.patch import Patch, patch_of
from trainplate.rendering import DEFAULT_LIMITS, Limits
from trainplate.syntax import Edit
from trainplate.template import Template
from trainplate.verdict import Verdict

LONGEST_OWN = 64
"""From this length on, text that stands in the original too is recorded as a range of it."""
PATIENCE = Limits(seconds=DEFAULT_LIMITS.seconds * 6, characters=DEFAULT_LIMITS.characters)


def patch_by_engine(original: Template) -> Patch:
    """Patch as if nothing were recorded; raises Refusal."""
    return patch_of(original, PATIENCE)


def record(family: str, revision: str, patch: Patch) -> RecordedPatch:
    """Return a patch as it is recorded."""
    source = patch.original.source
    fixes = tuple(dict.fromkeys(fix for edit in patch.edits for fix in edit.fix.split(", ")))
    made = RecordedPatch(
        family=family,
        revision=revision,
        sha256=digest(patch.training_template),
        proof=patch.proof,
        fixes=fixes,
        because="; ".join(dict.fromkeys(edit.because for edit in patch.edits)),
        conversations=patch.report.conversations,
        passed=tuple(name for name, verdict in patch.report.verdicts.items() if verdict is Verdict.PASSED),
        edits=tuple(recorded_edit(source, edit) for edit in patch.edits),
        deviations=tuple((deviation.reason, deviation.conversation) for deviation in patch.deviations),
        tokens=dict(spelled_out(patch)),
    )
    assert made.apply(source) == patch.training_template, f"the record of {family} {revision} does not give the patch"
    return made


def recorded_edit(source: str, edit: Edit) -> RecordedEdit:
    """Return an edit with the hash of what it stands on, and without text of the original's."""
    place = place_hash(source, edit.start, edit.end)
    return RecordedEdit(edit.start, edit.end, place, tuple(own_text(source, edit.replacement)))


def own_text(source: str, new: str) -> Iterator[str | Range]:
    """Yield new text piece by piece: what is our own as text, what stands in the original as a range of it."""
    own = position = 0
    while position <= len(new) - LONGEST_OWN:
        at = source.find(new[position : position + LONGEST_OWN])
        if at < 0:
            position += 1
            continue
        length = LONGEST_OWN
        while position + length < len(new) and source[at : at + length + 1] == new[position : position + length + 1]:
            length += 1
        if own < position:
            yield new[own:position]
        yield at, at + length
        position = own = position + length
    if own < len(new):
        yield new[own:]


def spelled_out(patch: Patch) -> Iterator[tuple[str, str]]:
    """Yield the special tokens that the edits spell out, though the original does not."""
    for name, token in patch.original.special_tokens.items():
        if token and token not in patch.original.source and any(token in edit.replacement for edit in patch.edits):
            yield name, token


def patches_text(patches: tuple[RecordedPatch, ...]) -> str:
    """Return the file of a family's recorded patches."""
    return "\n".join("".join(_patch(patch)) for patch in patches)


def _patch(patch: RecordedPatch) -> Iterator[str]:
    yield "[[patch]]\n"
    fields: Mapping[str, object] = {
        "revision": patch.revision,
        "sha256": patch.sha256,
        "proof": patch.proof,
        "fixes": patch.fixes,
        "because": patch.because,
        "conversations": patch.conversations,
        "passed": patch.passed,
        "tokens": patch.tokens,
    }
    yield from (f"{name} = {toml_value(value)}\n" for name, value in fields.items() if value or name != "tokens")
    for reason, conversation in patch.deviations:
        yield f"\n[[patch.deviation]]\nreason = {toml_value(reason)}\nconversation = {toml_value(conversation)}\n"
    for edit in patch.edits:
        yield f"\n[[patch.edit]]\nstart = {edit.start}\nend = {edit.end}\nplace = {toml_value(edit.place)}\n"
        if edit.text:
            single = len(edit.text) == 1 and isinstance(edit.text[0], str)
            yield f"text = {toml_value(edit.text[0] if single else edit.text)}\n"
