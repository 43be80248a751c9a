"""What GRPO parses completions by: set from the original, as nobody knows a training template's."""

import sys
from collections.abc import Mapping
from copy import copy
from typing import Any

from trainplate.integrations.guards import GuardFinding
from trainplate.integrations.swap import Swap
from trainplate.masks.backend import text_tokenizer
from trainplate.patching.patch import Patch
from trainplate.responses import derive_response_template

ATTRIBUTES = ("response_template", "response_schema")
"""What transformers parses by from 5.13 on, and what it parsed by before."""
CHECK = "response-template"


def set_parsing(swap: Swap, patch: Patch) -> tuple[GuardFinding, ...]:
    """See that the tokenizer can parse responses: by its own template, by TRL's for the original, by a derived one.

    Called before the swap stands. Where none is to be had, the finding says why.
    """
    owner = text_tokenizer(swap.tokenizer)
    if any(getattr(owner, name, None) is not None for name in ATTRIBUTES):
        return ()
    for name, value in known_to_trl(swap.tokenizer).items():
        swap.set_beside(name, value)
        return ()
    if not hasattr(owner, ATTRIBUTES[0]):
        return (missing("this transformers knows no response templates", "install transformers 5.13 or newer"),)
    derived = derive_response_template(patch.original)
    if derived.template is None:
        why = "; ".join(finding.message for finding in derived.findings)
        return (missing(f"none is known, and none could be proven: {why}", "set tokenizer.response_template yourself"),)
    swap.set_beside(ATTRIBUTES[0], derived.template)
    return ()


def known_to_trl(tokenizer: Any) -> Mapping[str, Any]:
    """Return what TRL, where it is loaded, sets on a tokenizer with this very original; empty where it knows none."""
    trl = sys.modules.get("trl.chat_template_utils")
    if trl is None or not hasattr(trl, "add_response_schema"):
        return {}
    stand_in = copy(tokenizer)
    if text_tokenizer(tokenizer) is not tokenizer:
        stand_in.tokenizer = copy(tokenizer.tokenizer)
    try:
        trl.add_response_schema(stand_in)
    except ValueError:
        return {}
    found = {name: getattr(text_tokenizer(stand_in), name, None) for name in ATTRIBUTES}
    return {name: value for name, value in found.items() if value is not None}


def missing(why: str, cure: str) -> GuardFinding:
    """Say that responses cannot be parsed; only GRPO with tools needs it."""
    return GuardFinding(CHECK, f"no response template: {why}; GRPO with tools needs one", "call", cure=cure)
