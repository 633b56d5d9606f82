import json
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from blade.runs import index as module
from blade.runs.index import Index, default_cache, file_key, make_key


def build_slowly(directory: Path) -> None:
    (directory / "table").write_text("first half, ")
    time.sleep(0.2)
    with (directory / "table").open("a") as file:
        file.write("second half")


def open_entry(root: str, started: "multiprocessing.Barrier", answers: "multiprocessing.Queue[str]") -> None:  # type: ignore[name-defined]
    started.wait()
    place = Index(Path(root)).entry("runs", "key", build_slowly)
    answers.put((place / "table").read_text())


def never(_: Path) -> None:
    raise AssertionError("the entry is there and must not be built again")


def write(text: str) -> Callable[[Path], None]:
    def build(directory: Path) -> None:
        (directory / "table").write_text(text)

    return build


def test_an_entry_is_built_once_and_found_again(tmp_path: Path) -> None:
    place = Index(tmp_path).entry("runs", "key", write("content"))
    assert place == tmp_path / "runs" / "key"
    assert Index(tmp_path).entry("runs", "key", never) == place
    assert (place / "table").read_text() == "content"


def test_two_processes_that_build_the_same_entry_at_once_both_end_with_a_whole_one(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    started, answers = context.Barrier(2), context.Queue()
    workers = [context.Process(target=open_entry, args=(str(tmp_path), started, answers)) for _ in range(2)]
    for worker in workers:
        worker.start()
    found = [answers.get(timeout=30) for _ in workers]
    for worker in workers:
        worker.join(30)
    assert found == ["first half, second half"] * 2
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["key"]


@pytest.mark.parametrize("damage", ["cut", "gone", "unsealed", "rubbish", "other schema", "a file in its place"])
def test_a_broken_entry_is_replaced(tmp_path: Path, damage: str) -> None:
    place = Index(tmp_path).entry("runs", "key", write("old content"))
    if damage == "cut":
        (place / "table").write_text("old")
    elif damage == "gone":
        (place / "table").unlink()
    elif damage == "unsealed":
        (place / module.META).unlink()
    elif damage == "rubbish":
        (place / module.META).write_text("[1")
    elif damage == "other schema":
        (place / module.META).write_text(json.dumps({"schema": -1, "files": {}}))
    else:
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
        place.write_text("in the way")
    index = Index(tmp_path)
    found = index.entry("runs", "key", write("new content"))
    assert (found / "table").read_text() == "new content"
    if damage != "a file in its place":
        assert found == place
        assert [path.name for path in (tmp_path / "runs").iterdir()] == ["key"]


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail(directory: Path) -> None:
        (directory / "half").write_text("x")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Index(tmp_path).entry("runs", "key", fail)
    assert list((tmp_path / "runs").iterdir()) == []
    assert (Index(tmp_path).entry("runs", "key", write("x")) / "table").exists()


def test_without_a_root_everything_is_temporary() -> None:
    index = Index(None)
    place = index.entry("runs", "key", write("x"))
    assert (place / "table").read_text() == "x"
    index.close()
    assert not place.exists()


def test_a_root_that_cannot_be_written_is_no_obstacle_and_is_said(tmp_path: Path) -> None:
    root = tmp_path / "file"
    root.write_text("not a directory")
    index = Index(root)
    place = index.entry("runs", "key", write("x"))
    assert (place / "table").read_text() == "x"
    assert "cannot be written" in (index.why_temporary or "")
    index.close()
    assert not place.exists()


def test_what_killed_commands_left_and_what_nobody_uses_is_swept(tmp_path: Path) -> None:
    index = Index(tmp_path)
    for key in ("old", "used"):
        index.entry("runs", key, write(key))
    left = tmp_path / "runs" / ".building-left"
    young = tmp_path / "runs" / ".building-young"
    left.mkdir()
    young.mkdir()
    long_ago = time.time() - 40 * 86_400
    for path in (left, tmp_path / "runs" / "old" / module.META, tmp_path / "runs" / "used" / module.META):
        os.utime(path, (long_ago, long_ago))
    index.entry("runs", "used", never)  # a look keeps an entry alive
    index.entry("runs", "new", write("x"))
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [".building-young", "new", "used"]


def test_a_key_depends_on_everything_the_content_depends_on(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"x" * 10_000)
    other.write_bytes(b"x" * 10_000)
    os.utime(path, ns=(0, 0))
    keys = [
        make_key([path]),
        make_key([path, other]),
        make_key([other, path]),
        make_key([path], "option"),
        make_key([path], None),
        make_key([other]),
    ]
    assert len(set(keys)) == len(keys)
    assert make_key([path]) == keys[0]
    path.write_bytes(b"y" + b"x" * 9_999)
    os.utime(path, ns=(0, 0))
    assert make_key([path]) != keys[0]
    assert file_key(path)[1] == 10_000


def test_the_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BLADE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "blade"
    monkeypatch.setenv("BLADE_CACHE_DIR", str(tmp_path / "mine"))
    assert default_cache() == tmp_path / "mine"
