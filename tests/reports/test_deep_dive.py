"""One task in depth."""

import json

import pytest

from blade.diagnosis.views import AnswerRow, CallRow, ExpectedRow, RolloutView, SignalRow, TaskView
from blade.reports.deep_dive import as_json, deep_dive, task_view
from tests.reports.support import document


def rollout(number: int, passed: bool) -> RolloutView:
    card = "card_9074" if passed else "card_4959"
    outcome = ("made", "") if passed else ("wrong_argument", f"card={card}, expected card_9074")
    return RolloutView(
        rollout=f"L26:{number}",
        task="L26",
        repeat=number,
        reward=float(passed),
        passed=passed,
        steps=20,
        signals=[] if passed else [SignalRow("lookup_skipped", "BI", "get_member", 36, "card", "")],
        calls=[
            CallRow(5, "list_loans", "{}", 6, "[]", None, "read"),
            CallRow(36, "pay_loan", json.dumps({"card": card}), 37, None, None, "change"),
        ],
        expected=[ExpectedRow(0, "pay_loan", '{"card":"card_9074"}', "change", outcome[0], 36, outcome[1])],
        answers=[AnswerRow("gold", "4", None, None, 40, "you may bring 6 bags")],
        checks=[],
    )


def view(repeats: int = 4) -> TaskView:
    return TaskView("L26", tuple(rollout(number, number % 2 == 0) for number in range(repeats)))


def test_repeats_stand_side_by_side_with_what_was_expected() -> None:
    text = deep_dive(document(task_view=task_view(view())), "L26")
    for part in (
        "# Task L26 · 2 of 4 pass · the value that `get_member` gives was not looked up",
        "| L26:1 | fails | 18 | 2 (0 failed) | `pay_loan` | the value that `get_member` gives was not looked up (step 36);",
        "**Where they part.**",
        "| expected call | L26:0 passes | L26:1 fails | L26:2 passes | L26:3 fails |",
        "| `pay_loan` card=card_9074 | made, step 36 | wrong argument, step 36: card=card_4959, expected card_9074 |",
        "| L26:1 | 36 | `pay_loan` | card=card_4959 |  |",
        "| L26:1 | fails | 4 | – | “you may bring 6 bags” |",
    ):
        assert part in text, part
    assert "[c" not in text


def test_many_repeats_are_grouped_by_what_became_of_the_call() -> None:
    text = deep_dive(document(task_view=task_view(view(6))), "L26")
    assert "| `pay_loan` card=card_9074 | made, step 36 | L26:0, L26:2 and L26:4 |" in text


def test_a_dive_without_the_view_still_tells_the_story() -> None:
    text = deep_dive(document(), "L26")
    assert "**Cause BI (behaviour), confidence 0.83.**" in text
    assert "Expected against actual" not in text


def test_a_task_whose_repeats_are_not_in_the_document_is_told_from_its_view() -> None:
    made = document(task_view=task_view(view()))
    made["tasks"][2].pop("repeats")
    assert "| L26:1 | fails | 20 | 2 (0 failed) | `pay_loan` | the value that `get_member` gives was not looked up" in deep_dive(
        made, "L26"
    )


def test_json_holds_what_the_document_says_of_the_task() -> None:
    found = as_json(document(task_view=task_view(view())), "L26")
    assert found["schema"] == "blade.task/1"
    assert found["task"]["task"] == "L26"
    assert [mode["id"] for mode in found["modes"]] == ["lookup_skipped.get_member"]
    assert [item["failing"] for item in found["contrasts"]] == ["L26:1"]
    assert found["luck"][0]["rollout"] == "L26:0"
    assert found["task_view"]["rollouts"][1]["expected"][0]["outcome"] == "wrong_argument"
    json.dumps(found, allow_nan=False)


def test_an_unknown_task_is_an_error() -> None:
    with pytest.raises(KeyError):
        deep_dive(document(), "nope")
