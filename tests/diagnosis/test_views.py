"""The rows of a rollout in their order, whatever order the table has."""

from blade.diagnosis.views import CallRow, CheckRow, SignalRow, _put_in_order, _signal_order


def _signal(step: int | None, code: str, subject: str = "", quote: str = "") -> SignalRow:
    return SignalRow(code, "BI", subject, step, quote, "")


def test_signals_of_the_whole_rollout_come_first_then_by_step_and_code() -> None:
    rows = [_signal(3, "b"), _signal(0, "z"), _signal(3, "a", quote="2"), _signal(None, "y"), _signal(3, "a", quote="1")]
    _put_in_order(rows, _signal_order)
    assert [(row.step, row.code, row.quote) for row in rows] == [
        (None, "y", ""),
        (0, "z", ""),
        (3, "a", "1"),
        (3, "a", "2"),
        (3, "b", ""),
    ]


def test_what_is_missing_comes_last() -> None:
    calls = [CallRow(1, "f", "{}", None, None, None, "read"), CallRow(1, "f", "{}", 2, "x", None, "read")]
    _put_in_order(calls, tuple)
    assert [call.output for call in calls] == ["x", None]
    checks = [CheckRow("f", "n", None, None, ""), CheckRow("f", "n", 0.5, True, ""), CheckRow("f", "n", 0.5, False, "")]
    _put_in_order(checks, tuple)
    assert [(check.score, check.passed) for check in checks] == [(0.5, False), (0.5, True), (None, None)]
