"""What another finding explains weighs little; what it does not keeps its weight."""

import json

import pytest

from blade.diagnosis.consequences import EXCUSED, EXPLAINED, SHARED, weighed
from blade.diagnosis.findings import Finding
from blade.diagnosis.views import CallRow, ExpectedRow, RolloutView, SignalRow, TaskView


def found(code, subject="", weight=0.8, quote="", step=4):
    return Finding(code, "BI", subject, "t", "t:0", step, quote, "", weight)


def view(arguments=None, expected=None, passing_quote=None):
    given = json.dumps(arguments or {}, separators=(",", ":"))
    calls = (CallRow(4, "order", given, 5, "ok", None, "change"),)
    wanted = () if expected is None else (ExpectedRow(0, "order", json.dumps(expected), "change", "made", 4, ""),)
    failing = RolloutView("t:0", "t", 0, 0.0, False, 10, (), calls, wanted, (), ())
    if passing_quote is None:
        return TaskView("t", (failing,))
    signals = (SignalRow("ungrounded_argument", "BI", "order.pieces", 4, passing_quote, ""),)
    return TaskView("t", (failing, RolloutView("t:1", "t", 1, 1.0, True, 10, signals, calls, wanted, (), ())))


def shares(task, *findings):
    told = weighed(task, {rollout.rollout: list(findings) if rollout.repeat == 0 else [] for rollout in task.rollouts})
    return [round(after.weight / before.weight, 6) for before, after in zip(findings, told["t:0"], strict=True)]


@pytest.mark.parametrize(
    ("cause", "other", "share"),
    [
        ("same_misuse", "self_check_failed", EXPLAINED),
        ("same_misuse", "check_fails_for_all", EXPLAINED),
        ("same_misuse", "error_ignored", 1.0),  # reporting success is another matter
        ("api_misuse_repeated", "self_check_failed", 1.0),  # in one repeat only
        ("refusal", "scattered_answers", EXPLAINED),
        ("stale_gold", "lookup_skipped", EXPLAINED),
        ("gold_damaged", "same_wrong_argument", EXPLAINED),
        ("gold_for_other_values", "gave_up", 1.0),  # whoever gave up did not get so far
        ("gold_unseen", "lookup_skipped", 1.0),  # one repeat may have looked in the wrong place
        ("gave_up", "same_failed_checks", EXPLAINED),
        ("answer_withheld", "same_wrong_answer", EXPLAINED),
        ("stopped_before_work", "wavering_work", EXPLAINED),
        ("refusal", "server_error", 1.0),
    ],
)
def test_what_follows_from_something_else(cause, other, share):
    assert shares(view(), found(cause), found(other)) == [1.0, share]


@pytest.mark.parametrize(("steps", "share"), [(0, SHARED), (1, 1.0)])
def test_where_nobody_did_anything_nobody_is_blamed(steps, share):
    task = TaskView("t", (RolloutView("t:0", "t", 0, 0.0, False, steps, (), (), (), (), ()),))
    assert shares(task, found("action_missing")) == [share]


def test_a_weak_finding_explains_nothing():
    assert shares(view(), found("gave_up", weight=0.2), found("scattered_answers")) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("path", "value", "share"),
    [
        ("pieces", 600, EXPLAINED),
        ("date", "2026-03-04", EXPLAINED),
        ("colour", "red", EXPLAINED),
        ("supplier_no", 7471, 1.0),
        ("item_code", "QW1234", 1.0),
        ("supplier", "7471", 1.0),  # a number in quotes is a name
    ],
)
def test_a_rule_that_is_not_known_is_no_invention_but_an_identifier_is(path, value, share):
    made_up = found("ungrounded_argument", f"order.{path}", quote=f"{path}={value}")
    rule = found("same_wrong_argument", f"order.{path}", 0.7)
    assert shares(view({path: value}), made_up, rule) == [share, 1.0]
    assert shares(view({path: value}), made_up) == [1.0]


def test_a_made_up_value_that_is_the_expected_one_has_cost_nothing():
    made_up = found("ungrounded_argument", "order.item_code", quote="item_code=QW1")
    assert shares(view({"item_code": "QW1"}, {"item_code": "QW1", "pieces": 5}), made_up) == [EXCUSED]
    spelled = found("ungrounded_argument", "order.pieces", quote="pieces=7253.0")
    assert shares(view({"pieces": 7253.0}, {"pieces": 7253}), spelled) == [EXCUSED]
    assert shares(view({"pieces": 7253.0}, {"pieces": 7254}), spelled) == [1.0]
    assert shares(view({"item_code": "QW1"}, {"item_code": "QW2", "pieces": 5}), made_up) == [1.0]


def test_what_a_passing_repeat_made_up_as_well_has_cost_nothing():
    made_up = found("ungrounded_argument", "order.pieces", quote="pieces=600")
    assert shares(view({"pieces": 600}, passing_quote="pieces=600"), made_up) == [EXCUSED]
    assert shares(view({"pieces": 600}, passing_quote="pieces=700"), made_up) == [1.0]


def task_of(*passed):
    return TaskView(
        "t", tuple(RolloutView(f"t:{n}", "t", n, float(p), bool(p), 10, (), (), (), (), ()) for n, p in enumerate(passed))
    )


@pytest.mark.parametrize(
    ("code", "label", "carriers", "weight", "share"),
    [
        ("missing_command", "IR", (0, 1, 2), 0.6, SHARED),  # one repeat passes without having got over it
        ("missing_command", "IR", (0, 1), 0.6, 1.0),
        ("server_error", "IR", (0, 1, 2), 0.1, 1.0),  # the passing one got over it
        ("no_self_check", "BI", (0, 2), 0.6, SHARED),  # 1 of 2 failing repeats, 1 of 1 passing ones
        ("no_self_check", "BI", (0, 1), 0.6, 1.0),
        ("filtered_by_hand", "BI", (0, 1, 2), 0.6, 1.0),  # the pass may have been lucky
    ],
)
def test_what_passing_repeats_show_as_well_tells_nothing_apart(code, label, carriers, weight, share):
    task = task_of(0, 0, 1)
    told = {
        rollout.rollout: [Finding(code, label, "x", "t", rollout.rollout, 4, "", "", weight if rollout.passed else 0.6)]
        if rollout.repeat in carriers
        else []
        for rollout in task.rollouts
    }
    assert weighed(task, told)["t:0"][0].weight == pytest.approx(share * 0.6)
