"""Renders conversations, and says which of the text stands in generation blocks where that is asked."""

import marshal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import CodeType, TracebackType
from typing import Any

from jinja2 import Environment, nodes
from jinja2 import Template as Compiled

from trainplate.errors import Declined, LimitExceeded, SyntaxFault
from trainplate.rendering.compiler import code_of, from_code, parse, seconds_to_compile
from trainplate.rendering.environment import RenderContext, environment
from trainplate.rendering.globals import RaisedByTemplate
from trainplate.rendering.limits import DEFAULT_LIMITS, Budget, Limits, Meter, current_budget
from trainplate.rendering.marks import PAIRS, Marked, Sentinels, Span, TornMarkers, Tracker, blocks_in, unmarked
from trainplate.rendering.messages import AS_TRANSFORMERS, Handling
from trainplate.rendering.repetition import Answers, Reads, repeatable_macros

NAMELESS = "<template>"
Messages = Iterable[Mapping[str, Any]]
Look = Callable[[nodes.Template], object]
"""Is shown the tree of a template before that is compiled."""


# Nobody compares these, nor what a check is made of: Python would write the methods for it whenever a process starts.
@dataclass(frozen=True, eq=False)
class CompiledTemplate:
    """A template ready to render; threads may share it."""

    compiled: Compiled = field(repr=False)
    special_tokens: Mapping[str, str]
    limits: Limits = DEFAULT_LIMITS
    name: str = NAMELESS
    handling: Handling = AS_TRANSFORMERS
    answers: Answers | None = field(default=None, repr=False)
    """What its macros answered, where that is to be said again."""
    said: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    """What those who ask the same again keep here; a render looks nothing up in it."""

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Return what every render starts from: Jinja's globals and the special tokens, which options replace."""
        tokens = {token: text for token, text in self.special_tokens.items() if text is not None}
        return {**self.compiled.environment.globals, **tokens, "documents": None}

    def render(
        self, messages: Messages, tools: Any = None, *, add_generation_prompt: bool = False, **options: Any
    ) -> str:
        """Return the text, or raise `Declined` with the template's own message."""
        return self.run(self.context(messages, tools, add_generation_prompt, options))

    def render_marked(
        self, messages: Messages, tools: Any = None, *, add_generation_prompt: bool = False, **options: Any
    ) -> Marked:
        """Return the text, and the spans of it that stand in generation blocks.

        Where a macro or capture collects a block, the text is compared with the plain one. Raises `TornMarkers` where
        the template prints another text when blocks are marked, as it trims, cuts or compares them.
        """
        plain: str | None = None
        for pair in PAIRS:
            context = self.context(messages, tools, add_generation_prompt, options)
            context.marks = sentinels = Sentinels(*pair)
            text = self.run(context)
            if sentinels.certain(text):
                return unmarked(text, sentinels)
            if plain is None:
                plain = self.run(self.context(messages, tools, add_generation_prompt, options))
            if not any(mark in plain for mark in pair):
                return same_text(unmarked(text, sentinels), plain)
        raise TornMarkers("the conversation contains every noncharacter of Unicode that could mark a block")

    def render_counted(
        self, messages: Messages, tools: Any = None, *, add_generation_prompt: bool = False, **options: Any
    ) -> tuple[Marked, tuple[Span, ...]] | None:
        """Return the text with its marked spans and those that transformers would count, from a single render.

        None where a block goes through a macro or capture, or the marks are not certain: both are to be asked alone.
        """
        context = self.context(messages, tools, add_generation_prompt, options)
        context.marks = sentinels = Sentinels(*PAIRS[0])
        text = self.run(context)
        return (unmarked(text, sentinels), blocks_in(text, sentinels)) if sentinels.certain(text) else None

    def transformers_spans(
        self, messages: Messages, tools: Any = None, *, add_generation_prompt: bool = False, **options: Any
    ) -> tuple[Span, ...]:
        """Return the spans that transformers itself would count, block by block, right or wrong."""
        context = self.context(messages, tools, add_generation_prompt, options)
        context.marks = tracker = Tracker(context.meter)
        self.run(context)
        return tuple(tracker.spans)

    def context(
        self, messages: Messages, tools: Any, add_generation_prompt: bool, options: Mapping[str, Any]
    ) -> RenderContext:
        """Make the state of one render, in which `run` prints, unless the time it shares is over."""
        allowed = current_budget(self.limits)
        allowed.check_time()
        variables = {
            **self.defaults,
            **options,
            "messages": self.handling.applied(messages),
            "tools": list(tools) if isinstance(tools, tuple) else tools,
            "add_generation_prompt": add_generation_prompt,
        }
        context = self.compiled.environment.context_class(
            self.compiled.environment, variables, self.name, self.compiled.blocks
        )
        assert isinstance(context, RenderContext)
        context.meter = Meter(allowed)
        if self.answers is not None:
            context.answers, context.given = self.answers, {}
        return context

    def run(self, context: RenderContext) -> str:
        """Return what the template prints in a context of its own."""
        text = "".join(self.pieces(context))
        context.meter.budget.keep(text)
        return text

    def pieces(self, context: RenderContext) -> list[str]:
        """Return what the template prints, piece by piece."""
        try:
            return context.meter.counted(self.compiled.root_render_func(context))
        except LimitExceeded:
            raise
        except RecursionError as error:
            raise LimitExceeded("the template calls itself, or nests what it prints, too deeply") from error
        except MemoryError as error:
            raise LimitExceeded("the template needs more memory than there is") from error
        except Exception as error:
            raise self.declined(error) from error

    def declined(self, error: Exception) -> Declined:
        """Say in the template's own words why it turned the conversation down."""
        own_words = type(error).__module__.startswith("jinja2") or isinstance(error, RaisedByTemplate)
        message = str(error) if own_words and str(error) else f"{type(error).__name__}: {error}"
        refusal = Declined(message)
        refusal.deliberate = isinstance(error, RaisedByTemplate)
        refusal.line = self.line(error.__traceback__)
        return refusal

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """Pair lines of the template with those of its code, from the last to the first; Jinja reads them anew."""
        return self.compiled.debug_info[::-1]

    def line(self, traceback: TracebackType | None) -> int | None:
        """Return the template's line from which an error came."""
        found = None
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.name:
                reached = traceback.tb_lineno
                found = next((line for line, in_code in self.lines if in_code <= reached), 1)
            traceback = traceback.tb_next
        return found


def same_text(marked: Marked, plain: str) -> Marked:
    """Return the marked text, or raise `TornMarkers` where the marks changed it."""
    if marked.text == plain:
        return marked
    pairs = enumerate(zip(marked.text, plain, strict=False))
    place = next((i for i, (a, b) in pairs if a != b), min(len(marked.text), len(plain)))
    raise TornMarkers(
        "the template works on the text of a generation block, so that its span cannot be told, "
        f"near {plain[max(place - 20, 0) : place + 20]!r}"
    )


def compile_template(
    source: str,
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
    name: str = NAMELESS,
    limits: Limits = DEFAULT_LIMITS,
    handling: Handling = AS_TRANSFORMERS,
    look: Look | None = None,
    code: bytes = b"",
    repeats: bool = False,
) -> CompiledTemplate:
    """Compile a chat template as transformers would; `look` is shown its tree, which compiling then uses up.

    `code` is what `code_for` returned for the same source, and spares compiling it. `repeats` says that much will be
    told again and again, so that what macros answer is worth keeping. Raises `SyntaxFault` with the place of the fault,
    and `LimitExceeded` where compiling alone takes too long.
    """
    surroundings = environment(clock)
    if code:
        written, reads = marshal.loads(code)
    else:
        written, reads = written_for(source, surroundings, name, current_budget(limits), look, repeats=repeats)
    answers = Answers(reads) if repeats and reads else None
    compiled = from_code(written, surroundings)
    return CompiledTemplate(compiled, dict(special_tokens or {}), limits, name, handling, answers)


def code_for(source: str, *, clock: datetime | None = None, look: Look | None = None) -> bytes:
    """Return the code of a template for `compile_template` in a process of the same Python; raises what that does."""
    written, reads = written_for(source, environment(clock), NAMELESS, current_budget(), look, repeats=True)
    return marshal.dumps((written, dict(reads)))


def written_for(
    source: str,
    surroundings: Environment,
    name: str,
    allowed: Budget,
    look: Look | None = None,
    *,
    repeats: bool,
) -> tuple[CodeType, Reads]:
    """Write the code of a template, and tell which of its macros are repeatable where that is asked for."""
    try:
        allowed.check_time(ahead=seconds_to_compile(source))
        tree = parse(source, environment=surroundings, name=name)
        if look is not None:
            look(tree)
        allowed.check_time()
        reads = repeatable_macros(tree) if repeats else {}
        return code_of(tree, environment=surroundings, name=name, source=source, budget=allowed), reads
    except LimitExceeded as exceeded:
        raise exceeded.amid("it was being compiled, and no conversation told") from None
    except RecursionError as error:
        raise SyntaxFault("the template is nested too deeply", name=name) from error
