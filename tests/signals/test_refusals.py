"""What a JSON answer says of itself, and what only a record inside of it says."""

import pytest

from blade.signals.matcher import find_errors


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
        ('[false, "no such tube"]', "not_found"),
        ('<Result ok="false"><Reason>locked</Reason></Result>', "tool_error"),
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
        "503",
        "404 Main Street is the address.",
        "CONFLICTS: none",
    ],
)
def test_records_that_speak_of_something_else(answer):
    assert find_errors(answer) == ()
