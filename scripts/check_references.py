"""Compares the records with what their checkpoints ship today, and names what is not recorded yet.

    python scripts/check_references.py [FAMILY ...]

Needs the network: where no checkpoint can be reached it says so and exits 2. Exit 1 where a checkpoint ships another
template than any that is recorded; `scripts/add_reference.py` records it.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from trainplate.errors import LoadingError, SyntaxFault
from trainplate.families.catalogue import families
from trainplate.families.facts import Family
from trainplate.families.identification import Match, identify
from trainplate.loading.source import load


@dataclass(frozen=True)
class Shipped:
    """What a checkpoint ships today: its template as it was recognised, or why it could not be read."""

    family: Family
    model: str
    match: Match | None
    unreachable: str = ""

    @property
    def is_recorded(self) -> bool:
        """Whether the template is a known original of the family that names the checkpoint."""
        return self.match is not None and self.match.is_known_original and self.match.family == self.family.family

    def __str__(self) -> str:
        if self.unreachable:
            return f"not reached: {self.unreachable}"
        if self.match is None:
            return f"{self.model}: ships a template that resembles none that is known"
        return (
            f"{self.model}: ships {self.match.family} {self.match.revision} ({self.match.how}), not {self.family.name}"
        )


def shipped(family: Family) -> Iterator[Shipped]:
    """Yield what each checkpoint of a family ships; one that cannot be read is told with the reason."""
    for model in family.models:
        try:
            yield Shipped(family, model, identify(load(model)[0]))
        except (LoadingError, SyntaxFault) as error:
            yield Shipped(family, model, None, str(error).splitlines()[0])


def main() -> int:
    """Compare the families that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    wanted = parser.parse_args().families
    found = [one for family in families() if not wanted or family.family in wanted for one in shipped(family)]
    for one in found:
        if not one.is_recorded:
            print(one)
    reached = [one for one in found if not one.unreachable]
    if not reached:
        print("no checkpoint could be reached: this needs the network, and HF_HUB_OFFLINE must not be set")
        return 2
    print(f"{len(reached)} of {len(found)} checkpoints compared")
    return 0 if all(one.is_recorded for one in reached) else 1


if __name__ == "__main__":
    sys.exit(main())
