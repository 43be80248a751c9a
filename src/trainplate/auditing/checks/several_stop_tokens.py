"""Generation must end at each of the tokens that may end a turn, or it runs on behind a call."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject

FAILS = CALLS.replace("</s>{% endfor %}", "{{ '<eom>' if m.tool_calls else '</s>' }}{% endfor %}")


@audit_check(
    severity=Severity.NOTE,
    cure="list them all as eos_token_id in generation_config.json",
    passes=Example(CALLS),
    fails=Example(FAILS),
)
def several_stop_tokens(subject: Subject) -> Iterator[Seen]:
    """Turns end with one token, whatever is said in them."""
    if len(stops := subject.facts.stop_tokens) > 1:
        yield Seen(
            f"a plain turn ends with {stops[0]}, a turn of calls with {', '.join(stops[1:])}", conversation="call"
        )
