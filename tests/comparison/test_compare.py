"""The whole document of a comparison: what moved, why, and that every number comes out again."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from blade.claims.claim import from_json
from blade.claims.runner import recompute_all
from blade.comparison import statements
from blade.comparison.compare import compare
from blade.comparison.flips import MOST_FLIPS
from blade.comparison.pair import Asked
from blade.diagnosis.diagnose import diagnose, extractors
from blade.lab.cases import plant
from blade.reports.comparison.markdown import comparison_report
from blade.reports.comparison.step_summary import step_summary
from blade.runs.run import Run
from tests.comparison.support import both, rolled
from tests.runs.support import opened

Pair = tuple[Run, Run, dict[str, Any]]


def compared(a: Run, b: Run, **asked: Any) -> dict[str, Any]:
    return compare((a, b), diagnose, metric=asked.pop("metric", None), asked=Asked(0.02, **asked))


def rows(severity: str) -> list[Any]:
    return list(plant("records", "skipped_lookup", severity, 5, tasks=16).rows)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Half of A's failures are mended in B."""
    before = rows("severe")
    failed = [row for row in before if not row["reward"]]
    mended = {(row["_ng_task_index"], row["_ng_rollout_index"]) for row in failed[: len(failed) // 2]}
    passing = {row["_ng_task_index"]: row for row in before if row["reward"]}
    after = []
    for row in before:
        if (row["_ng_task_index"], row["_ng_rollout_index"]) in mended and row["_ng_task_index"] in passing:
            row = passing[row["_ng_task_index"]] | {"_ng_rollout_index": row["_ng_rollout_index"]}
        after.append(row)
    with both(before, after, extractors=extractors()) as (a, b):
        yield a, b, compared(a, b)


def test_the_parts_sum_to_the_difference_of_the_booked_scores(pair: Pair) -> None:
    _, _, document = pair
    assert sum(term["delta"] for term in document["waterfall"]) == pytest.approx(
        document["b_value"] - document["a_value"], abs=1e-9
    )
    assert document["b_value"] > document["a_value"]


def test_flips_tell_where_the_runs_part_and_why(pair: Pair) -> None:
    _, _, document = pair
    first = document["flips"][0]
    assert first["b_rate"] > first["a_rate"]
    assert first["probability_b_better"] > 0.5
    assert first["divergence"]["passing"]["run"] == "b"
    assert first["divergence"]["failing"]["run"] == "a"
    assert first["cause"]["run"] == "a"
    assert first["cause"]["label"] == "BI"


def test_modes_that_were_mended_are_lost(pair: Pair) -> None:
    _, _, document = pair
    lost = [mode for mode in document["modes"] if mode["delta"] < 0]
    assert any("lookup" in mode["code"] for mode in lost)
    assert all(mode["a_rollouts"] >= mode["b_rollouts"] for mode in lost)


def test_every_claim_comes_out_again(pair: Pair) -> None:
    a, b, document = pair
    claims = [from_json(claim) for claim in document["claims"]]
    assert {"a_value", "b_value", "tasks.common", "delta", "buckets", "waterfall"} <= {claim.id for claim in claims}
    assert [
        (again.claim.id, again.difference, again.error) for again in recompute_all({"a": a, "b": b}, claims) if not again.ok
    ] == []


def test_claims_say_what_the_document_says(pair: Pair) -> None:
    _, _, document = pair
    values = {claim["id"]: claim["value"] for claim in document["claims"]}
    assert values["a_value"] == pytest.approx(document["a_value"])
    assert values["tasks.common"] == document["tasks"]["common"]
    for name in ("delta", "ci", "ci_bootstrap", "p_value", "mde", "smallest_margin", "verdict"):
        assert values["delta"][name] == (pytest.approx(document[name]) if name != "verdict" else document[name])
    terms = [(term["term"], pytest.approx(term["delta"]), pytest.approx(term["ci"])) for term in document["waterfall"]]
    assert [(term["term"], term["delta"], term["ci"]) for term in values["waterfall"]["terms"]] == terms
    counted = [mode for mode in document["modes"] if mode["counted"] == "signal"]
    assert counted
    for mode in counted[:20]:
        said = [values[f"mode.{mode['code']}.{mode['subject']}.{run}"] for run in "ab"]
        assert said == [mode["a_rollouts"], mode["b_rollouts"]]
    flip = document["flips"][0]
    assert values[f"task.{flip['task']}.a"] == pytest.approx(flip["a_rate"])


def test_a_run_against_itself_has_moved_nothing() -> None:
    made = rows("mild")
    with both(made, made, extractors=extractors()) as (a, b):
        document = compared(a, b)
    assert {term["delta"] for term in document["waterfall"]} == {0}
    assert document["verdict"] == "inconclusive"
    assert document["flips"] == []
    assert {mode["delta"] for mode in document["modes"]} <= {0}


def test_rewards_are_compared_with_the_same_rigour() -> None:
    before = [row | {"reward": 0.25 + 0.5 * row["reward"] + 0.01 * row["_ng_rollout_index"]} for row in rows("severe")]
    after = [row | {"reward": row["reward"] + 0.2} for row in before]
    with both(before, after, extractors=extractors()) as (a, b):
        document = compared(a, b, metric="mean_reward")
        claims = [from_json(claim) for claim in document["claims"]]
        assert all(again.ok for again in recompute_all({"a": a, "b": b}, claims))
    assert document["verdict"] == "improved"
    assert document["delta"] == pytest.approx(0.2)
    assert document["flips"][0]["probability_b_better"] > 0.9
    assert document["buckets"]["observed"] is None


def test_a_change_is_split_by_a_field() -> None:
    made = [row | {"kind": "even" if row["_ng_task_index"] % 2 == 0 else "odd"} for row in rows("severe")]
    better = [row | {"reward": 1 if row["kind"] == "even" else row["reward"]} for row in made]
    with both(made, better, extractors=extractors()) as (a, b):
        document = compared(a, b, by="kind")
    changes = {term["detail"]["slice"]: term["delta"] for term in document["waterfall"] if term["term"] == "change"}
    assert set(changes) == {"even", "odd"}
    assert changes["odd"] == pytest.approx(0)


def test_three_runs_are_ranked() -> None:
    made = rows("severe")
    worse = [row | {"reward": 0} for row in made]
    with (
        opened(made, extractors=extractors()) as a,
        opened(worse, extractors=extractors()) as b,
        opened(made, extractors=extractors()) as c,
    ):
        document = compare((a, b, c), diagnose, metric=None, asked=Asked(0.02))
    assert [pair["verdict"] for pair in document["pairs"]] == ["regressed", "inconclusive"]
    assert document["ranking"][-1]["value"] == 0
    assert "verdict" not in document


def test_every_task_that_moved_is_held_with_its_chance() -> None:
    """More than are told as flips, of one run that lost them all."""
    tasks = MOST_FLIPS + 50
    made = [rolled(str(task), 1, repeat) for task in range(tasks) for repeat in range(2)]
    lost = [row | {"reward": 0} for row in made]
    with both(made, lost, extractors=extractors()) as (a, b):
        document = compared(a, b)
    assert len(document["flips"]) == MOST_FLIPS
    (pair,) = document["pairs"]
    assert {one["task"] for one in pair["moved"]} == {str(task) for task in range(tasks)}
    assert all(one["probability_b_better"] < 0.05 for one in pair["moved"])
    assert "moved" not in document


def test_rewards_are_dealt_within_tasks_and_the_document_says_how() -> None:
    """B is above A on both tasks: of 6 x 6 ways to deal their rewards, two are as far apart."""
    made = [
        [rolled(task, reward, repeat) for task, of in enumerate(run) for repeat, reward in enumerate(of)]
        for run in ([[1.0, 2.0], [10.0, 15.0]], [[4.0, 9.0], [30.0, 20.0]])
    ]
    with both(*made, extractors=extractors()) as (a, b):
        here = compared(a, b, metric="mean_reward")["on_this_benchmark"]
    assert here["test"] == "exact"
    assert here["p_value"] == pytest.approx(2 / 36)


@pytest.mark.parametrize(
    ("bound", "metric", "claim", "code"),
    [
        ("MOST_ROWS", "pass_at_1", "waterfall", "waterfall_not_claimed"),
        ("MOST_DISTINCT", "mean_reward", "delta", "difference_not_claimed"),
    ],
)
def test_what_is_too_much_to_compute_again_is_not_claimed(
    monkeypatch: pytest.MonkeyPatch, bound: str, metric: str, claim: str, code: str
) -> None:
    before = [rolled(str(task), 0, repeat) for task in range(8) for repeat in range(2)]
    after = [row | {"reward": 1 if row["_ng_task_index"] == "0" else 0} for row in before]
    for most, claimed in ((1_000, True), (1, False)):
        monkeypatch.setattr(statements, bound, most)
        with both(before, after, extractors=extractors()) as (a, b):
            document = compared(a, b, metric=metric)
        assert (claim in {one["id"] for one in document["claims"]}) is claimed
        assert (code not in {limit["code"] for limit in document["limits"]}) is claimed


def texts(value: Any) -> Iterator[str]:
    """Every sentence of a document; queries are no sentences."""
    if isinstance(value, dict):
        value = [inner for key, inner in value.items() if key not in ("query", "condition")]
    if isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def test_a_pair_of_several_says_everything_with_its_own_letter_and_its_claims_come_out_again() -> None:
    made = rows("severe")
    mended = [row | {"reward": 1} for row in made]
    torn = [*(row | {"response": row["response"] | {"model": "other"}} for row in made[: len(made) // 2]), made[0], "{"]
    with (
        opened(mended, extractors=extractors()) as a,
        opened(made, extractors=extractors()) as b,
        opened(torn, extractors=extractors()) as c,
    ):
        document = compare((a, b, c), diagnose, metric=None, asked=Asked(0.02))
        _, third = document["pairs"]
        again = recompute_all({"a": a, "b": c}, [from_json(claim) for claim in third["claims"]])
        assert [one.claim.id for one in again if not one.ok] == []
        alone = compare((a, c), diagnose, metric=None, asked=Asked(0.02))
    assert [pair["letter"] for pair in document["pairs"]] == ["B", "C"]
    assert "letter" not in alone | alone["pairs"][0]
    said = list(texts(third))
    assert any(re.search(r"\bC\b", text) for text in said)
    assert [text for text in said if re.search(r"\bB\b", text)] == []
    assert third["reason"] == alone["reason"].replace("B scores", "C scores")
    assert {"malformed_b", "conflicting_b"} <= {limit["code"] for limit in third["limits"]}
    assert [claim["query"] for claim in third["claims"]] == [claim["query"] for claim in alone["claims"]]


def test_each_reason_names_its_run_by_the_letter_it_has_among_all() -> None:
    made = rows("severe")
    worse = [row | {"reward": 0} for row in made]
    with (
        opened(made, extractors=extractors()) as a,
        opened(made, extractors=extractors()) as b,
        opened(worse, extractors=extractors()) as c,
    ):
        nothing: dict[str, Any] = {"tasks": [], "modes": [], "interventions": []}
        document = compare((a, b, c), lambda run: nothing, metric=None, asked=Asked(0.02))
    assert "B scores" in document["pairs"][0]["reason"] or "same" in document["pairs"][0]["reason"]
    assert document["pairs"][1]["reason"].startswith("Regressed: C scores ")
    text = comparison_report(document)
    assert "**Regressed.** C scores " in text
    assert "C − A = " in text
    assert "### A → C\n\n❌ **Regressed.** C scores " in step_summary(document)
