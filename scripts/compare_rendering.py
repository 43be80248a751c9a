"""Compares our rendering with transformers' own: every template at hand, on the whole suite of conversations.

    python scripts/compare_rendering.py [FOLDER]

FOLDER holds `*.jinja` files, or JSON files with a `template`; without one, the corpus beside the repository and the
templates of the installed trl package are used. Exit 1 where a text, an error or a span differs.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from trainplate.conversations import Conversation, suite
from trainplate.errors import Declined, SyntaxFault
from trainplate.rendering import CompiledTemplate, TornMarkers, compile_template

CLOCK = datetime(2026, 3, 14, 9, 26, 53)
CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "templates"
PROMPTED = (False, True)
MARKER = re.compile(r"\{%[-+]?\s*generation\s*[-+]?%\}")


class FixedClock(datetime):
    """Stands in for the clock that transformers reads."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return the moment at which our own clock is fixed."""
        return CLOCK


@dataclass(frozen=True)
class Difference:
    """One render in which we and transformers do not agree."""

    template: str
    conversation: str
    what: str
    ours: object
    theirs: object

    def __str__(self) -> str:
        return f"{self.template} on {self.conversation}: {self.what}\n  ours   {self.ours!r}\n  theirs {self.theirs!r}"


def templates(folder: Path | None = None) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the name, the text and the special tokens of every template at hand."""
    folders = [folder] if folder else [trl_templates(), CORPUS]
    for path in sorted(path for place in folders if place.is_dir() for path in place.iterdir()):
        if path.suffix == ".jinja":
            yield path.stem, path.read_text(encoding="utf-8"), {"bos_token": "<bos>", "eos_token": "<eos>"}
        elif path.suffix == ".json":
            entry = json.loads(path.read_text(encoding="utf-8"))
            tokens = {name: entry.get(name) or f"<{name}>" for name in ("bos_token", "eos_token")}
            yield path.stem, entry["template"], tokens


def trl_templates() -> Path:
    """Return the folder of templates in the installed trl package."""
    from importlib.util import find_spec

    spec = find_spec("trl")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("install trl: its templates are the first to compare")
    return Path(spec.origin).parent / "chat_templates"


def differences(name: str, source: str, tokens: dict[str, str], conversations: Any = None) -> Iterator[Difference]:
    """Yield every render of a template in which we and transformers do not agree."""
    marked = MARKER.search(source) is not None
    ours = compile_template(source, special_tokens=tokens, clock=CLOCK)
    for conversation in conversations or suite():
        for prompt in PROMPTED:
            label = f"{conversation.name}{' with prompt' * prompt}"
            arguments = (conversation, prompt)
            theirs = render_theirs(source, tokens, *arguments, marked=marked)
            mine = render_ours(ours, *arguments, marked=marked)
            if mine[0] != theirs[0]:
                yield Difference(name, label, "another text", mine[0], theirs[0])
            elif mine[1] != theirs[1]:
                yield Difference(name, label, "other spans than the tracker of transformers counts", mine[1], theirs[1])


def render_ours(
    template: CompiledTemplate, conversation: Conversation, prompt: bool, *, marked: bool
) -> tuple[str, object]:
    """Return our text and the spans we say transformers counts, or the error in their place."""
    call = (conversation.messages, conversation.tools)
    try:
        text = template.render(*call, add_generation_prompt=prompt, **conversation.options)
        if not marked:
            return text, ()
        spans = template.transformers_spans(*call, add_generation_prompt=prompt, **conversation.options)
        with_marks = template.render_marked(*call, add_generation_prompt=prompt, **conversation.options)
        return (text if with_marks.text == text else f"marks change it: {with_marks.text}"), spans
    except Declined as error:
        return f"error: {error.__cause__}", ()
    except TornMarkers as error:
        return f"torn: {error}", ()


def render_theirs(
    source: str, tokens: dict[str, str], conversation: Conversation, prompt: bool, *, marked: bool
) -> tuple[str, object]:
    """Return the text and the spans of transformers itself, or the error in their place."""
    from transformers.utils import chat_template_utils

    messages = chat_template_utils._normalize_chat_messages(list(conversation.messages))
    with patch.object(chat_template_utils, "datetime", FixedClock):
        try:
            texts, spans = chat_template_utils.render_jinja_template(
                conversations=[messages],
                tools=list(conversation.tools) if conversation.tools else None,
                chat_template=source,
                return_assistant_tokens_mask=marked,
                add_generation_prompt=prompt,
                **{**tokens, **conversation.options},
            )
        except Exception as error:
            return f"error: {error}", ()
    return texts[0], tuple(spans[0]) if marked else ()


def main() -> int:
    """Compare all, with a progress bar, and print what differs."""
    from rich.progress import track

    found = []
    everything = list(templates(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
    for name, source, tokens in track(everything, description="comparing"):
        try:
            found += list(differences(name, source, tokens))
        except SyntaxFault as error:
            found.append(Difference(name, "compiling", "a syntax fault", error, "none"))
    print(*found[:50], sep="\n")
    print(f"{len(everything)} templates, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
