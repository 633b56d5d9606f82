"""Whole reports: three written by hand about the lab's example run, what becomes of them when they err, and one that contradicts itself."""

from pathlib import Path

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.tally import KINDS
from blade.claims.reading.verify import verify_text

REPORTS = Path(__file__).parents[1] / "reports"
BY_HAND = ("golden_style", "memo_style", "findings_style")


def text(name: str) -> str:
    return (REPORTS / f"{name}.md").read_text(encoding="utf-8")


def line_of(report: str, words: str) -> int:
    return report[: report.index(words)].count("\n") + 1


@pytest.mark.parametrize("name", BY_HAND)
def test_a_correct_report_in_any_style_has_no_finding(example: RunFacts, name: str) -> None:
    found = verify_text(text(name), [example])
    assert found.findings == []
    assert found.score == 1.0
    assert found.checked > 0.6 * found.claims


@pytest.mark.parametrize("name", BY_HAND)
def test_without_a_run_the_same_report_is_mostly_not_checkable_and_never_false(name: str) -> None:
    found = verify_text(text(name))
    assert found.findings == []
    assert found.not_checkable > found.checked


@pytest.mark.parametrize(
    ("name", "before", "after", "kind"),
    [
        ("golden_style", "pass@1 = 59.4%", "pass@1 = 61.4%", "wrong_number"),
        ("golden_style", "90/154 (58.4%)", "92/154 (58.4%)", "contradicts_itself"),
        ("golden_style", "| pass@4 | 79.4% |", "| pass@4 | 74.9% |", "wrong_number"),
        ("golden_style", "| supplies | 8 | 30 | 5 |", "| supplies | 8 | 30 | 7 |", "wrong_number"),
        ("golden_style", "| Never-pass | 8 |", "| Never-pass | 9 |", "wrong_number"),
        ("golden_style", "### Task 12 (1/4 passed)", "### Task 12 (2/4 passed)", "wrong_number"),
        ("golden_style", "12:0, 12:2 and 12:3 fail", "12:0, 12:2 and 12:7 fail", "unknown_rollout"),
        ("golden_style", "12:0, 12:2 and 12:3 fail", "12:0, 12:1 and 12:3 fail", "wrong_label"),
        ("golden_style", "(tasks 4, 7, 11, 33)", "(tasks 4, 7, 11, 93)", "unknown_task"),
        ("golden_style", "the stock service did not answer", "the loan service did not answer", "quote_not_found"),
        ("golden_style", "All set: your request", "All done: your request", "quote_not_found"),
        ("golden_style", "Root cause: **IR**", "Root cause: **KG**", "wrong_label"),
        ("memo_style", "154 scored, 4 missing", "154 scored, 5 missing", "wrong_number"),
        ("memo_style", "reward is 0.594", "reward is 0.549", "wrong_number"),
        ("memo_style", "18 sometimes, 8 never", "18 sometimes, 6 never", "wrong_number"),
        ("memo_style", "14 of 64 failed rollouts", "14 of 46 failed rollouts", "wrong_denominator"),
        ("memo_style", "12:0 (fails)", "12:0 (passes)", "wrong_label"),
        ("memo_style", "2 of 4 repeats pass", "3 of 4 repeats pass", "wrong_number"),
        ("memo_style", "521,042 input tokens", "512,042 input tokens", "wrong_number"),
        ("findings_style", "12:1 calls `find_member` at step 1", "12:1 calls `find_member` at step 5", "wrong_number"),
        ("findings_style", "(12:0 step 4, 12:2 step 4, 12:3 step 4)", "(12:0 step 4, 12:2 step 7, 12:3 step 4)", "wrong_number"),
        ("findings_style", "| 20 | never | IR |", "| 20 | sometimes | IR |", "wrong_label"),
        ("findings_style", "never-pass (0 of 4)", "sometimes-pass (0 of 4)", "wrong_label"),
        ("findings_style", "| `find_member` | 110 |", "| `find_member` | 101 |", "wrong_number"),
        ("findings_style", "| All | 64 |", "| All | 66 |", "contradicts_itself"),
        ("findings_style", "pass^4 26.5 %", "pass^4 62.5 %", "wrong_number"),
    ],
)
def test_one_error_is_found_on_its_line(example: RunFacts, name: str, before: str, after: str, kind: str) -> None:
    report = text(name)
    assert report.count(before) >= 1
    found = verify_text(report.replace(before, after, 1), [example])
    line = line_of(report, before)
    assert (line, kind) in [(finding.line, finding.kind) for finding in found.findings]
    assert {finding.line for finding in found.findings} == {line}


def test_a_report_that_contradicts_itself_is_found_without_any_run() -> None:
    found = verify_text(text("contradicting"))
    assert {finding.kind for finding in found.findings} == {"contradicts_itself"}
    lines = {finding.line for finding in found.findings}
    report = text("contradicting")
    two_totals = {line_of(report, "164 tasks"), line_of(report, "| total tasks | 160 |")}
    two_scores = {line_of(report, "pass@1 is 42.0"), line_of(report, "| pass@1 | 45.0 % |")}
    assert two_totals | two_scores <= lines
    assert line_of(report, "| **total** | 380 |") in lines
    assert line_of(report, "| reached the verifier | 600 |") in lines
    assert line_of(report, "(46.1 %)") in lines
    assert line_of(report, "IR (behaviour)") in lines


def test_a_diagnosis_without_evidence_is_named(example: RunFacts) -> None:
    report = "## Task 12 (1/4 passed)\n\nRoot cause: **BI**. The agent was careless.\n"
    assert [finding.kind for finding in verify_text(report, [example]).findings] == ["uncited_diagnosis"]


def test_nothing_in_a_report_without_statements() -> None:
    found = verify_text("# Notes\n\nAll went well.\n")
    assert (found.claims, found.score, found.findings) == (0, None, [])


@pytest.mark.parametrize(
    "hostile", ["|" * 5_000, "[" * 3_000, "“" * 2_000, "1 of " * 3_000, "> " * 500 + "x", "1,234" * 2_000, "\x00\ud800 1:1"]
)
def test_hostile_text_is_read(example: RunFacts, hostile: str) -> None:
    found = verify_text(hostile.encode("utf-8", "replace").decode(), [example])
    assert all(finding.kind in KINDS for finding in found.findings)


TWO_PAIRS = """# Comparison of 3 runs

## 4. A → B: `one.jsonl` with the baseline

| | run | pass@1, booked |
|---|---|---:|
| B | `one.jsonl` | 46.0 % |

- **Task 48** (cause in A: IR (infrastructure)). In A: 48:0 step 3.

## 5. A → {letter}: `two.jsonl` with the baseline

| | run | pass@1, booked |
|---|---|---:|
| B | `two.jsonl` | 38.0 % |

- **Task 48** (cause in A: BI (behaviour)). In A: 48:0 step 3.
"""


@pytest.mark.parametrize(("letter", "contradictions"), [("C", 0), ("B", 4)])
def test_what_is_said_of_one_pair_is_not_held_against_another(letter: str, contradictions: int) -> None:
    found = verify_text(TWO_PAIRS.format(letter=letter)).findings
    assert [finding.kind for finding in found] == ["contradicts_itself"] * contradictions


def test_the_task_of_a_list_is_over_with_the_list() -> None:
    said = "- **Task 48** (cause in A: IR (infrastructure)). In A: 48:0 step 3.\n\n**Lost: 15 tasks** of 115. Causes in the diagnosis of B: 13 BI (behaviour).\n"
    assert verify_text(said).findings == []
    assert [finding.found for finding in verify_text(said.replace("**Lost: 15 tasks**", "Lost: 15 tasks")).findings] != []
