"""transformers drops keys that are null, so a call without text has no content at all."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import FEATURES, Answer

FEATURES_OF_NOTHING = {"missing-content": "without the key content", "none-content": "with null as content"}


@audit_check(
    severity=Severity.WARNING,
    cure="give an empty text as content; trainplate.normalise_messages fills it in",
    passes=Example(CALLS),
    fails=Example(CALLS.replace("{{ m.content }}", "{{ m.content + '' }}")),
)
def missing_content_declined(subject: Subject) -> Iterator[Seen]:
    """A tool call is printed whether its content is an empty text, null, or missing."""
    answers = subject.support.answers
    if answers["calls"] is Answer.DECLINED:
        return
    lost = [what for what in FEATURES_OF_NOTHING if answers[what] is Answer.DECLINED]
    if subject.support.form.silence == "null":
        yield Seen(
            "a tool call is printed only beside a content of null, which is left out on the way", conversation="call"
        )
    elif lost:
        what = " or ".join(FEATURES_OF_NOTHING[feature] for feature in lost)
        yield Seen(f"a tool call {what} is declined", conversation=FEATURES[lost[0]].probe)
