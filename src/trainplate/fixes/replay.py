"""The last resort: keep the original whole, as a macro, and render it turn by turn.

What a turn samples is measured by the training template itself: the original's text up to the turn, minus the
original's prompt for it. Nothing of the original's body needs to be understood, so this serves templates whose output
cannot be marked in place. It renders the original several times for each turn, and it reads worse, so it is tried last.
"""

import re
from dataclasses import dataclass

NAMES = ("original", "text_behind", "trained")


@dataclass(frozen=True)
class Replay:
    """What had to be measured beforehand, since a template cannot find it out for itself."""

    unprompted: tuple[str, ...] = ()
    """Ends of prompts that finished turns contradict (`<think>\\n`), longest first: the turn is printed without."""
    stop: str = ""
    """The stop token to add behind a turn that has none of its own."""
    stop_after_calls: str = ""
    """The same for a turn that ends in tool calls, where it differs."""
    shed: str = ""
    """What the original prints behind a turn only while nothing follows."""
    alone: bool = False
    """Whether tool calls stand alone: the original does not print a content beside them."""
    opener: str | None = None
    """What announces a turn, for conversations that begin with one: the original may not render an empty prompt."""
    empty: bool = False
    """Whether a turn may add nothing to its prompt, so that there is nothing to mark."""
    shifts: bool = False
    """Whether a finished turn may have other text in front of its prompt's end: that end is then looked for."""
    merges: bool = False
    """Whether answers that follow each other become one turn: such a conversation is declined."""
    hoists: bool = False
    """Whether a later system message is printed in front of earlier turns: such a conversation is declined."""
    moved: bool = False
    """Whether the original rewrites earlier turns, so that the text between two turns has to be found by a sentinel."""
    ended: str | None = None
    """What the original ends a turn with once something follows, where it ends the last turn in another way."""


def quoted(text: str) -> str:
    """Write a text as a Jinja string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f"'{escaped}'"


def prefix_for(source: str) -> str:
    """Return a prefix under which none of our names is taken in the source."""
    prefix = ""
    while any(re.search(rf"\b{prefix}{name}\b", source) for name in NAMES):
        prefix += "trainplate_"
    return prefix


def replay(source: str, how: Replay) -> str:
    """Return the training template that replays `source`, a template without markers whose line ends are `\\n`."""
    prefix = prefix_for(source)
    body = source.removesuffix("\n")
    original, behind, trained = (prefix + name for name in NAMES)
    head = (
        "{#- The original stands unchanged in the macro below. It is rendered once for every prompt and once for every\n"
        "    turn: what a turn adds to its prompt is what the model samples. -#}\n"
        f"{{%- macro {original}(messages, add_generation_prompt) %}}\n"
    )
    drivers = _moved_driver(how) if how.moved else _plain_driver(how)
    driver = drivers.replace("@original", original).replace("@behind", behind).replace("@trained", trained)
    return f"{head}{body}{{%+ endmacro %}}\n{driver}"


def _stop_of(how: Replay, message: str) -> str:
    if how.stop_after_calls and how.stop_after_calls != how.stop:
        return f"({quoted(how.stop_after_calls)} if {message}.tool_calls else {quoted(how.stop)})"
    return quoted(how.stop)


def _supplied(how: Replay) -> str:
    """Set `asked`, the prompt as far as the turn agrees with it, and `supplied`, how much of the turn that is."""
    if not how.unprompted and not how.shifts:
        return "        {%- set asked = prompt %}\n        {%- set supplied = prompt|length %}\n"
    ends = ", ".join(map(quoted, how.unprompted))
    lines = "        {%- set cut = namespace(asked=prompt|length) %}\n"
    if how.unprompted:
        lines += (
            f"        {{%- for end in [{ends}] if prompt.endswith(end) %}}\n"
            "            {%- if not turn.startswith(prompt[:cut.asked]) %}\n"
            "                {%- set cut.asked = prompt|length - end|length %}\n"
            "            {%- endif %}\n"
            "        {%- endfor %}\n"
        )
    lines += "        {%- set asked = prompt[:cut.asked] %}\n        {%- set supplied = cut.asked %}\n"
    if how.shifts:
        lines += (
            "        {%- if not turn.startswith(asked) %}\n"
            "            {%- set asked = prompt %}\n"
            "            {%- set cut.asked = 0 %}\n"
            "            {%- for length in range(prompt|length, 0, -1) if not cut.asked %}\n"
            "                {%- if not cut.asked and prompt[prompt|length - length:] in turn %}\n"
            "                    {%- set cut.asked = turn.rfind(prompt[prompt|length - length:]) + length %}\n"
            "                {%- endif %}\n"
            "            {%- endfor %}\n"
            "            {%- set supplied = cut.asked %}\n"
            "        {%- endif %}\n"
        )
    return lines


def _prompt_and_turn(how: Replay) -> str:
    """Set `prompt` and `turn`; in front of a first answer there is nothing to render a prompt of."""
    turn = "        {%- set turn = @original(messages[:loop.index], false) %}\n" + _shed(how, "turn", "        ")
    prompt = "@original(messages[:loop.index0], true)"
    if how.opener is None:
        return f"        {{%- set prompt = {prompt} %}}\n" + turn
    first = "turn.split(message.content)[0]"
    if how.opener:
        first = f"turn[:turn.find({quoted(how.opener)}) + {len(how.opener)}]"
    return turn + f"        {{%- set prompt = {first} if loop.first else {prompt} %}}\n"


def _shed(how: Replay, name: str, indent: str) -> str:
    if not how.shed:
        return ""
    shed = quoted(how.shed)
    return (
        f"{indent}{{%- if {name}.endswith({shed}) %}}\n"
        f"{indent}    {{%- set {name} = {name}[:{name}|length - {len(how.shed)}] %}}\n"
        f"{indent}{{%- endif %}}\n"
    )


def _plain_driver(how: Replay) -> str:
    """Return the driver for an original in which appending messages rewrites nothing."""
    generated = "{{ turn[supplied:] }}"
    taken = ""
    if how.stop:
        stop = _stop_of(how, "message")
        generated += "{{ " + stop + " if turn[supplied:] }}"
        taken = (
            "{%- macro @behind(text) -%}\n"
            "    {{- text[@trained.stop|length:] if text.startswith(@trained.stop) else text }}\n"
            "{%- endmacro %}\n"
        )
    between = "asked[@trained.length:]"
    rest = "@original(messages, add_generation_prompt)[@trained.length:]"
    if how.stop:
        between, rest = f"@behind({between})", f"@behind({rest})"
    remember = "        {%- set @trained.length = turn|length %}\n"
    if how.stop:
        remember += f"        {{%- set @trained.stop = {_stop_of(how, 'message')} if turn[supplied:] else '' %}}\n"
    return (
        taken
        + "{%- set @trained = namespace(length=0, stop='') %}\n"
        "{%- for message in messages %}\n"
        + _guards(how)
        + "    {%- if message.role == 'assistant' %}\n"
        + _prompt_and_turn(how)
        + _supplied(how)
        + "        {{- " + between + " }}\n"
        + _marked(how, generated)
        + "\n"
        + remember
        + "    {%- endif %}\n"
        "{%- endfor %}\n"
        + ("{%- if @trained.length == 0 or messages[-1].role != 'assistant' or add_generation_prompt %}\n    {{- " + rest + " }}\n{%- endif %}\n" if how.shed else "{{- " + rest + " }}\n")
    )


BESIDE = "        {%- set known = {'role': 'assistant', 'content': content, 'tool_calls': before.tool_calls} %}\n"
ALONE = (
    "        {%- set call = before.tool_calls[-1].function or before.tool_calls[-1] %}\n"
    "        {%- set call = {'name': sentinel, 'arguments': call.arguments} %}\n"
    "        {%- set call = dict(before.tool_calls[-1], function=call, name=sentinel) %}\n"
    "        {%- set known = {'role': 'assistant', 'content': before.content or '', 'tool_calls': before.tool_calls[:-1] + [call]} %}\n"
)


def _moved_driver(how: Replay) -> str:
    """Return the driver for an original that rewrites earlier turns: a sentinel says where a turn ends in history."""
    generated = "{{ turn[supplied:] }}" + ("{{ " + _stop_of(how, "message") + " if turn[supplied:] }}" if how.stop else "")
    lines = [
        "{%- macro @behind(index, here, prompt) -%}",
        "    {#- What the original prints behind the turn at `index`, for whose words a sentinel stands. -#}",
        "    {%- set before = messages[index] %}",
        "    {%- set sentinel = 'Quoin5entinel' %}",
        "    {%- set content = sentinel %}",
        "    {%- if before.content is defined and before.content is not string and before.content is iterable %}",
        "        {%- set content = [{'type': 'text', 'text': sentinel}] %}",
        "    {%- endif %}",
        "    {%- if before.tool_calls %}",
        (ALONE if how.alone else BESIDE).rstrip("\n"),
        "    {%- else %}",
        "        {%- set known = {'role': 'assistant', 'content': content} %}",
        "    {%- endif %}",
        "    {%- set end = @original(messages[:index] + [known], false).split(sentinel, 1) %}",
        "    {%- set then = @original(messages[:index] + [known] + here[index + 1:], prompt).split(sentinel, 1) %}",
        "    {%- set end = end[1] if end|length == 2 else sentinel %}",
        "    {%- set then = then[1] if then|length == 2 else '' %}",
        _shed(how, "end", "    ").rstrip("\n"),
        f"    {{%- set end = {quoted(how.ended)} if not before.tool_calls else end %}}" if how.ended is not None else "",
        "    {%- set then = then.replace(sentinel, before.tool_calls[-1].function.name) if before.tool_calls else then %}" if how.alone else "",
        "    {%- if then.startswith(end) %}",
        "        {{- then[end|length:] }}",
        "    {%- else %}",
        "        {#- The original says this turn in another way once something follows: go on behind the end both share. -#}",
        "        {%- if end == sentinel or not then %}",
        "            {%- set end = @original(messages[:index + 1], false) %}",
        _shed(how, "end", "            ").rstrip("\n"),
        "            {%- set then = @original(here, prompt) %}",
        "        {%- endif %}",
        "        {%- set shared = namespace(start=0, cut=-1) %}",
        "        {%- for length in range(end|length + 1) if then.startswith(end[:length]) %}",
        "            {%- set shared.start = length %}",
        "        {%- endfor %}",
        "        {%- set begun = end[:shared.start].rsplit('<', 1) %}",
        "        {%- if begun|length == 2 and '>' not in begun[1] and ' ' not in begun[1] %}",
        "            {%- set shared.start = begun[0]|length %}",
        "        {%- endif %}",
        "        {%- for length in range(end|length - shared.start, 0, -1) if shared.cut < 0 %}",
        "            {%- set tail = end[end|length - length:] %}",
        "            {%- if then[shared.start:].startswith(tail) or (length > 11 and tail in then[shared.start:]) %}",
        "                {%- set shared.cut = shared.start + then[shared.start:].find(tail) + length %}",
        "            {%- endif %}",
        "        {%- endfor %}",
        "        {{- then[shared.start if shared.cut < 0 else shared.cut:] }}",
        "    {%- endif %}",
        "{%- endmacro %}",
        "{%- set @trained = namespace(index=-1, stop='') %}",
        "{%- for message in messages %}",
        _guards(how).rstrip("\n"),
        "    {%- if message.role == 'assistant' %}",
        "        {%- if @trained.index < 0 %}",
        _prompt_and_turn(how).replace("        {%-", "            {%-").rstrip("\n"),
        "        {%- else %}",
        "            {%- set prompt = @behind(@trained.index, messages[:loop.index0], true) %}",
        "            {%- set turn = @behind(@trained.index, messages[:loop.index], false) %}",
        _shed(how, "turn", "            ").rstrip("\n"),
        "        {%- endif %}",
        _supplied(how).rstrip("\n"),
        _taken(how, "asked", "        "),
        _marked(how, generated),
        "        {%- set @trained.index = loop.index0 %}",
        f"        {{%- set @trained.stop = {_stop_of(how, 'message')} if turn[supplied:] else '' %}}" if how.stop else "",
        "    {%- endif %}",
        "{%- endfor %}",
        "{%- if @trained.index < 0 %}",
        "    {{- @original(messages, add_generation_prompt) }}",
        "{%- elif @trained.index < messages|length - 1 or add_generation_prompt %}",
        _taken(how, "@behind(@trained.index, messages, add_generation_prompt)", "    "),
        "{%- endif %}",
    ]
    return "".join(line + "\n" for line in lines if line)


def _marked(how: Replay, generated: str) -> str:
    marked = f"{{%- generation %}}{generated}{{% endgeneration %}}"
    return f"        {{%- if turn[supplied:] %}}{marked}{{% endif %}}" if how.empty else f"        {marked}"


def _taken(how: Replay, text: str, indent: str) -> str:
    """Print `text` without the stop token that the turn before has taken over from it."""
    if not how.stop:
        return f"{indent}{{{{- {text} }}}}"
    return (
        f"{indent}{{%- set between = {text} %}}\n"
        f"{indent}{{{{- between[@trained.stop|length:] if @trained.stop and between.startswith(@trained.stop) else between }}}}"
    )


def _guards(how: Replay) -> str:
    """Decline what the original cannot keep in place, rather than losing part of it."""
    lines = ""
    if how.merges:
        lines += (
            "    {%- if message.role == 'assistant' and not loop.first and messages[loop.index0 - 1].role == 'assistant' %}\n"
            "        {{- raise_exception('Answers that follow each other are merged by the original, and cannot be replayed.') }}\n"
            "    {%- endif %}\n"
        )
    if how.hoists:
        lines += (
            "    {%- if message.role in ['system', 'developer'] and messages[:loop.index0]|selectattr('role', 'equalto', 'assistant')|list %}\n"
            "        {{- raise_exception('The original prints a later system message in front of earlier turns.') }}\n"
            "    {%- endif %}\n"
        )
    return lines
