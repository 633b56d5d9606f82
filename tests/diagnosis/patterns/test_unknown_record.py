"""A record that the request names and the tools do not know."""

import json

import pytest

from blade.diagnosis.patterns.unknown_record import unknown_records
from blade.diagnosis.views import AnswerRow, ExpectedRow
from tests.diagnosis.patterns.support import call, repeat, task_of


def asked(number, barcode="7Q4-1176", known=False, passed=False, gold="7Q4-1167", error="not_found"):
    answer = {"output": f"{barcode}: serum"} if known else {"output": f"nothing on file for {barcode}", "error": error}
    wanted = ExpectedRow(0, "move_tube", json.dumps({"barcode": gold}), "change", "missing", None, "")
    return repeat(number, passed, calls=(call(1, "read_tube", barcode=barcode, **answer),), expected=(wanted,))


def test_every_repeat_asks_for_a_record_that_nobody_knows():
    found = list(unknown_records(task_of(*map(asked, range(3)))))
    assert [(finding.subject, finding.rollout) for finding in found] == [("7Q4-1176", f"7:{number}") for number in range(3)]
    assert "7Q4-1167 is expected" in found[0].detail


@pytest.mark.parametrize(
    "repeats",
    [
        (asked(0), asked(1), asked(2, known=True)),
        (asked(0), asked(1), asked(2, barcode="7Q4-1177")),
        tuple(asked(number, gold="7Q4-1176") for number in range(3)),
        tuple(asked(number, gold="RK/22") for number in range(3)),
        (asked(0), asked(1), asked(2, passed=True)),
        (asked(0),),
        tuple(asked(number, error="server_error") for number in range(3)),
        tuple(asked(number, barcode="2026-05-16", gold="2026-05-20") for number in range(3)),
        tuple(asked(number, barcode="1500", gold="1250") for number in range(3)),
    ],
    ids=[
        "found by one",
        "another id",
        "expected",
        "expected is of another form",
        "passes",
        "one repeat",
        "outage",
        "dates",
        "amounts",
    ],
)
def test_nothing_is_said_where_it_may_be_the_agents_doing(repeats):
    assert list(unknown_records(task_of(*repeats))) == []


@pytest.mark.parametrize(
    "answer", ["level=warn matches=0", '{"data": {"tube": null}}', "[]", "{'total': 0, 'rows': []}", "No entry under that name."]
)
def test_an_empty_answer_says_that_there_is_none(answer):
    wanted = ExpectedRow(0, "move_tube", json.dumps({"barcode": "7Q4-1167"}), "change", "missing", None, "")
    for owner in ("Ann Lee", "Ann van der Lee"):
        repeats = [
            repeat(number, False, calls=(call(1, "read_tube", answer, owner=owner),), expected=(wanted,)) for number in range(3)
        ]
        assert [finding.subject for finding in unknown_records(task_of(*repeats))] == [owner] * 3


@pytest.mark.parametrize("answer", ["ok", '{"count": 3}', "Ann Lee: serum", "x" * 300])
def test_an_answer_with_something_in_it_does_not(answer):
    wanted = ExpectedRow(0, "move_tube", json.dumps({"barcode": "7Q4-1167"}), "change", "missing", None, "")
    repeats = [
        repeat(number, False, calls=(call(1, "read_tube", answer, owner="Ann Lee"),), expected=(wanted,)) for number in range(3)
    ]
    assert list(unknown_records(task_of(*repeats))) == []


@pytest.mark.parametrize(
    ("gold", "subjects"),
    [("29", ["Ann Lee"] * 3), ("none", []), ("There is no such person.", []), ("Ann", []), (None, [])],
)
def test_a_question_about_somebody_whom_nobody_knows_has_another_answer_than_that_there_is_none(gold, subjects):
    told = (AnswerRow("reply", gold, None, None, 3, "I can find nobody of that name."),)
    repeats = [
        repeat(number, False, calls=(call(1, "find_staff", "found=0", person="Ann Lee"),), answers=told) for number in range(3)
    ]
    assert [finding.subject for finding in unknown_records(task_of(*repeats))] == subjects
