"""What lies below the given paths can be opened; nothing else can, by whatever name."""

from pathlib import Path

import pytest

from blade.errors import BladeError, UsageError
from blade.mcp.roots import Roots
from tests.e2e.support import row, write


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A folder with a run in it, and a run beside the folder."""
    write(tmp_path / "served" / "a" / "run.jsonl", [row()])
    write(tmp_path / "outside.jsonl", [row()])
    return tmp_path / "served"


@pytest.mark.parametrize("name", ["a/run.jsonl", "a", "{}/a/run.jsonl", "{}", "a/../a/run.jsonl", "a/*.jsonl"])
def test_a_run_below_the_folder_is_opened_by_any_of_its_names(served: Path, name: str) -> None:
    assert Roots([str(served)]).run(name.format(served))


@pytest.mark.parametrize(
    "name",
    [
        "../outside.jsonl",
        "{}/../outside.jsonl",
        "a/../../outside.jsonl",
        "/etc/passwd",
        "/etc",
        "a/../../*.jsonl",
        "../*",
    ],
)
def test_a_name_that_leads_outside_is_refused(served: Path, name: str) -> None:
    with pytest.raises(UsageError, match="outside the paths"):
        Roots([str(served)]).run(name.format(served))


def test_a_refusal_does_not_tell_whether_the_file_exists(served: Path) -> None:
    roots = Roots([str(served)])
    told = set()
    for name in ("../outside.jsonl", "../nothing.jsonl"):
        with pytest.raises(UsageError) as refused:
            roots.run(name)
        told.add(str(refused.value).replace(name, ""))
    assert len(told) == 1


@pytest.mark.parametrize(
    "link", ["run.jsonl", "a/link.jsonl", "a/run_materialized_inputs.jsonl", "a/run_failures.jsonl", "a/notes.md"]
)
def test_a_link_that_leads_outside_is_not_followed(served: Path, link: str) -> None:
    (served / link).symlink_to(served.parent / "outside.jsonl")
    with pytest.raises(UsageError, match="outside the paths"):
        Roots([str(served)]).run("a" if link.startswith("a/") else link)


def test_the_fields_of_a_file_outside_are_not_told(served: Path) -> None:
    write(served.parent / "labels.jsonl", [{"hidden_field": 1}])
    (served / "links").mkdir()
    (served / "links" / "labels.jsonl").symlink_to(served.parent / "labels.jsonl")
    for name in ("links", "links/*.jsonl", "links/labels.jsonl"):
        with pytest.raises(UsageError) as refused:
            Roots([str(served)]).run(name)
        assert "hidden_field" not in str(refused.value)


def test_a_link_to_a_folder_outside_is_not_followed(served: Path) -> None:
    (served / "far").symlink_to(served.parent)
    with pytest.raises(UsageError, match="outside the paths"):
        Roots([str(served)]).run("far/outside.jsonl")
    assert [found.name for found in Roots([str(served)]).runs()] == ["a/run.jsonl"]


def test_a_list_inside_cannot_name_a_run_outside(served: Path) -> None:
    (served / "list.txt").write_text("../outside.jsonl\n")
    for name in ("@list.txt", f"@{served}/list.txt", "@../list.txt", "~"):
        with pytest.raises(BladeError):
            Roots([str(served)]).run(name)


def test_of_a_given_file_only_the_file_and_its_sidecars_are_served(served: Path) -> None:
    write(served / "a" / "other.jsonl", [row()])
    roots = Roots([str(served / "a" / "run.jsonl")])
    assert roots.run(str(served / "a" / "run.jsonl"))
    for name in ("other.jsonl", str(served / "a" / "other.jsonl"), str(served / "a")):
        with pytest.raises(UsageError, match="outside the paths"):
            roots.run(name)


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_what_is_no_name_is_refused(served: Path, name: str) -> None:
    with pytest.raises(UsageError, match="the name"):
        Roots([str(served)]).path(name)


def test_what_is_no_rollout_file_is_not_listed(served: Path) -> None:
    write(served / "labels.jsonl", [{"label": 1}])
    write(served / "a" / "run_failures.jsonl", [row()])
    write(served / ".hidden" / "run.jsonl", [row()])
    assert [found.name for found in Roots([str(served)]).runs()] == ["a/run.jsonl"]


def test_a_path_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BladeError, match="does not exist"):
        Roots([str(tmp_path / "nothing")])
    with pytest.raises(UsageError, match="no path"):
        Roots([])
