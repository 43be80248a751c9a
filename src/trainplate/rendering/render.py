"""Renders conversations, with the spans of generation blocks where they are wanted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jinja2 import Template as Compiled
from jinja2.exceptions import TemplateSyntaxError

from trainplate.errors import Declined, LimitExceeded, SyntaxFault
from trainplate.rendering.environment import RaisedByTemplate, RenderContext, compile_tree, environment
from trainplate.rendering.limits import DEFAULT_LIMITS, Limits, Meter, current_budget
from trainplate.rendering.messages import as_transformers_does

Span = tuple[int, int]


@dataclass(frozen=True)
class Marked:
    """A rendered text and the spans of it that stand in generation blocks, in order and apart."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class CompiledTemplate:
    """A template ready to render; safe to share between threads."""

    compiled: Compiled
    special_tokens: Mapping[str, str]
    limits: Limits
    name: str

    def render(
        self,
        messages: Iterable[Mapping[str, Any]],
        tools: Any = None,
        *,
        add_generation_prompt: bool = False,
        **options: Any,
    ) -> str:
        """Return the text, or raise `Declined` with the template's own message."""
        context = self.context(messages, tools, add_generation_prompt, options)
        return "".join(self.pieces(context))

    def render_marked(
        self,
        messages: Iterable[Mapping[str, Any]],
        tools: Any = None,
        *,
        add_generation_prompt: bool = False,
        **options: Any,
    ) -> Marked:
        """Return the text and the spans of its generation blocks."""
        opening, closing = "\ufdd0", "\ufdd1"
        context = self.context(messages, tools, add_generation_prompt, options)
        context.marking = lambda text: f"{opening}{text}{closing}"
        return unmark("".join(self.pieces(context)), opening, closing)

    def context(
        self, messages: Iterable[Mapping[str, Any]], tools: Any, add_generation_prompt: bool, options: dict[str, Any]
    ) -> RenderContext:
        """Make the state of one render."""
        variables = {
            **self.special_tokens,
            "documents": None,
            **options,
            "messages": as_transformers_does(messages),
            "tools": tools,
            "add_generation_prompt": add_generation_prompt,
        }
        context = self.compiled.new_context(variables)
        assert isinstance(context, RenderContext)
        context.meter = Meter(current_budget(self.limits))
        return context

    def pieces(self, context: RenderContext) -> list[str]:
        """Run the template and return what it prints, piece by piece."""
        meter, pieces = context.meter, []
        try:
            for piece in self.compiled.root_render_func(context):
                meter.written += len(piece)
                meter.check_size(meter.written)
                pieces.append(piece)
        except LimitExceeded:
            raise
        except RecursionError as error:
            raise LimitExceeded("the template calls itself too deeply") from error
        except Exception as error:
            raise declined(error) from error
        return pieces


def declined(error: Exception) -> Declined:
    """Say in the template's own words why it turned the conversation down."""
    refusal = Declined(str(error) or type(error).__name__)
    refusal.deliberate = isinstance(error, RaisedByTemplate)
    return refusal


def unmark(text: str, opening: str, closing: str) -> Marked:
    """Take the marks out of a text and say where they stood."""
    spans: list[Span] = []
    parts: list[str] = []
    position = depth = start = 0
    for part in text.replace(closing, opening + closing).split(opening):
        if part.startswith(closing):
            depth, part = depth - 1, part[1:]
            if depth == 0 and position > start:
                spans.append((start, position))
        elif parts or depth:
            start = position if depth == 0 else start
            depth += 1
        parts.append(part)
        position += len(part)
    return Marked("".join(parts), tuple(spans))


def compile_template(
    source: str,
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
    name: str = "<template>",
    limits: Limits = DEFAULT_LIMITS,
) -> CompiledTemplate:
    """Compile a chat template as transformers would, or raise `SyntaxFault` with the place of the fault."""
    surroundings = environment(clock)
    try:
        compiled = compile_tree(surroundings.parse(source, name, name), environment=surroundings, name=name)
    except TemplateSyntaxError as error:
        raise SyntaxFault(error.message or "is no template", name=name, line=error.lineno) from error
    except RecursionError as error:
        raise SyntaxFault("is nested too deeply", name=name) from error
    return CompiledTemplate(compiled, dict(special_tokens or {}), limits, name)
