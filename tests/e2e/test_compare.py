"""`blade compare` on generated runs: verdicts and gates, the document, what is written, hostile text."""

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from blade.claims.claim import from_json
from blade.claims.runner import recompute_all
from blade.diagnosis.diagnose import extractors
from blade.reports.citations import cited
from blade.runs.run import open_run
from tests.comparison.test_strangers import logged
from tests.e2e.compared_runs import MAKERS, half, make_pair, passes, simple
from tests.e2e.desk_runs import grid, mixed
from tests.e2e.support import Result, blade, message, row, write

Pair = tuple[Path, Path]
CODES = {
    "improved": {"regressed": 0, "not-improved": 0, "not-equivalent": 1},
    "regressed": {"regressed": 1, "not-improved": 1, "not-equivalent": 1},
    "equivalent": {"regressed": 0, "not-improved": 1, "not-equivalent": 0},
    "inconclusive": {"regressed": 0, "not-improved": 3, "not-equivalent": 3},
    "not_comparable": {"regressed": 3, "not-improved": 3, "not-equivalent": 3},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(autouse=True)
def cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cache for the module: each run is read once."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture(scope="module")
def pairs(home: Path) -> dict[str, Pair]:
    return {verdict: make_pair(verdict, home) for verdict in MAKERS}


def compare(*arguments: object) -> Result:
    return blade("compare", *arguments)


def document(*arguments: object) -> dict[str, Any]:
    result = compare(*arguments, "--json")
    assert result.code == 0, result.err
    return result.json


@pytest.mark.parametrize("verdict", MAKERS)
def test_verdicts_gates_and_sums(pairs: dict[str, Pair], verdict: str) -> None:
    for gate, code in CODES[verdict].items():
        result = compare(*pairs[verdict], "--gate", gate, "--json")
        found = result.json
        assert result.code == code, (gate, result.err)
        assert (f"gate {gate}: " in result.err) is bool(code)
        assert found["schema"] == "blade.comparison/1"
        assert found["verdict"] == verdict == found["pairs"][0]["verdict"]
        assert sum(term["delta"] for term in found["waterfall"]) == pytest.approx(found["b_value"] - found["a_value"], abs=1e-9)


def test_the_screen_says_what_matters(pairs: dict[str, Pair]) -> None:
    result = compare(*pairs["improved"])
    assert result.code == 0
    assert len(result.out.splitlines()) <= 45
    for part in (
        "IMPROVED",
        "differs in",
        "pass@1",
        "common tasks",
        "What it is made of",
        "sum",
        "Tasks that moved",
        "Failure modes",
        "read on",
    ):
        assert part in result.out
    assert "because of" not in result.out


@pytest.mark.parametrize("columns", [60, 120])
@pytest.mark.parametrize("verdict", ["improved", "not_comparable"])
def test_no_line_is_wider_than_the_screen(
    pairs: dict[str, Pair], verdict: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = compare(*pairs[verdict]).out.splitlines()
    assert max(map(len, lines)) <= columns


def test_what_is_written_and_that_it_is_the_same_twice(pairs: dict[str, Pair], tmp_path: Path) -> None:
    first = compare(*pairs["regressed"], "--out", tmp_path / "a" / "deep")
    second = compare(*pairs["regressed"], "--out", tmp_path / "b", "--json", "--workers", 1)
    assert first.code == second.code == 0
    assert "written: " in second.err
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == ["comparison.json", "comparison.md"]
    for name in ("comparison.md", "comparison.json"):
        assert (tmp_path / "a" / "deep" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    text, found = (tmp_path / "b" / "comparison.md").read_text(), json.loads((tmp_path / "b" / "comparison.json").read_text())
    assert found == second.json
    assert cited(text)
    assert max(cited(text)) <= len(found["claims"])


def test_every_claim_comes_out_again(pairs: dict[str, Pair]) -> None:
    for verdict in ("regressed", "inconclusive", "equivalent"):
        found = document(*pairs[verdict])
        claims = [from_json(claim) for claim in found["claims"]]
        assert {"a_value", "b_value", "delta", "waterfall"} <= {claim.id for claim in claims}
        with open_run(pairs[verdict][0], extractors=extractors()) as a, open_run(pairs[verdict][1], extractors=extractors()) as b:
            assert [again.claim.id for again in recompute_all({"a": a, "b": b}, claims) if not again.ok] == []
        values = {claim["id"]: claim["value"] for claim in found["claims"]}
        for name in ("delta", "ci", "ci_bootstrap", "p_value", "mde"):
            assert values["delta"][name] == pytest.approx(found[name]), name


def test_a_run_against_itself_moved_nothing(pairs: dict[str, Pair]) -> None:
    run = pairs["improved"][0]
    found = document(run, run)
    assert {term["delta"] for term in found["waterfall"]} == {0}
    assert found["verdict"] in ("equivalent", "inconclusive")
    assert found["flips"] == []


def test_three_runs(pairs: dict[str, Pair], tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.jsonl", grid(15, 3, lambda task, repeat: 0))
    runs = (*pairs["improved"], bad)
    result = compare(*runs, "--out", tmp_path / "out", "--gate", "regressed", "--junit", tmp_path / "junit.xml")
    assert result.code == 1
    assert str(bad) in result.err
    for part in ("Ranking", "baseline", "Against A", "IMPROVED", "REGRESSED", "no run passes", "separate them"):
        assert part in result.out
    assert len(result.out.splitlines()) <= 45
    found = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [pair["verdict"] for pair in found["pairs"]] == ["improved", "regressed"]
    assert "verdict" not in found
    assert len(found["matrix"]) == 15
    text = (tmp_path / "out" / "comparison.md").read_text()
    assert "## 1. Ranking" in text
    assert "### All tasks" in text
    assert max(cited(text)) <= sum(len(pair["claims"]) for pair in found["pairs"])
    assert len(ET.parse(tmp_path / "junit.xml").getroot()) == 2


def test_a_stranger_among_three_runs_decides_nothing_and_the_report_holds(tmp_path: Path) -> None:
    made = (logged(0, 20, "one", "question"), logged(40, 20, "two", "query"), logged(0, 20, "three", "ground_truth"))
    runs = [write(tmp_path / f"{name}.jsonl", rows) for name, rows in zip("abc", made, strict=True)]
    result = compare(*runs, "--out", tmp_path / "out", "--gate", "regressed")
    assert result.code == 3
    assert f"gate regressed: {runs[1]} cannot be decided against {runs[0]}. Not comparable: " in result.err
    assert "B is not ranked: it shares no scored task with A." in result.out
    assert "on the 20 shared tasks" in result.out
    verified = blade("verify", tmp_path / "out" / "comparison.md", "--json")
    assert (verified.code, verified.json["findings"]) == (0, [])


def test_the_change_is_divided_by_a_field(tmp_path: Path) -> None:
    def made(run: str, reward: Any) -> list[dict[str, Any]]:
        """Other words in either run: equal outputs with other rewards would be the verifier's doing."""
        return [
            row(task, repeat, reward(task, repeat), kind="odd" if task % 2 else "even")
            | {"response": {"model": "m", "output": [message(f"{run} {task} {repeat}")]}}
            for task in range(12)
            for repeat in range(2)
        ]

    a, b = write(tmp_path / "a.jsonl", made("first", half)), write(tmp_path / "b.jsonl", made("second", passes))
    found = document(a, b, "--by", "kind")
    changes = {term["detail"]["slice"]: term["delta"] for term in found["waterfall"] if term["term"] == "change"}
    assert changes == {"even": pytest.approx(0.5), "odd": pytest.approx(0.0)}
    assert "change, even" in compare(a, b, "--by", "kind").out
    refused = compare(a, b, "--by", "no_such_field")
    assert refused.code == 2
    assert "no_such_field" in refused.err


def test_the_predictions_of_a_ledger_are_held_to_their_word(pairs: dict[str, Pair], tmp_path: Path) -> None:
    a, b = pairs["improved"]
    assert blade("diagnose", a, "--out", tmp_path / "report").code == 0
    ledger = tmp_path / "report" / "ledger.jsonl"
    assert ledger.read_text().strip()
    found = document(a, b, "--ledger", ledger)
    assert found["predictions"]
    assert {one["outcome"] for one in found["predictions"]} <= {"confirmed", "partly", "refuted", "undecided", "not_testable"}
    assert "predictions" in compare(a, b, "--ledger", ledger, "--out", tmp_path / "out").out
    assert "What was predicted, and what came of it" in (tmp_path / "out" / "comparison.md").read_text()
    (tmp_path / "none.jsonl").write_text("{}\n")
    assert compare(a, b, "--ledger", tmp_path / "none.jsonl").code == 2


def test_rewards_of_minus_one_and_one(tmp_path: Path) -> None:
    def signed(reward: Any) -> list[dict[str, Any]]:
        return [one | {"reward": 2 * one["reward"] - 1} for one in simple(20, 2, reward)]

    a, b = write(tmp_path / "a.jsonl", signed(half)), write(tmp_path / "b.jsonl", signed(passes))
    found = document(a, b)
    assert (found["metric"], found["a_value"], found["b_value"], found["verdict"]) == ("pass_at_1", 0.5, 1.0, "improved")
    by_reward = document(a, b, "--metric", "mean_reward", "--margin", 0.1)
    assert (by_reward["a_value"], by_reward["b_value"], by_reward["margin"]) == (0.0, 1.0, 0.1)


def test_graded_rewards_have_units_and_no_points(tmp_path: Path) -> None:
    a = write(tmp_path / "a.jsonl", [row(task, repeat, 10.0 + task % 3) for task in range(12) for repeat in range(2)])
    b = write(tmp_path / "b.jsonl", [row(task, repeat, 12.5 + task % 3) for task in range(12) for repeat in range(2)])
    found = document(a, b, "--margin", 2)
    assert (found["metric"], found["margin"], found["verdict"]) == ("mean_reward", 2, "improved")
    result = compare(a, b, "--out", tmp_path / "out")
    assert "points" not in result.out.replace("change in points, failed rollouts", "")
    assert "mean reward" in (tmp_path / "out" / "comparison.md").read_text()


@pytest.mark.parametrize(("given", "margin"), [("2", 0.02), ("0.05", 0.05), ("10", 0.1)])
def test_a_margin_from_one_up_is_in_points(pairs: dict[str, Pair], given: str, margin: float) -> None:
    assert document(*pairs["inconclusive"], "--margin", given)["margin"] == pytest.approx(margin)


def test_usage_that_makes_no_sense(pairs: dict[str, Pair]) -> None:
    a, b = pairs["improved"]
    for arguments, said in (
        ((), "at least two runs, and no run was given"),
        ((a,), "at least two runs, and one run was given"),
        ((a, b, "--margin", 0), "is no size of a change"),
        ((a, b, "--margin", 500), "is no size of a change"),
        ((a, "nowhere.jsonl"), "nowhere.jsonl"),
    ):
        result = compare(*arguments)
        assert (result.code, said in result.err) == (2, True), result.err


def test_a_run_without_a_score_cannot_be_compared(pairs: dict[str, Pair], tmp_path: Path) -> None:
    empty = write(tmp_path / "unscored.jsonl", [row(task, 0, None) for task in range(3)])
    result = compare(pairs["improved"][0], empty)
    assert result.code == 3
    assert "holds no scored rollout" in result.err


def test_junit_holds_whatever_the_ids_hold(tmp_path: Path) -> None:
    ids = ["plain", "<a&b>\"'", "nul\x00bell\x07", "line\nbreak", "\ud800lone", "]]>", "\ufffe", "𝕏"] + [
        f"t{n}" for n in range(8)
    ]

    def made(reward: Any) -> list[dict[str, Any]]:
        return [
            row(..., repeat, reward(number), task_id=task) | {"_ng_task_index": task}
            for number, task in enumerate(ids)
            for repeat in range(6)
        ]

    a, b = write(tmp_path / "a.jsonl", made(lambda number: 1)), write(tmp_path / "b.jsonl", made(lambda number: int(number > 2)))
    result = compare(a, b, "--junit", tmp_path / "deep" / "junit.xml")
    assert result.code == 0, result.err
    root = ET.parse(tmp_path / "deep" / "junit.xml").getroot()
    (suite,) = root
    cases = suite.findall("testcase")
    assert len(cases) == len(ids) + 1 == int(suite.attrib["tests"])
    failed = [case.attrib["name"] for case in cases if case.find("failure") is not None]
    assert {"plain", "<a&b>\"'"} <= set(failed)
    assert int(suite.attrib["failures"]) == len(failed)


def test_the_verdict_is_a_case_of_its_own(pairs: dict[str, Pair], tmp_path: Path) -> None:
    for verdict, child in (("regressed", "failure"), ("improved", "system-out"), ("not_comparable", "skipped")):
        compare(*pairs[verdict], "--junit", tmp_path / "junit.xml")
        case = ET.parse(tmp_path / "junit.xml").getroot()[0].find("testcase[@name='verdict']")
        assert case is not None
        assert case.find(child) is not None


def test_the_step_summary_is_appended_and_never_in_the_way(
    pairs: dict[str, Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "summary.md"
    place.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    assert compare(*pairs["regressed"], "--gate", "regressed").code == 1
    text = place.read_text()
    assert text.startswith("before\n## Comparison of ")
    assert "**Regressed.**" in text
    assert "Gate regressed: " in text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    result = compare(*pairs["regressed"])
    assert result.code == 0
    assert "the step summary could not be written" in result.err


HOSTILE = "\x1b[31mred\x1b]0;title\x07 <script>alert(1)</script> [c1] | cell | `tick` ](http://evil) \u202eturned\n# Heading"


def test_hostile_words_stay_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(reward: Any) -> list[dict[str, Any]]:
        return [
            row(
                f"{HOSTILE} {task}",
                repeat,
                reward(task, repeat),
                response={"model": HOSTILE if reward is passes else "m", "output": [message(HOSTILE)]},
                kind=HOSTILE,
            )
            for task in range(8)
            for repeat in range(3)
        ]

    a, b = write(tmp_path / "a.jsonl", made(mixed)), write(tmp_path / "b.jsonl", made(passes))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = compare(a, b, "--out", tmp_path / "out", "--junit", tmp_path / "junit.xml")
    assert result.code == 0, result.err
    for text in ((tmp_path / "out" / "comparison.md").read_text(), (tmp_path / "summary.md").read_text()):
        assert "<script>" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "\n# Heading" not in text
        assert "](http" not in text.replace("\\](http", "")
    ET.parse(tmp_path / "junit.xml")


def test_only_a_single_known_change_is_a_cause(tmp_path: Path) -> None:
    """Two runs whose manifests state everything, and differ in the model alone."""

    def made(name: str, model: str, reward: Any) -> Path:
        stated = {"model": model, "agent": "desk", "verifier": "v1", "sampling": {"temperature": 0.0}, "limits": {"max_steps": 9}}
        path = write(tmp_path / f"{name}.jsonl", grid(15, 3, reward))
        (tmp_path / f"{name}_run.json").write_text(json.dumps(stated | {"dataset": {"fingerprint": "d"}, "prompt": "p"}))
        return path

    found = document(made("a", "one", mixed), made("b", "two", passes))
    said = "because of" in found["cause"]["sentence"]
    assert said is found["cause"]["assignable"] is (found["single_change"] is True)


def test_numbers_are_finite_or_null(pairs: dict[str, Pair]) -> None:
    def walk(value: Any) -> None:
        if isinstance(value, float):
            assert math.isfinite(value)
        elif isinstance(value, dict):
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(document(*pairs["not_comparable"]))
