"""Compiles templates to code that counts what it does, and changes nothing in what it prints."""

import copy
import re
from collections.abc import Iterable
from types import CodeType
from typing import Any

from jinja2 import Environment, nodes
from jinja2 import Template as Compiled
from jinja2.compiler import CodeGenerator, Frame, operators
from jinja2.exceptions import TemplateSyntaxError

from trainplate.errors import SyntaxFault
from trainplate.rendering.contents import Contents, contents_of
from trainplate.rendering.limits import Budget

GENERATION_MARK = "generation_mark"
"""The extension attribute that stands in the syntax tree for the end of a `{% generation %}` block."""
CODE_COMPILED_A_SECOND = 2_500_000
"""About how many characters of code Python compiles in a second, as that cannot be stopped half-way."""
WORDS_COMPILED_A_SECOND = 40_000
"""About how many words in tags Jinja and Python compile in a second."""
FEW_WORDS = 20_000
"""Words that are compiled so fast that it need not be known beforehand how fast."""
LARGE = 400_000
"""Characters of a source of which nothing is counted that has to be counted again."""
WORD = re.compile(r"\w+|[^\w\s]")
READING = {"get": (1, 2), "items": (0,), "keys": (0,), "values": (0,)}
"""Methods of a dict that make nothing and take no time, with the number of their arguments."""
CHECKED_OPERANDS = 8
"""Operands of a sum that are added before its size is looked at: few enough to stay small, many enough to be cheap."""


class LimitedCode(CodeGenerator):
    """Jinja's code for a template, in which loops and calls tick and growing texts are measured."""

    contents: Contents | None = None

    def write_commons(self) -> None:
        """Give the root and every block the counters of their own render."""
        super().write_commons()
        self.writeline("meter = context.meter")
        self.writeline("tick, text, grown, weighed = meter.tick, meter.text, meter.grown, meter.weighed")
        self.writeline("concat, joined = meter.concat, meter.joined")
        self.writeline("tick()")

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """Look through the tree once, where Jinja looks through it again and again."""
        self.contents = contents_of(node)
        super().visit_Template(self.contents.template(node) if self.contents else node, frame)

    def pull_dependencies(self, nodes: Iterable[nodes.Node]) -> None:
        """Give the code the filters and tests that it names."""
        super().pull_dependencies(self.contents.named if self.contents else nodes)

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        """Count the turns of a loop, and those that its condition passes over."""
        counted = ticking(node)
        if node.test is not None:
            counted.test = nodes.Or(internal("tick()", node.lineno), node.test, lineno=node.test.lineno)
        super().visit_For(self.contents.loop(counted, as_found=node) if self.contents else counted, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> Any:
        """Count the calls of a macro."""
        return super().macro_body(ticking(node), frame)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        """Print a generation block through the marks of its own render, and any other call as Jinja does.

        The flag says whether the block is caught: what a macro or a capture returns may be changed before it is
        printed, or be printed twice.
        """
        if not is_generation(node):
            super().visit_CallBlock(node, frame)
            return
        caught = frame.buffer is not None or frame.block_frame
        body_frame, body = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(body, body_frame)
        self.start_write(frame, node)
        self.write(f"context.marked(caller(), {caught})")
        self.end_write(frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Call a method that reads a dict without making a method of it first: most calls of most templates."""
        method = None if forward_caller else self.reading_of(node)
        if method is None:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write("environment.read(context, ")
        self.visit(method.node, frame)
        self.write(f", {method.attr!r}, (")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        scopes = ", _loop_vars=_loop_vars" * frame.loop_frame + ", _block_vars=_block_vars" * frame.block_frame
        self.write(f"){scopes})")

    def reading_of(self, node: nodes.Call) -> nodes.Getattr | None:
        """Return the method that a call reads a dict by, if it does, with arguments that nothing happens in."""
        method, simple = node.node, not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        if not isinstance(method, nodes.Getattr) or not simple or len(node.args) not in READING.get(method.attr, ()):
            return None
        return method if all(isinstance(argument, nodes.Const | nodes.Name) for argument in node.args) else None

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            self.write("weighed(")
        else:
            self.write("text(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or frame.eval_ctx.autoescape:
            self.write(")")
        super()._output_child_post(node, frame, finalize)

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:
        """Add from left to right, as Jinja does, and measure the sum."""
        operands = self.summands(node)
        self.write("grown(" * (1 + (len(operands) - 1) // CHECKED_OPERANDS))
        for index, operand in enumerate(operands):
            if index:
                self.write(") + " if index % CHECKED_OPERANDS == 0 else " + ")
            self.visit(operand, frame)
        self.write(")")

    def summands(self, node: nodes.Expr) -> list[nodes.Expr]:
        """Return the operands of a sum, left to right; a sum in parentheses on the right stays whole."""
        right_to_left = []
        while isinstance(node, nodes.Add):
            right_to_left.append(node.right)
            node = node.left
        return [node, *reversed(right_to_left)]

    def visit_Sub(self, node: nodes.BinExpr, frame: Frame) -> None:
        """Subtract, and measure what is left of the keys of a dict."""
        self.write("grown(")
        super().visit_Sub(node, frame)
        self.write(")")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        """Read an item, or measure the copy that a slice makes."""
        self.write("grown(" if isinstance(node.arg, nodes.Slice) else "")
        super().visit_Getitem(node, frame)
        self.write(")" if isinstance(node.arg, nodes.Slice) else "")

    def visit_Operand(self, node: nodes.Operand, frame: Frame) -> None:
        """Weigh what is compared with: a list that holds a large text a million times is small in memory."""
        if is_constant(node.expr):
            super().visit_Operand(node, frame)
            return
        self.write(f" {operators[node.op]} weighed(")
        self.visit(node.expr, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        """Join the operands of `~`, and measure the text."""
        if frame.eval_ctx.volatile or frame.eval_ctx.autoescape:
            self.write("grown(")
            super().visit_Concat(node, frame)
            self.write(")")
            return
        self.write("joined((")
        for operand in node.nodes:
            self.visit(operand, frame)
            self.write(", ")
        self.write("))")

    def visit_List(self, node: nodes.List, frame: Frame) -> None:
        """Weigh a list when it is made: lists in lists can hold far more than they seem to."""
        self.write_weighed(super().visit_List, node, frame, node.items)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:
        """Weigh a dict when it is made."""
        self.write_weighed(super().visit_Dict, node, frame, [pair.value for pair in node.items])

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:
        """Weigh a tuple when it is made, not where it names what is assigned to."""
        items = node.items if node.ctx == "load" else []
        self.write_weighed(super().visit_Tuple, node, frame, items)

    def write_weighed(self, visit: Any, node: nodes.Expr, frame: Frame, items: list[nodes.Expr]) -> None:
        """Write a container, weighed unless all its items are constants."""
        weighed = any(not isinstance(item, nodes.Const) for item in items)
        self.write("weighed(" if weighed else "")
        visit(node, frame)
        self.write(")" if weighed else "")


def is_constant(node: nodes.Node) -> bool:
    """Say whether an expression is a constant or a list of them, as roles are compared with."""
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else [node]
    return all(isinstance(item, nodes.Const) for item in items)


def is_generation(node: nodes.CallBlock) -> bool:
    """Say whether a call block was read from a `{% generation %}` tag."""
    called = node.call.node
    return isinstance(called, nodes.ExtensionAttribute) and called.name == GENERATION_MARK


def ticking(node: Any) -> Any:
    """Return the node with a tick at the start of its body; the given one stays as it is."""
    counted = copy.copy(node)
    counted.body = [nodes.ExprStmt(internal("tick()", node.lineno), lineno=node.lineno), *node.body]
    return counted


def internal(code: str, line: int) -> nodes.InternalName:
    """Make a node that is written into the code as it stands; Jinja lets only its parser make one."""
    name = object.__new__(nodes.InternalName)
    nodes.Node.__init__(name, code, lineno=line)
    return name


def seconds_to_compile(source: str) -> float:
    """Return about how long it takes to compile a source; raises LimitExceeded where it is larger than any template."""
    if len(source) <= FEW_WORDS or (len(source) <= LARGE and len(WORD.findall(source)) <= FEW_WORDS):
        return 0.0  # as there are no more in its tags than in all of it
    from trainplate.syntax.segments import count_words

    try:
        return count_words(source) / WORDS_COMPILED_A_SECOND
    except SyntaxFault:
        return 0.0  # of which Jinja will tell


def parse(source: str, *, environment: Environment, name: str) -> nodes.Template:
    """Parse a template's text, or raise `SyntaxFault` with the place where it stops being a template."""
    try:
        return environment.parse(source, name, name)
    except TemplateSyntaxError as error:
        raise jinja_fault(error, source, name) from error
    except (RecursionError, MemoryError) as error:
        raise SyntaxFault("the template is nested too deeply", name=name) from error
    except ValueError as error:
        raise SyntaxFault(f"Python cannot read a number in it: {error}", name=name) from error


def compile_tree(
    tree: nodes.Template,
    *,
    environment: Environment,
    name: str = "<template>",
    source: str = "",
    budget: Budget | None = None,
) -> Compiled:
    """Compile a syntax tree to a template that keeps within the limits of its render; the tree is used up.

    Raises `SyntaxFault` where Jinja, or Python below it, has no code for the tree; with the source, it says where.
    """
    return from_code(code_of(tree, environment=environment, name=name, source=source, budget=budget), environment)


def from_code(code: CodeType, environment: Environment) -> Compiled:
    """Return the template that code was written for."""
    return Compiled.from_code(environment, code, environment.make_globals(None))


def code_of(
    tree: nodes.Template, *, environment: Environment, name: str, source: str = "", budget: Budget | None = None
) -> CodeType:
    """Write the code of a syntax tree, which is used up; it raises what `compile_tree` does."""
    code = ""
    try:
        code = environment.compile(tree, name, name, raw=True)
        if budget is not None:
            budget.check_time(ahead=len(code) / CODE_COMPILED_A_SECOND)
        return compile(code, name, "exec")
    except TemplateSyntaxError as error:
        raise jinja_fault(error, source, name) from error
    except SyntaxError as error:
        raise python_fault(error, code, name) from error
    except (RecursionError, MemoryError, ValueError) as error:
        raise SyntaxFault("the template is nested too deeply", name=name) from error


def jinja_fault(error: TemplateSyntaxError, source: str, name: str) -> SyntaxFault:
    """Say where the text stops being a template: Jinja knows the line, and often quotes the word."""
    message = error.message or "the text is no template"
    if (own := fault_of_brackets(source)) is not None and own.line == error.lineno:
        return SyntaxFault(own.message, name=name, line=own.line, column=own.column)
    lines = source.splitlines()
    line = lines[error.lineno - 1] if 0 < error.lineno <= len(lines) else ""
    quoted = (line.find(word) for word in re.findall(r"'([^']+)'", message))
    blank = len(line) - len(line.lstrip()) if line.strip() else 0
    column = next((found for found in quoted if found >= 0), blank)
    return SyntaxFault(message, name=name, line=error.lineno, column=column + 1)


def fault_of_brackets(source: str) -> SyntaxFault | None:
    """Return the place at which the words of a tag go wrong, which Jinja's message does not tell."""
    from trainplate.syntax.segments import count_words

    try:
        count_words(source)
    except SyntaxFault as fault:
        return fault
    return None


def python_fault(error: SyntaxError, code: str, name: str) -> SyntaxFault:
    """Say which line of the template makes code that Python does not accept."""
    pairs = re.findall(r"(\d+)=(\d+)", code[code.rfind("debug_info = ") :])
    line = max((int(source) for source, made in pairs if int(made) <= (error.lineno or 1)), default=1)
    message = re.sub(r"l_\d+_(\w+)", r"\1", error.msg)
    if "outside loop" in message or "not properly in loop" in message:
        message += "; a macro, a call or a generation block is a function of its own, which no loop control can leave"
    return SyntaxFault(message, name=name, line=line)
