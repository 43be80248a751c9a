"""Work that is done in a process of its own, beside what this one does."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress

Job = Callable[[], bytes]


class SplitProcess:
    """Something that is being made in a split of this process, which sees all that was there when it began.

    Nothing is made where the system has no pipe or process to give.
    """

    def __init__(self, job: Job) -> None:
        self.process = 0
        self.end: int | None = None
        with suppress(OSError):
            self.end, theirs = os.pipe()
            try:
                self.process = os.fork()
                if self.process == 0:
                    os.close(self.end)
                    make(job, theirs)
            finally:
                os.close(theirs)

    def result(self) -> bytes:
        """Wait for what is made; it is empty where that fails."""
        if not self.process or self.end is None:
            return b""
        with open(self.end, "rb", closefd=False) as made:
            found = made.read()
        return found if self.status() == 0 else b""

    def status(self) -> int | None:
        """Wait for the end of the other process and return what it says; None where that is lost.

        It is lost where this process was started so that it takes no notice of how others end.
        """
        status = None
        with suppress(ChildProcessError):
            _, status = os.waitpid(self.process, 0)
        self.process = 0
        return status

    def drop(self) -> None:
        """Make an end of what is still being made, as where nobody waits for it any longer."""
        if self.end is not None:
            os.close(self.end)
            self.end = None
        if self.process:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
            self.status()


def make(job: Job, end: int) -> None:
    """Do the job, write what it makes, and leave; what a process does at its end is left to the one it came from."""
    code = 1
    try:
        with open(end, "wb") as writing:
            writing.write(job())
        code = 0
    finally:
        os._exit(code)


def elsewhere() -> Callable[[Job], SplitProcess] | None:
    """Return how to have something done elsewhere; None where there is one processor, or no way to split a process."""
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"):
        return None
    return SplitProcess if len(os.sched_getaffinity(0)) > 1 else None
