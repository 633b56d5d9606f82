"""The funnel: counts that never rise, parts that sum, and a query for each that anyone can run again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blade.diagnosis.funnel import attempts_of, count_query, funnel, stages
from blade.lab.example import build, write
from blade.runs.run import Run, open_run
from blade.runs.sql import run_sql
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from tests.diagnosis.skill.support import call, extractors, row, says, skill
from tests.runs.support import opened, planned
from tests.shared_data import needs_shared_data, shared_data

EXTRACTORS = (SignalsExtractor(), CallsExtractor(), ExpectedExtractor())
DONE = says("Done.")


def counts(run: Run, **given: Any) -> dict[str, int]:
    return {stage["stage"]: stage["count"] for stage in funnel(run, **given)}


def holds_together(run: Run, found: list[dict[str, Any]]) -> None:
    """What is true of every funnel."""
    numbers = [stage["count"] for stage in found]
    assert numbers == sorted(numbers, reverse=True)
    assert found[0]["stage"] == "planned"
    assert numbers[0] == run.denominator.expected == sum(stage["lost"] for stage in found) + numbers[-1]
    assert all(stage["lost"] >= 0 and stage["outside"] >= 0 for stage in found)
    for stage in found:
        assert run_sql(run, stage["query"]).rows == [(stage["count"],)]
        assert stage["share"] == (stage["count"] / numbers[0] if numbers[0] else None)
    if run.pass_rule.decides:
        assert found[-1]["stage"] == "passed"
        assert found[-1]["count"] + found[-1]["outside"] == run.denominator.passed
        assert sum(stage["passes_lost"] for stage in found) == found[-1]["outside"]
    else:
        assert found[-1]["stage"] == "scored"


def test_a_single_turn_run_has_no_stages_of_tools() -> None:
    with opened([row(0, DONE), row(1, DONE, reward=0.0), row(2, reward=0.0)], extractors=EXTRACTORS) as run:
        assert counts(run) == {"planned": 3, "started": 3, "produced output": 2, "finished": 2, "scored": 2, "passed": 1}
        holds_together(run, funnel(run))


def test_missing_errored_and_unscored_rollouts_are_lost_where_they_were_lost() -> None:
    files = {
        "r.jsonl": [row(0, DONE), row(1, DONE, reward=None), row(2)],
        "r_materialized_inputs.jsonl": [planned(task, 0) for task in range(6)],
        "r_failures.jsonl": [{"_ng_task_index": 3, "_ng_rollout_index": 0, "_ng_failure_class": "transient"}],
    }
    with opened(files, extractors=EXTRACTORS) as run:
        assert counts(run) == {"planned": 6, "started": 4, "produced output": 2, "finished": 2, "scored": 1, "passed": 1}
        holds_together(run, funnel(run))


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        ("verifier_error", {"produced output": 3, "finished": 3, "graded": 2, "scored": 2}),
        ("judge_failed", {"produced output": 3, "finished": 3, "graded": 2, "scored": 2}),
        ("timeout_exceeded", {"produced output": 3, "finished": 2, "scored": 2}),
    ],
)
def test_a_failed_attempt_with_output_is_lost_where_it_failed(failure: str, expected: dict[str, int]) -> None:
    silent = row(3, reward=0.0, _ng_failure_class="model_timeout")
    files = {
        "r.jsonl": [row(0, DONE), row(1, DONE, reward=0.0)],
        "r_materialized_inputs.jsonl": [planned(task, 0) for task in range(4)],
        "r_failures.jsonl": [row(2, DONE, reward=0.0, _ng_failure_class=failure), silent],
    }
    with opened(files, extractors=EXTRACTORS) as run:
        assert counts(run) == {"planned": 4, "started": 4} | expected | {"passed": 1}
        holds_together(run, funnel(run))


def test_a_truncated_rollout_did_not_finish_and_its_pass_stands_outside() -> None:
    cut = {"response": {"output": [DONE], "incomplete_details": {"reason": "max_output_tokens"}}}
    with opened([row(0, DONE), row(1, **cut), row(2, reward=0.0, **cut)], extractors=EXTRACTORS) as run:
        found = {stage["stage"]: stage for stage in funnel(run)}
        assert (found["finished"]["count"], found["passed"]["count"], found["passed"]["outside"]) == (1, 1, 1)
        holds_together(run, funnel(run))


def test_the_core_action_is_a_stage_where_the_passes_go_through_it() -> None:
    acts, looks = call("cancel_order", "ok", 1, id=7), call("get_order", "{}", 0, id=7)
    tries = [row(0, looks, acts, DONE), row(1, looks, DONE, reward=0.0), row(2, looks, acts, DONE, reward=0.0)]
    with opened(tries, extractors=EXTRACTORS[:2]) as run:
        found = counts(run)
        assert (found["called a tool"], found["attempted the core action"]) == (3, 2)
    with opened([*tries, row(3, looks, DONE)], extractors=EXTRACTORS[:2]) as run:  # a pass that changed nothing
        assert "attempted the core action" not in counts(run)
        assert counts(run)["passed"] == 2


def test_expected_changes_are_stages_and_tasks_without_any_pass_through() -> None:
    wanted = [{"name": "cancel_order", "arguments": '{"id": 7}'}]
    rows = [
        row(0, call("cancel_order", "ok", 1, id=7), DONE, ground_truth=wanted),
        row(1, call("cancel_order", "ok", 1, id=8), DONE, ground_truth=wanted, reward=0.0),
        row(2, DONE, ground_truth=wanted, reward=0.0),
        row(3, DONE, ground_truth=[]),
    ]
    with opened(rows, extractors=EXTRACTORS) as run:
        found = counts(run)
        assert (found["attempted the core action"], found["made the expected changes"], found["passed"]) == (3, 2, 2)
        holds_together(run, funnel(run))


def test_without_a_pass_rule_the_last_stage_is_scored() -> None:
    with opened([row(0, DONE, reward=0.3), row(1, DONE, reward=4.0)], extractors=EXTRACTORS) as run:
        assert list(counts(run)) == ["planned", "started", "produced output", "finished", "scored"]
        holds_together(run, funnel(run))


def test_a_run_that_was_opened_without_extractors_has_a_funnel_too() -> None:
    with opened([row(0, DONE), row(1, call("ls", "a"), reward=0.0)]) as run:
        assert counts(run) == {"planned": 2, "started": 2, "produced output": 2, "finished": 1, "scored": 1, "passed": 1}


def test_a_retry_that_was_scored_counts_for_its_rollout_once() -> None:
    rows = [row(0, reward=None, _ng_failure_class="transient"), row(0, DONE), row(1, DONE, reward=0.0)]
    with opened(rows, extractors=EXTRACTORS) as run:
        holds_together(run, funnel(run))


def test_a_skill_brings_its_own_stages(tmp_path: Path) -> None:
    known = skill(
        tmp_path,
        """
        stages:
          - name: looked it up
            when: {call: "get_*"}
          - name: said so
            meaning: the answer names the order
            when: {text: final, contains: order 7}
        """,
    )
    rows = [
        row(0, call("get_order"), says("It is order 7.")),
        row(1, call("get_order"), says("No idea."), reward=0.0),
        row(2, says("It is order 7.")),
    ]
    with opened(rows, extractors=extractors(known)) as run:
        found = funnel(run, known)
        assert counts(run, skill=known) == {
            "planned": 3, "started": 3, "produced output": 3, "looked it up": 2, "said so": 1, "scored": 1, "passed": 1,
        }  # fmt: skip
        assert [(stage["stage"], stage["outside"], stage["meaning"]) for stage in found[4:5]] == [
            ("said so", 1, "the answer names the order")
        ]
        assert {stage["stage"]: stage["passes_lost"] for stage in found if stage["passes_lost"]} == {"looked it up": 1}
        holds_together(run, found)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("example")
    write(build(), folder)
    with open_run(str(folder), use_index=False, extractors=EXTRACTORS) as run:
        yield run


def test_the_example_run_sums_and_agrees_with_its_counts(example: Run) -> None:
    found = {stage["stage"]: stage for stage in funnel(example)}
    denominator = example.denominator
    holds_together(example, list(found.values()))
    assert found["planned"]["count"] == 160
    assert found["started"]["lost"] == denominator.missing == 4
    assert (
        found["produced output"]["lost"] == 0
    )  # the two that timed out are in the failures sidecar, with the calls they had made
    assert denominator.errored == 2
    assert found["attempted the core action"]["lost"] == 20
    assert found["passed"]["count"] == denominator.passed == 90
    assert {"called a tool", "attempted the core action", "made the expected changes"} <= found.keys()


def test_counting_all_at_once_gives_what_the_queries_give(example: Run) -> None:
    steps = stages(example)
    attempts = attempts_of(example)
    singly = [example.query(count_query(steps[: number + 1], attempts)).rows[0][0] for number in range(len(steps))]
    assert [stage["count"] for stage in funnel(example)] == singly


@needs_shared_data
@pytest.mark.parametrize(
    ("name", "passed", "silent"),
    [("airline__gpt-4o__tool-calling__4t", 84, 0), ("retail__gemini-2.0-flash__tool-calling__1t_run1", 33, 35)],
)
def test_real_runs_sum_and_lose_the_connection_failures_at_the_output(name: str, passed: int, silent: int) -> None:
    folder = shared_data()
    assert folder is not None
    with open_run(str(folder / "taubench" / f"{name}.jsonl.gz"), use_index=False, extractors=EXTRACTORS) as run:
        found = {stage["stage"]: stage for stage in funnel(run)}
        holds_together(run, list(found.values()))
        assert (found["passed"]["count"], found["passed"]["outside"]) == (passed, 0)
        assert found["produced output"]["lost"] == silent


PIECES = st.sampled_from([call("get_order"), call("cancel_order"), DONE, says("what?", "user"), says("order 7")])
ROWS = st.lists(
    st.tuples(st.lists(PIECES, max_size=4), st.sampled_from([0.0, 1.0, None]), st.sampled_from([None, "max_output_tokens"])),
    min_size=1,
    max_size=12,
)
RULES = [
    "{call: get_order}",
    "{text: any, contains: order 7}",
    "{field: steps, gt: 1}",
    "{not: {call: cancel_order, kind: change}}",
]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=ROWS, chosen=st.lists(st.sampled_from(RULES), max_size=4, unique=True), lacking=st.integers(0, 3))
def test_whatever_the_run_and_the_stages_the_funnel_holds_together(
    tmp_path: Path, made: list[Any], chosen: list[str], lacking: int
) -> None:
    listed = "".join(f"\n  - {{name: s{number}, when: {rule}}}" for number, rule in enumerate(chosen))
    known = skill(tmp_path, f"stages:{listed}" if chosen else "slices: [a]")
    rows = []
    for task, (items, reward, cut) in enumerate(made):
        line = row(task, *items, reward=reward)
        line["response"]["incomplete_details"] = None if cut is None else {"reason": cut}
        rows.append({name: value for name, value in line.items() if value is not None})
    inputs = [planned(task, 0) for task in range(len(rows) + lacking)]
    with opened({"r.jsonl": rows, "r_materialized_inputs.jsonl": inputs}, extractors=extractors(known)) as run:
        found = funnel(run, known)
        holds_together(run, found)
        assert found[0]["count"] == len(rows) + lacking
        assert found[1]["lost"] == lacking
        assert [stage["stage"] for stage in found if stage["stage"].startswith("s") and stage["stage"][1:].isdigit()] == [
            f"s{number}" for number in range(len(chosen))
        ]
