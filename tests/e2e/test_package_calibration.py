"""The seeds' way from a golden report to a calibration, with their own command lines: one report of ours, one written by hand."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.lab.cases import plant
from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.support import Result, blade

ONE_CACHE = True
BY_HAND = Path(__file__).parents[1] / "packages" / "reports" / "desk_by_hand.md"
TAMPERED = ("numbers", "negated", "shuffled", "vocabulary", "labels", "hedged", "ids", "causes", "denied", "listed")


class Golden:
    """A golden report in its package, named as the seeds name it."""

    def __init__(self, package: Path, model: str = "model_a") -> None:
        self.folder = package / "golden_reports"
        self.report = self.folder / f"{model}_golden_report.md"
        self.anchors = self.folder / f"{model}_anchor_facts.json"
        self.shallow = self.folder / f"{model}_shallow.md"
        self.run = package / "rollouts" / f"{model}_rollouts.jsonl"
        self.model = model

    def extract(self, *more: object) -> Result:
        return blade(
            "package", "extract-anchor-facts", "--golden", self.report, "--benchmark", "desk", "--model-name", self.model,
            "--output", self.anchors, *more,
        )  # fmt: skip

    def make_shallow(self, *more: object) -> Result:
        return blade("package", "make-shallow", "--input", self.report, "--output", self.shallow, *more)

    def calibrate(self, *more: object) -> Result:
        return blade(
            "package", "calibrate", "--golden-report", self.report, "--anchor-facts", self.anchors,
            "--shallow-report", self.shallow, *more,
        )  # fmt: skip

    def score(self, report: Path, *more: object) -> Result:
        given = ("--report", report, "--golden", self.report, "--anchor-facts", self.anchors, "--json", *more)
        return blade("package", "score", *given)

    def prepared(self) -> "Golden":
        assert self.extract().code == 0
        assert self.make_shallow().code == 0
        return self


def packaged(folder: Path, report: Path, tasks: int, seed: int) -> Golden:
    golden = Golden(folder)
    golden.folder.mkdir(parents=True)
    write_example(build(tasks=tasks, seed=seed), folder / "made")
    (folder / "rollouts").mkdir()
    for path in (folder / "made").iterdir():
        path.rename(folder / "rollouts" / path.name.replace("example", "model_a"))
    (folder / "made").rmdir()
    if report.is_file():
        shutil.copy(report, golden.report)
    return golden


@pytest.fixture(scope="module")
def by_hand(home: Path) -> Golden:
    return packaged(home / "by_hand", BY_HAND, 24, 11)


@pytest.fixture(scope="module")
def prepared(by_hand: Golden, cached: None) -> Golden:
    return by_hand.prepared()


@pytest.fixture(scope="module")
def cached(home: Path) -> Iterator[None]:
    """The module's cache for what is prepared once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        yield


def cases(found: Result) -> dict[str, dict[str, object]]:
    document = found.json
    assert document["schema"] == "blade.calibration/1"
    assert all({"name", "score", "target", "ok"} <= set(case) for case in document["cases"])
    return {case["name"]: case for case in document["cases"]}


def met(found: Result) -> dict[str, float]:
    """The scores of a calibration that met all its targets, checked here once more by their numbers."""
    told = cases(found)
    scores = {name: float(str(case["score"])) for name, case in told.items()}
    assert [name for name, case in told.items() if not case["ok"]] == []
    assert (found.code, found.json["ok"]) == (0, True)
    assert scores["golden"] >= 0.85
    assert scores["shallow"] <= 0.40
    assert scores["golden"] - scores["shallow"] >= 0.50
    assert abs(scores["reordered"] - scores["golden"]) <= 0.02
    assert scores["flipped"] < scores["golden"]
    assert re.search(r"line \d+ named", str(told["flipped"]["note"]))
    assert max(scores[name] for name in TAMPERED) <= 0.60
    return scores


def test_a_report_written_by_hand_meets_its_targets(prepared: Golden) -> None:
    scores = met(prepared.calibrate("--json"))
    assert scores["anchors"] == 1.0
    anchors = json.loads(prepared.anchors.read_text(encoding="utf-8"))
    assert (anchors["benchmark"], anchors["model"], anchors["review_required"]) == ("desk", "model_a", True)
    assert [anchor["reviewed"] for anchor in anchors["anchor_facts"]] == [False] * 12
    queries = [check["query"] for anchor in anchors["anchor_facts"] for check in anchor["check"] if "query" in check]
    assert blade("sql", prepared.run, queries[0]).code == 0


def test_without_rollouts_fewer_claims_can_be_checked_and_it_says_so(prepared: Golden, tmp_path: Path) -> None:
    folder = tmp_path / "golden_reports"
    shutil.copytree(prepared.folder, folder)
    alone = Golden(tmp_path)
    assert alone.extract().code == 0
    found = alone.calibrate("--json")
    met(found)
    assert "anchors" not in cases(found)
    checked, claims = map(int, re.findall(r"(\d+) of (\d+) claims", found.json["notes"][0])[0])
    assert checked < claims / 4
    assert found.json["runs"] == []


def test_a_report_of_ours_meets_its_targets(home: Path, cached: None) -> None:
    golden = packaged(home / "ours", home / "none", 12, 7)
    assert blade("diagnose", golden.run, "--out", home / "ours" / "made").code == 0
    shutil.copy(home / "ours" / "made" / "report.md", golden.report)
    met(golden.prepared().calibrate("--json"))


def test_another_environment_meets_its_targets(home: Path, cached: None) -> None:
    """A run of questions and answers, without tools: no rollout of it is told to pass or fail by itself."""
    golden = Golden(home / "questions")
    golden.folder.mkdir(parents=True)
    golden.run.parent.mkdir()
    plant("questions", "wrong_unit", "severe", 3, also="prompt_cut", tasks=12, repeats=3).write(
        home / "questions" / "made"
    ).rename(golden.run)
    assert blade("diagnose", golden.run, "--out", home / "questions" / "made").code == 0
    shutil.copy(home / "questions" / "made" / "report.md", golden.report)
    met(golden.prepared().calibrate("--json"))


def test_a_score_names_what_is_contradicted_and_where(prepared: Golden, tmp_path: Path) -> None:
    bent = tmp_path / "bent.md"
    told = prepared.report.read_text(encoding="utf-8")
    bent.write_text(told.replace("never call `find_member`", "first call `find_member`"), encoding="utf-8")
    whole, found = prepared.score(prepared.report).json, prepared.score(bent).json
    assert whole["score"] == 1.0
    assert found["score"] < whole["score"]
    wrong = [anchor for anchor in found["anchors"] if anchor["status"] == "contradicted"]
    assert {anchor["line"] for anchor in wrong} == {61}
    assert {part["name"]: part["of"] for part in found["parts"]}["anchors"] == 12
    printed = blade("package", "score", "--report", bent, "--golden", prepared.report, "--anchor-facts", prepared.anchors).out
    assert "contradicted line 61" in printed
    assert "11 of 12 anchor facts are stated rightly" in printed or "10 of 12 anchor facts" in printed


def test_a_golden_report_that_is_false_of_its_run_falls_short(prepared: Golden, tmp_path: Path) -> None:
    shutil.copytree(prepared.folder, tmp_path / "golden_reports")
    golden = Golden(tmp_path)
    told = golden.report.read_text(encoding="utf-8")
    golden.report.write_text(
        re.sub(r"\b(\d+):([0-3])\b", lambda found: f"{int(found[1]) + 1}:{found[2]}", told), encoding="utf-8"
    )
    found = golden.calibrate("--json", "--run", prepared.run)
    assert found.code == 1
    assert cases(found)["golden"]["ok"] is False


def test_weak_anchors_fail_the_calibration(prepared: Golden, tmp_path: Path) -> None:
    shutil.copytree(prepared.folder, tmp_path / "golden_reports")
    golden = Golden(tmp_path)
    document = json.loads(golden.anchors.read_text(encoding="utf-8"))
    outcome = next(check for anchor in document["anchor_facts"] for check in anchor["check"] if check.get("value") == "pass")
    outcome["value"] = "fail"
    golden.anchors.write_text(json.dumps(document), encoding="utf-8")
    found = golden.calibrate("--json", "--run", prepared.run)
    assert (found.code, cases(found)["anchors"]["ok"]) == (1, False)
    shutil.copy(golden.report, golden.shallow)
    told = cases(golden.calibrate("--json"))
    assert not told["shallow"]["ok"]
    assert not told["spread"]["ok"]


def test_the_controls_can_be_written_down(prepared: Golden) -> None:
    found = prepared.make_shallow("--adversarial", "--seed", 5, "--json").json
    assert set(found["written"]) == {"shallow", *TAMPERED, "reordered", "flipped"}
    first = {name: Path(path).read_text(encoding="utf-8") for name, path in found["written"].items()}
    again = prepared.make_shallow("--adversarial", "--seed", 5, "--json").json
    assert {name: Path(path).read_text(encoding="utf-8") for name, path in again["written"].items()} == first


def test_bad_files_get_a_sentence(prepared: Golden, tmp_path: Path) -> None:
    broken = tmp_path / "facts.json"
    broken.write_text('{"anchor_facts": [\n  {"id": }\n]}', encoding="utf-8")
    found = blade(
        "package", "calibrate", "--golden-report", prepared.report, "--anchor-facts", broken, "--shallow-report", prepared.shallow
    )
    assert found.code == 2
    assert "facts.json, line 2: not JSON" in found.err
    few = tmp_path / "few.md"
    few.write_text("# Report\n\nAll went well in the run.\n", encoding="utf-8")
    written = tmp_path / "few.json"
    given = ("--golden", few, "--benchmark", "desk", "--model-name", "m", "--output", written)
    assert blade("package", "extract-anchor-facts", *given).code == 1
    assert json.loads(written.read_text(encoding="utf-8"))["anchor_facts"] == []
