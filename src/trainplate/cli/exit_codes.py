"""What becomes of a command that fails: one message, and an exit code."""

import errno
import os
import sys
from collections.abc import Callable

from trainplate.errors import LimitExceeded, Refusal, TrainplateError

LONGEST_MESSAGE = 4000
INTERRUPTED = 130
"""What a shell expects of a command that was interrupted."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
REPORT_IT = "report it with the template and what TRAINPLATE_TRACEBACK=1 prints"


def exit_code_of(command: Callable[[], object]) -> int:
    """Run a command and return its exit code; no fault of the input ends in a traceback."""
    try:
        return int(command() or 0)  # type: ignore[call-overload, no-any-return]
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1  # nobody reads on, so that nobody was told all: that is not the exit code for all being well
    except TrainplateError as error:
        complain(str(error))
        return 1 if isinstance(error, Refusal | LimitExceeded) else 2
    except OSError as error:
        if error.errno not in NO_ROOM:
            return own_fault(error)
        complain(f"what was found cannot be written: {error.strerror}\n    way out   make room, or write elsewhere")
        return 2
    except Exception as error:
        return own_fault(error)


def own_fault(error: Exception) -> int:
    """Say that a fault is ours and return the exit code; raises it where its traceback is asked for."""
    if os.environ.get("TRAINPLATE_TRACEBACK"):
        raise error
    complain(f"a fault of trainplate itself: {type(error).__name__}: {error}\n    way out   {REPORT_IT}")
    return 2


def complain(message: str) -> None:
    """Print a message on standard error, wrapped to its width."""
    from trainplate.cli.terminal import errors, tell, width_of, wrapped
    from trainplate.reports.visible_text import cut, harmless

    tell(errors(), wrapped(cut(harmless(message), LONGEST_MESSAGE), width_of(errors())))
