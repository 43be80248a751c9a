"""A job for other processes, which have to be able to import it."""

import os
import time

from trainplate.reports.collection import Unread


def dies_of_poison(source):
    """End the whole process at one source, and answer the others; the first one takes a while."""
    if source == "poison":
        os._exit(9)
    if source == "slow":
        time.sleep(0.3)
    return (Unread(source, "answered"),)
