"""Numbers and schemas that nobody foresaw: a whole number that no float can hold ends no run, nor do tools whose schema is none."""

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.signals.answer_rows import AnswersExtractor
from blade.signals.example import Example, call, says, tool
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.extractor import SignalsExtractor
from blade.signals.wanted.checks import ChecksExtractor
from blade.signals.wanted.restated import RestatedExtractor

HUGE = 10**400
EXTRACTORS = (
    SignalsExtractor(),
    ExpectedExtractor(),
    GivenExtractor(),
    AnswersExtractor(),
    ChecksExtractor(),
    RestatedExtractor(),
)


def tables(text):
    view = RowView(RowDecoder().decode(text), text)
    return {extractor.table: list(extractor.extract(view)) for extractor in EXTRACTORS}, view.problems


def huge(**fields):
    """A row of that number, written out, for msgspec writes none."""
    return Example((says("12"),), fields=fields | {"expected_answer": "12"}).text().replace(b'"<huge>"', str(HUGE).encode())


@pytest.mark.parametrize(
    "fields",
    [
        {"checks": {"form": "<huge>", "answer": 1}},
        {"test_results": [{"name": "a", "status": "failed", "wanted": "<huge>", "got": 0.30000000000000004}]},
        {"f2p_passed": "<huge>", "f2p_total": "<huge>"},
        {"reference_answer": "<huge>"},
        {"judgement": {"parsed": "4", "score": "<huge>"}},
    ],
)
def test_a_whole_number_beyond_all_range_ends_no_run(fields):
    _, problems = tables(huge(**fields))
    assert problems == []


def test_it_is_no_verdict_and_is_told_in_all_its_digits():
    found, _ = tables(huge(checks={"form": "<huge>", "answer": 1, "tone": 0}, reference_answer="<huge>"))
    assert found["checks"] == []
    assert [(field, value[:5]) for field, value in found["restated"]] == [
        ("reference_answer", "10000"),
        ("expected_answer", "12"),
    ]


def test_tokens_beyond_all_range_are_not_counted():
    cut = {"incomplete_details": {"reason": "max_output_tokens"}, "usage": {"output_tokens": 16}}
    row = Example((says("12"),), response=cut, params={"max_output_tokens": "<huge>"}).text()
    _, problems = tables(row.replace(b'"<huge>"', str(HUGE).encode()))
    assert problems == []


@pytest.mark.parametrize("properties", [3, ["order_id"], "order_id", None, {"order_id": {"type": [["string"]]}}])
def test_a_schema_that_is_none_ends_no_run(properties):
    declared = tool("cancel_order")
    declared["parameters"]["properties"] = properties
    gold = [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]
    row = Example((call("cancel_order", "ok", order_id="W2"),), tools=(declared,), fields={"expected_calls": gold}).text()
    found, problems = tables(row)
    assert problems == []
    assert [signal[0] for signal in found["signals"] if signal[0] == "action_wrong_argument"] == ["action_wrong_argument"]
