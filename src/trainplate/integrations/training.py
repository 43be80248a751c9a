"""The one line before a trainer: inside, a tokenizer carries its training template."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from trainplate.integrations.guards import GuardFailure, GuardFinding, TrainingWarning, guard
from trainplate.integrations.options_in_use import names_read, prove
from trainplate.integrations.place_patches import patched
from trainplate.integrations.response_parsing import set_parsing
from trainplate.integrations.swap import Swap
from trainplate.integrations.template_places import places_of
from trainplate.patching.patch import Patch


@contextmanager
def training(
    tokenizer: Any,
    *,
    model: Any = None,
    options: Mapping[str, Any] | None = None,
    name: str | None = None,
    strict: bool = False,
) -> Iterator[Swap]:
    """Let a tokenizer or processor carry its training template, and put everything back at the end.

    Give the trainer this very object as `processing_class`. What it saves inside carries the original, byte for byte,
    with the training template beside it as `chat_template_training.jinja`.

    `options` are those the trainer will render with (`chat_template_kwargs`): the training template is proven for them
    at once; any that only show while rendering are proven then, and fields of answers that nothing is proven of are
    told. `name` chooses one of several named templates; without it those are swapped that transformers would use.
    `model` lets its EOS be compared too. What is found beside the template draws a TrainingWarning, and raises
    GuardFailure where `strict` is set.

    Raises Refusal where nothing can be proven, and LoadingError where there is no template.
    """
    swap = prepared(tokenizer, model, options or {}, name, strict)
    try:
        yield swap.stand()
    except BaseException:
        swap.restore(failed=True)
        raise
    swap.restore()
    if not swap.used:
        warnings.warn(UNUSED, TrainingWarning, stacklevel=3)


UNUSED = (
    "nothing rendered with this tokenizer, or saved it, inside `trainplate.training`: the training template was of no "
    "use\n    way out   give the trainer the same object: processing_class=tokenizer"
)


def prepared(tokenizer: Any, model: Any, options: Mapping[str, Any], name: str | None, strict: bool) -> Swap:
    """Patch what will be used, and prove and guard it, before anything is changed."""
    patches, findings = patched(places_of(tokenizer, name))
    for _, one in patches:
        prove(one, options)
    main = patches[0][1]
    found = (*findings, *unread([one for _, one in patches], options), *guard(main, tokenizer, model))
    if found and strict:
        raise GuardFailure(found)
    for finding in found:
        warnings.warn(str(finding), TrainingWarning, stacklevel=4)
    swap = Swap(tokenizer, patches, name)
    swap.findings = (*found, *set_parsing(swap, main))
    return swap


def unread(patches: Sequence[Patch], options: Mapping[str, Any]) -> Iterator[GuardFinding]:
    """Say which options no template reads: a name that is misspelt changes nothing, and nobody notices."""
    known = {name for one in patches for name in names_read(one.original.source)}
    for option in options:
        if option not in known:
            read = ", ".join(sorted(known)) or "none"
            yield GuardFinding(
                "options-are-read",
                f"the template reads no option {option!r}",
                "",
                cure=f"leave it out; it reads: {read}",
            )
