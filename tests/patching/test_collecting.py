"""A search keeps the collector from what was there before, and leaves it as it found it."""

import gc
from threading import Barrier, Thread

import pytest

from trainplate.patching.collecting import sparing_collection


@pytest.fixture(autouse=True)
def thawed():
    """Nothing is frozen when a test begins, and when it ends."""
    gc.unfreeze()
    yield
    gc.unfreeze()


def fail():
    raise KeyError


def test_what_was_there_is_passed_over_and_looked_at_again_behind_a_failure():
    with pytest.raises(KeyError), sparing_collection():
        assert gc.get_freeze_count() > 1000
        fail()
    assert gc.get_freeze_count() == 0


def test_what_the_caller_froze_stays_frozen():
    gc.freeze()
    with sparing_collection():
        pass
    assert gc.get_freeze_count() > 1000


def test_the_last_of_searches_side_by_side_thaws_what_the_first_froze():
    meeting, seen = Barrier(3, timeout=20), []

    def search():
        with sparing_collection():
            meeting.wait()
            seen.append(gc.get_freeze_count() > 1000)
            meeting.wait()

    threads = [Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 3
    assert gc.get_freeze_count() == 0
