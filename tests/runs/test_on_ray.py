"""Two Ray nodes give the same tables as the local engine."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from blade.engines.local import LocalEngine
from blade.engines.ray import RayEngine
from blade.lab.example import main as write_example
from blade.runs import survey
from blade.runs.build import TABLES
from blade.runs.run import open_run
from tests.ray_cluster import needs_ray

pytestmark = [needs_ray, pytest.mark.timeout(240)]


def test_two_ray_nodes_give_the_same_tables_as_the_local_engine(
    ray_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_example([str(tmp_path / "run"), "--tasks", "12"])
    (tmp_path / "run" / "example_rollouts.jsonl").open("ab").write(
        b'{"torn": \n\n{"reward": NaN, "_ng_task_index": 0, "_ng_rollout_index": 9}\n'
    )
    monkeypatch.setattr(survey, "RANGE_BYTES", 50_000)
    with RayEngine(ray_address) as ray, open_run(tmp_path / "run", engine=ray, index_dir=tmp_path / "ray") as on_ray:
        tables = {name: pq.read_table(path) for name, path in on_ray.table_paths().items()}
        denominator, meta = on_ray.denominator, on_ray.meta
    with LocalEngine(2) as local, open_run(tmp_path / "run", engine=local, index_dir=tmp_path / "local") as here:
        assert denominator == here.denominator
        assert denominator.malformed == 1
        assert meta == here.meta
        assert sorted(tables) == sorted(TABLES)
        for name, path in here.table_paths().items():
            assert tables[name].equals(pq.read_table(path)), name
