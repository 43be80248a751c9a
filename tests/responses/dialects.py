"""Templates of our own that delimit reasoning, content and calls each in another way."""

HEAD = (
    "{% if tools %}{{ '<|system|>' ~ tools | tojson ~ '<|end|>' }}{% endif %}"
    "{% for m in messages %}{% if m.role == 'assistant' %}"
)
TAIL = (
    "{% else %}{{ '<|' ~ m.role ~ '|>' ~ m.content ~ '<|end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
THOUGHT = "{% if m.reasoning_content %}{{ '<think>\\n' ~ m.reasoning_content ~ '\\n</think>\\n' }}{% endif %}"


def dialect(
    call,
    *,
    between="",
    before="",
    behind="",
    stop="<|end|>",
    thought=THOUGHT,
    content="{{ m.content or '' }}",
    tail=TAIL,
):
    """Return a template whose calls are printed by an expression over `f`, the function of a call."""
    joint = f"{{% if not loop.first %}}{{{{ {between!r} }}}}{{% endif %}}" if between else ""
    return (
        f"{HEAD}{{{{ '<|assistant|>' }}}}{thought}{content}"
        f"{{% if m.tool_calls %}}{{{{ {before!r} }}}}{{% for c in m.tool_calls %}}{joint}"
        f"{{% set f = c.function %}}{call}{{% endfor %}}{{{{ {behind!r} }}}}{{% endif %}}{{{{ {stop!r} }}}}{tail}"
    )


OBJECT = "{{ '{\"name\": \"' ~ f.name ~ '\", \"arguments\": ' ~ f.arguments | tojson ~ '}' }}"
PAIRS = (
    "{% for k, v in f.arguments.items() %}"
    "{{ '<arg name=' ~ k ~ '>' ~ (v if v is string else v | tojson) ~ '</arg>' }}{% endfor %}"
)
DIALECTS = {
    "json between tags": dialect("{{ '<call>' }}" + OBJECT + "{{ '</call>' }}", between="\n"),
    "json under other keys": dialect(
        "{{ '<call>' ~ {'tool': f.name, 'with': f.arguments} | tojson ~ '</call>' }}", between="\n"
    ),
    "a list of json": dialect(OBJECT, between=", ", before="[CALLS][", behind="]"),
    "a name, then json": dialect("{{ '[CALL]' ~ f.name ~ '[ARGS]' ~ f.arguments | tojson }}"),
    "fenced json between wrappers": dialect(
        "{{ '<call>' ~ f.name ~ '\\n```json\\n' ~ f.arguments | tojson ~ '\\n```</call>' }}",
        before="<calls>",
        behind="</calls>",
        between="\n",
    ),
    "tagged arguments": dialect("{{ '<call name=' ~ f.name ~ '>\\n' }}" + PAIRS + "{{ '\\n</call>' }}", between="\n"),
    "no stop token": dialect("{{ '<call>' }}" + OBJECT + "{{ '</call>' }}", stop=""),
    "a prompt that opens the block": dialect(
        "{{ '<call>' }}" + OBJECT + "{{ '</call>' }}",
        thought="{{ '<think>\\n' ~ (m.reasoning_content or '') ~ '\\n</think>\\n' }}",
        tail=TAIL.replace("'<|assistant|>'", "'<|assistant|><think>\\n'"),
    ),
    "a prompt that may close the block": dialect(
        "{{ '<call>' }}" + OBJECT + "{{ '</call>' }}",
        thought="{{ '<think>\\n' ~ (m.reasoning_content or '') ~ '\\n</think>\\n' }}",
        tail=TAIL.replace(
            "{{ '<|assistant|>' }}",
            "{{ '<|assistant|>' }}{% if enable_thinking is defined and not enable_thinking %}"
            "{{ '<think>\\n\\n</think>\\n' }}{% endif %}",
        ),
    ),
    "reasoning and content in channels": dialect(
        "{{ '<|to|>' ~ f.name ~ '<|text|>' ~ f.arguments | tojson ~ '<|stop|>' }}",
        thought="{% if m.reasoning_content %}{{ '<|think|>' ~ m.reasoning_content ~ '<|stop|>' }}{% endif %}",
        content="{% if m.content %}{{ '<|say|>' ~ m.content ~ '<|stop|>' }}{% endif %}",
    ),
}
