import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blade.engines import open_engine
from blade.engines.cpus import cgroup_quota, usable_cpus
from blade.engines.local import LocalEngine
from blade.errors import BladeError, UnreadableRun, UsageError
from tests.engines import work


@pytest.fixture(scope="module", params=[1, 2, 5])
def engine(request: pytest.FixtureRequest) -> Iterator[LocalEngine]:
    with LocalEngine(request.param) as engine:
        yield engine


@given(st.lists(st.integers()))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_map_is_the_builtin_map(engine: LocalEngine, numbers: list[int]) -> None:
    assert list(engine.map(work.square, numbers)) == list(map(work.square, numbers))


@given(st.lists(st.one_of(st.none(), st.text(), st.binary(), st.floats(allow_nan=False)), min_size=2, max_size=8))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_values_come_back_as_they_are(engine: LocalEngine, values: list[object]) -> None:
    assert list(engine.map(work.identity, values)) == values


def test_results_keep_the_order_of_the_items_when_work_is_uneven() -> None:
    tasks = [(number, 0.2 if number % 4 == 0 else 0.0) for number in range(12)]
    with LocalEngine(2) as engine:
        assert list(engine.map(work.sleep_then_return, tasks)) == list(range(12))


@pytest.mark.parametrize(("workers", "window"), [(1, 1), (2, 4), (3, 6)])
def test_only_a_bounded_number_of_items_is_under_way(workers: int, window: int) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(50):
            taken += 1
            yield number

    with LocalEngine(workers) as engine:
        ahead = [taken - done for done, _ in enumerate(engine.map(work.square, items()))]
    assert taken == 50
    # One worker works here, and takes two items to see whether there is more than one.
    assert max(ahead) <= max(window, 2)


def test_work_is_shared_by_other_processes() -> None:
    with LocalEngine(2) as engine:
        processes = set(engine.map(work.where, range(8)))
    assert len(processes) == 2
    assert os.getpid() not in processes


@pytest.mark.parametrize(("workers", "items"), [(1, 5), (4, 1), (4, 0)])
def test_one_worker_or_one_item_needs_no_other_process(workers: int, items: int) -> None:
    with LocalEngine(workers) as engine:
        assert set(engine.map(work.where, range(items))) <= {os.getpid()}


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_worker_is_raised_as_itself(workers: int) -> None:
    with LocalEngine(workers) as engine:
        with pytest.raises(UnreadableRun) as raised:
            list(engine.map(work.fail_on_three, range(100)))
        assert list(engine.map(work.square, range(5))) == [0, 1, 4, 9, 16]
    assert str(raised.value) == "a.jsonl, line 3: row three is bad; fix it."
    assert raised.value.problems == ["one"]


def test_results_before_an_error_are_delivered() -> None:
    with LocalEngine(2) as engine:
        results = engine.map(work.fail_on_three, range(100))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(UnreadableRun):
            next(results)


def test_an_error_that_cannot_travel_is_still_told() -> None:
    with LocalEngine(2) as engine, pytest.raises(RuntimeError, match="Awkward: 0 and 0"):
        list(engine.map(work.fail_awkwardly, range(4)))


def test_a_worker_that_dies_is_explained_and_the_engine_recovers() -> None:
    with LocalEngine(2) as engine:
        with pytest.raises(BladeError, match=r"a worker process died.*memory.*--workers 1"):
            list(engine.map(work.die_on_three, range(10)))
        assert list(engine.map(work.square, range(5))) == [0, 1, 4, 9, 16]


def test_leaving_early_stops_the_workers(tmp_path: Path) -> None:
    with LocalEngine(2) as engine:
        results = engine.map(work.note_pid_and_hang, [str(tmp_path)] * 4)
        with pytest.raises(TimeoutError):
            _next_within(results, tmp_path)
    assert _gone(tmp_path)


def _next_within(results: Iterator[None], folder: Path) -> None:
    """Ask for a result that never comes, and give up when both workers are at it."""

    def give_up(*_: object) -> None:
        if len(list(folder.iterdir())) == 2:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        next(results)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _gone(folder: Path) -> bool:
    """Whether the processes that left their number in the folder end within a few seconds."""
    pids = [int(entry.name) for entry in folder.iterdir()]
    assert len(pids) == 2
    return _within(10, lambda: not any(psutil.pid_exists(pid) for pid in pids))


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


PARENT = """
import sys
from blade.engines.local import LocalEngine
from tests.engines import work
if __name__ == "__main__":
    try:
        with LocalEngine(2) as engine:
            list(engine.map(work.note_pid_and_hang, [sys.argv[1]] * 4))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGKILL, -signal.SIGKILL, "")]
)
def test_no_orphan_and_no_traceback_when_the_parent_is_stopped(tmp_path: Path, number: int, code: int, said: str) -> None:
    script, folder = tmp_path / "parent.py", tmp_path / "pids"
    script.write_text(PARENT)
    folder.mkdir()
    parent = subprocess.Popen(
        [sys.executable, script, folder],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert _within(60, lambda: len(list(folder.iterdir())) == 2)
    # Ctrl-C reaches every process of the terminal's group, SIGKILL just the one.
    (os.killpg if number == signal.SIGINT else os.kill)(parent.pid, number)
    out, err = parent.communicate(timeout=60)
    assert (parent.returncode, out) == (code, said)
    assert "Traceback" not in err
    assert _gone(folder)


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_is_a_usage_error(workers: int) -> None:
    with pytest.raises(UsageError, match="--workers"):
        LocalEngine(workers)


def test_closing_twice_is_harmless() -> None:
    engine = open_engine("local", workers=2)
    assert list(engine.map(work.square, range(3))) == [0, 1, 4]
    engine.close()
    engine.close()


def test_an_unknown_engine_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"'dask'.*local or ray"):
        open_engine("dask")  # type: ignore[arg-type]


def test_importing_the_engines_is_light() -> None:
    code = """if True:
        import sys, blade.engines.local, blade.engines.ray, blade.untrusted.limits, blade.errors
        print({"multiprocessing", "concurrent.futures", "ray", "numpy"} & sys.modules.keys())
    """
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "200000 100000\n"}, 2),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "nonsense"}, None),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({}, None),
    ],
)
def test_a_containers_quota_is_respected(tmp_path: Path, files: dict[str, str], quota: int | None) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert cgroup_quota(tmp_path) == quota


def test_we_use_at_least_one_cpu_and_no_more_than_there_are() -> None:
    assert 1 <= usable_cpus() <= (os.cpu_count() or 1)


def test_a_script_without_a_main_guard_can_use_the_pool(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from blade.engines.local import LocalEngine\nprint('begun')\nwith LocalEngine(2) as engine:\n    print(list(engine.map(abs, [-1, -2, -3])))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "begun\n[1, 2, 3]\n", done.stderr
