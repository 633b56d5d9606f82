"""Worker processes and what becomes of them: killed with all they started, replaced, bounded in memory, never left behind."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from blade.gym.servers.components import find
from blade.gym.servers.worker_handles import Template, Worker
from blade.gym.servers.worker_process import Recipe
from blade.gym.servers.workers import WorkerPool, WorkFailed
from tests.gym.servers.on_disk import write

ODD = """
    import os, subprocess, time
    from pathlib import Path
    from blade.gym.servers import ResourcesServer

    HERE = Path(__file__).parent
    while (HERE / "closed").exists():
        time.sleep(0.02)

    class Odd(ResourcesServer):
        def number(self):
            return os.getpid()

        def count(self, name):
            with (HERE / "counted").open("a") as file:
                file.write(f"{name}\\n")
            return name

        def crash(self):
            os._exit(3)

        def sleep(self, seconds):
            time.sleep(seconds)
            return "slept"

        def wait_for_a_child(self):
            child = subprocess.Popen(["sleep", "300"])
            (HERE / "child.new").write_text(str(child.pid))
            (HERE / "child.new").rename(HERE / "child")
            child.wait()

        def grab(self, megabytes):
            return len(bytearray(megabytes << 20))

        def compute(self):
            import numpy
            return {"reward": numpy.float64(1.5), "n": numpy.int64(3), "ok": numpy.bool_(True), "all": numpy.arange(2), 1: 2}

        def refuse(self):
            return {"reward": 1.0, "why": object()}
"""
Talk = Callable[[WorkerPool], Awaitable[Any]]
DEADLINE = 30.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "resources_servers" / "odd" / "app.py", ODD).parent


def talk(folder: Path, what: Talk, *, memory_mb: int | None = None, load_seconds: float = DEADLINE) -> Any:
    async def run() -> Any:
        component = find("resources_servers", "odd", [folder.parents[1]])
        pool = WorkerPool(Recipe(component, "odd", {}, memory_mb), 2, load_seconds=load_seconds)
        try:
            return await asyncio.wait_for(what(pool), 2 * DEADLINE)
        finally:
            await pool.close()

    return asyncio.run(run())


def until(sign: Callable[[], Any]) -> Any:
    """Wait for a sign without letting the event loop see anything."""
    ending = time.monotonic() + DEADLINE
    while not (found := sign()):
        assert time.monotonic() < ending
        time.sleep(0.01)
    return found


def runs(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def handles() -> list[str]:
    """The handles of processes that this process holds."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}"))
        except FileNotFoundError:
            continue
    return [link for link in found if "pidfd" in link]


async def number(pool: WorkerPool) -> int:
    found: int = (await pool.call("number", None, [], DEADLINE, repeatable=True))[0]
    return found


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
        await asyncio.sleep(0.1)
        assert len(os.listdir("/proc/self/fd")) == before - 6

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
