"""Worker processes and what becomes of them: killed with all they started, replaced, bounded in memory, never left behind."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from blade.gym.servers.workers import WorkerPool, WorkFailed
from tests.gym.servers.odd_pool import DEADLINE, ODD, folder, handles, number, runs, talk, until
from tests.gym.servers.on_disk import write

__all__ = ["folder"]


def test_what_a_call_started_is_killed_with_it(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        call = asyncio.ensure_future(pool.call("wait_for_a_child", None, [], None))
        while not (folder / "child").exists():
            await asyncio.sleep(0.01)
        child = int((folder / "child").read_text())
        assert runs(child)
        call.cancel()
        await asyncio.wait([call])
        until(lambda: not runs(child))

    talk(folder, it)


def test_a_deadline_kills_what_a_call_started(folder: Path) -> None:
    async def it(pool: WorkerPool) -> str:
        await number(pool)
        with pytest.raises(WorkFailed) as failed:
            await pool.call("wait_for_a_child", None, [], 2.0)
        child = int((folder / "child").read_text())
        until(lambda: not runs(child))
        return failed.value.kind

    assert talk(folder, it) == "timeout"


def test_a_worker_that_died_while_it_waited_costs_no_call(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        first = await number(pool)
        os.kill(first, signal.SIGKILL)
        until(lambda: not runs(first))
        assert await number(pool) != first

    talk(folder, it)


def test_a_template_that_died_costs_no_call(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        first = await number(pool)
        template = psutil.Process(first).parent()
        assert template is not None
        template.kill()
        until(lambda: not runs(template.pid) and not runs(first))
        assert await number(pool) != first

    talk(folder, it)


def test_a_call_given_up_while_its_worker_is_made_leaves_nothing(folder: Path) -> None:
    before = len(handles())
    (folder / "closed").touch()

    async def it(pool: WorkerPool) -> None:
        given_up = asyncio.ensure_future(number(pool))
        while not psutil.Process().children():
            await asyncio.sleep(0.01)
        given_up.cancel()
        await asyncio.wait([given_up])
        (folder / "closed").unlink()
        template = psutil.Process(await number(pool)).parent()
        assert template is not None
        assert len(handles()) == before + 1
        until(lambda: len([one for one in template.children() if runs(one.pid)]) == 1)

    talk(folder, it)


def test_nothing_is_left_of_a_closed_pool(folder: Path) -> None:
    async def it(pool: WorkerPool) -> None:
        await asyncio.gather(number(pool), number(pool))
        before = len(os.listdir("/proc/self/fd"))
        (template,) = [one for one in psutil.Process().children() if "serve_template" in " ".join(one.cmdline())]
        workers = [one.pid for one in template.children()]
        await pool.close()
        assert not template.is_running()
        until(lambda: not any(runs(pid) for pid in workers))
        # Two workers with a connection and a handle each, the template's control and what it says.
        async with asyncio.timeout(DEADLINE):
            while len(os.listdir("/proc/self/fd")) > before - 6:
                await asyncio.sleep(0.05)

    talk(folder, it)


def test_an_environment_that_does_not_load_in_time(folder: Path) -> None:
    (folder / "closed").touch()

    async def it(pool: WorkerPool) -> Any:
        return await asyncio.gather(*(pool.call("number", None, [], None) for _ in range(2)), return_exceptions=True)

    for failed in talk(folder, it, load_seconds=0.5):
        assert isinstance(failed, WorkFailed)
        assert (failed.kind, str(failed)) == (
            "died",
            "odd could not be loaded in a worker: it was not done within 0.5 s, and was ended",
        )


def test_an_environment_that_does_not_load(folder: Path) -> None:
    (folder / "app.py").write_text("import not_there_at_all\n")

    async def it(pool: WorkerPool) -> None:
        with pytest.raises(WorkFailed, match=r"odd could not be loaded in a worker: .*not_there_at_all"):
            await pool.call("number", None, [], None)
        write(folder / "app.py", ODD)
        assert await number(pool)

    talk(folder, it)


def test_a_call_that_needs_too_much_memory_fails_alone(folder: Path) -> None:
    async def it(pool: WorkerPool) -> tuple[str, str, int]:
        first = await number(pool)
        with pytest.raises(WorkFailed) as failed:
            await pool.call("grab", None, [8_000], DEADLINE)
        assert await number(pool) != first
        return failed.value.kind, str(failed.value), (await pool.call("grab", None, [10], DEADLINE))[0]

    assert talk(folder, it, memory_mb=4_000) == (
        "died",
        "it needed more memory than worker_memory_mb (4000) allows",
        10 << 20,
    )


def test_numbers_of_other_libraries_are_numbers_and_objects_are_refused(folder: Path) -> None:
    async def it(pool: WorkerPool) -> Any:
        with pytest.raises(
            WorkFailed, match=r"cannot be written as JSON: a value of type builtins\.object is no JSON value"
        ) as failed:
            await pool.call("refuse", None, [], DEADLINE)
        assert failed.value.kind == "error"
        return (await pool.call("compute", None, [], DEADLINE))[0]

    found = talk(folder, it)
    assert found == {"reward": 1.5, "n": 3, "ok": True, "all": [0, 1], 1: 2}
    assert [type(found[key]) for key in ("reward", "n", "ok")] == [float, int, bool]
