"""Checks of a verifier one by one, and rewards that contradict them."""

import pytest

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.verifier import (
    CheckRule,
    Slice,
    contradictions,
    failing_checks,
    learn_checks,
    learn_lonely,
    lonely,
    verifier_health,
)
from blade.signals.wanted.checks import ChecksExtractor
from tests.diagnosis.patterns.support import check, repeat, signal, task_of, told
from tests.runs.support import opened, row


def checked(number, passed, **checks):
    return repeat(number, passed, checks=[check(name, ok) for name, ok in checks.items()])


def test_the_only_check_that_fails_in_every_repeat():
    view = task_of(*(checked(number, False, a=True, b=False, c=True) for number in range(3)))
    found = list(failing_checks(view, CheckRule()))
    assert told(found) == [("check_fails_for_all", f"7:{number}", None) for number in range(3)]
    assert {finding.subject for finding in found} == {"tests.b"}
    assert max(finding.weight for finding in found) < 0.5  # a hard check looks the same


@pytest.mark.parametrize(
    "repeats",
    [
        [checked(0, False, a=True, b=False)],  # one repeat
        [checked(0, False, a=True, b=False), checked(1, True, a=True, b=True)],  # somebody passes it
        [checked(0, False, a=False, b=False), checked(1, False, a=False, b=False)],  # more than one fails
        [checked(0, False, a=True, b=False), checked(1, False, a=False, b=True)],  # not always the same
        [checked(0, False, b=False), checked(1, False, b=False)],  # it has no siblings
    ],
)
def test_a_check_is_not_accused_without_grounds(repeats):
    assert list(failing_checks(task_of(*repeats), CheckRule())) == []


@pytest.mark.parametrize(
    ("detail", "weight"), [("AssertionError: assert 3 == 4", 0.3), ("expected 'a', found 'b'", 0.3), ("", 0.4), ("Killed", 0.4)]
)
def test_a_check_that_compared_values_is_accused_less(detail, weight):
    made = [repeat(number, False, checks=[check("a", True), check("b", False, detail=detail)]) for number in range(3)]
    assert {finding.weight for finding in failing_checks(task_of(*made), CheckRule())} == {weight}


@pytest.mark.parametrize("code", ["action_missing", "error_ignored", "question_back"])
def test_a_check_that_found_what_is_known_to_be_wrong_is_not_accused(code):
    made = [repeat(number, False, checks=[check("a", True), check("b", False)], signals=[signal(code, 3)]) for number in range(3)]
    assert list(failing_checks(task_of(*made), CheckRule())) == []


def test_checks_of_what_is_expected_do_not_see_what_is_extra():
    extra = repeat(0, False, checks=[check("a", True)], signals=[signal("action_extra", 3)])
    assert list(contradictions(task_of(extra), CheckRule())) == []


def test_a_check_that_fails_over_the_run_is_accused_in_each_failing_rollout():
    rule = CheckRule(broken={("tests", "b"): (40, 40, 10)})
    found = list(failing_checks(task_of(checked(0, False, a=True, b=False)), rule))
    assert found[0].weight > 0.7
    assert "40 of 40 rollouts of 10 tasks" in found[0].detail


def test_rewards_against_checks():
    view = task_of(checked(0, False, a=True, b=True), checked(1, True, a=True, b=False), checked(2, False, a=False, b=True))
    assert told(contradictions(view, CheckRule())) == [("reward_contradicts_checks", "7:0", None)]
    assert told(contradictions(view, CheckRule(binding=frozenset(["tests"])))) == [
        ("reward_contradicts_checks", "7:0", None),
        ("reward_contradicts_checks", "7:1", None),
    ]
    (doubted,) = contradictions(view, CheckRule(complete=False))
    assert doubted.weight < 0.3


def test_checks_without_a_verdict_say_nothing():
    assert list(contradictions(task_of(repeat(0, False, checks=[check("a", None)])), CheckRule())) == []


def checked_row(task, number, reward, **tests):
    return row(task, number, float(reward), test_results=[{"name": name, "passed": ok} for name, ok in tests.items()])


def test_what_the_run_says_of_its_checks():
    rows = [checked_row(task, number, False, a=True, b=False) for task in range(6) for number in range(2)]
    rows += [checked_row(task, 0, True, a=True, c=True) for task in range(10, 35)]
    with opened(rows, extractors=(ChecksExtractor(),)) as run:
        rule = learn_checks(run)
    assert rule.broken == {("test_results", "b"): (12, 12, 6)}
    assert rule.binding == {"test_results"}
    assert rule.complete


def test_checks_that_passing_rollouts_fail_do_not_bind():
    rows = [checked_row(task, 0, True, a=True, b=task % 2 == 0) for task in range(30)]
    rows += [checked_row(task, 0, False, a=True, b=True) for task in range(30, 60)]
    with opened(rows, extractors=(ChecksExtractor(),)) as run:
        rule = learn_checks(run)
    assert rule.binding == frozenset()
    assert not rule.complete  # 30 of 45 rollouts with all checks passed fail


def test_a_task_that_never_passes_among_tasks_that_do():
    rows = [
        row(task, number, float(task != 3), level="easy" if task < 12 else "hard") for task in range(20) for number in range(2)
    ]
    rows += [row(task, number, 0.0, level="hard") for task in range(20, 24) for number in range(2)]
    with opened(rows) as run:
        found = learn_lonely(run)
    assert found == {"3": Slice("level", "easy", 12, pytest.approx(11 / 12))}
    view = task_of(repeat(0, False, task="3"), repeat(1, False, task="3"))
    assert told(lonely(view, found)) == [
        ("never_passes_in_passing_slice", "3:0", None),
        ("never_passes_in_passing_slice", "3:1", None),
    ]


def test_it_weighs_less_where_the_expected_calls_were_not_made():
    where = {"3": Slice("the run", "", 20, 0.95)}
    missing = signal("action_missing", 4, subject="pay")
    view = task_of(repeat(0, False, task="3", signals=(missing,)), repeat(1, False, task="3"))
    assert [finding.weight for finding in lonely(view, where)] == [0.1, 0.2]


def test_verifier_health_counts_rollouts_and_tasks():
    findings = [
        Finding("correct_answer_rejected", "TI", "expected_answer", "1", "1:0", 4, "1,000", "equal by separators", 0.9),
        Finding("correct_answer_rejected", "TI", "expected_answer", "2", "2:0", 4, "7.0", "", 0.9),
        Finding("never_passes_in_passing_slice", "TI", "", "3", "3:0", None, "", "", 0.2),
        Finding("skipped_lookup", "BI", "get_user", "3", "3:0", None, "", "", 0.5),
    ]
    rejected, weak = verifier_health(findings, 40)
    assert (rejected["code"], rejected["tasks"], rejected["rollouts"]) == ("correct_answer_rejected", ["1", "2"], ["1:0", "2:0"])
    assert "2 of 40 scored rollouts in 2 tasks" in rejected["message"]
    assert rejected["evidence"][0]["quote"] == "1,000"
    assert "weak" in weak["message"]
