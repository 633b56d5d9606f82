"""The root cause of a task: whose evidence counts, what is suspected first, when nothing is known."""

import pytest
from msgspec.structs import replace

from blade.diagnosis.causes import cause
from tests.diagnosis.made import finding, repeat, task_view
from tests.diagnosis.patterns import support as answered


def never(repeats: int = 4):
    return task_view(*(repeat(number, False) for number in range(repeats)))


def over(view, *given):
    """The same findings (code, label, weight) in every failing rollout."""
    return {
        rollout.rollout: [finding(code, label, rollout.rollout, weight=weight) for code, label, weight in given]
        for rollout in view.failing
    }


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ([("output_truncated", "BI", 0.9)], "BI"),
        ([("output_truncated", "BI", 0.9), ("connection_failed", "IR", 0.9)], "IR"),
        ([("server_error", "IR", 0.9), ("verifier_error", "TI", 0.95)], "IR"),
        ([("contradictory_gold", "DA", 0.95), ("connection_failed", "IR", 1.0)], "DA"),
        ([("server_error", "IR", 0.1), ("lookup_skipped", "BI", 0.9)], "BI"),
        ([("same_wrong_argument", "KG", 0.75), ("action_wrong_argument", "BI", 0.9)], "KG"),
        ([("action_wrong_argument", "BI", 0.9)], "BI"),
        ([("scattered_answers", "UK", 0.7), ("repeated_call", "BI", 0.25)], "UK"),
        ([("failed_call", "BI", 0.9)], "unknown"),
        ([], "unknown"),
    ],
)
def test_plumbing_is_suspected_first_and_a_symptom_yields_to_what_explains_it(given, label):
    view = never()
    assert cause(view, over(view, *given)).label == label


def test_a_cause_has_to_be_there_when_the_task_fails():
    view = never(4)
    findings = over(view, ("same_wrong_answer", "KG", 0.75))
    findings["t:0"].append(finding("connection_failed", "IR", "t:0", weight=0.9))
    assert cause(view, findings).label == "KG"


def test_passing_rollouts_bring_no_evidence():
    view = task_view(repeat(0, True), repeat(1, False))
    findings = {"t:0": [finding("connection_failed", "IR", "t:0", weight=1.0)], "t:1": [finding("gave_up", "BI", "t:1")]}
    found = cause(view, findings)
    assert found.label == "BI"
    assert [shown.rollout for shown in found.evidence] == ["t:1"]


def test_where_nothing_parts_the_repeats_what_is_wrong_with_the_data_is_said():
    view = task_view(repeat(0, True), repeat(1, True), repeat(2, False))
    leaked = {name: [finding("gold_in_prompt", "DA", name, weight=0.6)] for name in ("t:0", "t:1", "t:2")}
    assert cause(view, leaked).label == "DA"
    habit = {name: [finding("repeated_call", "BI", name, weight=0.6)] for name in ("t:0", "t:1", "t:2")}
    assert cause(view, habit).label == "unknown"


def test_equal_options_part_those_who_took_the_other_one():
    """What all repeats of a task have parts none of them; which of two equal options they took does."""
    said = ["A", "A", "C", "B"]
    view = answered.task_of(*(answered.repeat(n, said[n] == "A", answers=[answered.answer("A", said[n])]) for n in range(4)))
    equal = {
        rollout.rollout: [replace(finding("ambiguous_options", "DA", rollout.rollout, "gold"), quote="A. one half = C. 1/2")]
        for rollout in view.rollouts
    }
    found = cause(view, equal)
    assert [piece.rollout for piece in found.evidence] == ["7:2"]
    assert cause(answered.task_of(*(view.rollouts[n] for n in (0, 1, 3))), equal).label == "unknown"


def test_two_labels_only_where_each_holds_its_own_part():
    view = never(4)
    split = {
        f"t:{n}": [finding(*(("connection_failed", "IR") if n < 2 else ("refusal", "BI")), f"t:{n}", weight=0.9)]
        for n in range(4)
    }
    assert cause(view, split).label == "IR+BI"
    both = over(view, ("connection_failed", "IR", 0.9), ("refusal", "BI", 0.9))
    assert cause(view, both).label == "IR"


def test_the_leading_code_is_the_one_that_most_failing_rollouts_share():
    view = never(3)
    findings = over(view, ("lookup_skipped", "BI", 0.8))
    findings["t:1"].append(finding("refusal", "BI", "t:1", weight=0.9))
    found = cause(view, findings)
    assert found.code == "lookup_skipped"
    assert found.coverage == 1.0
    assert [shown.rollout for shown in found.evidence] == ["t:0", "t:1", "t:2"]


def test_among_equals_of_one_code_leads_what_was_found_first():
    """Reading the second record takes the first one, so a repeat that lacks both lacks the first."""
    view = never(3)
    lacking = ["list_orders", "get_order"]
    findings = {
        rollout.rollout: [replace(finding("skipped_lookup", "BI", rollout.rollout, weight=0.7), subject=tool) for tool in lacking]
        for rollout in view.failing
    }
    assert cause(view, findings).finding.subject == "list_orders"
    surer = {name: [found[0], replace(found[1], weight=0.8)] for name, found in findings.items()}
    assert cause(view, surer).finding.subject == "get_order"


def test_more_and_clearer_evidence_makes_surer():
    view = never(4)
    clear = cause(view, over(view, ("lookup_skipped", "BI", 0.9)))
    doubtful = cause(view, over(view, ("lookup_skipped", "BI", 0.5), ("same_wrong_answer", "KG", 0.5)))
    assert clear.confidence > doubtful.confidence
    assert doubtful.alternative == "KG"
    assert cause(view, {}).confidence == 0


def test_a_symptom_leaves_open_whether_it_was_known():
    every = never(4)
    assert cause(every, over(every, ("action_extra", "BI", 0.9))).alternative == "KG"
    some = task_view(repeat(0, True), repeat(1, False))
    assert cause(some, over(some, ("action_extra", "BI", 0.9))).alternative == "UK"
    explained = cause(every, over(every, ("action_extra", "BI", 0.9), ("refusal", "BI", 0.9)))
    assert explained.alternative is None
    assert explained.confidence > cause(every, over(every, ("action_extra", "BI", 0.9))).confidence
