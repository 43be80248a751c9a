"""The handle of a swap: training templates stand on a tokenizer until it is restored."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.integrations.checkpoints import Replacement, as_original, write_beside
from trainplate.integrations.interception import forget, observe
from trainplate.integrations.options_in_use import options_read, prove
from trainplate.integrations.template_places import Place, holders, places_of, put
from trainplate.masks.backend import text_tokenizer
from trainplate.patching import Patch
from trainplate.verdict import Finding

PROVEN_AT_MOST = 16
"""Sets of options that are proven as they come up; an option that takes ever new values is free text."""


class Swap:
    """Training templates on a tokenizer or processor, in the places of their originals, until `restore`.

    While they stand, what saves the tokenizer saves the originals, with the training templates beside them; and a
    rendering under options for which a training template is not proven raises Refusal.
    """

    def __init__(
        self, tokenizer: Any, patches: Sequence[tuple[Place, Patch]], findings: Sequence[Finding] = ()
    ) -> None:
        self.tokenizer = tokenizer
        self.findings = tuple(findings)
        self.patches = tuple(patch for _, patch in patches)
        self.replacements = tuple(Replacement(place, patch.training_template) for place, patch in patches)
        self.used = False
        """Whether anything has rendered with a training template, or saved the tokenizer."""
        self._before = [(holder, holder.chat_template) for holder in holders(tokenizer)]
        self._attributes: list[tuple[str, Any]] = []
        self._proven: set[tuple[int, str]] = set()
        self._standing = False

    @property
    def training_template(self) -> str:
        """The training template that stands where transformers looks first."""
        return self.patches[0].training_template

    def stand(self) -> "Swap":
        """Put the training templates in place, and return the handle."""
        observe(self, [type(holder) for holder in holders(self.tokenizer)])
        for replaced in self.replacements:
            put(replaced.place.holder, replaced.place.name, replaced.training)
        self._standing = True
        return self

    def set_beside(self, name: str, value: Any) -> None:
        """Set an attribute of the text tokenizer for as long as the swap stands."""
        tokenizer = text_tokenizer(self.tokenizer)
        self._attributes.append((name, getattr(tokenizer, name, None)))
        setattr(tokenizer, name, value)

    def restore(self, *, keep_others: bool = False) -> None:
        """Put everything back as it was; doing so twice changes nothing.

        `keep_others` leaves a template alone that somebody else has put in place meanwhile.
        """
        if not self._standing:
            return
        self._standing = False
        forget(self)
        for holder, before in self._before:
            if not keep_others or any(replaced.stands_on(holder) for replaced in self.replacements):
                holder.chat_template = before
        for name, before in self._attributes:
            setattr(text_tokenizer(self.tokenizer), name, before)

    def concerns(self, holder: Any) -> bool:
        """Say whether an object, be it a copy, carries one of the training templates."""
        return any(replaced.stands_on(holder) for replaced in self.replacements)

    def rendered(self, holder: Any, arguments: Mapping[str, Any]) -> None:
        """Note a rendering, and see that the templates are proven for its options."""
        given = arguments.get("chat_template")
        if given is not None and given not in {replaced.training for replaced in self.replacements}:
            return
        self.used = True
        for number, patch in enumerate(self.patches):
            if read := options_read(patch, arguments):
                self._prove_once(number, patch, read)

    def _prove_once(self, number: int, patch: Patch, options: Mapping[str, Any]) -> None:
        key = (number, json.dumps(options, sort_keys=True, default=repr))
        if key not in self._proven and len(self._proven) < PROVEN_AT_MOST:
            prove(patch, options)
            self._proven.add(key)

    def saved(self, holder: Any, save: Callable[[Any], Any], folder: Any) -> Any:
        """Save a copy that carries the originals, and the training templates beside it."""
        self.used = True
        result = save(as_original(holder, self.replacements, self._attributes))
        write_beside(folder, self.replacements)
        return result


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
