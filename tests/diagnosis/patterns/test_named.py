"""Which values of a call name a record."""

import pytest

from blade.diagnosis.patterns.named import asked_for, ids_in, says_none, told_none
from tests.diagnosis.patterns.support import call


def test_names_of_people_are_asked_for_and_words_are_not():
    assert asked_for('{"holder": "Hana Haugen", "peril": "hail", "claim": "CL-12345"}') == ["CL-12345", "Hana Haugen"]


def test_dates_times_and_amounts_name_no_record():
    assert asked_for('{"on": "2026-05-16", "at": "19:05", "until": "2026-05-16T19:05Z", "price": "12.50", "order": "20411"}') == [
        "20411"
    ]


def test_an_id_is_one_word_of_letters_and_figures():
    assert ids_in(['{"holder": "Hana Haugen", "claim": "CL-12345"}', '{"order": "20411"}']) == {"CL-12345"}


@pytest.mark.parametrize(
    "output",
    ["", "[]", "null", '{"columns": ["id", "name"], "index": [], "data": []}', "id;name;hired # 0 rows", "id | name\n(0 rows)", "level=warn matches=0 query=x", "_No entry on the board for Ann._", '[problem]\nreason = "nothing at riders for Ann"', '{"data": {"rider": null}}', '{"count": 0, "results": []}', '{"status": "success", "data": []}', '{"content": [{"type": "text", "text": "[]"}], "isError": false}', '{"content": [{"type": "text", "text": "No results."}]}', "<results></results>", "<results/>", "{'total': 0, 'rows': []}", "{'rider': None}"],
)  # fmt: skip
def test_answers_that_say_that_there_is_none(output):
    assert says_none(output)


@pytest.mark.parametrize(
    "output",
    ["ok", "Order W-1 has no entries", "id;name\n7;Ann\n# 1 row", '{"ok": true}', '{"balance": 0}', '{"cancelled": false}', '{"id": "W-1", "tags": []}', "Order W-1: delivered, no matching voucher", '{"room": "R1", "n": 0}', '{"count": 2, "results": [1, 2]}', '{"success": true, "data": null}', '{"status": "ok"}', "<ok/>", "{'total': 1, 'rows': [{'id': 7}]}", '{"status": "success", "data": [{"id": 7}]}', '{"content": [{"type": "text", "text": "ok"}]}'],
)  # fmt: skip
def test_answers_that_say_something(output):
    assert not says_none(output)


@pytest.mark.parametrize(
    ("output", "none"),
    [
        ("NIL Ada Byron", True),
        ("Ada Byron: none", True),
        ("Ada Byron", False),
        ("STAFF/Ada Byron REF/STF.90155", False),
        ("ok", False),
        ("Ada Byron: no matching policy restrictions; active", False),
        ("Ada Byron\nnot listed for VAT, balance 12", False),
    ],
)
def test_what_was_asked_for_may_be_repeated_before_it_is_said_that_there_is_none(output, none):
    assert told_none(call(1, "find_staff", output, who="Ada Byron")) is none


@pytest.mark.parametrize(
    ("output", "none"),
    [
        ("Error: no reservation EHGLP3", True),
        ("Error: session 5f1c9a07 not found; create a new session.", False),
        ('{"detail": "Session expired", "status": 410}', False),
        ("Error: the database has no table orders", False),
    ],
)
def test_a_tool_that_lacks_something_of_its_own_says_nothing_of_the_record(output, none):
    assert told_none(call(2, "get", output, error="not_found", id="EHGLP3")) is none


@pytest.mark.parametrize(
    ("output", "none"),
    [
        ("Error: the breaker in front of get is open; probe pending", False),
        ('{"fault": {"faultstring": "Spike arrest for get"}}', False),
        ("Error: W-1 unknown", True),
        ('{"error": "order_not_found"}', True),
        ("Error 404: W-1", True),
        ("Error: there isn't any W-1", True),
        ("Error: that order was deleted", True),
    ],
)
def test_an_error_that_denies_nothing_speaks_of_the_tool(output, none):
    assert told_none(call(2, "get", output, error="tool_error", id="W-1")) is none
