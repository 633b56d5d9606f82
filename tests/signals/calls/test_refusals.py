"""What a JSON answer says of itself, and what only a record inside of it says."""

import pytest

from blade.signals.calls.matcher import find_errors


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ('{"status": 409, "problem": {"title": "Conflict", "detail": "changed by session 7c1e"}}', "tool_error"),
        ('{"status": 404, "problem": {"title": "Not Found"}}', "not_found"),
        ('{"statusCode": 503, "message": "try later"}', "server_error"),
        ('{"code": 422, "msg": "amount must be positive"}', "invalid_arguments"),
        ('{"response": {"ok": false, "reason": "locked"}}', "tool_error"),
        ('{"result": "rejected", "message": "the slot is taken"}', "tool_error"),
        ('{"Fault": {"code": "C12", "reason": "locked"}}', "tool_error"),
        ('{"errorCode": "E12", "errorMessage": "no such claim"}', "not_found"),
        ('{"result": null, "message": "no such claim"}', "not_found"),
        ('{"meta": {"status": 404}, "data": null}', "not_found"),
        ('{"error": true, "message": "order not found"}', "not_found"),
        ('{"failure": true, "reason": "locked"}', "tool_error"),
        ('{"success": false, "order": "W1", "message": "it is locked"}', "tool_error"),
        ('[false, "no such tube"]', "not_found"),
        ('<Response ok="false"><Reason>locked</Reason></Response>', "tool_error"),
        ("status: error\nmessage: no such claim", "not_found"),
        ("ERR 12 no such claim", "not_found"),
        ("VALIDATION_ERROR: the date must be ISO", "tool_error"),
        ("Cannot cancel: already shipped", "tool_error"),
        ("HTTP 409", "tool_error"),
        ("409 Conflict: already applied", "tool_error"),
        ("psycopg.errors.UniqueViolation: duplicate key value", "exception"),
    ],
)
def test_answers_that_say_that_nothing_was_done(answer, kind):
    assert [error.kind for error in find_errors(answer)] == [kind]


@pytest.mark.parametrize(
    "answer",
    [
        '{"status": 200, "data": {"status": 404}}',
        '{"order": "W1", "status": "failed", "items": ["saw", "nails"]}',
        '{"code": 404, "name": "Widget", "price": 3}',
        '{"success": true, "message": "error log cleared"}',
        '{"status": 4041, "title": "Room"}',
        '{"errors": [], "error_code": 0, "rows": [1, 2]}',
        '{"hits": 0, "rows": []}',
        '<Order no="W1"><status>failed</status></Order>',
        '{"claim": "C1", "status": "rejected", "reason": "late filing", "amount": 300}',
        '{"order": {"id": "W1", "status": "failed", "reason": "card declined"}}',
        '{"ticket": {"id": 5, "title": "Login broken", "status": "invalid"}}',
        '{"claim": "C1", "fault": "third party", "amount": 300}',
        '{"value": 3.2, "err": 0.1}',
        '{"tests": 5, "failure": 1, "passed": 4}',
        '{"date": "2026-05-01", "exception": "public holiday"}',
        '{"accepted": 0, "declined": 2, "pending": 5}',
        '{"run": 7, "success": false, "score": 3}',
        '{"code": "404", "title": "Calculus", "credits": 3}',
        '{"errorCode": "0", "errorMessage": "Success", "data": {"id": 3}}',
        '{"unread": 0, "message": "there is no such thing as a free lunch"}',
        '<order id="W1" status="rejected"><line/></order>',
        '<payment status="declined" amount="3"/>',
        '[null, "Berlin", 3]',
        "Result: 450",
        "Response: 500",
        "KO: 62.15 USD",
        "LOCKED",
        "FAILED",
        "Status: denied\nClaim: CL-1\nAmount: 300",
        "E330: citric acid",
        "ERROR.log\naccess.log",
        "Can't make it tomorrow; sorry.",
        "user.Name: Bob Smith\nuser.Email: b@x.org",
        "com.acme.Config: loaded 3 keys",
        "503",
        "404 Main Street is the address.",
        "CONFLICTS: none",
    ],
)
def test_records_that_speak_of_something_else(answer):
    assert find_errors(answer) == ()


@pytest.mark.parametrize(("open_", "close"), [("[", "]"), ('{"reason": ', "}")])
def test_an_answer_that_is_nested_deep_is_told_all_the_same(open_, close):
    deep = f'{{"ok": false, "reason": {open_ * 700}"x"{close * 700}}}'
    assert [error.kind for error in find_errors(deep)] == ["tool_error"]


def test_a_hostile_answer_takes_no_time():
    for answer in ("<" + "a:" * 50_000, "<response " + "x " * 50_000, "status: error " + "m" * 280, "A_" * 150):
        find_errors(answer)
