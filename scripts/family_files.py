"""Every generated file about families: facts, fingerprints, recorded patches, goldens, and the README's table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from family_facts import Records, measured, reference, with_alike
from family_goldens import golden
from originals_at_hand import ROOT, at_hand, template_of
from record_patches import patch_by_engine, patches_text, record
from second_opinion import opinion
from turn_facts import voice_of

from trainplate.conversations import learn_support
from trainplate.errors import Refusal
from trainplate.families.catalogue import family_files
from trainplate.families.facts import Family, SecondOpinion
from trainplate.families.location import FINGERPRINTS, PATCHES, chat_templates_folder
from trainplate.families.records import RecordedPatch, patches_of
from trainplate.families.references import Reference, file_text, references
from trainplate.families.schema import read_family
from trainplate.families.toml import family_text
from trainplate.patching.choosing import as_objects
from trainplate.patching.deviations import ARGUMENTS, CONTENT, DECLINED, HISTORY, REASONING, SHED, STOP
from trainplate.rendering import compile_template
from trainplate.template import Template
from trainplate.writing import write_text

FOLDER = chat_templates_folder()
GOLDENS = ROOT / "tests" / "goldens"
CLOCK = datetime(2024, 7, 26, 12, 0)
HEADER = "| family | revisions | fixes | deviations | trl's own |\n|---|---|---|---|---|\n"
SHORT = {
    REASONING: "reasoning kept",
    HISTORY: "turns stay",
    STOP: "stop token added",
    SHED: "end shed",
    ARGUMENTS: "dicts taken",
    CONTENT: "calls without content",
    DECLINED: "moving text declined",
}
"""Deviations as the table names them."""


@dataclass(frozen=True)
class Known:
    """A family as its files state it, and what the engine recorded about it."""

    path: Path
    stated: Family
    records: Records

    @cached_property
    def measured(self) -> Family:
        """The facts with all that can be measured."""
        return measured(self.stated, self.records)

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The fingerprints of its originals: taken anew where the text is at hand, else as they are stored."""
        stored = {one.label: one for one in stored_references()}
        taken = {o.revision: reference(self.measured, o.revision, t.source) for o, t in at_hand(self.stated)}
        labels = (
            (original.revision, f"{self.stated.family} {original.revision}") for original in self.stated.originals
        )
        found = (taken.get(revision) or stored.get(label) for revision, label in labels)
        return tuple(one for one in found if one)


def stored_references() -> tuple[Reference, ...]:
    """Return the fingerprints that are stored; none before the first were taken."""
    return references() if (FOLDER / FINGERPRINTS).exists() else ()


def known(*, engine: bool = False) -> list[Known]:
    """Read every family, and record the patches that are missing.

    `engine` records all patches and opinions anew, in some minutes.
    """
    found = []
    for path in family_files(FOLDER):
        family = read_family(path)
        records = dict(recorded(family, anew=engine))
        found.append(Known(path, with_opinion(family, records) if engine else family, records))
    return found


def recorded(family: Family, *, anew: bool) -> Iterator[tuple[str, RecordedPatch]]:
    """Yield a patch for each revision: the stored one, or the engine's; where that refuses, it is printed."""
    stored = {patch.revision: patch for patch in patches_of(family.family, FOLDER)}
    for original in family.originals:
        template = template_of(family, original)
        if original.revision in stored and not (anew and template):
            yield original.revision, stored[original.revision]
        elif template:
            try:
                yield original.revision, record(family.family, original.revision, patch_by_engine(template))
            except Refusal as refusal:
                print(f"{template.name}: refused: {refusal}")


def with_opinion(family: Family, records: Records) -> Family:
    """State what the training templates of trl break, over all revisions that it has one for."""
    found = [
        opinion(template, records[original.revision].apply(template.source))
        for original, template in at_hand(family)
        if original.revision in records
    ]
    named = [one for one in found if one]
    if not named:
        return family
    breaks = sorted({check for one in named for check in one.breaks})
    says = family.second_opinion.says if family.second_opinion and breaks else ""
    return replace(family, second_opinion=SecondOpinion(named[0].template, tuple(breaks), says))


def generated(families: Sequence[Known]) -> Iterator[tuple[Path, str]]:
    """Yield every generated file with the text that it must have."""
    taken = [one for family in families for one in family.references]
    yield FOLDER / FINGERPRINTS, file_text(tuple(taken))
    for family in families:
        yield family.path, family_text(with_alike(family.measured, taken))
        if family.records:
            yield FOLDER / f"{family.stated.family}{PATCHES}", patches_text(tuple(ordered(family)))
        yield from goldens(family)


def stale(files: Iterable[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    """Yield the files that do not hold what they must, or are not there."""
    return ((path, text) for path, text in files if not path.exists() or path.read_text(encoding="utf-8") != text)


def write(files: Iterable[tuple[Path, str]]) -> list[Path]:
    """Write the files that are stale, and return them."""
    wanting = list(stale(files))
    for path, text in wanting:
        write_text(path, text, make_folder=True)
    return [path for path, _ in wanting]


def ordered(family: Known) -> Iterator[RecordedPatch]:
    """Yield the recorded patches in the order of the revisions."""
    yield from (family.records[one.revision] for one in family.stated.originals if one.revision in family.records)


def goldens(family: Known) -> Iterator[tuple[Path, str]]:
    """Yield a golden for each original at hand."""
    for original, template in at_hand(family.stated):
        if patch := family.records.get(original.revision):
            name = family.stated.family if len(family.stated.originals) == 1 else template.name.replace(" ", "-")
            yield GOLDENS / f"{name}.txt", golden_of(template, patch.apply(template.source))


def golden_of(original: Template, training: str) -> str:
    """Return the golden of a training template."""
    said, trained = (
        compile_template(source, special_tokens=original.special_tokens, clock=CLOCK)
        for source in (original.source, training)
    )
    return golden(trained, learn_support(voice_of(said), original.source), as_objects)


def table(families: Iterable[Family]) -> str:
    """Return the README's table: a row for each family."""
    return HEADER + "".join(row(family) for family in families)


def row(family: Family) -> str:
    """Return the row of one family."""
    opinion = family.second_opinion
    theirs = "" if opinion is None else opinion.says or ", ".join(opinion.breaks) or "agrees"
    cells = [
        f"{family.name} (`{family.family}`)",
        str(len(family.originals)) if family.originals else "none seen yet",
        ", ".join(family.fixes) or ("none needed" if family.originals else ""),
        ", ".join(SHORT.get(deviation.reason, deviation.reason) for deviation in family.deviations),
        theirs,
    ]
    return f"| {' | '.join(cells)} |\n"
