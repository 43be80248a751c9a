"""What spoils a training although the template is right: padding, EOS and BOS that do not fit it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.integrations.stop_tokens import Ending, endings_of, plain_rendering
from trainplate.masks.backend import text_tokenizer
from trainplate.patching.patch import Patch
from trainplate.verdict import Finding


@dataclass(frozen=True)
class GuardFinding(Finding):
    """Something beside the template that spoils the training, and what to do about it."""

    cure: str = ""

    def __str__(self) -> str:
        return f"{self.check}: {self.message}\n    way out   {self.cure}"


class TrainingWarning(UserWarning):
    """Something beside the template that spoils the training, or a context that was of no use."""


class GuardFailure(TrainplateError):
    """Raised under `strict=True` where a guard has findings."""

    def __init__(self, findings: tuple[GuardFinding, ...]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


def guard(patch: Patch, tokenizer: Any, model: Any = None) -> tuple[GuardFinding, ...]:
    """Return what does not fit between a training template, its tokenizer and, where given, the model."""
    owner = text_tokenizer(tokenizer)
    endings = endings_of(patch, owner)
    return (*pieces(endings), *padding(endings, owner), *ends(endings, owner, model), *beginning(patch, owner))


def pieces(endings: tuple[Ending, ...]) -> Iterator[GuardFinding]:
    """Say where a turn ends in a text that is several tokens, so that no single one can stop generation."""
    for ending in endings:
        if len(ending.ids) > 1:
            yield GuardFinding(
                "stop-token-is-one-token",
                f"a turn ends with {ending.text!r}, which is {len(ending.ids)} tokens to this tokenizer",
                ending.conversation,
                cure=f"tokenizer.add_special_tokens({{'additional_special_tokens': [{ending.text!r}]}}), and "
                "model.resize_token_embeddings(len(tokenizer))",
            )


def padding(endings: tuple[Ending, ...], owner: Any) -> Iterator[GuardFinding]:
    """Say where padding is a token that is trained, and which collators then leave out of the loss."""
    pad, eos = getattr(owner, "pad_token_id", None), getattr(owner, "eos_token_id", None)
    ending = ending_with(endings, eos if pad is None else pad)
    if ending is not None:
        found = "there is no pad token, and trainers take EOS instead:" if pad is None else "the pad token is"
        yield GuardFinding(
            "pad-is-not-trained",
            f"{found} {ending.text!r}, which ends turns; a collator that leaves padding out leaves it out too",
            ending.conversation,
            cure="tokenizer.pad_token = a token that no turn contains, e.g. one kept for padding",
        )


def ends(endings: tuple[Ending, ...], owner: Any, model: Any) -> Iterator[GuardFinding]:
    """Say whose EOS is none of the tokens that end turns."""
    plain = next((ending for ending in endings if len(ending.ids) == 1), None)
    if plain is None:
        return
    token = plain.text
    cures = {
        "the tokenizer": f"tokenizer.eos_token = {token!r}, or eos_token={token!r} in the SFTConfig",
        "the model's config": f"model.config.eos_token_id = {plain.ids[0]}",
        "the generation config": f"model.generation_config.eos_token_id = [{plain.ids[0]}, ...]",
    }
    for whose, ids in stopping_ids(owner, model).items():
        if not ids & set(plain.ids):
            named = ", ".join(repr(owner.decode([one])) for one in sorted(ids)) or "none"
            yield GuardFinding(
                "eos-ends-turns",
                f"a turn ends with {token!r}, but the EOS of {whose} is {named}",
                plain.conversation,
                cure=cures[whose],
            )


def stopping_ids(owner: Any, model: Any) -> dict[str, set[int]]:
    """Return what each side takes for EOS; a model that was not given, or has no such config, says nothing."""
    found = {"the tokenizer": ids_in(getattr(owner, "eos_token_id", None))}
    config = getattr(model, "config", None)
    if config is not None:
        text_config = config.get_text_config() if hasattr(config, "get_text_config") else config
        found["the model's config"] = ids_in(getattr(text_config, "eos_token_id", None))
    generation = getattr(model, "generation_config", None)
    if generation is not None:
        found["the generation config"] = ids_in(getattr(generation, "eos_token_id", None))
    return found


def ids_in(value: int | list[int] | None) -> set[int]:
    """Return ids given as one, as several, or not at all."""
    if value is None:
        return set()
    return {value} if isinstance(value, int) else set(value)


def beginning(patch: Patch, owner: Any) -> Iterator[GuardFinding]:
    """Say where both the template and the tokenizer put a BOS in front."""
    bos, text = getattr(owner, "bos_token_id", None), plain_rendering(patch)
    if bos is None:
        return
    ids = list(owner(text)["input_ids"])
    if ids[:2] == [bos, bos]:
        yield GuardFinding(
            "bos-once",
            f"the template prints {owner.decode([bos])!r}, and the tokenizer puts another in front of a text",
            "one-turn",
            before=text[:60],
            cure="tokenise rendered text with add_special_tokens=False, or give the trainer messages, not text",
        )


def ending_with(endings: tuple[Ending, ...], token: int | None) -> Ending | None:
    """Return the ending that a token is part of."""
    return next((ending for ending in endings if token in ending.ids), None)
