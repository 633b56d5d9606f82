"""The waterfall: exact, symmetric, nothing against itself; each kind of planted fault in its own term; intervals as brute force has them."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.comparison.waterfall import BookedRows, Term, Waterfall, waterfall
from blade.stats.quantiles import student_quantile
from tests.comparison.slow_waterfall import Case, Row, Terms, slow_spread, slow_waterfall

ORDER = ("task_set", "missing", "infrastructure", "verifier", "truncation", "change", "remainder")
rewards = st.sampled_from([0.0, 1.0, 0.0, 1.0, 0.3])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Two small runs with everything that can happen to them."""
    tasks = [f"t{number}" for number in range(draw(st.integers(1, 6)))]
    slices = {task: draw(st.integers(3, 5)) for task in tasks}

    def run() -> tuple[tuple[Row, ...], frozenset[str]]:
        expected = [task for task in tasks if draw(st.integers(0, 4))]
        rows = [
            Row(
                task,
                draw(rewards),
                draw(st.integers(0, 3)) == 0,
                draw(st.integers(0, 3)) == 0,
                draw(st.sampled_from([None, "x", "y", "z"])),
                draw(st.one_of(st.none(), st.none(), rewards)),
            )
            for task in expected
            for _ in range(draw(st.integers(0, 3)))
        ]
        return tuple(rows), frozenset(expected)

    (a, expected_a), (b, expected_b) = run(), run()
    return Case(a, b, expected_a, expected_b, {task: slices[task] for task in expected_a | expected_b})


def named(found: Waterfall) -> Terms:
    return {("change", term.slice) if term.slice is not None else term.term: term.delta for term in found.terms}


def of(case: Case, draws: int = 20) -> Waterfall:
    return waterfall(*case.arrays(), draws=draws)


@settings(max_examples=150, deadline=None)
@given(cases())
def test_it_is_what_the_definition_says_sums_and_turns_with_the_runs(case: Case) -> None:
    found = of(case)
    if not (case.a and case.b):
        assert (found.total, found.terms, found.comparable) == (None, (), False)
        return
    slow = slow_waterfall(case)
    for name, delta in named(found).items():
        assert delta == pytest.approx(slow.pop(name, 0.0), abs=1e-12), name
    assert all(abs(left) < 1e-12 for left in slow.values())
    assert found.total is not None
    assert sum(term.delta for term in found.terms) == pytest.approx(found.total, abs=1e-9)

    turned = of(case.swapped)
    assert turned.total == pytest.approx(-found.total, abs=1e-12)
    for term, mirror in zip(found.terms, turned.terms, strict=True):
        assert (term.term, term.slice, term.tasks, term.rollouts) == (mirror.term, mirror.slice, mirror.tasks, mirror.rollouts)
        assert mirror.delta == pytest.approx(-term.delta, abs=1e-12)
        assert (term.ci is None) == (mirror.ci is None)
        if term.ci is not None and mirror.ci is not None:
            assert (-mirror.ci[1], -mirror.ci[0]) == pytest.approx(term.ci, abs=1e-9)
    if found.comparable:
        seen = [term.term for term in found.terms]
        assert seen == sorted(seen, key=ORDER.index)
        assert set(seen) == set(ORDER)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_a_run_against_itself_is_all_zero(case: Case) -> None:
    own = tuple(Row(row.task, row.reward, row.infrastructure, row.truncation, row.output) for row in case.a)
    if own:
        found = of(Case(own, own, case.expected_a, case.expected_a, case.slices))
        assert found.total == 0.0
        assert all(term.delta == 0.0 and term.ci in (None, (0.0, 0.0)) for term in found.terms)


@pytest.mark.parametrize("seed", range(4))
def test_intervals_are_those_of_a_bootstrap_that_redoes_everything(seed: int) -> None:
    chance = random.Random(seed)
    tasks = [f"t{number:02}" for number in range(14)]

    def run(skipped: str) -> tuple[Row, ...]:
        rows = [
            Row(
                task,
                float(chance.random() < 0.5),
                chance.random() < 0.25,
                chance.random() < 0.25,
                chance.choice(["x", "y", "z", None]),
                chance.choice([None, None, 0.0, 1.0]),
            )
            for task in tasks
            if not task.endswith(skipped)
            for _ in range(chance.randint(1, 3))
        ]
        return tuple(rows)

    slices = {task: number % 2 for number, task in enumerate(tasks)}
    expected_b = frozenset(tasks) - {"t05", "t09"}
    a, b = run("4"), tuple(row for row in run("7") if row.task in expected_b)
    case = Case(a, b, frozenset(tasks), expected_b, slices)
    found = waterfall(*case.arrays(), draws=20_000)
    slow = slow_spread(case, 1_200, seed)
    common = len({row.task for row in a} & {row.task for row in b})
    factor = student_quantile(0.975, common - 1) * (common / (common - 1)) ** 0.5
    for term in found.terms:
        assert term.ci is not None
        if "none_found" in term.detail:
            assert (term.delta, term.ci) == (0.0, (0.0, 0.0))
            continue
        half = (term.ci[1] - term.ci[0]) / 2
        spread = slow.get(("change", term.slice) if term.slice is not None else term.term, 0.0)
        assert (term.ci[0] + term.ci[1]) / 2 == pytest.approx(term.delta)
        assert half == pytest.approx(factor * spread, rel=0.1, abs=1e-9), term


def base(tasks: int, repeats: int, seed: int = 1) -> list[Row]:
    chance = random.Random(seed)
    levels = [chance.random() for _ in range(tasks)]
    return [
        Row(number, float(chance.random() < levels[number]), output=f"{number}-{repeat}")
        for number in range(tasks)
        for repeat in range(repeats)
    ]


def planted(a: list[Row], b: list[Row], expected_b: frozenset[int] | None = None) -> dict[str, Term]:
    tasks = frozenset(row.task for row in a + b)
    case = Case(tuple(a), tuple(b), tasks, expected_b or tasks, dict.fromkeys(tasks, 0))
    given = case.arrays()
    found = waterfall(*given[:4])
    assert found.total is not None
    assert sum(term.delta for term in found.terms) == pytest.approx(found.total, abs=1e-9)
    return {term.term: term for term in found.terms}


def test_infrastructure_that_zeroes_rows_is_infrastructure() -> None:
    a = base(60, 8)
    b = [Row(row.task, 0.0, infrastructure=True) if index % 4 == 0 else row for index, row in enumerate(a)]
    terms = planted(a, b)
    lost = np.mean([row.reward for row in b]) - np.mean([row.reward for row in a])
    assert terms["infrastructure"].delta == pytest.approx(lost, abs=0.03)
    assert abs(terms["change"].delta) < 0.03
    assert terms["infrastructure"].detail["rollouts_b"] == 120
    assert terms["infrastructure"].detail["rollouts_a"] == 0
    assert terms["truncation"].detail["none_found"]
    assert terms["truncation"].ci == (0.0, 0.0)


def test_a_verifier_that_fails_what_it_passed_is_the_verifier() -> None:
    a = base(40, 4)
    flipped = {row.output for row in a if row.reward == 1.0 and row.task % 3 == 0}
    b = [Row(row.task, 0.0 if row.output in flipped else row.reward, output=row.output) for row in a]
    terms = planted(a, b)
    assert terms["verifier"].delta == pytest.approx(-len(flipped) / 160)
    assert terms["change"].delta == pytest.approx(0.0, abs=1e-12)
    assert (terms["verifier"].detail["matched"], terms["verifier"].detail["outputs"]) == (320, 320)
    assert terms["verifier"].rollouts == 2 * len(flipped)


def test_a_grade_by_the_other_verifier_counts_where_outputs_do_not_recur() -> None:
    a = [Row(number, 1.0) for number in range(10)]
    b = [Row(number, 0.0, output="new", regraded=1.0) for number in range(10)]
    terms = planted(a, b)
    # The row's neutral value is 1/2: half of the difference is seen from B's side, the other half A's rows would have to show.
    assert terms["verifier"].delta == pytest.approx(-0.5)
    assert terms["change"].delta == pytest.approx(-0.5)
    graded_both = [Row(number, 1.0, regraded=0.0) for number in range(10)]
    assert planted(graded_both, b)["verifier"].delta == pytest.approx(-1.0)


def test_missing_tasks_and_other_tasks_are_told_apart() -> None:
    a = [Row(number, float(number % 2)) for number in range(10)]
    common = frozenset(range(8))
    terms = planted(a, [row for row in a if row.task < 8], common)
    assert (terms["task_set"].tasks, terms["missing"].tasks) == (2, 0)
    hard_gone = [row for row in a if row.reward == 1.0]
    terms = planted(a, hard_gone)
    assert terms["missing"].delta == pytest.approx(0.5)
    assert (terms["missing"].tasks, terms["missing"].rollouts) == (5, 5)
    assert terms["task_set"].detail["none_found"]


def test_a_task_without_a_kept_row_is_filled_by_its_slice_and_one_without_any_remains() -> None:
    a = [Row(0, 0.0), Row(1, 1.0), Row(2, 1.0), Row(3, 1.0, truncation=True)]
    b = [Row(0, 1.0), Row(1, 1.0), Row(2, 0.0, infrastructure=True), Row(3, 0.0, truncation=True)]
    terms = planted(a, b)
    assert terms["change"].delta == pytest.approx((1 + 0 + 0.5) / 4)
    assert terms["infrastructure"].delta == pytest.approx((0.0 - 1.5) / 4)
    assert terms["remainder"].delta == pytest.approx(-1 / 4)
    assert terms["change"].detail["filled_tasks"] == 1
    assert (terms["truncation"].delta, terms["truncation"].rollouts, terms["truncation"].detail["in_remainder"]) == (0.0, 2, 2)
    assert "in_remainder" not in terms["infrastructure"].detail
    assert all(term.detail["few_tasks"] for term in terms.values() if term.tasks)


def test_runs_without_a_common_task_differ_by_their_tasks() -> None:
    case = Case((Row("x", 1.0),), (Row("y", 0.0),), frozenset("x"), frozenset("y"), {"x": 0, "y": 0})
    found = of(case)
    assert [(term.term, term.delta, term.ci) for term in found.terms] == [("task_set", -1.0, None)]
    assert not found.comparable


def test_the_comparison_without_set_aside_rows_keeps_the_rest() -> None:
    a = (Row(0, 1.0), Row(0, 0.0), Row(1, 1.0, truncation=True), Row(2, 1.0))
    b = (Row(0, 1.0), Row(0, 0.0, infrastructure=True), Row(1, 1.0), Row(2, 0.0))
    rest = of(Case(a, b, frozenset(range(3)), frozenset(range(3)), dict.fromkeys(range(3), 0))).without_set_aside
    assert rest.task.tolist() == [0, 2]
    assert (rest.a.tolist(), rest.b.tolist()) == ([0.5, 1.0], [1.0, 0.0])
    assert (rest.rows_a.tolist(), rest.rows_b.tolist()) == ([2, 1], [1, 1])


def test_the_interval_of_the_change_covers_the_truth() -> None:
    """80 tasks x 4, tasks drawn afresh, a fifth of B's rows lost to infrastructure at random: the change is still 10 points."""
    chance = np.random.default_rng(7)
    covered = 0
    for seed in range(200):
        level = chance.beta(1.2, 1.2, 80) * 0.9
        better = level + 0.1
        task = np.repeat(np.arange(80), 4)
        lost = chance.random(320) < 0.2
        a = _rows(task, chance.random(320) < level[task], np.zeros(320, np.bool_))
        b = _rows(task, (chance.random(320) < better[task]) & ~lost, lost)
        ones = np.ones(80, dtype=np.bool_)
        change = next(term for term in waterfall(a, b, ones, ones, draws=400, seed=seed).terms if term.term == "change")
        assert change.ci is not None
        covered += change.ci[0] <= 0.1 <= change.ci[1]
    assert 0.90 <= covered / 200 <= 0.99


def _rows(task: np.ndarray, passed: np.ndarray, lost: np.ndarray) -> BookedRows:
    nothing = np.full(task.size, -1, dtype=np.int64)
    return BookedRows(task, passed.astype(np.float64), lost, np.zeros(task.size, np.bool_), nothing, np.full(task.size, np.nan))


def test_a_run_of_500_tasks_takes_no_time() -> None:
    chance = np.random.default_rng(3)
    task = np.repeat(np.arange(500), 8)

    def run() -> BookedRows:
        return BookedRows(
            task,
            chance.random(4_000),
            chance.random(4_000) < 0.1,
            chance.random(4_000) < 0.1,
            chance.integers(-1, 3_000, 4_000),
            np.full(4_000, np.nan),
        )

    a, b, ones = run(), run(), np.ones(500, dtype=np.bool_)
    started = time.process_time()
    waterfall(a, b, ones, ones, chance.integers(0, 5, 500))
    assert time.process_time() - started < 2.0  # 0.15 s on an idle core; machines under load are slower
