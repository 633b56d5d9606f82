import gzip
from pathlib import Path

import pytest

from blade.errors import UnreadableRun
from blade.runs.artifacts import bare_stem, locate, owners, sidecar_kind

from .support import planned, row, write_jsonl

LABELS = {"question_id": 1, "label": "good"}


def names(spec: str | Path | list[str]) -> list[str]:
    return [path.name for path in locate(spec).rollouts]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "b.jsonl", [row(1)])
    write_jsonl(tmp_path / "a.jsonl", [row(0)])
    write_jsonl(tmp_path / "a_materialized_inputs.jsonl", [planned(0, 0)])
    write_jsonl(tmp_path / "a_failures.jsonl", [])
    (tmp_path / "a_aggregate_metrics.json").write_text("[]")
    (tmp_path / "a_run.json").write_text("{}")
    (tmp_path / "a_config.yaml").write_text("x: 1")
    (tmp_path / "notes.md").write_text("notes")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("r.jsonl", None),
        ("r.jsonl.gz", None),
        ("r_materialized_inputs.jsonl", "materialized_inputs"),
        ("r_materialized_inputs.jsonl.zst", "materialized_inputs"),
        ("r_failures.jsonl", "failures"),
        ("r_aggregate_metrics.json", "aggregate_metrics"),
        ("r_reward_profiling.jsonl", "reward_profile"),
        ("r_agent_metrics.json", "agent_metrics"),
        ("r_run.json", "manifest"),
        ("failures.jsonl", None),
    ],
)
def test_sidecars_are_known_by_their_names(name: str, kind: str | None) -> None:
    assert sidecar_kind(Path(name)) == kind


@pytest.mark.parametrize(("name", "stem"), [("r.jsonl", "r"), ("r.jsonl.gz", "r"), ("r.v2.jsonl", "r.v2"), ("r", "r")])
def test_the_stem_that_sidecar_names_are_made_from(name: str, stem: str) -> None:
    assert bare_stem(Path(name)) == stem


def test_a_file_brings_the_sidecars_beside_it(directory: Path) -> None:
    found = locate(directory / "a.jsonl")
    assert [path.name for path in found.rollouts] == ["a.jsonl"]
    assert {kind: [path.name for path in paths] for kind, paths in found.sidecars.items()} == {
        "materialized_inputs": ["a_materialized_inputs.jsonl"],
        "failures": ["a_failures.jsonl"],
        "aggregate_metrics": ["a_aggregate_metrics.json"],
        "manifest": ["a_run.json"],
        "config": ["a_config.yaml"],
    }
    assert locate(directory / "b.jsonl").sidecars == {}


def test_what_a_run_can_be(directory: Path) -> None:
    (directory / "list.txt").write_text("# two files\n\nb.jsonl\n  a.jsonl  \n")
    assert names(directory) == ["a.jsonl", "b.jsonl"]
    assert names(str(directory / "*.jsonl")) == ["a.jsonl", "b.jsonl"]
    assert names(f"@{directory / 'list.txt'}") == ["a.jsonl", "b.jsonl"]
    assert names([str(directory / "b.jsonl"), str(directory)]) == ["a.jsonl", "b.jsonl"]


def test_a_directory_of_directories_is_searched_and_hidden_depth_is_no_matter(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "x" / "y" / "r.jsonl", [row(0)])
    assert names(tmp_path) == ["r.jsonl"]


def test_a_file_reached_by_two_ways_is_one_file(directory: Path) -> None:
    (directory / "link.jsonl").symlink_to(directory / "a.jsonl")
    assert len(locate(str(directory / "*.jsonl")).rollouts) == 2


def test_files_that_are_no_rollouts_are_passed_over_and_named(directory: Path) -> None:
    write_jsonl(directory / "labels.jsonl", [LABELS])
    found = locate(directory)
    assert [path.name for path in found.rollouts] == ["a.jsonl", "b.jsonl"]
    [other] = [item for item in found.others if item.path.endswith("labels.jsonl")]
    assert "label, question_id" in other.note


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a_failures.jsonl", None, "is a sidecar (failures)"),
        ("labels.jsonl", b'{"question_id": 1, "label": "x"}\n', "is a label file"),
        ("data.jsonl", b'{"question": "q", "answer": 1}\n', "is a data file"),
        ("empty.jsonl", b"{}\n{}\n", "its rows hold no fields, neither a reward nor a response"),
        ("log.eval", b"PK\x03\x04rest", "zip archive"),
        ("table.parquet", b"PAR1rest", "Parquet"),
        ("wide.jsonl", '{"reward": 1}'.encode("utf-16"), "UTF-16"),
        ("absent.jsonl", None, "does not exist"),
        ("none*.jsonl", None, "no rollout file"),
    ],
)
def test_what_is_no_run_is_refused_for_what_it_is(directory: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (directory / name).write_bytes(content)
    with pytest.raises(UnreadableRun) as caught:
        locate(directory / name)
    assert words in str(caught.value)


def test_a_misspelt_name_is_met_with_the_nearest_one(directory: Path) -> None:
    write_jsonl(directory / "rollouts.jsonl", [row(0)])
    with pytest.raises(UnreadableRun, match=r"did you mean .*rollouts\.jsonl"):
        locate(directory / "rolouts.jsonl")


def test_an_empty_directory_or_list_names_no_run(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# nothing\n")
    (tmp_path / "empty").mkdir()
    for spec in (str(tmp_path / "empty"), f"@{tmp_path / 'list'}", f"@{tmp_path / 'absent'}"):
        with pytest.raises(UnreadableRun):
            locate(spec)


def test_compressed_rollouts_find_their_compressed_sidecars(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(b'{"reward": 1}\n'))
    (tmp_path / "r_failures.jsonl.gz").write_bytes(gzip.compress(b""))
    found = locate(tmp_path)
    assert [path.name for path in found.rollouts] == ["r.jsonl.gz"]
    assert [path.name for path in found.sidecars["failures"]] == ["r_failures.jsonl.gz"]


def test_a_rollout_file_with_no_readable_row_is_left_for_the_scan_to_judge(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("{torn")
    assert names(tmp_path / "r.jsonl") == ["r.jsonl"]


@pytest.mark.parametrize(
    ("sidecars", "rollouts", "expected"),
    [
        (["/d/a_failures.jsonl"], ["/d/a.jsonl", "/d/b.jsonl"], [0]),
        (["/d/b_failures.jsonl"], ["/d/a.jsonl", "/d/b.jsonl"], [1]),
        (["/d/b_failures.jsonl.gz"], ["/d/a.jsonl", "/d/b.jsonl.zst"], [1]),
        (["/e/a_failures.jsonl"], ["/d/a.jsonl", "/e/a.jsonl"], [1]),
        (["/x/other.jsonl"], ["/d/a.jsonl", "/d/b.jsonl"], [-1]),
        (["/x/other.jsonl"], ["/d/a.jsonl"], [0]),
        ([], ["/d/a.jsonl"], []),
    ],
)
def test_a_sidecar_belongs_to_the_rollouts_it_stands_beside(
    sidecars: list[str], rollouts: list[str], expected: list[int]
) -> None:
    assert owners("failures", sidecars, rollouts) == expected
