"""From what a caller asks for to the work on one batch."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trainplate.datasets.preparation import Preparation
from trainplate.datasets.problems import DROPPED, dropped_kinds
from trainplate.errors import TrainplateError
from trainplate.masks.backend import text_tokenizer
from trainplate.masks.live_conversations import checked_side
from trainplate.masks.loss_policy import loss_policy
from trainplate.masks.training_template import original_source, special_tokens, training_source
from trainplate.patching.patch import Patch

HISTORIES = ("kept", "as-inference")


def preparation_of(
    tokenizer: Any,
    *,
    tools: bool = False,
    template: str | Patch | None = None,
    options: Mapping[str, Any] | None = None,
    max_length: int | None = None,
    train_on: str | Iterable[str] = "assistant",
    stop_white_space: bool = True,
    history: str = "kept",
    labels: bool = True,
    loss_weights: bool = False,
    drop: str | Sequence[str] = DROPPED,
    normalise: bool = True,
    fast: bool = True,
    truncation_side: str | None = None,
) -> Preparation:
    """Return what prepares batches of a data set wherever it is called: `datasets.map`, Ray, Spark's `mapInArrow`.

    The options are those of `prepare`; `tools` chooses among named templates. The training template is searched for
    here, once, and sent along. Raises Refusal where there is none.
    """
    owner = text_tokenizer(tokenizer)
    return Preparation(
        tokenizer=owner,
        template=training_source(tokenizer, template, special_tokens(owner), tools),
        options=dict(options or {}),
        policy=loss_policy(train_on, stop_white_space),
        max_length=max_length,
        truncation_side=checked_side(truncation_side, owner, "truncation_side"),
        labels=labels,
        loss_weights=loss_weights,
        drop=dropped_kinds(drop),
        normalise=normalise,
        fast=fast,
        original=original_source(tokenizer, template, tools) if as_asked(history) else None,
    )


def as_asked(history: str) -> bool:
    """Say whether turns are to stand behind the original's prompts; raises TrainplateError for what says neither."""
    if history not in HISTORIES:
        raise TrainplateError(f"history: {history!r}\n    way out   any of {', '.join(HISTORIES)}")
    return history == "as-inference"
