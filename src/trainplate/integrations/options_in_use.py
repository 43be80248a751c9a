"""Whether a training template is proven for the very options that a trainer renders with."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from trainplate.checks import hear, report_on
from trainplate.conversations import read_knobs
from trainplate.patching import Patch
from trainplate.patching.bench import SWITCHED, VARIED, Bench, lay, under
from trainplate.patching.search import refusal_of
from trainplate.syntax import with_newlines


def options_read(patch: Patch, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that the original reads; a rendering is the same whatever the others say."""
    return {name: value for name, value in options.items() if name in names_read(patch.original.source)}


@lru_cache(maxsize=64)
def names_read(source: str) -> frozenset[str]:
    """Return the options that a template reads; this is asked at every rendering."""
    return frozenset(read_knobs(source))


def prove(patch: Patch, options: Mapping[str, Any]) -> None:
    """Hold a training template to the contract under these options together; raises Refusal where it breaks it."""
    if not (read := options_read(patch, options)):
        return
    bench = bench_of(patch.original.source, frozenset(patch.original.special_tokens.items()))
    if any(dict(one.conversation.options) == read for one in bench.heard):
        return  # the patch has been proven under them already
    told = [one.heard for one in bench.heard if not one.heard.options]
    heard = hear(bench.compiled(bench.source), list(under(told, read, SWITCHED | VARIED)))
    report = report_on(bench.trials(with_newlines(patch.training_template), heard))
    if not report.proven:
        raise refusal_of(report)


@lru_cache(maxsize=8)
def bench_of(source: str, tokens: frozenset[tuple[str, str]]) -> Bench:
    """Lay an original on the bench once, for all that is to be proven of it."""
    return lay(with_newlines(source), dict(tokens))
