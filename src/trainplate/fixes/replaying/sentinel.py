"""Finds where a turn ends in an original that rewrites earlier turns: a sentinel stands for the turn's words."""

from collections.abc import Iterator

from trainplate.fixes.replaying.measurements import Measurements, quoted


def text_behind(how: Measurements) -> Iterator[str]:
    """Yield the macro that returns what the original prints behind the turn at `index`, whatever it makes of the turn.

    The turn is told with a sentinel for its content, or for the name of its last call, and without its reasoning: once
    as the last, once with all that follows. What the latter has behind the former's ending is the answer.
    """
    yield "{%- macro @behind(index, here, prompt) -%}"
    yield "    {#- What the original prints behind the turn at `index`, for whose words a sentinel stands. -#}"
    yield "    {%- set before = messages[index] %}"
    yield "    {%- set sentinel = 'Quoin5entinel' %}"
    yield from known_turn(how)
    # The prompt and the turn that follow ask for the same ending, which takes a rendering of all that came before.
    yield "    {%- if @trained.ended != index %}"
    yield "        {%- set @trained.ended = index %}"
    yield "        {%- set @trained.end = @original(messages[:index] + [known], false) %}"
    yield "    {%- endif %}"
    yield "    {%- set end = @trained.end.split(sentinel, 1) %}"
    yield "    {%- set then = @original(messages[:index] + [known] + here[index + 1:], prompt).split(sentinel, 1) %}"
    yield "    {%- set end = end[1] if end|length == 2 else sentinel %}"
    yield "    {%- set then = then[1] if then|length == 2 else '' %}"
    yield from ending(how)
    yield "    {%- if then.startswith(end) %}"
    yield "        {{- then[end|length:] }}"
    yield "    {%- else %}"
    yield from (f"        {line}" for line in behind_shared_end(how))
    yield "    {%- endif %}"
    yield "{%- endmacro %}"


def known_turn(how: Measurements) -> Iterator[str]:
    """Set `known`: the turn with the sentinel in it."""
    yield "    {%- set content = sentinel %}"
    yield "    {%- if before.content is defined and before.content is not string and before.content is iterable %}"
    yield "        {%- set content = [{'type': 'text', 'text': sentinel}] %}"
    yield "    {%- endif %}"
    yield "    {%- set known = {'role': 'assistant', 'content': content} %}"
    yield "    {%- if before.tool_calls %}"
    if how.alone:
        yield "        {%- set call = before.tool_calls[-1].function or before.tool_calls[-1] %}"
        yield "        {%- set call = {'name': sentinel, 'arguments': call.arguments} %}"
        yield "        {%- set call = dict(before.tool_calls[-1], function=call, name=sentinel) %}"
        yield "        {%- set calls = before.tool_calls[:-1] + [call] %}"
        yield "        {%- set known = {'role': 'assistant', 'content': before.content or '', 'tool_calls': calls} %}"
    else:
        yield "        {%- set known = dict(known, tool_calls=before.tool_calls) %}"
    yield "    {%- endif %}"


def ending(how: Measurements) -> Iterator[str]:
    """Set `end` to how the turn ends once something follows."""
    yield from shed_end(how, "    ")
    if how.ended is not None:
        yield f"    {{%- set end = {quoted(how.ended)} if not before.tool_calls else end %}}"
    if how.alone:
        yield "    {%- if before.tool_calls %}"
        yield "        {%- set then = then.replace(sentinel, before.tool_calls[-1].function.name) %}"
        yield "    {%- endif %}"


def shed_end(how: Measurements, indent: str) -> Iterator[str]:
    """Take off what is printed only while nothing follows."""
    if how.shed:
        condition = f"end.endswith({quoted(how.shed)})" + (" and not before.tool_calls" if how.deaf else "")
        yield f"{indent}{{%- if {condition} %}}"
        yield f"{indent}    {{%- set end = end[:-{len(how.shed)}] %}}"
        yield f"{indent}{{%- endif %}}"


def behind_shared_end(how: Measurements) -> Iterator[str]:
    """Print what stands behind the end that both tellings share, where the original says the turn in two ways."""
    yield "{#- The original says this turn in another way once something follows: go on behind the end both share. -#}"
    yield "{%- if end == sentinel or not then %}"
    yield "    {%- set end = @original(messages[:index + 1], false) %}"
    yield from shed_end(how, "    ")
    yield "    {%- set then = @original(here, prompt) %}"
    yield "{%- endif %}"
    # The length is found digit by digit, in binary: to try each would copy the text as often as it has characters.
    yield "{%- set shared = namespace(start=0, end=0) %}"
    yield "{%- for power in range(4 * end|length|string|length, -1, -1) %}"
    yield "    {%- set length = shared.start + 2 ** power %}"
    yield "    {%- if length <= end|length and then.startswith(end[:length]) %}"
    yield "        {%- set shared.start = length %}"
    yield "    {%- endif %}"
    yield "{%- endfor %}"
    yield "{%- set begun = end[:shared.start].rsplit('<', 1) %}"
    yield "{%- if begun|length == 2 and '>' not in begun[1] and ' ' not in begun[1] %}"
    yield "    {%- set shared.start = begun[0]|length %}"
    yield "{%- endif %}"
    yield "{%- set end = end[shared.start:] %}"
    yield "{%- set then = then[shared.start:] %}"
    yield "{%- for length in range(1, [end|length, then|length]|min + 1) if then[:length] == end[-length:] %}"
    yield "    {%- set shared.end = length %}"
    yield "{%- endfor %}"
    yield "{{- then[shared.end:] }}"
