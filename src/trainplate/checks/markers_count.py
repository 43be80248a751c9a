"""transformers finds marked text by counting what was printed before; in some places it counts wrongly, silently."""

from collections.abc import Iterator

from trainplate.checks.mask_is_sampled_text import around
from trainplate.checks.registry import Example, check
from trainplate.checks.spans import joined
from trainplate.checks.trial import Trial
from trainplate.verdict import Finding

BODY = "{% generation %}{{ m.content }}</s>{% endgeneration %}"
ORIGINAL = "{% for m in messages %}<{{ m.role }}>" + BODY + "{% endfor %}"
CAPTURED = "{% for m in messages %}{% set text %}<{{ m.role }}>" + BODY + "{% endset %}{{ text }}{% endfor %}"


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
            "markers-count", "transformers counts other text as trained", None, f"{spans}", f"{counted}"
        )
        return
    for start, end in counted:
        if start == end and 0 < start < len(text) and not any(a <= start <= b for a, b in spans):
            yield trial.finding(
                "markers-count",
                "an empty marker block stands away from trained text",
                None,
                *around(text, (start, end)),
            )
            return
