"""Calls that are sent ahead to a worker: none is lost with another one, none waits for a long one, none is made twice that must not be."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from blade.gym.servers.worker_handles import Template, Worker
from blade.gym.servers.workers import WorkerPool, WorkFailed
from tests.gym.servers.odd_pool import DEADLINE, folder, number, talk

__all__ = ["folder"]


async def warm(pool: WorkerPool) -> None:
    """Both workers are there, and known to be quick: calls are sent ahead."""
    await asyncio.gather(*(number(pool) for _ in range(200)))


async def counted(pool: WorkerPool, names: range) -> list[str]:
    calls = (pool.call("count", None, [str(name)], DEADLINE, repeatable=True) for name in names)
    return [value for value, _ in await asyncio.gather(*calls)]


@pytest.mark.parametrize(
    ("method", "arguments", "seconds", "kind"), [("crash", [], None, "died"), ("sleep", [60], 0.3, "timeout")]
)
def test_one_lost_call_costs_none_of_those_that_were_sent_ahead(
    folder: Path, method: str, arguments: list[Any], seconds: float | None, kind: str
) -> None:
    async def it(pool: WorkerPool) -> str:
        await warm(pool)
        before = asyncio.ensure_future(counted(pool, range(5)))
        await asyncio.sleep(0)
        bad = asyncio.ensure_future(pool.call(method, None, arguments, seconds, repeatable=True))
        await asyncio.sleep(0)
        assert await counted(pool, range(5, 60)) == [str(name) for name in range(5, 60)]
        assert await before == [str(name) for name in range(5)]
        with pytest.raises(WorkFailed) as failed:
            await bad
        return failed.value.kind

    assert talk(folder, it) == kind
    written = (folder / "counted").read_text().split()
    assert sorted(map(int, written)) == list(range(60))


def test_calls_behind_a_long_one_are_done_by_others(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        long = asyncio.ensure_future(pool.call("sleep", None, [300], None, repeatable=True))
        await asyncio.sleep(0)
        await counted(pool, range(40))
        assert not long.done()
        long.cancel()

    talk(folder, it)
    assert sorted(map(int, (folder / "counted").read_text().split())) == list(range(40))


def test_a_long_call_that_was_given_up_by_its_neighbours_still_has_its_answer(folder: Path) -> None:
    async def it(pool: WorkerPool) -> Any:
        await warm(pool)
        long = asyncio.ensure_future(pool.call("sleep", None, [1.5], 20.0, repeatable=True))
        await asyncio.sleep(0)
        await counted(pool, range(40))
        return (await long)[0], await number(pool) > 0

    assert talk(folder, it) == ("slept", True)


def test_calls_given_up_while_they_wait_their_turn_are_passed_over(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        calls = [asyncio.ensure_future(pool.call("count", None, [str(name)], DEADLINE, repeatable=True)) for name in range(500)]
        await asyncio.sleep(0)
        for call in calls[250:]:
            call.cancel()
        await asyncio.wait(calls)
        assert [call.result()[0] for call in calls[:250]] == [str(name) for name in range(250)]
        assert await counted(pool, range(500, 520)) == [str(name) for name in range(500, 520)]

    talk(folder, it)


def test_a_closed_pool_answers_every_call(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        calls = [asyncio.ensure_future(pool.call("sleep", None, [60], None)) for _ in range(20)]
        await asyncio.sleep(0.2)
        await pool.close()
        done = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(one, WorkFailed) and one.kind == "died" for one in done)

    talk(folder, it)


def sent_ahead(pool: WorkerPool, method: str, arguments: list[Any], seconds: float | None = None) -> "asyncio.Task[Any]":
    return asyncio.create_task(pool.call(method, None, arguments, seconds, repeatable=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(("method", "arguments"), [("sleep", [0.9]), ("grab", [8_000])], ids=["long", "out of memory"])
def test_what_lies_behind_a_call_that_ends_its_worker_is_done_once(folder: Path, method: str, arguments: list[Any]) -> None:
    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        first = sent_ahead(pool, method, arguments)
        assert await counted(pool, range(60)) == [str(name) for name in range(60)]
        await asyncio.wait([first])
        await asyncio.sleep(0.3)

    talk(folder, it, memory_mb=4_000)
    assert sorted(map(int, (folder / "counted").read_text().split())) == list(range(60))


def test_calls_that_must_not_be_made_twice_are_never_sent_ahead(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        long = [sent_ahead(pool, "sleep", [1.0]) for _ in range(2)]
        await asyncio.sleep(0)
        calls = [asyncio.create_task(pool.call("count", None, [str(name)], DEADLINE)) for name in range(30)]  # type: ignore[arg-type]
        await asyncio.wait(calls)
        await asyncio.wait(long)

    talk(folder, it)
    assert sorted(map(int, (folder / "counted").read_text().split())) == list(range(30))


def test_a_call_given_up_ahead_of_its_turn_holds_up_nobody(folder: Path) -> None:
    async def it(pool: WorkerPool) -> float:
        await warm(pool)
        calls = [sent_ahead(pool, "sleep", [0.2]) for _ in range(2)]
        given_up = [sent_ahead(pool, "sleep", [300]) for _ in range(4)]
        await asyncio.sleep(0.05)
        for call in given_up:
            call.cancel()
        began = time.monotonic()
        await counted(pool, range(10))
        await asyncio.wait(calls)
        return time.monotonic() - began

    assert talk(folder, it) < DEADLINE


def test_a_worker_that_cannot_be_started_fails_its_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Template) -> Worker:
        raise OSError(24, "too many open files")

    async def it(pool: WorkerPool) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(Template, "_forked", refuse)
            with pytest.raises(WorkFailed, match="too many open files") as failed:
                await number(pool)
        assert await number(pool)
        return failed.value.kind

    assert talk(folder, it) == "died"


def test_an_answer_that_came_before_its_worker_died_counts(folder: Path) -> None:
    """The event loop is late: the worker has answered and died before anybody reads, and more is written to it meanwhile."""

    async def it(pool: WorkerPool) -> None:
        await warm(pool)
        good = [sent_ahead(pool, "count", [str(number)]) for number in range(6)]
        bad = [sent_ahead(pool, "crash", []) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        time.sleep(0.5)
        more = asyncio.create_task(counted(pool, range(6, 20)))
        assert [value for value, _ in await asyncio.gather(*good)] == [str(number) for number in range(6)]
        assert await more == [str(number) for number in range(6, 20)]
        for call in bad:
            with pytest.raises(WorkFailed):
                await call

    talk(folder, it)
    assert sorted(map(int, (folder / "counted").read_text().split())) == list(range(20))
