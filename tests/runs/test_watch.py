"""What runs too long is interrupted once; what ends in time never is, and needs no thread of its own."""

import threading
import time

from blade.runs.watch import Watch

ENOUGH = 5.0


def test_what_takes_too_long_is_interrupted_and_the_next_is_not() -> None:
    called = threading.Event()
    watch = Watch(called.set, 0.05)
    with watch.over():
        assert called.wait(ENOUGH)
    called.clear()
    with watch.over():
        pass
    assert not called.wait(0.15)
    watch.close()


def test_a_query_that_begins_late_is_watched_as_long_as_the_first() -> None:
    called: list[float] = []
    watch = Watch(lambda: called.append(time.monotonic()), 0.2)
    with watch.over():
        time.sleep(0.1)
    began = time.monotonic()
    with watch.over():
        time.sleep(0.4)
    assert len(called) == 1
    assert 0.2 <= called[0] - began < ENOUGH
    watch.close()


def test_many_quick_queries_share_one_thread() -> None:
    watch, before = Watch(lambda: None, 60.0), threading.active_count()
    for _ in range(100):
        with watch.over():
            pass
    assert threading.active_count() <= before + 1
    watch.close()
