"""Answers of tools as data, however they are laid out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.signals.calls.answered import answer_data, records_in

ONE = {"id": "B-17", "name": "Ada Lund"}
TWO = [ONE, {"id": "B-18", "name": "Bo Falk"}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TWO),
        json.dumps([{"type": "text", "text": json.dumps(TWO)}]),
        json.dumps({"content": [{"type": "text", "text": json.dumps(TWO)}], "isError": False}),
        "- id: B-17, name: Ada Lund\n- id: B-18, name: Bo Falk",
        "1. id: B-17; name: Ada Lund\n2. id: B-18; name: Bo Falk",
        "Found 2 borrowers\n\nid: B-17\nname: Ada Lund\n\nid: B-18\nname: Bo Falk\n",
        'id=B-17 name="Ada Lund"\nid=B-18 name="Bo Falk"',
        "id;name\nB-17;Ada Lund\nB-18;Bo Falk\n# 2 rows",
        "id\tname\nB-17\tAda Lund\nB-18\tBo Falk",
        "id,name\nB-17,Ada Lund\nB-18,Bo Falk",
        "id | name\n---|---\nB-17 | Ada Lund\nB-18 | Bo Falk",
        "| id | name |\n|:--|:--|\n| B-17 | Ada Lund |\n| B-18 | Bo Falk |",
        "\n".join(map(json.dumps, TWO)),
        repr(TWO),
        "[Borrower(id='B-17', name='Ada Lund'), Borrower(id='B-18', name='Bo Falk')]",
        json.dumps({"id": ["B-17", "B-18"], "name": ["Ada Lund", "Bo Falk"]}),
        "<borrowers><one><id>B-17</id><name>Ada Lund</name></one><one><id>B-18</id><name>Bo Falk</name></one></borrowers>",
    ],
)
def test_two_records(text):
    assert answer_data(text) == TWO


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ONE),
        "id: B-17\nname: Ada Lund",
        "id=B-17, name=Ada Lund",
        "id=B-17 name='Ada Lund'",
        "  id: B-17\n  name: 'Ada Lund'",
        repr(ONE),
        "Borrower(id='B-17', name='Ada Lund')",
        "library.models.Borrower(id='B-17', name='Ada Lund')\n",
        "<borrower><id>B-17</id><name>Ada Lund</name></borrower>",
    ],
)
def test_one_record(text):
    assert answer_data(text) == ONE


def test_what_python_prints_of_an_object_is_read_and_never_run():
    text = "[Fee(of=Borrower(id='B-17'), amount=Decimal('12.50'), state=State.OPEN, days=[-1, 2], paid=None)]"
    assert answer_data(text) == [{"of": {"id": "B-17"}, "amount": "12.50", "state": "State.OPEN", "days": [-1, 2], "paid": None}]
    for odd in ("[open('x') for x in y]", "[Fee(**more)]", "[{**more}]", "[Fee(a=1", "[Fee(a=b + c)]"):
        assert answer_data(odd) is None


def test_columns_without_names_are_numbered():
    assert answer_data("S-11 | 09:30 | free\nS-12 | 10:30 | taken")[1] == {
        "column 1": "S-12",
        "column 2": "10:30",
        "column 3": "taken",
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Done.",
        "No such borrower",
        "{broken",
        "a | b\nc | d | e",
        "First, we look\nthen, at once, we go",
        "a,b\n1",
        "x" * 70_000,
    ],
)
def test_what_is_laid_out_as_nothing_is_no_data(text):
    assert answer_data(text) is None


def test_parts_that_hold_no_data_stay_as_they_are():
    parts = [{"type": "text", "text": "Done."}]
    assert answer_data(json.dumps(parts)) == parts


@given(st.text(alphabet=st.sampled_from("ab:=|-*1.,; \n'\"{}[]"), max_size=200))
def test_any_text_can_be_read(text):
    found = answer_data(text)
    assert found is None or isinstance(found, dict | list | str | int | float)


@pytest.mark.parametrize(
    "text",
    [
        '{"columns": ["id", "name"], "index": [0, 1], "data": [["A1", "Ann"], ["B2", "Bo"]]}',
        '{"columns": [{"name": "id"}, {"name": "name"}], "rows": [["A1", "Ann"], ["B2", "Bo"]]}',
    ],
)
def test_tables_of_columns_and_rows_are_records(text):
    records = [{"id": "A1", "name": "Ann"}, {"id": "B2", "name": "Bo"}]
    assert answer_data(text) == records
    assert answer_data(f'{{"ok": true, "result": {text}}}') == {"ok": True, "result": records}


def test_columns_without_their_rows_stay_as_they_are():
    text = '{"columns": ["id", "name"], "data": [["A1"], ["B2", "Bo"]]}'
    assert answer_data(text)["columns"] == ["id", "name"]


@pytest.mark.parametrize("text", ["<error>no such borrower</error>", "<html>hello", "<b>id</b> is B-17", "{not: data}", "[1, 2"])
def test_no_data(text):
    assert answer_data(text) is None


@pytest.mark.parametrize("data", [TWO, {"items": TWO, "count": 2}, {"data": {"nodes": [{"node": one} for one in TWO]}}])
def test_records_within_envelopes(data):
    assert [one for one in records_in(data) if "id" in one] == TWO
