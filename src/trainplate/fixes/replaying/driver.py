"""The part of a replay that goes through the messages and prints each turn between markers.

`@original`, `@behind` and `@trained` stand for names that are free in the original.
"""

from collections.abc import Iterator

from trainplate.fixes.replaying.measurements import Measurements, quoted
from trainplate.fixes.replaying.sentinel import text_behind

Lines = Iterator[str]
SHORTEST_END = 8
LONGEST_END = 64
"""A shorter end of a prompt may stand anywhere, a longer one need not be looked for."""


def driver(how: Measurements) -> str:
    """Return the driver for an original: a simple one, or one that also finds the ends of turns that are rewritten."""
    macros = text_behind(how) if how.moved else without_stop(how)
    lines = [*state(how), *macros, *loop(how), *rest(how)]
    return "".join(f"{line}\n" for line in lines)


def state(how: Measurements) -> Lines:
    """Yield the namespace of what was printed last; the macros know it too."""
    last = "index=-1, stop='', ended=-1, end=''" if how.moved else "length=0, index=-1, stop=''"
    yield f"{{%- set @trained = namespace({last}) %}}"


def without_stop(how: Measurements) -> Lines:
    """Yield a macro that leaves out the stop token which the turn before has taken over."""
    if how.stop:
        yield "{%- macro @behind(text) -%}"
        yield "    {{- text[@trained.stop|length:] if @trained.stop and text.startswith(@trained.stop) else text }}"
        yield "{%- endmacro %}"


def loop(how: Measurements) -> Lines:
    """Yield the loop over the messages."""
    yield "{%- for message in messages %}"
    yield from guards(how)
    yield "    {%- if message.role == 'assistant' %}"
    yield from indented(prompt_and_turn(how))
    yield from indented(agreement(how))
    yield from indented(between(how, "asked" if how.moved else "asked[@trained.length:]"))
    yield from indented(marked(how))
    yield "        {%- set @trained.index = loop.index0 %}"
    if not how.moved:
        yield "        {%- set @trained.length = turn|length %}"
    if how.stop:
        yield f"        {{%- set @trained.stop = {how.stop_token} if turn[supplied:] else '' %}}"
    yield "    {%- endif %}"
    yield "{%- endfor %}"


def rest(how: Measurements) -> Lines:
    """Yield what prints the messages behind the last turn, and the generation prompt."""
    whole = "@original(messages, add_generation_prompt)"
    yield "{%- if @trained.index < 0 %}"
    yield f"    {{{{- {whole} }}}}"
    yield "{%- elif @trained.index < messages|length - 1 or add_generation_prompt %}"
    behind = "@behind(@trained.index, messages, add_generation_prompt)" if how.moved else f"{whole}[@trained.length:]"
    yield from (f"    {line}" for line in between(how, behind))
    yield "{%- endif %}"


def guards(how: Measurements) -> Lines:
    """Decline what the original cannot keep in place, rather than losing part of it."""
    if how.merges:
        yield "    {%- if message.role == 'assistant' and not loop.first and loop.previtem.role == 'assistant' %}"
        yield "        {{- raise_exception('Answers that follow each other are merged by the original.') }}"
        yield "    {%- endif %}"
    if how.hoists:
        yield "    {%- if message.role in ['system', 'developer'] and @trained.index >= 0 %}"
        yield "        {{- raise_exception('A later system message is printed in front by the original.') }}"
        yield "    {%- endif %}"


def prompt_and_turn(how: Measurements) -> Lines:
    """Set `prompt` and `turn`: whole texts, or what stands behind the turn before."""
    if not how.moved:
        yield from first_prompt_and_turn(how)
        return
    yield "{%- if @trained.index < 0 %}"
    yield from (f"    {line}" for line in first_prompt_and_turn(how))
    yield "{%- else %}"
    yield "    {%- set prompt = @behind(@trained.index, messages[:loop.index0], true) %}"
    yield "    {%- set turn = @behind(@trained.index, messages[:loop.index], false) %}"
    yield from (f"    {line}" for line in shed(how, "turn"))
    yield "{%- endif %}"


def first_prompt_and_turn(how: Measurements) -> Lines:
    """Set them to whole texts; in front of a first answer there is nothing to render a prompt of."""
    yield "{%- set turn = @original(messages[:loop.index], false) %}"
    yield from shed(how, "turn")
    prompt = "@original(messages[:loop.index0], true)"
    if how.opener == "":
        prompt = f"turn.split(message.content)[0] if loop.first else {prompt}"
    elif how.opener is not None:
        opened = f"turn[:turn.find({quoted(how.opener)}) + {len(how.opener)}]"
        prompt = f"{opened} if loop.first else {prompt}"
    yield f"{{%- set prompt = {prompt} %}}"


def shed(how: Measurements, name: str) -> Lines:
    """Take off what is printed only while nothing follows."""
    if how.shed:
        condition = f"{name}.endswith({quoted(how.shed)})" + (" and not message.tool_calls" if how.deaf else "")
        yield f"{{%- if {condition} %}}"
        yield f"    {{%- set {name} = {name}[:-{len(how.shed)}] %}}"
        yield "{%- endif %}"


def agreement(how: Measurements) -> Lines:
    """Set `asked`, the prompt as far as the turn agrees with it, and `supplied`, how much of the turn that is."""
    if not how.unprompted and not how.shifts:
        yield "{%- set asked = prompt %}"
        yield "{%- set supplied = prompt|length %}"
        return
    yield "{%- set cut = namespace(asked=prompt|length, end=0) %}"
    if how.unprompted:
        yield f"{{%- for end in [{', '.join(map(quoted, how.unprompted))}] if prompt.endswith(end) %}}"
        yield "    {%- if not turn.startswith(prompt[:cut.asked]) %}"
        yield "        {%- set cut.asked = prompt|length - end|length %}"
        yield "    {%- endif %}"
        yield "{%- endfor %}"
    yield "{%- set asked = prompt[:cut.asked] %}"
    yield "{%- set supplied = cut.asked %}"
    if how.shifts:
        yield from where_the_prompt_ends(how)


def where_the_prompt_ends(how: Measurements) -> Lines:
    """Look for the longest end of the prompt that the turn has, else of the prompt without what turns contradict.

    In the latter case the turn is printed as it is, in the former behind its prompt.
    """
    ends = ", ".join(map(quoted, ("", *how.unprompted)))
    yield "{%- if not turn.startswith(asked) %}"
    yield "    {%- set cut.asked = 0 %}"
    yield f"    {{%- for end in [{ends}] if prompt.endswith(end) %}}"
    yield "        {%- set asked = prompt[:prompt|length - end|length] %}"
    yield f"        {{%- for length in range([asked|length, {LONGEST_END}]|min, {SHORTEST_END - 1}, -1) %}}"
    yield "            {%- if not cut.asked and asked[asked|length - length:] in turn %}"
    yield "                {%- set cut.asked = turn.rfind(asked[asked|length - length:]) + length %}"
    yield "                {%- set cut.end = end|length %}"
    yield "            {%- endif %}"
    yield "        {%- endfor %}"
    yield "    {%- endfor %}"
    yield "    {%- set supplied = cut.asked %}"
    yield "    {%- set asked = turn[:supplied] if cut.end else prompt %}"
    yield "{%- endif %}"


def between(how: Measurements, text: str) -> Lines:
    """Print a text without the stop token that the turn before has taken over from it."""
    if not how.stop:
        yield f"{{{{- {text} }}}}"
    elif how.moved:
        yield f"{{%- set between = {text} %}}"
        yield "{%- if @trained.stop and between.startswith(@trained.stop) %}"
        yield "    {%- set between = between[@trained.stop|length:] %}"
        yield "{%- endif %}"
        yield "{{- between }}"
    else:
        yield f"{{{{- @behind({text}) }}}}"


def marked(how: Measurements) -> Lines:
    """Print what the turn samples, between markers."""
    stop = f"{{{{ {how.stop_token} if turn[supplied:] }}}}" if how.stop else ""
    block = f"{{%- generation %}}{{{{ turn[supplied:] }}}}{stop}{{% endgeneration %}}"
    yield f"{{%- if turn[supplied:] %}}{block}{{% endif %}}" if how.empty else block


def indented(lines: Lines) -> Lines:
    """Indent lines to where the turns of the loop stand."""
    return (f"        {line}" for line in lines)
