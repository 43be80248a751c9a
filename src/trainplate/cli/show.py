"""`trainplate show`: a rendered conversation with its trained text marked."""

from pathlib import Path
from typing import Annotated

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import Outcome, exit_code, explain_error, patched
from trainplate.cli.rendered import conversation_in, shown
from trainplate.cli.terminal import errors, is_coloured, output, tell
from trainplate.conversations import Conversation
from trainplate.errors import Declined, LimitExceeded
from trainplate.loading.source import load
from trainplate.rendering import compile_template
from trainplate.reports.marked_conversation import marked_text


def show(
    source: Source,
    conversation: Annotated[Path | None, typer.Option(metavar="FILE", help="Your own, as JSON.")] = None,
    original: Annotated[bool, typer.Option("--original", help="As published, not as patched.")] = False,
) -> None:
    """Print a conversation with its trained text marked.

    Trained text is coloured, or stands in ⟦brackets⟧ where there is no colour. FILE holds a list of messages, or an
    object with messages, tools and options such as enable_thinking.
    """
    given = None if conversation is None else conversation_in(conversation)
    outcomes = tuple(Outcome(template) for template in load(source)) if original else patched(source)
    codes = [exit_code(outcomes)]
    for outcome in outcomes:
        if outcome.error is None:
            codes.append(show_one(outcome, given, several=len(outcomes) > 1))
    raise typer.Exit(max(codes))


def show_one(outcome: Outcome, conversation: Conversation | None, *, several: bool) -> int:
    """Render one template and print it, under its name where there are several."""
    template = outcome.template
    source = template.source if outcome.patch is None else outcome.patch.training_template
    if several:
        tell(errors(), f"{template.name}:")
    try:
        compiled = compile_template(source, special_tokens=template.special_tokens, name=template.name)
        marked = shown(compiled, conversation)
    except LimitExceeded as error:
        explain_error(template, error)
        return 1
    except Declined as refusal:
        tell(errors(), f"{template.name}: declines the conversation: {refusal}")
        return 1
    console = output()
    tell(console, marked_text(marked.text, marked.spans, coloured=is_coloured(console)))
    return 0
