import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.engines import open_engine
from blade.engines.local import LocalEngine
from blade.engines.ray import RayEngine
from blade.errors import BladeError, UnreadableRun, UsageError
from tests.engines import work
from tests.ray_cluster import needs_ray


@pytest.fixture(scope="module")
def engine(ray_address: str) -> Iterator[RayEngine]:
    with RayEngine(ray_address) as engine:
        yield engine


@needs_ray
@pytest.mark.timeout(180)
class TestOnTwoNodes:
    def test_results_are_those_of_the_local_engine_in_the_same_order(self, engine: RayEngine) -> None:
        tasks = [(number, 0.1 if number % 4 == 0 else 0.0) for number in range(20)]
        with LocalEngine(2) as local:
            expected = list(local.map(work.sleep_then_return, tasks))
        assert list(engine.map(work.sleep_then_return, tasks)) == expected == list(range(20))

    def test_both_nodes_work(self, engine: RayEngine) -> None:
        results = list(engine.map(work.ray_node, range(12)))
        assert [number for number, _ in results] == list(range(12))
        assert len({node for _, node in results}) == 2

    def test_only_a_bounded_number_of_items_is_under_way(self, engine: RayEngine) -> None:
        taken = 0

        def items() -> Iterator[int]:
            nonlocal taken
            for number in range(40):
                taken += 1
                yield number

        ahead = [taken - done for done, _ in enumerate(engine.map(work.square, items()))]
        assert taken == 40
        assert max(ahead) <= 4 * 2

    def test_an_error_in_a_task_is_raised_as_itself(self, engine: RayEngine) -> None:
        with pytest.raises(UnreadableRun) as raised:
            list(engine.map(work.fail_on_three, range(20)))
        assert type(raised.value) is UnreadableRun
        assert str(raised.value) == "a.jsonl, line 3: row three is bad; fix it."
        assert raised.value.problems == ["one"]

    def test_a_worker_that_dies_is_explained_and_the_engine_recovers(
        self, engine: RayEngine, capfd: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(BladeError, match="a Ray worker died 3 times"):
            list(engine.map(work.die_on_three, range(5)))
        assert list(engine.map(work.square, range(3))) == [0, 1, 4]
        time.sleep(1)  # Ray's own message comes from a thread
        assert capfd.readouterr().out == ""

    def test_an_engine_leaves_a_connection_that_it_did_not_make(self, engine: RayEngine) -> None:
        assert list(engine.map(work.square, [1])) == [1]
        with open_engine("ray") as guest:
            assert list(guest.map(work.square, [2])) == [4]
        assert list(engine.map(work.square, [3])) == [9]


@needs_ray
@pytest.mark.timeout(120)
def test_a_cluster_that_is_not_there_is_a_clear_error() -> None:
    code = """if True:
        from blade.engines.ray import RayEngine
        from blade.errors import BladeError
        try:
            list(RayEngine("127.0.0.1:1").map(abs, [1]))
        except BladeError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.startswith("cannot reach a Ray cluster at 127.0.0.1:1"), done.stderr
    assert done.stdout.count("\n") == 1


@needs_ray
@pytest.mark.timeout(120)
def test_a_local_instance_is_ended_with_the_engine_and_leaves_the_home_alone(tmp_path: Path) -> None:
    code = """if True:
        import psutil
        from blade.engines import open_engine
        with open_engine("ray", workers=2) as engine:
            print(list(engine.map(abs, [-1, -2, -3])))
        print(len(psutil.Process().children(recursive=True)))
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="ray", ignore_cleanup_errors=True) as short:
        environment = inherited | {"HOME": str(tmp_path), "RAY_TMPDIR": short}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == "[1, 2, 3]\n0\n", done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BladeError, match=r"pip install 'blade-eval\[ray\]'"):
        list(open_engine("ray").map(work.square, [1]))


def test_no_workers_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--workers"):
        RayEngine(workers=0)
