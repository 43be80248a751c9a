"""The last resort: keep the original whole, as a macro, and render it turn by turn.

What a turn samples is measured by the training template itself: the original's text up to the turn, minus the
original's prompt for it. Nothing of the original's body needs to be understood, so this serves templates whose output
cannot be marked in place. It renders the original several times for each turn, and it reads worse, so it is tried last.
"""

import re

from trainplate.fixes.replaying.driver import driver
from trainplate.fixes.replaying.measurements import Measurements as Measurements

NAMES = {"@original": "original", "@behind": "text_behind", "@trained": "trained"}
HEAD = """\
{#- The original stands unchanged in the macro below. It is rendered once for every prompt and once for every turn:
    what a turn adds to its prompt is what the model samples. -#}
{%- macro @original(messages, add_generation_prompt) %}
"""


def replay(source: str, how: Measurements) -> str:
    """Return the training template that replays `source`, a template without markers whose line ends are `\\n`."""
    prefix = prefix_for(source)
    head, tail = HEAD, driver(how)
    for sign, name in NAMES.items():
        head, tail = head.replace(sign, prefix + name), tail.replace(sign, prefix + name)
    return head + source.removesuffix("\n") + "{%+ endmacro %}\n" + tail


def prefix_for(source: str) -> str:
    """Return a prefix under which none of our names is taken in the source."""
    prefix = ""
    while any(re.search(rf"\b{prefix}{name}\b", source) for name in NAMES.values()):
        prefix += "trainplate_"
    return prefix
