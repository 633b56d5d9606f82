"""`aggregate` onto a file that its own globs catch: an earlier merge is written anew, an input is never lost."""

from pathlib import Path

import pytest

from blade.errors import BladeError, UsageError
from blade.gym.metrics.aggregate import aggregate
from blade.gym.metrics.overwrite import Row as Held
from blade.gym.metrics.overwrite import rows_not_held
from tests.gym.metrics.small_runs import Row, read_lines, rollout, write_lines

STATED = [[rollout(0, 0), rollout(1, 0, 0.0)], [rollout(2, 0), rollout(3, 0)]]


def bare(task: int, repeat: int) -> Row:
    return {key: value for key, value in rollout(task, repeat).items() if not key.startswith("_ng")}


def write_shards(folder: Path, shards: list[list[Row]]) -> str:
    for number, rows in enumerate(shards):
        write_lines(folder / f"s_{number}.jsonl", rows)
    return f"{folder}/s_*.jsonl"


@pytest.mark.parametrize(
    ("shards", "lost"),
    [
        (STATED, "2 rows"),
        ([[rollout(0, 0)], [rollout(0, 0) | {"response": {"id": "other", "output": []}}]], "1 row"),  # shards that restart
        ([[{"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 1}], [{"_ng_task_index": 1, "_ng_rollout_index": 0, "reward": 1}]], "1 row"),
        ([[bare(0, 0), bare(1, 0)], [bare(1, 0), bare(2, 0)]], "1 row"),
    ],
    ids=["other tasks", "same keys, other rows", "rows that differ by their indices only", "no indices"],
)  # fmt: skip
@pytest.mark.parametrize("spelling", ["{0}/s_*.jsonl", "{0}/s_0.jsonl, {0}/s_1.jsonl"])
@pytest.mark.parametrize("merge_shards", [True, False])
def test_a_shard_is_not_overwritten(
    shards: list[list[Row]], lost: str, spelling: str, merge_shards: bool, tmp_path: Path
) -> None:
    write_shards(tmp_path, shards)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UsageError, match=f"s_0.jsonl is the output and one of the inputs, and holds {lost} that") as caught:
        aggregate(spelling.format(tmp_path), tmp_path / "s_0.jsonl", lenient=True, merge_shards=merge_shards)
    assert caught.value.exit_code == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_unreadable_lines_are_not_lost_either(tmp_path: Path) -> None:
    write_lines(tmp_path / "s_0.jsonl", [rollout(0, 0), "{torn"])
    write_lines(tmp_path / "s_1.jsonl", [rollout(0, 0), rollout(1, 0)])
    with pytest.raises(UsageError, match="1 row that"):
        aggregate(f"{tmp_path}/s_*.jsonl", tmp_path / "s_0.jsonl", lenient=True)


@pytest.mark.parametrize(
    "shards",
    [
        STATED,
        [[rollout(0, 0)], [rollout(0, 0) | {"response": {"id": "other", "output": []}}]],
        [[bare(0, 0), bare(1, 0)], [bare(2, 0)]],
        [[rollout(0, 0), rollout(0, 0)], [rollout(1, 0, float("nan"))]],
    ],
    ids=["indices", "indices that restart", "no indices", "duplicates and numbers that are none"],
)
def test_a_merge_is_written_anew_also_when_a_shard_came_first(shards: list[list[Row]], tmp_path: Path) -> None:
    globs = write_shards(tmp_path, shards)
    output = tmp_path / "s_merged.jsonl"
    aggregate(globs, output, lenient=True)
    first = output.read_bytes()
    aggregate(globs, output, lenient=True)
    assert output.read_bytes() == first
    write_lines(tmp_path / "s_.jsonl", [bare(7, 0)] if "_ng_task_index" not in shards[0][0] else [rollout(7, 0)])
    aggregate(globs, output, lenient=True)
    assert len(read_lines(output)) == len(first.splitlines()) + 1


def test_an_empty_output_may_go(tmp_path: Path) -> None:
    globs = write_shards(tmp_path, STATED)
    (tmp_path / "s_9.jsonl").touch()
    aggregate(globs, tmp_path / "s_9.jsonl")
    assert len(read_lines(tmp_path / "s_9.jsonl")) == 4


@pytest.mark.parametrize(
    ("earlier", "inputs", "lost"),
    [
        ("0a 1b", "0a 1b 2c", 0),
        ("0a 1b", "0a", 1),
        ("0a 1a", "-a -a", 0),  # both were given their indices
        ("0a 1a", "-a", 1),
        ("0a 1b", "0a 0b", 0),  # the second stated the key of the first
        ("0a", "1a", 1),
        ("-a", "0a", 1),
    ],
)
def test_rows_not_held(earlier: str, inputs: str, lost: int) -> None:
    def rows(text: str) -> list[Held]:
        return [Held((None if row[0] == "-" else row[0].encode(), b"0"), row[1:].encode()) for row in text.split()]

    assert rows_not_held(rows(earlier), rows(inputs)) == lost


@pytest.mark.parametrize("taken", ["out", "out_aggregate_metrics.json"])
@pytest.mark.parametrize("merge_shards", [True, False])
def test_a_directory_in_the_way_stops_both_files(taken: str, merge_shards: bool, tmp_path: Path) -> None:
    globs = write_shards(tmp_path, STATED)
    (tmp_path / taken).mkdir()
    with pytest.raises(BladeError, match=f"cannot write .*/{taken}: it is a directory") as caught:
        aggregate(globs, tmp_path / "out", merge_shards=merge_shards)
    assert ".partial" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == [taken, "s_0.jsonl", "s_1.jsonl"]


def test_a_file_in_place_of_the_folder_is_named_with_the_output(tmp_path: Path) -> None:
    globs = write_shards(tmp_path, STATED)
    (tmp_path / "results").touch()
    with pytest.raises(BladeError, match=r"cannot write .*/results/m_aggregate_metrics.json") as caught:
        aggregate(globs, tmp_path / "results" / "m.jsonl")
    assert ".partial" not in str(caught.value)
