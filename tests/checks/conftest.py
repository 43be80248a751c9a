"""Ways to hold a training template against its original, and the plain pair that most tests vary."""

from collections.abc import Callable

import pytest

from trainplate.checks import Report, hear, judge
from trainplate.conversations import Conversation
from trainplate.patching.bench import lay
from trainplate.patching.choosing import as_objects
from trainplate.patching.script import CLOCK
from trainplate.rendering import compile_template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
PLAIN = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
MARKED = (
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}"
    "{% else %}{{ m.content }}</s>{% endif %}"
)
Judged = Callable[..., Report]


@pytest.fixture(scope="session")
def plain() -> str:
    """Return an original that prints roles, contents and a stop token, and nothing else."""
    return PLAIN


@pytest.fixture(scope="session")
def trained() -> str:
    """Return a right training template for the plain original."""
    return PLAIN.replace("{{ m.content }}</s>", MARKED)


@pytest.fixture(scope="session")
def judged() -> Judged:
    """Return what the checks say of an original and a training template, over all that the original can be told."""

    def judged(original: str, training: str, *conversations: Conversation) -> Report:
        if conversations:
            pairs = [(as_objects(conversation), conversation) for conversation in conversations]
            heard = hear(compiled(original), pairs)
        else:
            heard = lay(original, TOKENS).heard
        return judge(heard, compiled(training), eos=TOKENS["eos_token"])

    def compiled(source: str):  # type: ignore[no-untyped-def]
        return compile_template(source, special_tokens=TOKENS, clock=CLOCK)

    return judged


@pytest.fixture(scope="session")
def failing(judged: Judged) -> Callable[..., set[str]]:
    """Return the names of the checks that fail."""

    def failing(original: str, training: str, *conversations: Conversation) -> set[str]:
        return {finding.check for finding in judged(original, training, *conversations).findings}

    return failing
