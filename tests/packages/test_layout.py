"""Where things lie in a package."""

from pathlib import Path

import pytest

from blade.claims.reading.package import model_of, packaged_runs
from blade.packages.layout import Package, golden_of


def files(root: Path, *names: str) -> Package:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    return Package(root)


def test_the_skill_may_lie_beside_the_folders(tmp_path: Path) -> None:
    assert Package(tmp_path).skill is None
    assert files(tmp_path, "SKILL.md").skill == tmp_path / "SKILL.md"
    assert files(tmp_path, "skill/SKILL.md").skill == tmp_path / "skill" / "SKILL.md", "the folder's own comes first"


def test_sidecars_are_no_rollouts(tmp_path: Path) -> None:
    package = files(
        tmp_path,
        "rollouts/b_rollouts.jsonl",
        "rollouts/a_rollouts.jsonl.gz",
        "rollouts/b_rollouts_failures.jsonl",
        "rollouts/b_rollouts_materialized_inputs.jsonl",
        "rollouts/b_rollouts_run.json",
        "rollouts/notes.md",
    )
    assert [path.name for path in package.rollouts()] == ["a_rollouts.jsonl.gz", "b_rollouts.jsonl"]


def test_a_golden_report_leads_to_its_files_and_its_rollouts(tmp_path: Path) -> None:
    package = files(
        tmp_path, "golden_reports/m1_golden_report.md", "golden_reports/m1_shallow.md", "rollouts/m1_rollouts.jsonl", "rollouts/m10.jsonl"
    )  # fmt: skip
    (golden,) = package.golden()
    assert golden.model == "m1"
    assert golden.metrics.name == "m1_golden_report_metrics.json"
    assert golden.anchors.name == "m1_anchor_facts.json"
    assert golden.shallow.is_file()
    assert golden == golden_of(golden.report)
    assert package.rollouts_of("m1") == tmp_path / "rollouts" / "m1_rollouts.jsonl"
    assert package.rollouts_of("m10") == tmp_path / "rollouts" / "m10.jsonl"
    assert package.rollouts_of("m") is None, "two files begin with it"


@pytest.mark.parametrize(
    ("rollouts", "found"),
    [
        (("model_a2.jsonl", "model_ab.jsonl"), None),
        (("model_a2.jsonl", "model_ab.jsonl", "model_a_rollouts.jsonl.gz"), "model_a_rollouts.jsonl.gz"),
        (("model_a-2024_rollouts.jsonl", "model_a-2024_rollouts_failures.jsonl", "model_b.jsonl"), "model_a-2024_rollouts.jsonl"),
        ((), None),
    ],
)
def test_every_command_takes_the_same_rollouts_for_a_report(tmp_path: Path, rollouts: tuple[str, ...], found: str | None) -> None:
    report = "golden_reports/model_a_golden_report.md"
    package = files(tmp_path.resolve(), report, *(f"rollouts/{name}" for name in rollouts))
    path = None if found is None else package.rollouts_folder / found
    assert package.rollouts_of("model_a") == path
    assert packaged_runs(package.root / report) == ([] if path is None else [path])
    assert packaged_runs(package.root / "golden_reports" / "model_a_candidate.md") == ([] if path is None else [path])


@pytest.mark.parametrize(
    ("name", "model"),
    [("model_a_rollouts.jsonl", "model_a"), ("model_a.jsonl.zst", "model_a"), ("gpt-4.1_rollouts.jsonl.gz", "gpt-4.1")],
)
def test_the_model_of_a_rollout_file(name: str, model: str) -> None:
    assert model_of(Path(name)) == model
