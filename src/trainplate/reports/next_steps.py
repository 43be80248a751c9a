"""What to do after an audit: every report ends with it."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from trainplate.auditing import Audit, Severity, Trainable
from trainplate.reports.visible_text import in_one_line

REPORT = "audit.html"


@dataclass(frozen=True)
class Step:
    """One thing to do, in words, and the command or line of Python that does it; some have none."""

    why: str
    command: str = ""


def next_steps(audit: Audit, *, on_page: bool = False) -> Iterator[Step]:
    """Yield what to do, the most urgent first; a page needs not be told to make one."""
    yield from way_to_training(audit)
    if audit.trainable is not Trainable.NOT and any_left(audit):
        yield Step("read what else was found: patching changes no prompt, so these stay as they are")
    if audit.conversations and not on_page and not is_live(audit):
        yield Step("see the conversations with their trained text", f"trainplate audit {named(audit)} --html {REPORT}")


def way_to_training(audit: Audit) -> Iterator[Step]:
    """Yield what leads to a template that can be trained on."""
    if audit.trainable is Trainable.AS_IT_IS:
        yield Step("train with it: the markers are there and stand where they must")
    elif audit.trainable is Trainable.AFTER_PATCHING and is_live(audit):
        yield Step(
            "train with the training template",
            "tokenizer.chat_template = trainplate.patch(tokenizer).training_template",
        )
    elif audit.trainable is Trainable.AFTER_PATCHING:
        yield Step("write the training template", f"trainplate patch {named(audit)} -o {training_name(audit)}")
    elif audit.refusal is not None:
        yield Step("read the law that stands in the way", f"trainplate explain {audit.refusal.check}")
        yield Step("mend the template where the conversation shows it, then audit it again")
    else:
        yield Step("mend the errors, then audit it again")


def any_left(audit: Audit) -> bool:
    """Say whether there are warnings, or errors in a template that is trained as it is."""
    return bool(audit.counted(Severity.WARNING))


def is_live(audit: Audit) -> bool:
    """Say whether the source is an object of Python, which no command can be given."""
    return audit.source.startswith("<")


def named(audit: Audit) -> str:
    """Return the source as a shell takes it."""
    return shlex.quote(in_one_line(audit.source))


def training_name(audit: Audit) -> str:
    """Return the name for a file with the training template: beside a `.jinja`, else one in the current folder."""
    path = PurePath(audit.source)
    if path.suffix in (".jinja", ".jinja2", ".j2"):
        return shlex.quote(in_one_line(str(path.with_name(f"{path.stem}_training.jinja"))))
    return "chat_template_training.jinja"
