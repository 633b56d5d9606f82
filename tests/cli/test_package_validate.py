"""`blade package validate`, `ready` and `init`: what is refused, and what a screen and a script are told."""

from pathlib import Path

import pytest

from tests.e2e.support import Result, blade, row, write


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def package(folder: Path) -> Path:
    rows = [row(task, repeat, (task + repeat) % 2) for task in range(3) for repeat in range(2)]
    for model in ("a", "b"):
        write(folder / "results" / f"{model}_rollouts.jsonl", rows)
    return folder / "package"


def validate(root: Path, *more: str) -> Result:
    return blade("package", "validate", "--benchmark-dir", root, *more)


@pytest.mark.parametrize("command", ["validate", "ready"])
def test_a_package_that_is_not_there(tmp_path: Path, command: str) -> None:
    found = blade("package", command, "--benchmark-dir", tmp_path / "none", "--json")
    assert found.code == 2
    assert "is no directory" in found.json["error"]
    assert found.json["exit_code"] == 2


def test_a_phase_that_does_not_exist(tmp_path: Path) -> None:
    assert validate(tmp_path, "--phase", "silver").code == 2


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    found = validate(tmp_path)
    assert found.code == 1
    marks = [line[:6] for line in found.out.splitlines()[:-2]]
    assert marks == ["[FAIL]"] * 4
    assert found.out.splitlines()[-1] == "0 passed, 4 failed"


def test_init_then_validate(tmp_path: Path) -> None:
    root = package(tmp_path)
    runs = sorted((tmp_path / "results").iterdir())
    made = blade("package", "init", root, *runs, "--json")
    assert made.code == 0, made.err
    assert made.json["golden_report"] == str(root / "golden_reports" / "a_golden_report.md")
    assert [Path(path).name for path in made.json["written"]] == [
        "a_rollouts.jsonl", "b_rollouts.jsonl", "blade.yaml", "SKILL.md", "a_golden_report.md", "a_golden_report_metrics.json",
    ]  # fmt: skip
    again = blade("package", "init", root, *runs)
    assert again.code == 0
    assert "written" not in again.out
    assert again.out.count("  kept ") == 6 + 1
    found = validate(root, "--json")
    assert found.code == 1
    wrong = [check for check in found.json["checks"] if not check["ok"]]
    assert found.json["failed"] == len(wrong)
    assert {check["id"] for check in wrong} == {"skill.placeholders", "golden.anchors"}, "a draft, and no anchor facts yet"
    assert validate(root, "--phase", "rollouts").code == 0


def test_names_in_a_package_cannot_steer_the_terminal(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "skill").mkdir(parents=True)
    (root / "skill" / "SKILL.md").write_text('---\nname: "x\\e[31m"\ndescription: d\n---\n# \x1b[2J TODO\n', encoding="utf-8")
    assert validate(root, "--phase", "skill").code == 1  # `blade` looks for escapes in all that is printed
