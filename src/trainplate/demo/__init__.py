"""What `trainplate demo` shows: a template of our own writing with the usual faults, a conversation, a tokenizer."""

import json
from pathlib import Path
from typing import Any

from trainplate.template import Template

FOLDER = Path(__file__).parent
TOKENIZER = FOLDER / "tokenizer.json"
"""Byte-level BPE of some 560 tokens, small enough to be packed with the code."""


def demo_template() -> Template:
    """Return the template of a model that does not exist."""
    source = (FOLDER / "chat_template.jinja").read_text(encoding="utf-8")
    return Template(source, {"eos_token": "<|end|>"}, "demo.jinja")


def demo_conversation() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return messages and tools that meet every fault of the template."""
    stored = json.loads((FOLDER / "conversation.json").read_text(encoding="utf-8"))
    return stored["messages"], stored["tools"]
