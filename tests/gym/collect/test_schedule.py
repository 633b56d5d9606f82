import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.errors import BladeError
from blade.gym.collect.schedule import Hopeless, Limits, Planned, Schedule, Sink
from blade.gym.collect.tally import Tally

Row = dict[str, Any]
QUICK = Limits(concurrency=4, attempts=3, backoff=0.0, longest_backoff=0.0)


class Books:
    """What a run writes, in memory."""

    def __init__(self) -> None:
        self.begun: list[Row] = []
        self.done: list[Row] = []
        self.failed: list[Row] = []

    def sink(self) -> Sink:
        return Sink(self.begun.append, self.done.append, self.failed.append)


def plan(count: int) -> list[Planned]:
    return [Planned({"_ng_task_index": number, "_ng_rollout_index": 0, "agent_ref": {"name": "a"}}) for number in range(count)]


def work(run: Callable[[Row], Awaitable[Row]], rows: list[Planned], limits: Limits = QUICK) -> tuple[Books, Tally]:
    books, tally = Books(), Tally(len(rows))
    asyncio.run(Schedule(run, books.sink(), limits, tally).work(iter(rows)))
    return books, tally


@given(
    outcomes=st.lists(
        st.lists(st.sampled_from(["fail", "terminal", "raise", "hang", "score"]), min_size=3, max_size=3), max_size=8
    )
)
def test_every_attempt_has_an_outcome_and_attempts_are_bounded(outcomes: list[list[str]]) -> None:
    async def run(row: Row) -> Row:
        outcome = outcomes[row["_ng_task_index"]][row.get("_ng_attempt_index", 0)]
        if outcome == "raise":
            raise ValueError("a bug")
        if outcome == "hang":
            await asyncio.sleep(60)
        if outcome == "score":
            return row | {"reward": 1.0}
        return row | {"_ng_failure_class": "transient"} | ({"_ng_failure_terminal": True} if outcome == "terminal" else {})

    limits = Limits(concurrency=3, attempts=3, backoff=0.0, longest_backoff=0.0, rollout_timeout=0.01)
    books, tally = work(run, plan(len(outcomes)), limits)
    assert len(books.begun) == len(books.done) + len(books.failed)
    for task, mine in enumerate(outcomes):
        ends = next((number for number, outcome in enumerate(mine) if outcome in ("score", "terminal")), 2)
        assert sum(row["_ng_task_index"] == task for row in books.begun) == ends + 1
        assert (task in [row["_ng_task_index"] for row in books.done]) == (mine[ends] == "score")
    assert tally.done + tally.given_up == len(outcomes)


def test_later_attempts_are_numbered() -> None:
    async def run(row: Row) -> Row:
        return row | ({"reward": 1.0} if row.get("_ng_attempt_index") == 2 else {"_ng_failure_class": "transient"})

    books, _ = work(run, plan(1))
    assert [row.get("_ng_attempt_index") for row in (*books.failed, *books.done)] == [None, 1, 2]


def test_an_agent_cannot_change_whose_rollout_it_is() -> None:
    async def run(row: Row) -> Row:
        return {"reward": 1.0, "_ng_task_index": 99}

    books, _ = work(run, plan(1))
    assert books.done[0]["_ng_task_index"] == 0
    assert books.done[0]["agent_ref"] == {"name": "a"}


def test_no_more_than_so_many_at_a_time() -> None:
    at_a_time = Counter[str]()

    async def run(row: Row) -> Row:
        at_a_time["now"] += 1
        at_a_time["most"] = max(at_a_time["most"], at_a_time["now"])
        await asyncio.sleep(0.001)
        at_a_time["now"] -= 1
        return row | {"reward": 0.0}

    work(run, plan(40))
    assert at_a_time["most"] == 4


def test_a_set_up_that_cannot_work_ends_the_run_early() -> None:
    tried = []

    async def run(row: Row) -> Row:
        tried.append(row)
        return row | {"_ng_failure_class": "model_auth", "failure_message": "status 401"}

    with pytest.raises(Hopeless, match="401"):
        work(run, plan(1_000))
    assert len(tried) < 60


def test_a_rollout_that_fails_for_good_does_not_end_the_run() -> None:
    async def run(row: Row) -> Row:
        return row | ({"reward": 1.0} if row["_ng_task_index"] % 2 else {"_ng_failure_class": "model_auth"})

    _, tally = work(run, plan(200))
    assert (tally.done, tally.given_up) == (100, 100)


def test_a_full_disk_ends_the_run() -> None:
    async def run(row: Row) -> Row:
        return row | {"reward": 1.0}

    def full(row: Row) -> None:
        raise BladeError("no space")

    books = Books()
    schedule = Schedule(run, Sink(books.begun.append, full, books.failed.append), QUICK, Tally(5))
    with pytest.raises(BladeError, match="no space"):
        asyncio.run(schedule.work(iter(plan(5))))


def test_after_a_stop_nothing_new_begins_and_what_is_under_way_finishes() -> None:
    books, tally = Books(), Tally(100)

    async def main() -> None:
        async def run(row: Row) -> Row:
            await asyncio.sleep(0.01)
            schedule.stop()
            return row | {"reward": 1.0}

        schedule = Schedule(run, books.sink(), QUICK, tally)
        await schedule.work(iter(plan(100)))

    asyncio.run(main())
    assert len(books.begun) == len(books.done) == 4


def test_a_row_that_is_no_json_costs_its_rollout_only() -> None:
    async def run(row: Row) -> Row:
        return row | {"reward": 1.0, "odd": object() if row["_ng_task_index"] == 1 else 0}

    books = Books()

    def strict(row: Row) -> None:
        if not isinstance(row["odd"], int):
            raise TypeError("no JSON")
        books.done.append(row)

    tally = Tally(3)
    asyncio.run(Schedule(run, Sink(books.begun.append, strict, books.failed.append), QUICK, tally).work(iter(plan(3))))
    assert [row["_ng_task_index"] for row in books.done] == [0, 2]
    assert {row["_ng_failure_class"] for row in books.failed} == {"agent_run_error"}
