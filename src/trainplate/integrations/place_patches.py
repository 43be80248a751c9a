"""A patch for each place where a tokenizer keeps a template."""

from collections.abc import Sequence

from trainplate.errors import TrainplateError
from trainplate.integrations.guards import GuardFinding
from trainplate.integrations.template_places import Place
from trainplate.patching import Patch, patch

PlacePatch = tuple[Place, Patch]


def patched(places: Sequence[Place]) -> tuple[list[PlacePatch], list[GuardFinding]]:
    """Patch the template in each place; the first must be patched, of the others a finding says what stands in the way.

    The same text in two places, as processors have it, is patched once.
    """
    done: list[PlacePatch] = []
    findings = []
    for place in places:
        known = next((one for _, one in done if one.original.source == place.template.source), None)
        try:
            done.append((place, known or patch(place.template)))
        except TrainplateError as refused:
            if not done:
                raise
            findings.append(left_alone(place, refused))
    return done, findings


def left_alone(place: Place, refused: TrainplateError) -> GuardFinding:
    """Say why a template stays as it is."""
    way_out = "render with another of the templates, or mend this one by hand"
    return GuardFinding("every-template", f"{place.template.name} stays as it is: {refused}", "", cure=way_out)
