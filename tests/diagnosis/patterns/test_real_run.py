"""Four findings of a real run that were read by hand (airline, gpt-4o, 50 tasks of 4 repeats), out of the tables alone."""

import pytest

from blade.diagnosis.contrasts import contrast
from blade.diagnosis.patterns import learn, task_findings
from blade.diagnosis.patterns.luck import lucky_passes
from blade.diagnosis.views import task_views
from blade.runs.run import open_run
from blade.signals.answer_rows import AnswersExtractor
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from blade.signals.wanted.checks import ChecksExtractor
from tests.shared_data import needs_shared_data, shared_data

pytestmark = needs_shared_data
EXTRACTORS = (SignalsExtractor(), CallsExtractor(), ExpectedExtractor(), GivenExtractor(), AnswersExtractor(), ChecksExtractor())


@pytest.fixture(scope="module")
def airline():
    path = shared_data() / "taubench" / "airline__gpt-4o__tool-calling__4t.jsonl.gz"
    with open_run(path, extractors=EXTRACTORS, use_index=False) as run:
        context = learn(run)
        yield {view.task: (view, context) for view in task_views(run)}


def test_task_26_skips_a_lookup_and_its_passes_are_luck(airline):
    view, context = airline["26"]
    entry = contrast(view, context)
    assert (entry["code"], entry["subject"], entry["strength"]) == ("skipped_lookup", "get_user_details", "strong")
    assert (entry["divergence"]["step_passing"], entry["divergence"]["step_failing"]) == (26, 36)
    for part in ("credit_card_4959530", "credit_card_9074831", "26:1 step 36", "26:3 step 28", "26:0 step 22", "26:2 step 28"):
        assert part in entry["divergence"]["summary"]
    assert any(also["code"] == "action_extra" and "IFOYYZ" in also["summary"] for also in entry["also"])
    lucky = list(lucky_passes(view))
    assert [(each.code, each.rollout, each.step) for each in lucky] == [
        ("guess_refused_then_looked_up", "26:0", 20),
        ("guess_refused_then_looked_up", "26:2", 26),
    ]
    assert all("credit_card_7334" in each.detail and "payment method not found" in each.detail for each in lucky)


def test_task_44_takes_a_claim_for_a_fact(airline):
    view, context = airline["44"]
    entry = contrast(view, context)
    assert (entry["code"], entry["subject"]) == ("skipped_lookup", "get_user_details")
    assert entry["counts"] == {"passing_with": 2, "passing": 2, "failing_with": 0, "failing": 2}
    assert "44:0 step 4, 44:2 step 4" in entry["divergence"]["summary"]
    skipped = [finding for finding in task_findings(view, context) if finding.code == "skipped_lookup"]
    assert {(finding.rollout, finding.subject) for finding in skipped} == {
        ("44:1", "get_user_details"),
        ("44:3", "get_user_details"),
    }


def test_task_0_has_the_same_wrong_argument_every_time(airline):
    view, context = airline["0"]
    found = [finding for finding in task_findings(view, context) if finding.code == "same_wrong_argument" and finding.subject == "book_reservation.nonfree_baggages"]  # fmt: skip
    assert [(finding.rollout, finding.step, finding.quote) for finding in found] == [
        ("0:0", 18, "nonfree_baggages=1"),
        ("0:1", 15, "nonfree_baggages=1"),
        ("0:2", 14, "nonfree_baggages=1"),
        ("0:3", 14, "nonfree_baggages=1"),
    ]
    assert {finding.label for finding in found} == {"KG"}
    assert min(finding.weight for finding in found) >= 0.6


def test_task_37_makes_a_change_whose_condition_was_not_met(airline):
    view, context = airline["37"]
    entry = contrast(view, context)
    assert (entry["code"], entry["subject"], entry["failing"]) == ("action_extra", "send_certificate", "37:0")
    assert entry["divergence"]["step_failing"] == 14
    assert "transfer_to_human_agents" in entry["divergence"]["summary"]
    assert not any(finding.code == "ungrounded_argument" for finding in task_findings(view, context))


def test_every_mixed_task_has_a_divergence_or_says_that_none_was_found(airline):
    entries = [entry for view, context in airline.values() if (entry := contrast(view, context)) is not None]
    assert len(entries) == sum(bool(view.passing and view.failing) for view, _ in airline.values()) == 26
    assert sum(entry["code"] is None for entry in entries) <= len(entries) / 5
    assert all(entry["divergence"]["step_failing"] is not None or entry["divergence"]["step_passing"] is not None for entry in entries if entry["code"])  # fmt: skip
