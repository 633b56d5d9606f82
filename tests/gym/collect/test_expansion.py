import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.errors import UsageError
from blade.gym.collect.expansion import Expansion, Source, repeat_count


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def asked(text: str, **more: object) -> dict[str, object]:
    return {"responses_create_params": {"input": text}, **more}


def keys(expansion: Expansion) -> list[tuple[int, int]]:
    return [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in expansion.rows()]


def test_repeats_stand_side_by_side(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [asked("a"), asked("b")])
    assert keys(Expansion([Source(path, "agent", 2)])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_equal_lines_are_one_task_with_further_repeats(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [asked("a"), asked("b"), asked("a")])
    assert keys(Expansion([Source(path, "agent", 2)])) == [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3)]


def test_stated_indices_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [asked("a", _ng_task_index=7), asked("b", _ng_task_index=3)])
    assert keys(Expansion([Source(path, "agent")])) == [(7, 0), (3, 0)]


def test_a_limit_takes_whole_tasks(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [asked("a"), asked("b"), asked("a"), asked("c")])
    assert keys(Expansion([Source(path, "agent", 2)], limit=1)) == [(0, 0), (0, 1), (0, 2), (0, 3)]


@given(
    tasks=st.integers(1, 12), repeats=st.integers(1, 3), shards=st.integers(1, 5), limit=st.one_of(st.none(), st.integers(1, 12))
)
def test_shards_are_a_partition_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, tasks: int, repeats: int, shards: int, limit: int | None
) -> None:
    path = write(tmp_path_factory.mktemp("in") / "in.jsonl", [asked(str(number)) for number in range(tasks)])
    source = [Source(path, "agent", repeats)]
    whole = keys(Expansion(source, limit=limit))
    parts = [keys(Expansion(source, limit=limit, shard=(shard, shards))) for shard in range(shards)]
    assert sorted(key for part in parts for key in part) == sorted(whole)
    assert len(whole) == len(set(whole)) == min(tasks, limit or tasks) * repeats


def test_overrides_lie_over_the_rows_own_parameters(tmp_path: Path) -> None:
    row = {"responses_create_params": {"input": "a", "temperature": 1.0, "top_p": 0.5}}
    (found,) = Expansion([Source(write(tmp_path / "in.jsonl", [row]), "agent")], params={"temperature": 0.0}).rows()
    assert found["responses_create_params"] == {"input": "a", "temperature": 0.0, "top_p": 0.5}


def test_the_repeat_is_the_seed_where_asked_for(tmp_path: Path) -> None:
    rows = Expansion([Source(write(tmp_path / "in.jsonl", [asked("a")]), "agent", 2)], add_seed=True).rows()
    seeds = [json.loads(row["responses_create_params"]["metadata"]["extra_body"])["seed"] for row in rows]
    assert seeds == [0, 1]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"responses_create_params": {}}], "no responses_create_params.input"),
        ([asked("a", _ng_task_index="x")], "_ng_task_index is 'x'"),
        ([asked("a", _ng_task_index=True)], "_ng_task_index is True"),
        ([asked("a", _ng_task_index=-1)], "_ng_task_index is -1"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path: Path, rows: list[dict[str, object]], words: str) -> None:
    path = write(tmp_path / "in.jsonl", [asked("fine"), *rows])
    with pytest.raises(UsageError, match=words) as error:
        list(Expansion([Source(path, "agent")]).rows())
    assert (error.value.path, error.value.line) == (str(path), 2)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"responses_create_params": {"input": "a"}}\n\n{"torn": \n')
    with pytest.raises(UsageError, match="line 3"):
        list(Expansion([Source(path, "agent")]).rows())


def test_a_row_without_an_agent_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--agent"):
        list(Expansion([Source(write(tmp_path / "in.jsonl", [asked("a")]))]).rows())


@pytest.mark.parametrize(("repeats", "count"), [(None, 1), (3, 3), ({"agent": 2}, 2), ({"other": 5, "_default": 4}, 4)])
def test_repeats_by_agent(repeats: object, count: int) -> None:
    assert repeat_count(repeats, "agent") == count  # type: ignore[arg-type]


@pytest.mark.parametrize("repeats", [0, -1, True, {"other": 2}, {"agent": 0}])
def test_repeats_that_make_no_sense(repeats: object) -> None:
    with pytest.raises(UsageError):
        repeat_count(repeats, "agent")  # type: ignore[arg-type]


def test_an_index_that_two_tasks_claim_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [asked("a", _ng_task_index=1), asked("b"), asked("c")])
    with pytest.raises(UsageError, match="stands for another task"):
        list(Expansion([Source(path, "agent")]).rows())
