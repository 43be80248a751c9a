"""transformers trains every token that touches a marked span, so a token across its edge trains foreign text."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import ENDING_IN_A_SIGN, tokenizer_of_letters
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import tokens_needed
from trainplate.checks.spans import joined
from trainplate.errors import Declined


@audit_check(
    severity=Severity.WARNING,
    cure="the whole token is trained; assistant_masks(stop_white_space=False) leaves out white space behind stops",
    passes=Example(ENDING_IN_A_SIGN, {}, tokenizer_of_letters),
    fails=Example(ENDING_IN_A_SIGN, {}, lambda: tokenizer_of_letters("#$")),
    missing=tokens_needed,
)
def token_crosses_edge(subject: Subject) -> Iterator[Seen]:
    """With this tokenizer, no token stands on both sides of a marker's edge.

    Of the training template where there is one, else of the template's own markers.
    """
    template, encoder = subject.training or subject.original, subject.encoder
    found: list[tuple[str, str, int]] = []
    for one in subject.heard():
        told = one.conversation
        try:
            marked = template.render_marked(told.messages, told.tools)
        except Declined:
            continue
        edges = [edge for span in joined(marked.spans) for edge in span]
        for start, end in encoder.offsets(marked.text) if encoder and edges else ():
            crossed = next((edge for edge in edges if start < edge < end), None)
            if crossed is not None:
                found.append((told.label, f"{marked.text[start:crossed]}⟦{marked.text[crossed:end]}", crossed))
                break
    if found:
        label, token, _ = found[0]
        yield Seen(f"a token stands across a marker's edge: {token!r}", conversation=label, conversations=len(found))
