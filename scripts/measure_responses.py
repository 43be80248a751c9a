"""Derives response templates for many chat templates, and says how many are proven and what stands in the way.

    python scripts/measure_responses.py [--every N] [--why]

Takes the originals of the installed trl, each also read with trl's own response template on the same messages, and
every so manieth template of the corpus beside the repository, where it is there. `--why` lists what is not proven.
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from originals_at_hand import CORPUS, SENTINELS, texts_in_trl

from trainplate.errors import TrainplateError
from trainplate.responses.derivation import ResponseTemplate, derive_response_template
from trainplate.responses.lessons import learn
from trainplate.responses.proof import failure, is_rewritten
from trainplate.template import Template


@dataclass(frozen=True)
class Row:
    """One template, what was derived for it, and how long that took."""

    name: str
    found: ResponseTemplate
    seconds: float


def originals() -> Iterator[Template]:
    """Yield the originals that the installed trl stores."""
    for name, source in texts_in_trl().items():
        if not name.endswith("_training"):
            yield Template(source, SENTINELS, name)


def sampled(every: int) -> Iterator[Template]:
    """Yield every so manieth template of the corpus, with its own special tokens."""
    for path in sorted(CORPUS.glob("*.json"))[::every]:
        record = json.loads(path.read_text(encoding="utf-8"))
        tokens = {name: text for name, text in (record.get("special_tokens") or {}).items() if isinstance(text, str)}
        yield Template(record["template"], {**SENTINELS, **tokens}, path.stem)


def derive(template: Template) -> Row | None:
    """Derive one; None where the text is no template."""
    start = time.process_time()
    try:
        found = derive_response_template(template)
    except TrainplateError:
        return None
    return Row(template.name, found, time.process_time() - start)


def summary(title: str, rows: list[Row]) -> str:
    """Say how many are proven, how many of those read calls and reasoning, and how long that took."""
    proven = [row.found.template["fields"] for row in rows if row.found.template is not None]
    calls = sum("tool_calls" in fields for fields in proven)
    thoughts = sum(bool({"reasoning_content", "reasoning", "thinking"} & set(fields)) for fields in proven)
    odd = sum(row.found.template is not None and bool(row.found.findings) for row in rows)
    spent = sorted(row.seconds * 1000 for row in rows)
    return (
        f"{title}: {len(proven)} of {len(rows)} proven, {calls} of them with calls, {thoughts} with reasoning, "
        f"{odd} with findings; median {statistics.median(spent):.0f} ms, slowest {spent[-1]:.0f} ms"
    )


def tell_unproven(rows: list[Row], *, why: bool) -> None:
    """Print what stands in the way of the unproven, and each of them where that is wanted."""
    if why:
        for row in rows:
            finding = row.found.findings[0]
            print(f"  {row.name}: {finding.message[:150]} ({finding.witness})")
            print(f"    {finding.before[:230]!r}\n    {finding.after[:230]!r}")
    for reason, count in Counter(row.found.findings[0].message[:60] for row in rows).most_common():
        print(f"  {count:4}  {reason}")


def of_trl(template: Template) -> dict[str, Any] | None:
    """Return the response template that trl itself sets for an original; None where it has none."""
    from trl.chat_template_utils import add_response_schema

    holder = SimpleNamespace(chat_template=template.source, response_template=None)
    try:
        return dict(add_response_schema(holder).response_template)
    except ValueError:
        return None


def compared(template: Template) -> tuple[int, int, int] | None:
    """Count the messages said, and those that trl's and our response templates do not give back; None without trl's."""
    theirs, ours = of_trl(template), derive_response_template(template).template
    if theirs is None or ours is None:
        return None
    told = [one for one in learn(template).told if one.text.startswith(one.prompt) and not is_rewritten(one)]
    wrong = [
        sum(failure(answer, one, one.prompt, one.text[len(one.prompt) :]) is not None for one in told)
        for answer in (theirs, ours)
    ]
    return len(told), wrong[0], wrong[1]


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--why", action="store_true")
    asked = parser.parse_args()
    for title, templates in (("trl", originals()), ("corpus", sampled(asked.every))):
        rows = [row for template in templates if (row := derive(template)) is not None]
        if not rows:
            continue
        print(summary(title, rows))
        tell_unproven([row for row in rows if row.found.template is None], why=asked.why)
    for template in originals():
        if counted := compared(template):
            said, theirs, ours = counted
            print(f"  {template.name:26}{said:4} messages, not read back: {theirs:3} by trl, {ours:3} by us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
