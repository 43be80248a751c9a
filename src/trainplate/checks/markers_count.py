"""transformers finds marked text by counting what was printed before; in some places it counts wrongly, silently."""

from collections.abc import Iterator, Sequence

from trainplate.checks.mask_is_sampled_text import around
from trainplate.checks.registry import Example, check
from trainplate.checks.spans import Span, joined
from trainplate.checks.trial import Trial
from trainplate.verdict import Finding

BODY = "{% generation %}{{ m.content }}</s>{% endgeneration %}"
ORIGINAL = "{% for m in messages %}<{{ m.role }}>" + BODY + "{% endfor %}"
CAPTURED = "{% for m in messages %}{% set text %}<{{ m.role }}>" + BODY + "{% endset %}{{ text }}{% endfor %}"
MARKED = ("marked", "counted")


@check(passes=Example(ORIGINAL, ORIGINAL), fails=Example(CAPTURED, CAPTURED))
def markers_count(trial: Trial) -> Iterator[Finding]:
    """What transformers' own tracker counts as trained is what stands between the markers.

    It counts wrongly where a marker stands in a macro, a `{% set %}` capture, a `{% filter %}`, a `{% call %}` or a
    recursive loop, and it may train the token around an empty span that touches no trained text.
    """
    if trial.training is None:
        return
    text, spans = trial.training.text, list(trial.training.spans)
    counted = list(trial.training.counted_spans)
    if joined(counted) != joined(spans):
        yield trial.finding(
            "markers-count",
            "transformers counts other text as trained",
            None,
            bracketed(text, spans),
            bracketed(text, counted),
            MARKED,
        )
        return
    for start, end in counted:
        if start == end and 0 < start < len(text) and not any(a <= start <= b for a, b in spans):
            yield trial.finding(
                "markers-count",
                "an empty marker block stands away from trained text",
                None,
                *around(text, (start, end)),
                ("printed", "marked"),
            )
            return


def bracketed(text: str, spans: Sequence[Span]) -> str:
    """Return the text with its spans in brackets."""
    pieces, position = [], 0
    for start, end in spans:
        pieces += [text[position:start], f"⟦{text[start:end]}⟧"]
        position = end
    return "".join([*pieces, text[position:]])
