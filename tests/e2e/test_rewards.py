"""Every kind of reward: what is scored, what is not, and that no number printed is not a number."""

import json
import math
import re
from pathlib import Path

import pytest

from tests.e2e.support import blade, blade_process, codes, counts, inspect, refused, row, sql, write


def with_reward(task: int, token: str) -> bytes:
    return json.dumps(row(task, reward="REWARD")).replace('"REWARD"', token).encode()


NO_SCORES = (
    '"1"', '"high"', '""', "null", "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400, "9" * 5_000, "[1]", "{}", '{"value": 1}', "[]",
)  # fmt: skip


def test_what_is_no_finite_number_is_no_score_and_the_row_is_kept(tmp_path: Path) -> None:
    lines = [with_reward(number, token) for number, token in enumerate(NO_SCORES)]
    run = write(tmp_path / "r.jsonl", [row("passes"), *lines, row("fails", reward=0)])
    found = inspect(run)
    kept = len(NO_SCORES)
    assert counts(found) == {
        "lines": kept + 2, "rows": kept + 2, "scored": 2, "errored_rows": kept,
        "expected": kept + 2, "passed": 1, "failed": 1, "errored": kept, "attempts": kept + 2,
    }  # fmt: skip
    assert "row_without_score" in codes(found)
    assert found["metrics"]["pass_at_1"]["value"] == 0.5
    assert sql(run, "SELECT DISTINCT reward, class FROM rollouts WHERE task NOT IN ('passes', 'fails')") == [[None, "errored"]]
    assert blade("inspect", run).code == 0
    for number in range(kept):
        assert blade("show", run, f"{number}:0").code == 0


@pytest.mark.parametrize("token", ["NaN", "1e999", "-Infinity", '"1"', "[1]"])
def test_the_first_row_may_be_the_one_without_a_score(tmp_path: Path, token: str) -> None:
    found = inspect(write(tmp_path / "r.jsonl", [with_reward(0, token), row(1)]))
    assert (found["denominator"]["errored_rows"], found["denominator"]["scored"]) == (1, 1)


def test_a_missing_reward_is_no_score(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0), row(1, reward=...)])
    assert counts(inspect(run)) == {
        "lines": 2,
        "rows": 2,
        "scored": 1,
        "errored_rows": 1,
        "expected": 2,
        "passed": 1,
        "errored": 1,
        "attempts": 2,
    }


@pytest.mark.parametrize(
    "mark", [{"reward_missing": True}, {"verification_skipped": True}, {"_ng_failure_class": "judge_failed"}]
)
def test_a_filler_reward_is_no_score(tmp_path: Path, mark: dict[str, object]) -> None:
    run = write(tmp_path / "r.jsonl", [row(0), row(1, reward=0.0, **mark)])
    found = inspect(run)
    assert (found["denominator"]["scored"], found["denominator"]["errored_rows"]) == (1, 1)
    assert found["metrics"]["pass_at_1"]["value"] == 1.0


def test_a_file_without_any_score_is_read_and_says_so(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, reward=...) for number in range(4)])
    found = inspect(run)
    assert counts(found) == {"lines": 4, "rows": 4, "errored_rows": 4, "expected": 4, "errored": 4, "attempts": 4}
    assert found["headline"]["mean_reward"]["value"] is None
    assert found["headline"]["buckets"]["missing"] == 4
    assert "nothing scored" in blade("inspect", run).out


@pytest.mark.parametrize(
    ("rewards", "kind", "passed", "mean"),
    [
        ([1, 0, 1, 1], "binary", 3, 0.75),
        ([True, False], "binary", 1, 0.5),
        ([1.0, 0.0, True, 0], "binary", 2, 0.5),
        ([1, -1, -1, -1], "binary", 1, -0.5),
        ([-1, -1], "binary", 0, -1.0),
        ([1], "binary", 1, 1.0),
        ([0.5, 1.0, 0.25], "full_reward", 1, 7 / 12),
        ([0.5, 0.25], "none", None, 0.375),
        ([0, 2, 10], "none", None, 4.0),
        ([-0.5, 1], "none", None, 0.25),
        ([-1, 0, 1], "none", None, 0.0),
        ([1e308, 1], "none", None, 5e307),
        ([-1e308, 1e308], "none", None, 0.0),
    ],
)
def test_the_pass_rule_follows_the_rewards(
    tmp_path: Path, rewards: list[float], kind: str, passed: int | None, mean: float
) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, reward=reward) for number, reward in enumerate(rewards)])
    found = inspect(run)
    assert found["pass_rule"]["kind"] == kind
    assert found["denominator"]["passed"] == passed
    assert found["headline"]["mean_reward"]["value"] == pytest.approx(mean, abs=1e-12, rel=1e-12)
    assert (found["headline"]["pass_at_1"]["value"] is None) == (kind == "none")
    assert (found["headline"]["buckets"]["always"] is None) == (kind == "none")
    assert blade("inspect", run).code == 0


@pytest.mark.parametrize(
    "rewards", [[1e308] * 40, [1.7e308, -1.7e308] * 20, [1e308, 1e-308, 5e-324, -1e308] * 10, [1e200] * 40, [1e160, -1e160] * 9]
)
def test_sums_beyond_all_range_print_null_never_infinity(tmp_path: Path, rewards: list[float]) -> None:
    run = write(tmp_path / "r.jsonl", [row(number // 4, number % 4, reward) for number, reward in enumerate(rewards)])
    for options in ((), ("--pass-threshold", "1")):
        found = inspect(run, *options)  # reading it refuses NaN and Infinity
        assert found["denominator"]["scored"] == len(rewards)
        mean = found["headline"]["mean_reward"]["value"]
        assert mean is None or math.isfinite(mean)
        text = blade("inspect", run, *options)
        assert text.code == 0
        assert not set(text.out.split("Where every row")[0].lower().replace("[", " ").replace(",", " ").split()) & {
            "inf",
            "-inf",
            "nan",
            "infinity",
        }


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1e308, 0, -1e308], [-1e308, 1e308, 0]),
        ([1e308] * 4, [-1e308, 1e308, 0, 5]),
        ([1e200, 0, 3], [0, 1e200, 4]),
        ([0.5, 1e160], [1e160, 0.25]),
    ],
)
def test_rewards_whose_differences_no_number_holds_are_not_comparable(tmp_path: Path, a: list[float], b: list[float]) -> None:
    runs = [
        write(tmp_path / f"{name}.jsonl", [row(place // 2, place % 2, reward) for place, reward in enumerate(rewards * 2)])
        for name, rewards in (("a", a), ("b", b))
    ]
    found = blade("compare", *runs, "--json")  # reading it refuses NaN and Infinity
    assert (found.code, found.err) == (0, "")
    assert found.json["verdict"] == "not_comparable"
    assert "cannot be computed with" in found.json["reason"]
    assert (found.json["delta"], found.json["waterfall"], found.json["waterfall_total"]) == (None, [], None)
    assert blade("compare", *runs, "--gate", "regressed").code == 3
    text = blade("compare", *runs, "--out", tmp_path / "report")
    written = (tmp_path / "report" / "comparison.md").read_text(encoding="utf-8")
    assert (text.code, text.err) == (0, "")
    assert "The rewards are too far apart for their differences to be computed, so there is no difference to test." in written
    assert not re.search(r"\b(?:nan|inf)\b", f"{text.out}{written}", re.IGNORECASE)
    assert blade("verify", tmp_path / "report" / "comparison.md").code == 0


@pytest.mark.parametrize(("threshold", "passed"), [("0.5", 2), ("0.25", 3), ("-1", 4), ("2", 0), ("1e308", 0), ("0.49999999", 2)])
def test_a_threshold_decides(tmp_path: Path, threshold: str, passed: int) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, reward=reward) for number, reward in enumerate([0.5, 0.25, 0.0, 0.75])])
    found = inspect(run, "--pass-threshold", threshold)
    assert found["pass_rule"] == {"kind": "threshold", "threshold": float(threshold), "source": "flag"}
    assert found["denominator"]["passed"] == passed
    assert found["metrics"]["pass_at_1"]["value"] == passed / 4


@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf", "1e999"])
def test_a_threshold_that_is_no_number_is_refused(tmp_path: Path, threshold: str) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)])
    assert "--pass-threshold" in refused(run, "--pass-threshold", threshold)


@pytest.mark.parametrize("reward", [0.5, -3, 7.25, 1e-9])
@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_rewards_that_are_all_equal_have_a_mean(tmp_path: Path, reward: float, repeats: int) -> None:
    run = write(tmp_path / "r.jsonl", [row(task, repeat, reward) for task in range(6) for repeat in range(repeats)])
    found = inspect(run)
    assert found["headline"]["mean_reward"]["value"] == pytest.approx(reward)
    assert found["pass_rule"]["kind"] == "none"
    assert blade("inspect", run).code == 0


def test_scores_stand_in_where_no_row_has_a_reward(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(number, reward=..., score=number % 2) for number in range(6)])
    found = inspect(run)
    assert found["identity"]["reward_field"] == "score"
    assert found["denominator"]["passed"] == 3
    mixed = write(tmp_path / "mixed" / "r.jsonl", [row(0, reward=1, score=0), row(1, reward=..., score=1)])
    assert inspect(mixed)["denominator"]["scored"] == 1


def test_the_mean_is_over_tasks_not_over_rollouts(tmp_path: Path) -> None:
    """Task 0 passes once in one try, task 1 never in four: 0.5, not 0.2."""
    run = write(tmp_path / "r.jsonl", [row(0, 0, 1), *(row(1, number, 0) for number in range(4))])
    found = inspect(run)
    assert found["metrics"]["pass_at_1"]["value"] == 0.5
    assert found["headline"]["mean_reward"]["value"] == 0.5
    assert (found["repeats"]["min"], found["repeats"]["max"]) == (1, 4)
    assert found["metrics"]["pass_at_k"]["4"] == {"value": 0.0, "tasks": 1}


@pytest.mark.parametrize(("threshold", "told"), [(0.5, False), (0.7, False), (0.71, True), (2, True)])
def test_a_threshold_that_no_reward_reaches_is_warned_of(tmp_path: Path, threshold: float, told: bool) -> None:
    run = write(tmp_path / "r.jsonl", [row(task, reward=task / 10) for task in range(8)])
    warning = f"nothing can pass: the threshold is {threshold:g} and the highest reward is 0.7"
    for command in ("inspect", "health", "diagnose"):
        result = blade(command, run, "--pass-threshold", threshold, "--json")
        assert (f"warning: {warning}" in result.err) == told
    assert ("threshold_out_of_reach" in [problem["code"] for problem in result.json["problems"]]) == told
    assert ("threshold_out_of_reach" in codes(inspect(run, "--pass-threshold", threshold))) == told


@pytest.mark.parametrize(
    ("rewards", "mean"), [([1e308, 0, -1e308] * 12, "0"), ([1e308, -1e308, 1e308, 0] * 9, None), ([1e308] * 36, None)]
)
def test_rewards_whose_sums_overflow_are_told_as_unknown_in_a_diagnosis(
    tmp_path: Path, rewards: list[float], mean: str | None
) -> None:
    """Some show an infrastructure failure: the score without them overflows as well."""
    reset = {"code": "connection", "message": "Connection reset by peer"}
    rows = [row(number // 3, number % 3, reward, latency_ms=1e308) for number, reward in enumerate(rewards)]
    for one in rows[::4]:
        one["response"] = {"id": "x", "output": [], "error": reset}
    told = blade_process("diagnose", write(tmp_path / "r.jsonl", rows), "--no-index", "--out", tmp_path / "out")
    assert (told.code, told.err) == (0, "")
    report = (tmp_path / "out" / "report.md").read_text()
    for text in (told.out, report):
        assert not re.search(r"\b(nan|inf)\b", text, re.IGNORECASE)
    assert f"the mean reward is {mean or 'unknown (the sum is beyond all range) over'} " in report
    json.loads((tmp_path / "out" / "diagnosis.json").read_text(), parse_constant=lambda name: pytest.fail(name))
