"""Work that is done in a process of its own, beside what this one does."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress

Job = Callable[[], bytes]


class SplitProcess:
    """Something that is being made in a split of this process, which sees all that was there when it began."""

    def __init__(self, job: Job) -> None:
        self.end, theirs = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.end)
            make(job, theirs)
        os.close(theirs)

    def result(self) -> bytes:
        """Wait for what is made; it is empty where that fails."""
        with open(self.end, "rb") as made:
            found = made.read()
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return found if status == 0 else b""

    def drop(self) -> None:
        """Make an end of it, where its result was not asked for."""
        if self.process:
            os.close(self.end)
            with suppress(OSError):
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
            self.process = 0


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
