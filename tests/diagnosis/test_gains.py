"""Modes measured over a run against the same counted rollout by rollout, and against the claims that carry their queries."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade import stats
from blade.claims.builder import Claims
from blade.claims.values import difference
from blade.diagnosis.gains import Effect, effects, mode_query, oracle_query, signal_carriers, signal_effects
from blade.diagnosis.slices import slice_query, slices
from blade.runs.scan import RowView
from tests.runs.support import opened, planned, row
from tests.stats.splits import as_split, brute_gain, brute_lift


class Flags:
    """The table `signals` from a field of the row: [code, subject] pairs."""

    table = "signals"
    version = "flags"
    columns = {"code": "string", "label": "string", "subject": "string", "step": "int64", "quote": "string", "detail": "string"}  # noqa: RUF012

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]:
        for code, subject in json.loads(view.text).get("flags", []):
            yield code, "BI", subject, 0, "", ""


FLAGS = [["loop", ""], ["slip", "send"], ["slip", "book.date"]]
Rollouts = list[list[tuple[float, list[list[str]]]]]
"""Task by task: rewards with their flags."""


def runs(rewards: list[float], min_size: int = 1) -> st.SearchStrategy[Rollouts]:
    flags = st.lists(st.sampled_from(FLAGS), max_size=4)
    return st.lists(st.lists(st.tuples(st.sampled_from(rewards), flags), min_size=1, max_size=4), min_size=min_size, max_size=16)


def rows(run: Rollouts) -> list[dict[str, Any]]:
    return [
        row(task, repeat, reward, flags=flags) for task, given in enumerate(run) for repeat, (reward, flags) in enumerate(given)
    ]


def carried(run: Rollouts, code: str, subject: str | None) -> list[list[tuple[bool, float]]]:
    def hit(flags: list[list[str]]) -> bool:
        return any(flag[0] == code and subject in (None, flag[1]) for flag in flags)

    return [[(hit(flags), reward) for reward, flags in task] for task in run]


def condition(code: str) -> str:
    return f"r.rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND code = '{code}')"


def check(effect: Effect, tasks: list[list[tuple[bool, float]]], low: float, high: float, binary: bool) -> None:
    hits = [reward for task in tasks for carries, reward in task if carries]
    assert (effect.rollouts, effect.tasks) == (len(hits), sum(any(carries for carries, _ in task) for task in tasks))
    assert (effect.passed, effect.failed) == ((hits.count(1.0), hits.count(0.0)) if binary else (None, None))
    lift = brute_lift(tasks)
    assert (effect.lift is None) == (lift is None)
    if effect.lift is not None:
        assert effect.lift.value == pytest.approx(lift)
    split = as_split(tasks)
    assert effect.gain.upper == pytest.approx(stats.gain(split, low, high).upper)
    mixed = int(split.mixed.sum())
    assert effect.gain.estimate == (pytest.approx(brute_gain(tasks, low, high)) if mixed >= 10 else None)
    lost = np.mean([high - np.mean([reward for _, reward in task]) for task in tasks])
    assert effect.share_of_loss == (pytest.approx(effect.gain.upper / lost) if lost > 0 else None)


@settings(max_examples=8)
@given(run=runs([0, 1], min_size=6))
def test_every_signature_is_measured_over_all_its_rollouts(run: Rollouts) -> None:
    with opened(rows(run), extractors=(Flags(),)) as opened_run:
        found = {(effect.name, effect.subject): effect for effect in signal_effects(opened_run)}
        by_code = {effect.name: effect for effect in signal_effects(opened_run, by_subject=False)}
        named = effects(opened_run, {code: condition(code) for code in ("loop", "slip")})
        carriers = signal_carriers(opened_run, by_subject=False)
        known = {code: carriers[code, ""] for code in by_code if code in ("loop", "slip")}
        assert effects(opened_run, {code: condition(code) for code in ("loop", "slip")}, known=known) == named
    present = {(code, subject) for task in run for _, flags in task for code, subject in flags}
    assert set(found) == present
    for (code, subject), effect in found.items():
        check(effect, carried(run, code, subject), 0.0, 1.0, binary=True)
    for code, effect in by_code.items():
        check(effect, carried(run, code, None), 0.0, 1.0, binary=True)
        same = next(other for other in named if other.name == code)
        assert (same.lift, same.gain, same.rollouts) == (effect.lift, effect.gain, effect.rollouts)
    tested = {key: effect.lift.p_value for key, effect in found.items() if effect.lift is not None}
    adjusted = dict(zip(tested, stats.benjamini_hochberg(list(tested.values())), strict=True))
    for key, effect in found.items():
        assert effect.p_adjusted == (pytest.approx(adjusted[key]) if key in adjusted else None)


@settings(max_examples=6)
@given(run=runs([-0.5, 0.25, 3.0], min_size=6))
def test_without_a_pass_rule_rewards_are_what_counts(run: Rollouts) -> None:
    seen = [reward for task in run for reward, _ in task]
    with opened(rows(run), extractors=(Flags(),)) as opened_run:
        assert not opened_run.pass_rule.decides
        for effect in signal_effects(opened_run):
            check(effect, carried(run, effect.name, effect.subject), min(seen), max(seen), binary=False)


@settings(max_examples=6)
@given(run=runs([0, 1], min_size=10) | runs([0.5, 2.0], min_size=10))
def test_the_claim_of_a_mode_says_what_was_measured(run: Rollouts) -> None:
    with opened(rows(run), extractors=(Flags(),)) as opened_run, Claims(opened_run) as claims:
        for effect in effects(opened_run, {"loop": condition("loop"), "any": "r.steps >= 0", "none": "NULL"}):
            query = mode_query(opened_run, {"loop": condition("loop"), "any": "r.steps >= 0", "none": "NULL"}[effect.name])
            lift, gain = claims.add("lift", query, "lift"), claims.add("gain", query, "gain")
            told = effect.as_json()
            assert difference(gain, told["gain"], 1e-9) is None
            if effect.lift is None:
                assert lift is None
            else:
                assert (
                    difference(
                        [lift["value"], lift["ci"], lift["p_value"]], [told["lift"], told["lift_ci"], told["p_value"]], 1e-9
                    )
                    is None
                )


def pairs(count: int, flagged: float, other: float) -> Rollouts:
    """Tasks of one rollout with the flag `loop` and one without."""
    return [[(flagged, [["loop", ""]]), (other, [])] for _ in range(count)]


def test_a_mode_on_failing_rows_only_has_bounds_and_no_estimate() -> None:
    with opened(rows(pairs(12, 0, 1)), extractors=(Flags(),)) as run:
        (told,) = signal_effects(run, failing_only={"loop"})
        (plain,) = signal_effects(run)
    assert (told.gain.estimate, told.gain.upper, told.lift, told.p_adjusted) == (None, 0.5, None, None)
    assert (plain.gain.estimate, plain.lift and plain.lift.value) == (0.5, 1.0)


def test_gains_do_not_add_up_and_their_union_says_so() -> None:
    """Both flags on the same failing rollouts: either gains all, and so do both together."""
    run_rows = rows([[(0, [["loop", ""], ["slip", "send"]]), (1, [])] for _ in range(12)])
    with opened(run_rows, extractors=(Flags(),)) as run:
        alone = [effect.gain.estimate for effect in effects(run, {code: condition(code) for code in ("loop", "slip")})]
        assert alone == [0.5, 0.5]
        (together,) = effects(run, {"union": f"({condition('loop')}) OR ({condition('slip')})"})
        assert together.gain.estimate == 0.5


def test_rows_that_do_not_count_carry_nothing() -> None:
    """A duplicate, a conflicting and an unexpected row have the flag too, and are in no count."""
    made = rows(pairs(2, 0, 1))
    more = [made[0], made[0] | {"note": "other"}, row(9, 0, 0, flags=[["loop", ""]]), row(1, 0, "none", flags=[["loop", ""]])]
    inputs = [planned(task, repeat) for task in (0, 1) for repeat in (0, 1)]
    with opened({"r.jsonl": [*made, *more], "r_materialized_inputs.jsonl": inputs}, extractors=(Flags(),)) as run:
        (found,) = signal_effects(run)
    assert (found.rollouts, found.tasks, found.failed, found.passed) == (2, 2, 2, 0)


def test_long_runs_are_ranked_by_the_half_that_discovery_leaves_alone() -> None:
    rng = np.random.default_rng(0)
    run_of = [pairs(1, int(rng.random() < 0.3), 1)[0] for _ in range(120)]
    with opened(rows(run_of), extractors=(Flags(),)) as run:
        (found,) = signal_effects(run)
        halves = run.query(
            "SELECT task, row_number() OVER (ORDER BY md5(task), task) % 2 = 0 FROM rollouts WHERE class = 'scored' GROUP BY task"
        ).rows
    held = [run_of[int(task)] for task, apart in halves if apart]
    assert len(held) == 60
    assert found.ranking == stats.Ranking(pytest.approx(brute_gain(carried(held, "loop", ""))), "held_out")


def test_the_oracle_row() -> None:
    with opened(rows([[(1, []), (0, [])], [(0, []), (0, [])]])) as run, Claims(run) as claims:
        assert claims.add("oracle", oracle_query(run), "oracle_gain") == {"oracle": 0.5, "gain": 0.25, "perfect": 0.75}


def test_a_threshold_decides_what_passes_in_the_claims_too() -> None:
    with opened(rows(pairs(10, 0.4, 0.8)), extractors=(Flags(),), pass_threshold=0.7) as run, Claims(run) as claims:
        (found,) = signal_effects(run)
        assert (found.passed, found.failed, found.gain.estimate) == (0, 10, 0.5)
        assert claims.add("gain", mode_query(run, condition("loop")), "gain")["estimate"] == 0.5


@pytest.mark.parametrize("rewards", [[1e308, -1e308, 1e308], [0.0, 1e-320, 5.0]])
def test_rewards_beyond_all_range_give_no_number_and_no_crash(rewards: list[float]) -> None:
    run_of = [[(rewards[0], [["loop", ""]]), (rewards[1], []), (rewards[2], [["loop", ""]])] for _ in range(11)]

    def numbers(value: Any) -> list[float]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [number for each in inner for number in numbers(each)] if inner else [value] if isinstance(value, float) else []

    with opened(rows(run_of), extractors=(Flags(),)) as run, Claims(run) as claims:
        (found,) = signal_effects(run)
        claims.add("gain", mode_query(run, condition("loop")), "gain")
        assert all(np.isfinite(number) for number in numbers(found.as_json()))


def test_nothing_signalled_is_nothing_measured() -> None:
    with opened(rows([[(1, [])]]), extractors=(Flags(),)) as run:
        assert signal_effects(run) == []


def test_a_row_may_have_fields_named_like_ours() -> None:
    ours = (
        "code",
        "subject",
        "number",
        "value",
        "hit",
        "affected",
        "n",
        "total",
        "mode",
        "mean",
        "tasks",
        "low",
        "high",
        "signals",
    )
    lines = [line | dict.fromkeys(ours, f"own {line['_ng_task_index'] % 2}") for line in rows(pairs(12, 0, 1))]
    with opened(lines, extractors=(Flags(),)) as run, Claims(run) as claims:
        (found,) = signal_effects(run)
        (same,) = effects(run, {"loop": condition("loop")})
        (bare,) = effects(run, {"bare": "task IN (SELECT task FROM tasks) AND repeat = 0"})
        assert found.gain.estimate == same.gain.estimate == bare.gain.estimate == 0.5
        assert claims.add("gain", mode_query(run, condition("loop")), "gain")["estimate"] == 0.5
        assert claims.add("oracle", oracle_query(run), "oracle_gain")["oracle"] == 1.0
        by = slices(run, ours).slices
        assert {slice_["by"] for slice_ in by} == set(ours)
        assert all(claims.add("s", slice_query(run, slice_["by"], slice_["value"]), "slice_test")["tasks"] == 6 for slice_ in by)
