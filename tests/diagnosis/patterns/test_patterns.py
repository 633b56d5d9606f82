"""The patterns as a whole: their reference, and the findings of a run in order."""

from blade.diagnosis.patterns import PATTERNS, Context, task_findings
from blade.signals.labels import LABELS
from tests.diagnosis.patterns.support import answer, call, repeat, signal, task_of


def test_the_reference_lists_each_pattern_once_with_a_meaning():
    codes = [pattern.code for pattern in PATTERNS]
    assert len(codes) == len(set(codes))
    assert all(pattern.label in LABELS and pattern.meaning and 0 <= pattern.weight <= 1 for pattern in PATTERNS)


def test_findings_come_in_the_order_of_suspicion_and_only_with_listed_codes():
    lookup = call(1, "get_user", "silver", id="u1")
    failing = repeat(1, False, answers=[answer("18", "26")], signals=[signal("gold_in_prompt", -1, label="DA")])
    again = repeat(2, False, answers=[answer("18", "18.0")])
    view = task_of(
        repeat(0, True, calls=[lookup], answers=[answer("18", "18")]),
        failing,
        again,
        repeat(3, False, answers=[answer("18", "31")]),
    )
    found = task_findings(view, Context())
    order = [finding.label for finding in found]
    assert order == sorted(order, key=["DA", "TI", "BI", "KG", "UK"].index)
    listed = {pattern.code: pattern.label for pattern in PATTERNS} | {"gold_in_prompt": "DA"}
    assert all(listed[finding.code] == finding.label for finding in found)
    assert {finding.code for finding in found} >= {
        "gold_in_prompt",
        "correct_answer_rejected",
        "skipped_lookup",
        "scattered_answers",
    }


def test_an_empty_task_view_is_fine():
    assert task_findings(task_of(repeat(0, True)), Context()) == []
    assert task_findings(task_of(repeat(0, False)), Context()) == []
