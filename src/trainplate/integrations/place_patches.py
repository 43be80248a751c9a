"""A patch for each place where a tokenizer keeps a template."""

from collections.abc import Sequence
from functools import lru_cache

from trainplate.errors import TrainplateError
from trainplate.integrations.guards import GuardFinding
from trainplate.integrations.template_places import Place
from trainplate.patching.patch import Patch, patch
from trainplate.template import Template

PlacePatch = tuple[Place, Patch]


def patched(places: Sequence[Place]) -> tuple[list[PlacePatch], list[GuardFinding]]:
    """Patch the template in each place; the first must be patched, of the others a finding says what stands in the way.

    The same text in two places, as processors have it, is patched once.
    """
    done: list[PlacePatch] = []
    findings = []
    for place in places:
        try:
            done.append((place, patch_once(place.template)))
        except TrainplateError as refused:
            if not done:
                raise
            findings.append(left_alone(place, refused))
    return done, findings


def patch_once(template: Template) -> Patch:
    """Patch a template, and remember what came out: trainers follow one another on one tokenizer."""
    return remembered(template.source, frozenset(template.special_tokens.items()), template.name)


@lru_cache(maxsize=16)
def remembered(source: str, tokens: frozenset[tuple[str, str]], name: str) -> Patch:
    """Patch each text once."""
    return patch(Template(source, dict(tokens), name))


def left_alone(place: Place, refused: TrainplateError) -> GuardFinding:
    """Say why a template stays as it is."""
    way_out = "render with another of the templates, or mend this one by hand"
    return GuardFinding("every-template", f"{place.template.name} stays as it is: {refused}", "", cure=way_out)
