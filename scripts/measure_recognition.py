"""Identifies a whole folder of templates, and says which rung decided how often, how fast, and what came out.

    python scripts/measure_recognition.py DIR [--rung RUNG] [--every N]

DIR holds records (`*.json` with `template`), `*.jinja` files or model folders. `--rung` lists the matches of one rung,
the least alike first, which is where a false one would show.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from template_folder import read, sources

from trainplate.families.identification import Match, Rung, identify
from trainplate.template import Template


@dataclass(frozen=True)
class Answer:
    """What was recognised in one template, and how long that took."""

    template: Template
    match: Match | None
    seconds: float

    @property
    def rung(self) -> str:
        """Name the rung that decided."""
        return self.match.how if self.match else "none"


def ask(template: Template) -> Answer:
    """Identify one template, and time it."""
    start = time.process_time()
    match = identify(template)
    return Answer(template, match, time.process_time() - start)


def summary(answers: list[Answer]) -> str:
    """Say how many were matched on each rung, and how long that took."""
    by_rung: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        by_rung[answer.rung].append(answer.seconds * 1000)
    lines = [f"{'rung':18}{'templates':>10}{'median ms':>11}{'slowest ms':>12}"]
    for rung in [*Rung, "none"]:
        if spent := by_rung.get(rung):
            lines.append(f"{rung:18}{len(spent):10}{statistics.median(spent):11.1f}{max(spent):12.1f}")
    return "\n".join(lines)


def line(answer: Answer) -> str:
    """Say what one template was recognised as, and how it differs."""
    match = answer.match
    assert match is not None
    apart = match.difference
    told = f"{len(apart.lines)} own lines, {apart.missing} missing; {', '.join(apart.manners)}"
    return f"{match.likeness:.2f}  {answer.template.name:56}{match.family} {match.revision:12}{told}"


def main() -> int:
    """Identify what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--rung", choices=list(Rung), type=Rung)
    parser.add_argument("--every", type=int, default=1, help="identify every so manieth template")
    asked = parser.parse_args()
    identify("warm")
    answers = [ask(template) for path in sources(asked.folder, every=asked.every) for template in read(path)]
    print(summary(answers))
    listed = [answer for answer in answers if answer.match and answer.match.how is asked.rung]
    for answer in sorted(listed, key=lambda answer: answer.match.likeness if answer.match else 0.0):
        print(line(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
