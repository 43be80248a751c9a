"""Compiles a template so that chosen nodes hand their values to the recorder of a render."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from jinja2 import Template as Compiled
from jinja2 import nodes
from jinja2.compiler import Frame

from trainplate.rendering.environment import LimitedCode, LimitedEnvironment, RenderContext, compile_tree, environment

Watch = tuple[str, int]
"""The recorder's method that an expression's value goes through, and the number it is given with the value."""


class RecordingContext(RenderContext):
    """The state of one render, with what it records."""

    recorder: Any


class RecordingCode(LimitedCode):
    """Writes the code of a watched node as an argument of the recorder's method."""

    environment: "RecordingEnvironment"
    around_loop: Watch | None = None
    closing = ""

    def write_commons(self) -> None:
        """Give each function that renders the recorder of its own render."""
        super().write_commons()
        for method in sorted({method for method, _ in self.environment.watched.values()}):
            self.writeline(f"watched_{method} = context.recorder.{method}")

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Write a node, within a call of the recorder where it is watched."""
        watch = self.environment.watched.get(id(node))
        if watch is None or isinstance(node, nodes.Stmt):
            return super().visit(node, *args, **kwargs)
        self.write(f"watched_{watch[0]}({watch[1]}, ")
        super().visit(node, *args, **kwargs)
        self.write(")")
        return None

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        """Remember the watch of the loop: its node may be written as a copy."""
        outer, self.around_loop = self.around_loop, self.environment.watched.get(id(node))
        super().visit_For(node, frame)
        self.around_loop = outer

    def reading_of(self, node: nodes.Call) -> nodes.Getattr | None:
        """Return the method that a call reads a dict by, unless the method is watched itself."""
        return None if id(node.node) in self.environment.watched else super().reading_of(node)

    def start_write(self, frame: Frame, node: nodes.Node | None = None) -> None:
        """Let a statement that prints as a whole report what it prints: a filter, a call, a recursive loop."""
        super().start_write(frame, node)
        watch = self.around_loop if isinstance(node, nodes.For) else self.environment.watched.get(id(node))
        if watch is not None:
            self.write(f"watched_{watch[0]}({watch[1]}, ")
            self.closing = ")"

    def end_write(self, frame: Frame) -> None:
        """Close what `start_write` opened."""
        self.write(self.closing)
        self.closing = ""
        super().end_write(frame)

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if id(node) in self.environment.watched:
            raise nodes.Impossible()
        return super()._output_child_to_const(node, frame, finalize)


class RecordingEnvironment(LimitedEnvironment):
    """The environment of one instrumented template; nothing is folded, so every watched node is still there."""

    code_generator_class = RecordingCode
    context_class = RecordingContext
    watched: Mapping[int, Watch]


def compile_watched(root: nodes.Template, watched: Mapping[int, Watch], *, clock: datetime | None) -> Compiled:
    """Compile a tree in which the watched nodes (by identity) report to `context.recorder`; the text stays the same."""
    made = RecordingEnvironment.__new__(RecordingEnvironment)
    made.__dict__.update(environment(clock).__dict__, watched=watched, optimized=False)
    return compile_tree(root, environment=made)
