"""Runs whose ids only count and whose tasks nothing defines in both: two benchmarks, or one that two harnesses log."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blade.comparison.compare import compare
from blade.comparison.gates import decide
from blade.comparison.pair import Asked
from blade.comparison.pairing import Pairing, pair
from blade.comparison.strangers import told_apart, why_apart
from blade.diagnosis.diagnose import extractors
from blade.errors import Exit
from blade.runs.run import open_run
from tests.comparison.support import both
from tests.runs.support import opened
from tests.shared_data import needs_shared_data, shared_data

NO_DIAGNOSIS: dict[str, Any] = {"tasks": [], "modes": [], "interventions": []}
NAMES = np.random.default_rng(3).choice([f"{a}{b}{c}" for a in "bdfgklm" for b in "aeiou" for c in "nprstvz"], (80, 4))


def logged(first: int, tasks: int, harness: str, field: str, **more: Any) -> list[dict[str, Any]]:
    """Tasks counted from 0, about the people from `first` on, whose words stand in a field of the harness' own."""
    return [
        {
            "_ng_task_index": task,
            "_ng_rollout_index": 0,
            "reward": task % 2,
            "agent_ref": {"name": harness},
            "response": {"output": []},
        }
        | {field: f"Book a flight for {' '.join(NAMES[first + task])}."}
        | more
        for task in range(tasks)
    ]


def apart(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> tuple[Pairing, Pairing]:
    with both(a, b) as (one, other):
        found = pair(one, other)
        return found, told_apart(one, other, found)


def test_two_benchmarks_that_count_from_0_share_no_task() -> None:
    before, after = apart(logged(0, 40, "one", "question"), logged(40, 30, "two", "ground_truth"))
    assert before.counts == {"common": 30, "only_a": 10, "only_b": 0, "redefined": 0}
    assert after.counts == {"common": 0, "only_a": 40, "only_b": 30, "redefined": 0}
    assert (after.a.value, after.b.value) == (before.a.value, before.b.value)
    assert [limit.code for limit in after.limits if limit.code in ("ids_only_count", "definitions_unknown")] == ["ids_only_count"]
    assert "the agent differs: these are two benchmarks" in why_apart(after)


def test_one_benchmark_that_two_harnesses_log_is_compared() -> None:
    before, after = apart(logged(0, 40, "one", "question"), logged(0, 40, "two", "ground_truth"))
    assert before.undefined == 40
    assert after is before
    assert why_apart(after) == ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (logged(0, 40, "one", "question"), logged(40, 30, "one", "ground_truth")),  # nothing else differs
        (logged(0, 9, "one", "question"), logged(40, 9, "two", "ground_truth")),  # too few to tell chance from more
        (logged(0, 40, "one", "question"), [row | {"x": ""} for row in logged(40, 40, "two", "x")]),  # B says nothing
    ],
    ids=["same-agent", "few", "silent"],
)
def test_without_evidence_the_ids_are_believed(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> None:
    before, after = apart(a, b)
    assert after is before


def compared(*runs: list[dict[str, Any]]) -> dict[str, Any]:
    with ExitStack() as stack:
        opened_runs = [stack.enter_context(opened(rows, extractors=extractors())) for rows in runs]
        return compare(opened_runs, lambda run: NO_DIAGNOSIS, metric=None, asked=Asked())


def ranks(document: dict[str, Any]) -> list[bool]:
    """Of the runs in the order given, which are ranked; a run is known by its path."""
    ranked = {one["run"]: one["ranked"] for one in document["ranking"]}
    return [ranked[path] for path in (document["pairs"][0]["a"], *(pair["b"] for pair in document["pairs"]))]


FLIGHTS = logged(0, 40, "one", "question")
FLIGHTS_ELSEWHERE = logged(0, 40, "two", "ground_truth")
HOTELS = logged(40, 40, "three", "query")
SILENT = [{key: row[key] for key in ("_ng_task_index", "_ng_rollout_index", "reward")} for row in FLIGHTS]


@pytest.mark.parametrize(
    ("runs", "verdicts", "ranked"),
    [
        ((FLIGHTS, FLIGHTS_ELSEWHERE, HOTELS), ["inconclusive", "not_comparable"], [True, True, False]),
        ((FLIGHTS, HOTELS, FLIGHTS_ELSEWHERE), ["not_comparable", "inconclusive"], [True, False, True]),
        ((HOTELS, FLIGHTS, FLIGHTS_ELSEWHERE), ["not_comparable", "not_comparable"], [True, False, False]),
    ],
    ids=["last", "second", "first"],
)
def test_a_stranger_among_three_is_not_ranked(
    runs: tuple[list[dict[str, Any]], ...], verdicts: list[str], ranked: list[bool]
) -> None:
    document = compared(*runs)
    assert [pair["verdict"] for pair in document["pairs"]] == verdicts
    assert ranks(document) == ranked
    assert decide("regressed", verdicts).code == Exit.NOT_DECIDABLE
    benchmark = [place for place, rows in enumerate(runs) if rows is not HOTELS]
    for row in document["matrix"]:
        known = [place for place, rate in enumerate(row["rates"]) if rate is not None]
        assert known in (benchmark, [runs.index(HOTELS)])
    assert len(document["matrix"]) == 80


def test_two_benchmarks_are_not_both_the_silent_baselines() -> None:
    """Rows without words are believed by their ids, until two such beliefs contradict each other."""
    assert [pair["verdict"] for pair in compared(SILENT, FLIGHTS)["pairs"]] == ["inconclusive"]
    document = compared(SILENT, FLIGHTS, HOTELS)
    second, third = document["pairs"]
    assert [pair["verdict"] for pair in (second, third)] == ["not_comparable", "not_comparable"]
    assert "C, which shares tasks with A, is another benchmark than B" in second["reason"]
    assert "B, which shares tasks with A, is another benchmark than C" in third["reason"]
    assert second["tasks"]["common"] == third["tasks"]["common"] == 0
    assert ranks(document) == [True, False, False]
    assert len(document["matrix"]) == 120


def test_what_definitions_say_is_believed_before_what_ids_say() -> None:
    """A and B have the same questions. C is no run of these, as B's words tell; A's rows say too little to tell it."""
    questions = [row["question"] for row in FLIGHTS]
    told = [row | {"question": said} for row, said in zip(FLIGHTS_ELSEWHERE, questions, strict=True)]
    bare = [row | {"question": said} for row, said in zip(SILENT, questions, strict=True)]
    assert apart(bare, told)[0].undefined == 0
    unrefuted = apart(bare, HOTELS)[1]
    assert unrefuted.counts["common"] == 40
    same, refuted = compared(bare, told, HOTELS)["pairs"]
    assert (same["tasks"]["common"], refuted["verdict"]) == (40, "not_comparable")
    assert "B, which shares tasks with A, is another benchmark than C" in refuted["reason"]
    stranger, refuted = compared(HOTELS, told, bare)["pairs"]
    assert "the agent differs: these are two benchmarks" in stranger["reason"]
    assert "B, whose tasks are C's by their definitions, is another benchmark than A" in refuted["reason"]


@needs_shared_data
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("other", ["airline__gpt-4o__tool-calling__4t", "retail__gpt-4.1__tool-calling__1t"])
def test_real_benchmarks_that_share_only_their_ids_are_not_comparable(other: str, turned: bool, real_index: Path) -> None:
    root = shared_data()
    assert root is not None
    paths = [root / "gsm8k/6b_finetuning.jsonl.gz", root / f"taubench/{other}.jsonl.gz"]
    one, two = reversed(paths) if turned else paths
    options: dict[str, Any] = {"index_dir": real_index, "extractors": extractors()}
    with open_run(one, **options) as a, open_run(two, **options) as b:
        document = compare((a, b), lambda run: NO_DIAGNOSIS, metric=None, asked=Asked(0.02))
    assert document["verdict"] == "not_comparable"
    assert "these are two benchmarks" in document["reason"]
    assert document["delta"] is None
    assert document["tasks"]["common"] == 0
    assert sum(term["delta"] for term in document["waterfall"]) == pytest.approx(document["b_value"] - document["a_value"])
