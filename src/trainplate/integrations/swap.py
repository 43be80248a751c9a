"""The handle of a swap: training templates stand on a tokenizer until it is restored."""

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.integrations.checkpoints import Replacement, as_original, write_beside
from trainplate.integrations.fields_in_use import UNTOLD, fields_in_use
from trainplate.integrations.guards import TrainingWarning
from trainplate.integrations.interception import forget, observe
from trainplate.integrations.options_in_use import options_read, prove
from trainplate.integrations.place_patches import PlacePatch, patched
from trainplate.integrations.template_places import holders, places_of, put
from trainplate.integrations.trl_adoption import offer, withdraw
from trainplate.masks.backend import text_tokenizer
from trainplate.patching.patch import Patch
from trainplate.verdict import Finding

PROVEN_AT_MOST = 16
"""Sets of options that are proven as they come up; an option that takes ever new values is free text."""


class Swap:
    """Training templates on a tokenizer or processor, in the places of their originals, until `restore`.

    While they stand, what saves the tokenizer saves the originals, with the training templates beside them; and a
    rendering under options for which a training template is not proven raises Refusal.
    """

    def __init__(self, tokenizer: Any, patches: Sequence[PlacePatch], name: str | None = None) -> None:
        self.tokenizer = tokenizer
        self.name = name
        self.patches = tuple(patch for _, patch in patches)
        self.replacements = replacements(patches)
        self.findings: tuple[Finding, ...] = ()
        """What was found beside the template."""
        self.used = False
        """Whether anything has rendered with a training template, or saved the tokenizer."""
        self._before = entries(tokenizer)
        self._originals = self._before
        self._attributes: list[tuple[str, Any]] = []
        self._proven: set[tuple[str, str]] = set()
        self._told: set[str] = set()
        self._standing = False

    @property
    def training_template(self) -> str:
        """The training template that stands where transformers looks first."""
        return self.patches[0].training_template

    def stand(self) -> "Swap":
        """Put the training templates in place, and return the handle."""
        self._standing = True
        observe(self, [type(holder) for holder in holders(self.tokenizer)])
        offer(self.adopt)
        self.put_in_place()
        return self

    def put_in_place(self) -> None:
        """Put each training template where its original stands."""
        for replaced in self.replacements:
            put(replaced.place.holder, replaced.place.name, replaced.training)

    def adopt(self, tokenizer: Any) -> bool:
        """Patch the templates that somebody has put on the tokenizer meanwhile; they are its originals from now on."""
        if tokenizer is not self.tokenizer or self.concerns(tokenizer):
            return tokenizer is self.tokenizer
        self._originals = entries(tokenizer)
        patches, findings = patched(places_of(tokenizer, self.name))
        self.patches, self.replacements = tuple(patch for _, patch in patches), replacements(patches)
        self.findings = (*self.findings, *findings)
        self.put_in_place()
        return True

    def set_beside(self, name: str, value: Any) -> None:
        """Set an attribute of the text tokenizer for as long as the swap stands."""
        tokenizer = text_tokenizer(self.tokenizer)
        self._attributes.append((name, getattr(tokenizer, name, None)))
        setattr(tokenizer, name, value)

    def restore(self, *, failed: bool = False) -> None:
        """Put the originals back; doing so twice changes nothing.

        A template that somebody else has put in place meanwhile is left alone, unless the training has `failed`:
        then all is as it was before.
        """
        if not self._standing:
            return
        self._standing = False
        forget(self)
        withdraw(self.adopt)
        for holder, before in self._before if failed else self._originals:
            if failed or self.concerns(holder):
                holder.chat_template = before
        for name, before in self._attributes:
            setattr(text_tokenizer(self.tokenizer), name, before)

    def concerns(self, holder: Any) -> bool:
        """Say whether an object, be it a copy, carries one of the training templates."""
        return any(replaced.stands_on(holder) for replaced in self.replacements)

    def rendered(self, holder: Any, conversation: Any, arguments: Mapping[str, Any]) -> None:
        """Note a rendering, and see that the templates are proven for its options; tell of fields they are not for."""
        given = arguments.get("chat_template")
        if isinstance(given, str) and given not in {self.name, "default", "tool_use", *self.trained}:
            return
        self.used = True
        for patch in self.patches:
            if read := options_read(patch, arguments):
                self.prove_once(patch, read)
            for field in fields_in_use(patch.untold_fields, conversation) - self._told:
                self._told.add(field)
                warnings.warn(UNTOLD.format(field), TrainingWarning, stacklevel=4)

    @property
    def trained(self) -> set[str]:
        """The texts of the training templates."""
        return {replaced.training for replaced in self.replacements}

    def prove_once(self, patch: Patch, options: Mapping[str, Any]) -> None:
        """Hold a patch to the contract under options that have not come up before."""
        key = (patch.training_template, json.dumps(options, sort_keys=True, default=repr))
        if key not in self._proven and len(self._proven) < PROVEN_AT_MOST:
            prove(patch, options)
            self._proven.add(key)

    def saved(self, holder: Any, save: Callable[[Any], Any], folder: Any) -> Any:
        """Save a copy that carries the originals, and the training templates beside it."""
        self.used = True
        result = save(as_original(holder, self.replacements, self._attributes))
        write_beside(folder, self.replacements)
        return result


def replacements(patches: Sequence[PlacePatch]) -> tuple[Replacement, ...]:
    """Return which training template goes where."""
    return tuple(Replacement(place, patch.training_template) for place, patch in patches)


def entries(tokenizer: Any) -> list[tuple[Any, Any]]:
    """Return what a tokenizer, and the one inside a processor, carry as `chat_template` now."""
    return [(holder, holder.chat_template) for holder in holders(tokenizer)]


def apply(patch: Patch, tokenizer: Any) -> Swap:
    """Put a patch's training template wherever a tokenizer or processor carries its original.

    Raises TrainplateError where it carries another template than the one that was patched.
    """
    places = [place for place in places_of(tokenizer, every=True) if place.template.source == patch.original.source]
    if not places:
        way_out = "patch the template that it carries now: trainplate.patch(tokenizer).apply(tokenizer)"
        raise TrainplateError(
            f"{patch.original.name}: the tokenizer carries another template than was patched\n    way out   {way_out}"
        )
    return Swap(tokenizer, [(place, patch) for place in places]).stand()
