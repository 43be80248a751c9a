"""Compiles a format to a chat template that is ready for training: markers stand around what the model writes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainplate.formats.parts import Part, pieces
from trainplate.syntax.spelling import quoted

if TYPE_CHECKING:
    from trainplate.formats.format import Format

Lines = Iterator[str]
CONTENT, FIRST = "text(message.content)", "text(messages[0].content)"
REASONING = "message.reasoning_content or message.reasoning or message.thinking"
ARGUMENTS = "(arguments if arguments is string else arguments | tojson)"
SYSTEM_ROLES = "['system', 'developer']"


def compiled(format: "Format") -> str:
    """Return the chat template of a format; what the format has no part for is declined in words."""
    return "\n".join(lines_of(format)) + "\n"


def lines_of(format: "Format") -> Lines:
    """Yield the lines of the template; white space around tags prints nothing."""
    yield from text_macro(format)
    if format.start is not None:
        yield output(*terms(format.start.text))
    if format.tools is None:
        yield from declined("tools", f"the format {format.name} has no place for definitions of tools")
    else:
        yield from tools_first(format, format.tools)
    yield from block("for message in messages", message_lines(format), "endfor")
    prompt = format.separator + format.opener
    if prompt:
        yield from block("if add_generation_prompt", iter([output(*terms(prompt))]), "endif")


def text_macro(format: "Format") -> Lines:
    """Yield the macro that returns a content's text: the string itself, or its text parts."""
    other = quoted(f"the format {format.name} prints text alone, and was given a part of the type ")
    yield "{%- macro text(content) -%}"
    yield "    {%- if content is string -%}"
    yield "        {{- content -}}"
    yield "    {%- else -%}"
    yield "        {%- for part in content or [] -%}"
    yield f"            {{{{- part.text if part.type == 'text' else raise_exception({other} ~ part.type) -}}}}"
    yield "        {%- endfor -%}"
    yield "    {%- endif -%}"
    yield "{%- endmacro -%}"


def tools_first(format: "Format", tools: Part) -> Lines:
    """Yield the definitions of tools, inside the first system message or by themselves before the first message."""
    if format.tools_in == "start" or format.system is None:
        yield from block("if tools", definitions(format, tools), "endif")
        return
    yield f"{{%- set leads = tools and messages and messages[0].role in {SYSTEM_ROLES} -%}}"
    yield "{%- if tools -%}"
    role = "(messages[0].role if leads else 'system')"
    yield "    " + output(*terms(format.system.before, role=role))
    yield from indented(block(f"if leads and {FIRST}", iter([output(FIRST, *terms(format.before_tools))]), "endif"))
    yield from indented(definitions(format, tools))
    yield "    " + output(*terms(format.system.after, role=role))
    yield "{%- endif -%}"


def definitions(format: "Format", tools: Part) -> Lines:
    """Yield the definitions one after the other, with what stands around them all."""
    if tools.before:
        yield output(*terms(tools.before))
    yield from block("for tool in tools", separated(format.tool_separator, output("tool | tojson")), "endfor")
    if tools.after:
        yield output(*terms(tools.after))


def message_lines(format: "Format") -> Lines:
    """Yield what is printed for one message, by its role; the first may have been printed with the tools."""
    inside = format.tools is not None and format.tools_in == "system" and format.system is not None
    if format.separator:
        alone = "tools" if format.tools is not None and not inside else "(tools and not leads)" if inside else ""
        first = f"not loop.first or {alone}" if alone else "not loop.first"
        yield from block(f"if {first}", iter([output(*terms(format.separator))]), "endif")
    branches = [("loop.first and leads", iter(["{#- It was printed with the tools. -#}"]))] if inside else []
    parts = ((f"in {SYSTEM_ROLES}", format.system), ("== 'user'", format.user), ("== 'tool'", format.tool))
    branches += [(f"message.role {role}", iter([spoken(part)])) for role, part in parts if part is not None]
    branches.append(("message.role == 'assistant'", turn_lines(format)))
    for number, (condition, lines) in enumerate(branches):
        yield f"{{%- {'elif' if number else 'if'} {condition} -%}}"
        yield from indented(lines)
    complaint = quoted(f"the format {format.name} has no part for messages of the role ")
    yield "{%- else -%}"
    yield f"    {{{{- raise_exception({complaint} ~ message.role) -}}}}"
    yield "{%- endif -%}"


def spoken(part: Part) -> str:
    """Return the output of a whole message."""
    seen = {"role": "message.role", "name": "message.name"}
    return output(*terms(part.before, **seen), CONTENT, *terms(part.after, **seen))


def turn_lines(format: "Format") -> Lines:
    """Yield one turn of the assistant: the opener, then between markers what the model writes."""
    trained, behind = ending(format)
    yield f"{{%- set reasoning = {REASONING} -%}}"
    if format.reasoning is None:
        yield from declined("reasoning", f"the format {format.name} has no part for reasoning")
    if format.call is None:
        yield from declined("message.tool_calls", f"the format {format.name} has no part for tool calls")
    if format.opener:
        yield output(*terms(format.opener))
    yield "{%- generation -%}"
    if format.reasoning is not None:
        thought = output(*terms(format.reasoning.before), "reasoning", *terms(format.reasoning.after))
        yield from indented(block("if reasoning", iter([thought]), "endif"))
    yield "    " + output(CONTENT)
    if format.call is not None:
        yield from indented(block("if message.tool_calls", call_lines(format, format.call), "endif"))
    yield "    " + output(*terms(trained))
    yield "{%- endgeneration -%}"
    if behind:
        yield output(*terms(behind))


def ending(format: "Format") -> tuple[str, str]:
    """Return what ends a turn inside the markers, and what stands behind them.

    A line end stays with the stop that it follows; a mere space would merge with the next message's first token.
    """
    after = format.assistant.after
    end = max(after.rfind(stop) + len(stop) for stop in format.stops if stop in after)
    if after[end:].isspace() and "\n" in after[end:]:
        return after, ""
    return after[:end], after[end:]


def call_lines(format: "Format", call: Part) -> Lines:
    """Yield the tool calls of a turn."""
    if format.before_calls:
        yield from block(f"if {CONTENT}", iter([output(*terms(format.before_calls))]), "endif")
    if format.calls is not None and format.calls.before:
        yield output(*terms(format.calls.before))
    yield "{%- for call in message.tool_calls -%}"
    yield "    {%- set function = call.function or call -%}"
    yield "    {%- set arguments = function.arguments or {} -%}"
    before, after = (terms(text, name="function.name") for text in (call.before, call.after))
    yield from indented(separated(format.call_separator, output(*before, ARGUMENTS, *after)))
    yield "{%- endfor -%}"
    if format.calls is not None and format.calls.after:
        yield output(*terms(format.calls.after))


def separated(separator: str, line: str) -> Lines:
    """Yield a line of a loop, with a separator before each but the first."""
    if separator:
        yield from block("if not loop.first", iter([output(*terms(separator))]), "endif")
    yield line


def declined(condition: str, message: str) -> Lines:
    """Yield the refusal of what has no part."""
    return block(f"if {condition}", iter([f"{{{{- raise_exception({quoted(message)}) -}}}}"]), "endif")


def block(opening: str, inner: Lines, closing: str) -> Lines:
    """Yield a block with its lines one step further in."""
    yield f"{{%- {opening} -%}}"
    yield from indented(inner)
    yield f"{{%- {closing} -%}}"


def terms(text: str, *, role: str = "''", name: str = "''") -> list[str]:
    """Return a text as the expressions that print it, its slots filled."""
    slots = {"role": role, "name": name, "bos": "bos_token", "eos": "eos_token"}
    return [slots[piece] if is_slot else quoted(piece) for piece, is_slot in pieces(text)]


def output(*expressions: str) -> str:
    """Return the tag that prints expressions one after the other; joined so, one that is missing prints nothing."""
    return f"{{{{- {' ~ '.join(expressions)} -}}}}"


def indented(lines: Lines) -> Lines:
    """Yield lines one step further in."""
    yield from (f"    {line}" for line in lines)
