"""Audits put together by hand: what the reports are tested with, whatever the audit itself finds."""

from dataclasses import replace

import trainplate
from trainplate.auditing import (
    Audit,
    Facts,
    Knob,
    Outcome,
    Part,
    Place,
    Problem,
    Severity,
    ShownConversation,
    Supports,
    Trainable,
)
from trainplate.demo import demo_template
from trainplate.errors import Refusal
from trainplate.template import Template
from trainplate.verdict import Verdict

HOSTILE = "</script></style></pre><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"


def patched_audit(source="templates/harbour.jinja"):
    """An audit of the demo's template: two errors, a warning that is ignored, a note, and conversations with tokens."""
    template = replace(demo_template(), name=source)
    return Audit(
        source=source,
        template=template,
        family=None,
        trainable=Trainable.AFTER_PATCHING,
        outcomes=(
            Outcome("prefix-preserved", Verdict.FAILED),
            Outcome("renders", Verdict.FAILED),
            Outcome("same-prompt", Verdict.PASSED),
            Outcome("token-prefix", Verdict.NOT_EVALUATED, "no tokenizer is at hand"),
            Outcome("clock", Verdict.FAILED),
            Outcome("sorted-keys", Verdict.FAILED),
        ),
        problems=(
            Problem(
                "clock",
                Severity.WARNING,
                "the date is printed, so the same conversation reads differently tomorrow",
                "pass a fixed date where the template takes one",
                Place(3, 5, "{{ strftime_now('%d %B') }}"),
                ignored="we train on a single day",
            ),
            Problem(
                "prefix-preserved",
                Severity.ERROR,
                "earlier text changes when a message is appended",
                "keep-history, which `trainplate patch` applies",
                Place(14, 9, "{{- '<think>' + message.reasoning_content + '</think>\\n' }}"),
                "sailing[:5]",
                "<|user|>\nCan we sail?<|end|>\n<|assistant|>\n<think>That depends on the tide.</think>\nYes.<|end|>\n",
                "<|user|>\nCan we sail?<|end|>\n<|assistant|>\nYes.<|end|>\n",
            ),
            Problem(
                "renders",
                Severity.ERROR,
                "arguments given as a dict are declined",
                "arguments-as-json, which `trainplate patch` applies",
                Place(19, 37, "call.function.arguments"),
                "sailing",
            ),
            Problem("sorted-keys", Severity.NOTE, "the keys of tools are sorted", "nothing, if the model learnt it so"),
        ),
        supports=Supports(
            True, True, True, True, False, (Knob("enable_thinking", ("true", "false"), "adds a prefill"),)
        ),
        facts=Facts(("<|end|>",), "<|assistant|>\n", "<think>\n", "<s>", True, "You are a pilot."),
        patch=trainplate.patch(template),
        conversations=(
            ShownConversation(
                "sailing",
                (
                    Part("supplied", "<|user|>\nCan we sail?<|end|>\n<|assistant|>\n", (8, 1, 3, 3, 6, 7, 1, 13, 1)),
                    Part("prefilled", "<think>\n", (8,)),
                    Part("trained", "Tide.</think>\nYes 🙂.<|end|>", (4, 10, 3, 1, 1, 0, 0, 1, 8)),
                    Part("supplied", "\n"),
                ),
            ),
            ShownConversation("system-only", (), declined="a question is missing"),
        ),
        assumed_tokens={"bos_token": "<s>"},
        seconds={"patch": 0.12},
    )


def good_audit(source="org/model"):
    """An audit with nothing to say against a template."""
    template = Template("{% generation %}{{ messages }}{% endgeneration %}", name=source)
    outcomes = (Outcome("renders", Verdict.PASSED),)
    return Audit(source, template, None, Trainable.AS_IT_IS, outcomes, (), conversations=())


def refused_audit(source="broken.jinja"):
    """An audit of a template that nothing can be proven of."""
    template = Template("{{ range(100) | random }}\n{{ messages }}", name=source)
    refusal = Refusal("no two renderings agree", check="same-turn", conversation="one-turn", before="12 a", after="7 a")
    problem = Problem(
        "same-turn", Severity.ERROR, "no two renderings agree", "take `random` out", Place(1, 1, "range(100) | random"),
        "one-turn", "12 a", "7 a",
    )  # fmt: skip
    outcomes = (Outcome("same-turn", Verdict.FAILED),)
    return Audit(source, template, None, Trainable.NOT, outcomes, (problem,), refusal=refusal)


def hostile_audit():
    """An audit whose every text tries to become part of the report's own language."""
    source = f"{{# {HOSTILE} #}}{{{{ messages }}}}"
    outcome = Outcome("renders", Verdict.NOT_EVALUATED, HOSTILE)
    problem = Problem(
        "renders", Severity.ERROR, HOSTILE, HOSTILE, Place(1, 1, HOSTILE), HOSTILE, f"a{HOSTILE}\x1b[2J", f"b{HOSTILE}"
    )
    ignored = replace(problem, ignored=HOSTILE)
    return Audit(
        source=f"{HOSTILE}.jinja",
        template=Template(source, name=f"{HOSTILE}.jinja", variant=HOSTILE),
        family=None,
        trainable=Trainable.NOT,
        outcomes=(outcome,),
        problems=(problem, ignored),
        supports=Supports(knobs=(Knob(HOSTILE, (HOSTILE,), HOSTILE),)),
        facts=Facts((HOSTILE,), HOSTILE, HOSTILE, HOSTILE, False, HOSTILE),
        refusal=Refusal(HOSTILE, check="renders", conversation=HOSTILE, before=HOSTILE, after=HOSTILE),
        conversations=(
            ShownConversation(HOSTILE, (Part("trained", f"{HOSTILE}\x00\ud800\u202e", (5,)),)),
            ShownConversation("declined", (), declined=HOSTILE),
        ),
    )
