"""`trainplate demo`: the main job on an embedded template, without a network."""

from collections.abc import Iterator

import trainplate
from trainplate.checks import hear, judge
from trainplate.cli.rendered import sailing
from trainplate.cli.terminal import is_coloured, output, tell, width_of
from trainplate.conversations import Conversation, arguments_as_json_text
from trainplate.demo import TOKENIZER, demo_template
from trainplate.rendering import CompiledTemplate, Marked, compile_template
from trainplate.reports.difference import difference_text
from trainplate.reports.marked_conversation import marked_text
from trainplate.reports.messages import finding_text
from trainplate.reports.patch_summary import counted_edits
from trainplate.reports.token_counts import counts_line, trained_tokens
from trainplate.template import Template
from trainplate.verdict import Finding


def demo() -> None:
    """Patch an embedded template, and show every step."""
    template, console = demo_template(), output()
    tell(console, "What keeps this template from being trained on:\n")
    for finding in findings_in(template):
        tell(console, finding_text(template.name, finding, width_of(console)))
    patch = trainplate.patch(template)
    tell(console, f"\nWhat trainplate changes ({counted_edits(patch)}, proof: {patch.proof}):\n")
    tell(console, difference_text(patch.diff()), end="")
    tell(console, "\nA conversation with its trained text marked:\n")
    conversation, _ = sailing()
    marked = compiled(template, patch.training_template).render_marked(conversation.messages, conversation.tools)
    tell(console, marked_text(marked.text, marked.spans, coloured=is_coloured(console)))
    tell(console, counted(marked))


def compiled(template: Template, source: str) -> CompiledTemplate:
    """Return a source ready to render with the template's special tokens."""
    return compile_template(source, special_tokens=template.special_tokens, name=template.name)


def findings_in(template: Template) -> Iterator[Finding]:
    """Yield the first finding of each check that the original fails, short conversations before long ones."""
    original = compiled(template, template.source)
    rich, plain = sailing()
    short = Conversation("sailing, one question", plain.messages[:2])
    heard = hear(original, [(one, arguments_as_json_text(one)) for one in (short, plain, rich)])
    found: dict[str, Finding] = {}
    for finding in judge(heard, original, eos=template.special_tokens["eos_token"]).findings:
        found.setdefault(finding.check, finding)
    yield from found.values()


def counted(marked: Marked) -> str:
    """Say how many tokens of the conversation are trained, counted with the embedded tokenizer."""
    from tokenizers import Tokenizer

    encoding = Tokenizer.from_file(str(TOKENIZER)).encode(marked.text, add_special_tokens=False)
    return counts_line(trained_tokens(encoding.offsets, marked.spans))
