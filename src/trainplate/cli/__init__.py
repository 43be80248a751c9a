"""The command line: `trainplate demo`, `patch`, `diff`, `show`, `explain`."""

import os
import sys


def main() -> None:
    """Run the command that the arguments name; whatever goes wrong is one message and an exit code."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    from trainplate.cli.app import run

    sys.exit(run(sys.argv[1:]))
