"""How much a finding explains."""

from dataclasses import replace

import pytest

from blade.diagnosis.catalogue import entry
from blade.diagnosis.consequences import EXCUSED, EXPLAINED
from blade.diagnosis.weights import GOT_OVER, PRIOR_TASKS, WENT_ON, Lift, Weights, got_over
from tests.diagnosis.made import made_call, repeat, signal


def test_without_repeats_that_differ_the_prior_stands():
    assert Weights().of("lookup_skipped", "find_user") == entry("lookup_skipped").weight
    assert Weights({("lookup_skipped", ""): Lift(-1.0, 0)}).of("lookup_skipped", "") == entry("lookup_skipped").weight


def test_the_lift_moves_the_prior_as_far_as_its_tasks_go():
    prior = entry("repeated_call").weight
    few = Weights({("repeated_call", ""): Lift(0.9, 2)}).of("repeated_call", "")
    many = Weights({("repeated_call", ""): Lift(0.9, 500)}).of("repeated_call", "")
    assert few == pytest.approx((2 * 0.9 + PRIOR_TASKS * prior) / (2 + PRIOR_TASKS))
    assert prior < few < many < 0.9
    harmless = Weights({("lookup_skipped", ""): Lift(-0.2, 500)}).of("lookup_skipped", "")
    assert harmless < 0.05


def test_a_form_that_passing_rollouts_lack_as_well_is_demanded_of_nobody():
    prior = entry("wrong_format").weight
    assert Weights(passing={("wrong_format", "<answer>"): 0.1}).of("wrong_format", "<answer>") == prior
    assert Weights(passing={("wrong_format", "<answer>"): 0.5}).of("wrong_format", "<answer>") == pytest.approx(EXCUSED * prior)
    assert Weights(passing={("wrong_format", "<answer>"): 0.5}).of("wrong_format", "JSON") == prior
    assert Weights(passing={("repeated_call", ""): 0.5}).of("repeated_call", "") == entry("repeated_call").weight


def test_a_lookup_that_nobody_can_name_weighs_little():
    view = repeat(0, False, signals=[signal("lookup_skipped", subject="find_user"), signal("lookup_skipped", subject="")])
    named, unnamed = Weights().read(view)
    assert (named.subject, unnamed.subject) == ("find_user", "")
    assert unnamed.weight == pytest.approx(0.35 * named.weight)


def test_a_subject_has_its_own_lift_beside_that_of_its_code():
    weights = Weights({("thrashing", ""): Lift(0.5, 100), ("thrashing", "cancel"): Lift(0.0, 100)})
    assert weights.of("thrashing", "cancel") < 0.1 < weights.of("thrashing", "book")


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ((), False),
        ((made_call(4, "search"),), True),
        ((made_call(4, "search", error="server_error"),), False),
        ((made_call(4, "other"),), False),
        ((made_call(4, "search", output=None),), False),
        ((made_call(4, "search", mutation="unknown"),), True),
        ((made_call(4, "search", '{"q":2}', mutation="unknown"),), False),
    ],
    ids=["nothing after", "worked", "failed again", "another tool", "no answer", "same shell command", "another shell command"],
)
def test_an_infrastructure_error_is_over_when_the_same_thing_worked(later, expected):
    mutation = later[0].mutation if later else "read"
    view = repeat(0, False, calls=(made_call(2, "search", error="server_error", mutation=mutation), *later))
    assert got_over(view, 3) is expected


def test_what_was_got_over_explains_nothing():
    shown = signal("server_error", "IR", step=3)
    stuck = repeat(0, False, signals=[shown], calls=(made_call(2, "search", error="server_error"),))
    over = repeat(0, False, signals=[shown], calls=(made_call(2, "search", error="server_error"), made_call(4, "search")))
    assert Weights().read(stuck)[0].weight == entry("server_error").weight
    assert Weights().read(over)[0].weight == GOT_OVER


def test_findings_come_heaviest_first():
    view = repeat(0, False, signals=[signal("repeated_call"), signal("refusal"), signal("failed_call")])
    assert [found.code for found in Weights().read(view)] == ["refusal", "repeated_call", "failed_call"]


def test_differences_from_the_expected_calls_are_weighed_together():
    weights = Weights({("action_", ""): Lift(1.0, 90), ("action_extra", ""): Lift(0.0, 90)})
    assert weights.of("action_extra", "cancel") == pytest.approx(weights.of("action_missing", "book"))
    assert weights.of("action_extra", "cancel") > 0.9


@pytest.mark.parametrize(
    ("later", "expected"),
    [('{"order_id":"1","note":"x"}', True), ('{"order_id":"2","note":"x"}', False)],
    ids=["the same record", "another record"],
)
def test_a_change_is_made_good_for_its_own_record_only(later, expected):
    failed = made_call(2, "update_order", '{"order_id":"1"}', error="server_error", mutation="change")
    view = repeat(0, False, calls=(failed, made_call(4, "update_order", later, mutation="change")))
    assert got_over(view, 3) is expected


def test_a_last_try_before_giving_up_did_not_work_whatever_it_printed():
    calls = (made_call(2, "search", error="sandbox_failed"), made_call(4, "search", output="something went away"))
    assert got_over(repeat(0, False, calls=calls), 3)
    assert not got_over(repeat(0, False, calls=calls, signals=[signal("gave_up", step=6)]), 3)


def test_giving_up_after_an_error_of_the_machinery_follows_from_it():
    met, gone = signal("server_error", "IR", step=3), signal("gave_up", step=6)
    stuck = repeat(0, False, signals=[met, gone], calls=(made_call(2, "search", error="server_error"),))
    weights = {found.code: found.weight for found in Weights().read(stuck)}
    assert weights == {
        "server_error": entry("server_error").weight,
        "gave_up": pytest.approx(EXPLAINED * entry("gave_up").weight),
    }
    before = repeat(0, False, signals=[signal("gave_up", step=1), met], calls=(made_call(2, "search", error="server_error"),))
    assert {found.code: found.weight for found in Weights().read(before)}["gave_up"] == entry("gave_up").weight
    over = repeat(
        0,
        False,
        signals=[met, gone],
        calls=(made_call(2, "search", error="server_error"), made_call(4, "search"), made_call(8, "x")),
    )
    assert {found.code: found.weight for found in Weights().read(over)}["gave_up"] == entry("gave_up").weight


@pytest.mark.parametrize(("step", "steps", "part"), [(2, 9, WENT_ON), (6, 9, 1.0), (0, 3, 1.0), (0, 4, WENT_ON)])
def test_an_error_in_a_message_after_which_the_work_went_on_weighs_little(step, steps, part):
    """A simulated terminal speaks in messages, so that nothing tells whether the same thing worked later."""
    view = replace(repeat(0, False, signals=[signal("server_error", "IR", step=step)]), steps=steps)
    (found,) = Weights().read(view)
    assert found.weight == pytest.approx(part * Weights().of("server_error", ""))
