"""What a RUN can be, and what is said about everything that it cannot be."""

import os
import socket
from pathlib import Path

import pytest

from tests.e2e.support import blade, blade_process, counts, inspect, lines_of, refused, row, without_root_powers, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "rollouts.jsonl", [row(0), row(1)])
    write(
        tmp_path / "rollouts_materialized_inputs.jsonl",
        [row(0, 0, ..., response=...), row(1, 0, ..., response=...), row(2, 0, ..., response=...)],
    )
    write(tmp_path / "rollouts_failures.jsonl", [])
    (tmp_path / "rollouts_aggregate_metrics.json").write_text("[]")
    write(tmp_path / "rollouts_reward_profiling.jsonl", [{"mean/reward": 1.0}])
    (tmp_path / "notes.md").write_text("# notes")
    return tmp_path


EXPECTED = {"lines": 2, "rows": 2, "scored": 2, "expected": 3, "passed": 2, "missing": 1, "attempts": 2}


@pytest.mark.parametrize(
    "spec",
    [
        "{0}",
        "{0}/",
        "{0}/rollouts.jsonl",
        "{0}/*",
        "{0}/*.jsonl",
        "{0}/rollouts*.jsonl",
        "{0}/roll[o]uts.jsonl",
        "{0}/**/*.jsonl",
        "{0}/../{1}/./rollouts.jsonl",
    ],
)
def test_every_way_to_name_a_run_finds_its_rollouts_and_sidecars(folder: Path, spec: str) -> None:
    found = inspect(spec.format(folder, folder.name))
    assert counts(found) == EXPECTED
    assert found["run"]["files"] == 1


@pytest.mark.parametrize(
    "listed",
    [
        "rollouts.jsonl",
        "{0}/rollouts.jsonl",
        "# a comment\n\n  rollouts.jsonl  \n./rollouts.jsonl\n{0}/rollouts.jsonl\n",
        "*.jsonl",
        ".",
        "rollouts.jsonl\r\n",
    ],
)
def test_a_list_names_runs_relative_to_itself_and_each_file_counts_once(folder: Path, listed: str) -> None:
    (folder / "list.txt").write_text(listed.format(folder))
    assert counts(inspect(f"@{folder}/list.txt")) == EXPECTED


@pytest.mark.parametrize("listed", ["", "# nothing\n", "gone.jsonl\n", "nul\0byte\n", "rollouts.jsonl\ngone.jsonl\n"])
def test_a_list_that_names_nothing_or_something_missing_is_refused(folder: Path, listed: str) -> None:
    (folder / "list.txt").write_text(listed)
    assert refused(f"@{folder}/list.txt")


def test_a_list_that_is_missing_binary_or_a_directory_is_refused(folder: Path) -> None:
    (folder / "binary").write_bytes(b"\xff\xfe\0")
    for name in ("gone.txt", "binary", "."):
        assert "list" in refused(f"@{folder}/{name}")
    assert refused("@")


def test_symlinks_are_the_files_they_lead_to(folder: Path) -> None:
    (folder / "link.jsonl").symlink_to("rollouts.jsonl")
    elsewhere = folder.parent / f"{folder.name} linked"
    elsewhere.symlink_to(folder)
    assert counts(inspect(folder))["lines"] == 2, "a file and a link to it are one file"
    assert counts(inspect(elsewhere)) == EXPECTED


def test_links_that_lead_nowhere_or_in_circles_are_refused_or_passed_over(folder: Path) -> None:
    (folder / "circle.jsonl").symlink_to("circle.jsonl")
    (folder / "broken.jsonl").symlink_to("gone")
    (folder / "round").symlink_to(".")
    assert counts(inspect(folder)) == EXPECTED
    assert refused(folder / "circle.jsonl")
    assert refused(folder / "broken.jsonl")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rollouts_materialized_inputs.jsonl", "materialized_inputs"),
        ("rollouts_failures.jsonl", "failures"),
        ("rollouts_aggregate_metrics.json", "aggregate_metrics"),
        ("rollouts_reward_profiling.jsonl", "reward_profile"),
        ("rollouts_run.json", "manifest"),
    ],
)
def test_a_sidecar_is_named_for_what_it_is_and_the_rollouts_are_pointed_at(folder: Path, name: str, kind: str) -> None:
    (folder / "rollouts_run.json").write_text("{}")
    sentence = refused(folder / name)
    assert kind in sentence
    assert str(folder / "rollouts.jsonl") in sentence


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 and more", "zip"),
        (b"PAR1 and more", "Parquet"),
        ("{}\n".encode("utf-16"), "UTF-16"),
        (b'{"label": "x", "id": 1}\n', "label"),
        (b'{"question": "x", "answer": 1}\n', "data file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "no readable row: it is binary data, and not JSON lines"),
        (b"task,reward\n1,0\n", "no readable row: it is comma-separated (CSV) text, and not JSON lines"),
        (b"\x7fELF" + bytes(range(256)) * 20, "no readable row: it is binary data, and not JSON lines"),
    ],
)
def test_another_kind_of_file_is_named_for_what_it_is(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "file.jsonl").write_bytes(content)
    sentence = refused(tmp_path / "file.jsonl")
    assert said in sentence
    assert str(tmp_path / "file.jsonl") in sentence


def test_of_a_file_without_a_readable_line_a_few_lines_are_shown(tmp_path: Path) -> None:
    (tmp_path / "table.jsonl").write_text("task,reward\n" + "1,0\n" * 40)
    said = blade("inspect", tmp_path / "table.jsonl").err.splitlines()
    assert [line.split(":")[0] for line in said[1:]] == ["  line 1", "  line 2", "  line 3", "  and 38 more"]


def test_a_missing_path_is_answered_with_the_nearest_name(folder: Path) -> None:
    assert "rollouts.jsonl?" in refused(folder / "rollout.jsonl")
    assert "does not exist" in refused(folder / "no" / "such" / "folder" / "x.jsonl")
    assert refused("")
    assert refused(str(folder / ("x" * 5_000)))
    assert refused("~no-such-user/x")
    assert "no rollout file" in refused(folder / "*.parquet")


def test_a_directory_without_rollouts_is_refused(tmp_path: Path) -> None:
    assert str(tmp_path) in refused(tmp_path)
    write(tmp_path / "labels.jsonl", [{"label": 1}])
    (tmp_path / "x.json").write_text("{}")
    assert "no rollout file" in refused(tmp_path)


def test_a_directory_of_directories_is_searched(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "x.jsonl", [row(0)])
    write(tmp_path / "c" / "x.jsonl", [row(1)])
    assert inspect(tmp_path)["run"]["files"] == 2


def test_a_bad_file_among_good_ones_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path / "good.jsonl", [row(0)])
    (tmp_path / "broken.jsonl").write_bytes(b"garbage\n")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    found = inspect(tmp_path)
    assert counts(found) == {"lines": 2, "malformed": 1, "rows": 1, "scored": 1, "expected": 1, "passed": 1, "attempts": 1}
    states = {Path(item["path"]).name: item["state"] for item in found["inventory"] if item["kind"] == "rollouts"}
    assert states == {"good.jsonl": "read", "broken.jsonl": "unreadable", "empty.jsonl": "unreadable"}


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    """A pipe nobody writes to must not hang the command."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "s"))
    with server:
        for path in (tmp_path / "pipe.jsonl", tmp_path / "s", Path("/dev/zero")):
            result = blade_process("inspect", path, "--json")
            assert result.code == 2
            assert str(path) in result.json["error"]
        write(tmp_path / "good.jsonl", [row(0)])
        assert counts(inspect(tmp_path, call=blade_process))["scored"] == 1


def test_a_pipe_from_another_process_is_refused_with_what_to_do(tmp_path: Path) -> None:
    read, written = os.pipe()
    os.write(written, lines_of([row(0)]))
    os.close(written)
    result = blade_process("inspect", f"/dev/fd/{read}", "--json", pass_fds=[read])
    os.close(read)
    assert result.code == 2
    assert "save it as a file" in result.json["error"]


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    run.chmod(0)
    result = blade_process("inspect", run, "--json", preexec_fn=without_root_powers)
    assert result.code == 2
    assert str(run) in result.json["error"]
    assert "ermission" in result.json["error"]


def test_a_directory_that_may_not_be_entered_is_refused(tmp_path: Path) -> None:
    run = write(tmp_path / "closed" / "r.jsonl", [row(0)])
    run.parent.chmod(0)
    try:
        for target in (run, run.parent, f"{run.parent}/*", f"@{run}"):
            result = blade_process("inspect", target, "--json", preexec_fn=without_root_powers)
            assert result.code == 2
            assert str(run.parent) in result.json["error"]
    finally:
        run.parent.chmod(0o700)


def test_a_sidecar_that_may_not_be_read_is_said(folder: Path) -> None:
    for name in ("rollouts_aggregate_metrics.json", "rollouts_materialized_inputs.jsonl"):
        (folder / name).chmod(0)
        result = blade_process("inspect", folder / "rollouts.jsonl", "--json", preexec_fn=without_root_powers)
        (folder / name).chmod(0o600)
        assert (result.code, name in result.out) in ((0, True), (2, True))


def test_a_name_that_is_no_text_is_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.jsonl"
    with open(path, "wb") as file:
        file.write(lines_of([row(0)]))
    for target in (path, os.fsencode(tmp_path)):
        result = blade_process(b"inspect", target)
        assert result.code in (0, 2)
        assert "caf" in result.out + result.err


@pytest.mark.parametrize(
    "arguments", [(), ("inspect",), ("inspect", "a", "b"), ("nope",), ("inspect", "x", "--nope"), ("sql", "x"), ("show", "x")]
)
def test_bad_usage_exits_2_with_a_hint(arguments: tuple[str, ...]) -> None:
    result = blade(*arguments)
    assert result.code == (2 if arguments else 0)
    assert result.err or result.out


def test_a_misspelt_command_is_answered_with_the_right_one() -> None:
    assert "'inspect'" in blade("inspekt", "x").err
    assert blade("inspect", "x", "--nope", "--json").json["exit_code"] == 2
