"""The command line: `trainplate demo`, `patch`, `check`, `diff`, `show`, `data`, `explain`."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

YOUNG = 500_000
"""How many values a short process makes before Python looks for cycles among them."""


def main() -> None:
    """Run the command that the arguments name; whatever goes wrong is one message and an exit code."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["check"] and is_plain(arguments[1:]):
            leave(check_at_once(arguments[1:]))
        sys.exit(run_one(arguments))
    except KeyboardInterrupt:  # while modules are still being loaded
        sys.exit(130)


def leave(code: int) -> NoReturn:
    """End the process as it stands: to take down all that a check has made takes a tenth of its time.

    What was printed is written out before that; where it cannot be, nobody was told that all is well.
    """
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as it is where it was closed from the start
                stream.flush()
    except OSError:
        code = code or 1
    os._exit(code)


def run_one(arguments: list[str]) -> int:
    """Run any command, by all that it takes to read options and to lay out help."""
    from trainplate.cli.app import run

    return run(arguments)


def is_plain(arguments: Sequence[str]) -> bool:
    """Say whether the arguments of `check` are files, and no option beside `--fix`."""
    return any(not argument.startswith("-") for argument in arguments) and all(
        argument == "--fix" or not argument.startswith("-") for argument in arguments
    )


def check_at_once(arguments: Sequence[str]) -> int:
    """Check files as a commit hook asks for, without what reads options and lays out help: that takes longer."""
    # What a check makes is mostly kept to its end: looking for cycles in it ever again would free next to nothing.
    gc.set_threshold(YOUNG)
    from trainplate.cli.checking import check_files
    from trainplate.cli.elsewhere import elsewhere
    from trainplate.cli.exit_codes import exit_code_of

    files = [argument for argument in arguments if argument != "--fix"]
    return exit_code_of(lambda: check_files(files, fix="--fix" in arguments, elsewhere=elsewhere()))
