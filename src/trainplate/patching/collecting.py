"""Python's collector of cycles, kept from walking again and again through all that was there before a search."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_running: list[bool] = []
"""For each search that runs, whether the first of those side by side froze what was there."""


@contextmanager
def sparing_collection() -> Iterator[None]:
    """Let the collector pass over what exists, until the last of those that run side by side is done.

    A search makes millions of values in a process that may hold many times as many, and each full collection would
    look at all of them. Where the caller has frozen something already, nothing is done: only the caller may thaw it.
    """
    with _lock:
        froze = _running[0] if _running else gc.get_freeze_count() == 0
        if froze and not _running:
            gc.freeze()
        _running.append(froze)
    try:
        yield
    finally:
        with _lock:
            if _running.pop() and not _running:
                gc.unfreeze()
