"""`blade verify`: our own reports hold and any change of them is found; other people's are read with the run beside them."""

import json
import shutil
from pathlib import Path

import pytest

from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.support import Result, blade, blade_process

ONE_CACHE = True
KEYS = ["claims", "checked", "true", "false", "not_checkable", "score", "findings"]
FINDING = {"line", "text", "kind", "expected", "found", "evidence"}


@pytest.fixture(scope="module")
def run(home: Path) -> Path:
    write_example(build(tasks=16), home / "example")
    return home / "example"


@pytest.fixture
def report(run: Path, tmp_path: Path) -> Path:
    assert blade("diagnose", run, "--out", tmp_path / "report").code == 0
    return tmp_path / "report" / "report.md"


def verify(report: Path, *more: object) -> Result:
    found = blade("verify", report, "--json", *more)
    document = found.json
    assert document["schema"] == "blade.verification/1"
    assert [key for key in document if key in KEYS] == KEYS
    assert document["checked"] == document["true"] + document["false"]
    assert document["claims"] == document["checked"] + document["not_checkable"]
    assert all(set(finding) == FINDING for finding in document["findings"])
    return found


def lines(found: Result) -> set[int]:
    return {finding["line"] for finding in found.json["findings"]}


def test_our_reports_hold(report: Path) -> None:
    found = verify(report)
    assert (found.code, found.json["score"], found.json["findings"]) == (0, 1.0, [])
    assert found.json["true"] > 500
    report.with_name("diagnosis.json").unlink()
    found = verify(report)
    assert (found.code, found.json["score"], found.json["findings"]) == (0, 1.0, [])


@pytest.mark.parametrize("sidecar", [True, False], ids=["sidecar", "markdown"])
@pytest.mark.parametrize(
    ("before", "after"), [("pass@1 is ", "pass@1 is 1"), (" step ", " step 9"), ("“", "“granite "), ("BI (", "KG (")]
)
def test_a_change_is_found_on_its_line(report: Path, sidecar: bool, before: str, after: str) -> None:
    if not sidecar:
        report.with_name("diagnosis.json").unlink()
    text = report.read_text(encoding="utf-8")
    line = text[: text.index(before)].count("\n") + 1
    report.write_text(text.replace(before, after, 1), encoding="utf-8")
    found = verify(report)
    assert found.code == 1
    assert line in lines(found)


def test_a_false_claim_of_the_sidecar_is_found(report: Path) -> None:
    sidecar = report.with_name("diagnosis.json")
    document = json.loads(sidecar.read_text(encoding="utf-8"))
    claim = next(claim for claim in document["claims"] if claim["id"] == "failed")
    claim["value"] += 1
    sidecar.write_text(json.dumps(document), encoding="utf-8")
    found = verify(report)
    assert found.code == 1
    told = [(finding["kind"], finding["expected"], finding["found"]) for finding in found.json["findings"]]
    assert ("wrong_number", claim["value"] - 1, claim["value"]) in told


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"schema": "blade.diagnosis/1"}', '{"schema": "blade.diagnosis/1", "claims": [{"id": 1}]}']
)
def test_a_broken_sidecar_is_no_reason_to_fail(report: Path, run: Path, content: str) -> None:
    report.with_name("diagnosis.json").write_text(content)
    found = verify(report, "--run", run)
    assert (found.code, found.json["findings"]) == (0, [])


def test_a_comparison_holds_and_a_change_of_it_is_found(run: Path, home: Path, tmp_path: Path) -> None:
    write_example(build(tasks=16, mended=("skipped_lookup",)), home / "mended")
    assert blade("compare", run, home / "mended", "--out", tmp_path).code == 0
    report = tmp_path / "comparison.md"
    found = verify(report)
    assert (found.code, found.json["score"], found.json["findings"]) == (0, 1.0, [])
    text = report.read_text(encoding="utf-8")
    assert " of 64" in text
    line = text[: text.index(" of 64")].count("\n") + 1
    report.write_text(text.replace(" of 64", " of 63", 1), encoding="utf-8")
    assert line in lines(verify(report))
    (tmp_path / "comparison.json").unlink()
    assert line in lines(verify(report))


def test_the_run_of_a_package_is_found(run: Path, tmp_path: Path) -> None:
    (tmp_path / "golden_reports").mkdir()
    (tmp_path / "rollouts").mkdir()
    for path in run.glob("*.jsonl"):
        shutil.copy(path, tmp_path / "rollouts" / path.name.replace("example_rollouts", "model_a_rollouts"))
    golden = tmp_path / "golden_reports" / "model_a_golden_report.md"
    golden.write_text("# Golden report\n\nThe run has 99 tasks in total; total tasks: 16.\n", encoding="utf-8")
    found = verify(golden)
    assert found.json["runs"] == [str(tmp_path / "rollouts" / "model_a_rollouts.jsonl")]
    assert found.code == 1
    assert lines(found) == {3}


def test_a_report_in_a_package_is_read_by_the_rules_of_the_package(run: Path, tmp_path: Path) -> None:
    (tmp_path / "golden_reports").mkdir()
    (tmp_path / "skill").mkdir()
    rules = tmp_path / "skill" / "blade.yaml"
    golden = tmp_path / "golden_reports" / "model_a_golden_report.md"
    golden.write_text("# Golden report\n\n60 of 60 scored rollouts passed.\n", encoding="utf-8")
    assert verify(golden, "--run", run).code == 1
    rules.write_text("benchmark: library\npass: {threshold: 0.0}\n", encoding="utf-8")
    assert verify(golden, "--run", run).code == 0
    rules.write_text("pass: [\n", encoding="utf-8")
    broken = verify(golden, "--run", run)
    assert broken.code == 1
    assert "without its package's rules" in broken.err


def test_exit_codes(run: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    for text, code in (("Nothing to see.", 3), ("Total tasks: 16.", 0), ("Total tasks: 17.", 1), ("It took 12 minutes.", 3)):
        notes.write_text(text, encoding="utf-8")
        assert verify(notes, "--run", run).code == code, text
    notes.write_text("21/50 (43 %) and more.", encoding="utf-8")
    assert verify(notes).code == 1
    assert blade("verify", tmp_path / "none.md").code == 2
    assert blade("verify", notes, "--run", tmp_path / "none.jsonl").code == 2


def test_the_screen_names_the_line_the_sentence_and_the_truth(run: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(
        "# Notes\n\nThe total of tasks. Total tasks: 17. Rollout 3:99 step 2 says “\x1b[31mred”.\n", encoding="utf-8"
    )
    found = blade("verify", notes, "--run", run)
    assert found.code == 1
    assert "line 3" in found.out
    assert "wrong number" in found.out
    assert "tasks: 16" in found.out


def test_a_report_whose_run_is_gone_is_held_against_its_sidecar(run: Path, home: Path, tmp_path: Path) -> None:
    moved = tmp_path / "here"
    shutil.copytree(run, moved)
    assert blade("diagnose", moved, "--out", tmp_path / "report").code == 0
    shutil.rmtree(moved)
    report = tmp_path / "report" / "report.md"
    assert verify(report).json["findings"] == []
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("pass@1 is ", "pass@1 is 1", 1), encoding="utf-8")
    assert verify(report).code == 1


def test_the_installed_command(report: Path) -> None:
    assert blade_process("verify", report).code == 0
