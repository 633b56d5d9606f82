"""The skill is installed where an agent looks, again without change, and never over what somebody wrote."""

import json
from pathlib import Path

import pytest

from blade.agent_skill.install import RECORD, TARGETS, chosen_targets, install
from blade.agent_skill.shipped import NAME, shipped_files
from blade.errors import UsageError

ROOT = Path(__file__).parents[2]


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_file_arrives_and_the_second_time_nothing_changes(tmp_path: Path, target: str) -> None:
    done = install(tmp_path, target)
    assert set(done.files.values()) == {"written"}
    assert {name: (done.folder / name).read_bytes() for name in done.files} == shipped_files()
    assert {"SKILL.md", "references/labels.md", "scripts/blade_toolkit.py"} <= set(done.files)
    before = snapshot(tmp_path)
    assert set(install(tmp_path, target).files.values()) == {"unchanged"}
    assert snapshot(tmp_path) == before


def test_a_changed_file_is_kept_unless_forced(tmp_path: Path) -> None:
    folder = install(tmp_path, "claude").folder
    (folder / "SKILL.md").write_text("mine\n")
    done = install(tmp_path, "claude")
    assert done.kept == ["SKILL.md"]
    assert (folder / "SKILL.md").read_text() == "mine\n"
    assert install(tmp_path, "claude").kept == ["SKILL.md"]
    assert install(tmp_path, "claude", force=True).files["SKILL.md"] == "overwritten"
    assert (folder / "SKILL.md").read_bytes() == shipped_files()["SKILL.md"]


def test_a_file_that_was_there_before_us_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / TARGETS["codex"] / NAME
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("theirs\n")
    assert install(tmp_path, "codex").kept == ["SKILL.md"]


def test_a_file_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    import hashlib

    folder = install(tmp_path, "claude").folder
    (folder / "SKILL.md").write_bytes(b"version 1\n")
    record = json.loads((folder / RECORD).read_text())
    record["files"]["SKILL.md"] = hashlib.sha256(b"version 1\n").hexdigest()
    (folder / RECORD).write_text(json.dumps(record))
    assert install(tmp_path, "claude").files["SKILL.md"] == "updated"
    assert (folder / "SKILL.md").read_bytes() == shipped_files()["SKILL.md"]


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".claude").symlink_to(elsewhere)
    with pytest.raises(UsageError, match="is a link"):
        install(tmp_path / "repo", "claude")
    assert list(elsewhere.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        install(tmp_path / "nothing", "claude")


def test_the_targets_are_those_that_the_project_has(tmp_path: Path) -> None:
    assert chosen_targets(tmp_path, ()) == ("claude",)
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".agents").mkdir()
    assert chosen_targets(tmp_path, ()) == ("codex", "agents")
    assert chosen_targets(tmp_path, ("claude",)) == ("claude",)


@pytest.mark.parametrize("place", [".codex/skills", ".claude/skills"])
def test_the_repository_has_the_skill_where_agents_look(place: str) -> None:
    folder = ROOT / place / NAME
    assert {name: (folder / name).read_bytes() for name in shipped_files()} == shipped_files()
