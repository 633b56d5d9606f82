"""Lookups that passing repeats make: within a task, over the run, and as SQL."""

import json
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.diagnosis.patterns.conduct import END, Lookup, decision_step, lookups
from blade.diagnosis.patterns.lookups import (
    UNREAD,
    decided_without,
    decided_without_any,
    learn_given,
    learn_lookups,
    made_before_decision,
    resolved_lookups,
    separations,
    skipped_lookups,
)
from blade.diagnosis.views import task_views
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told
from tests.runs.support import opened, row

USER = call(2, "get_user", '{"card": "c9"}', id="u1")
ORDER = call(4, "get_order", '{"total": 3}', id="o1")
PAY = call(8, "pay_order", card="c9")


@pytest.mark.parametrize(
    ("calls", "decided", "made"),
    [
        ([USER, PAY], 8, ["get_user", "get_user.id"]),
        ([PAY, call(10, "get_user", "{}", id="u1")], 8, []),  # after the decision
        ([USER], END, ["get_user", "get_user.id"]),  # nothing is changed: the end decides
        ([call(1, "pay_order", "Error", error="not_found"), USER, PAY], 8, ["get_user", "get_user.id"]),  # a failed change changes nothing
        ([call(1, "pay_order"), USER, PAY], 8, ["get_user", "get_user.id"]),  # the last change decides
        ([call(2, "get_user", "Error: no such user", error="not_found", id="u1"), PAY], 8, []),
        ([call(2, "think", "", thought="hm"), PAY], 8, []),  # told nothing
        ([call(2, "transfer_to_human", "done", mutation="unknown")], END, []),
        ([call(2, "bash", "a.py", mutation="unknown", command="cd src && grep -n x a.py | wc -l")], END, ["bash", "bash: cd", "bash: grep", "bash: wc"]),
    ],
)  # fmt: skip
def test_what_was_looked_up_before_the_decision(calls, decided, made):
    rollout = repeat(0, True, calls=calls)
    assert decision_step(rollout) == decided
    assert sorted(map(str, lookups(rollout))) == made


def test_a_lookup_that_sets_the_passing_repeats_apart():
    view = task_of(
        repeat(0, True, calls=[USER, ORDER, PAY]),
        repeat(1, False, calls=[ORDER, PAY]),
        repeat(2, True, calls=[USER, PAY]),
        repeat(3, False, calls=[ORDER]),
    )
    (best,) = separations(view, {})
    assert (best.lookup, best.counts, dict(best.passing_steps)) == (Lookup("get_user"), (2, 2, 0, 2), {"7:0": 2, "7:2": 2})
    found = list(skipped_lookups(view, separations(view, {})))
    assert told(found) == [("skipped_lookup", "7:1", 8), ("skipped_lookup", "7:3", 4)]
    assert found[0].subject == "get_user"
    assert "2 of 2 passing repeats (7:0 step 2, 7:2 step 2) and 0 of 2 failing" in found[0].detail


def test_a_repeat_that_asked_nothing_at_all_has_not_read():
    view = task_of(repeat(0, True, calls=[USER]), repeat(1, False, calls=[]), repeat(2, True, calls=[USER]))
    (unread,) = skipped_lookups(view, separations(view, {}))
    other = task_of(repeat(0, True, calls=[USER]), repeat(1, False, calls=[ORDER]), repeat(2, True, calls=[USER]))
    (skipped,) = skipped_lookups(other, separations(other, {}))
    assert unread.weight == UNREAD > skipped.weight


def test_a_test_run_after_the_last_edit_was_not_skipped():
    def run(step):
        return call(step, "bash", "1 passed", mutation="unknown", command="python -m pytest")

    def edit(step):
        return call(step, "write_file", mutation="change", path="a.py", content="x")

    view = task_of(repeat(0, True, calls=[edit(2), run(4), edit(6), run(8)]), repeat(1, False, calls=[edit(2), run(4)]))
    assert separations(view, {}) == []
    assert [str(each.lookup) for each in separations(task_of(view.rollouts[0], repeat(1, False, calls=[edit(2)])), {})] == [
        "bash"
    ]


def test_a_filter_left_out_of_the_query():
    asked = call(2, "search_mails", "[…]", query="rent", date_from="2024-05-01")
    loose = call(2, "search_mails", "[…]", query="rent")
    view = task_of(repeat(0, True, calls=[asked]), repeat(1, True, calls=[asked]), repeat(2, False, calls=[loose]))
    (found,) = skipped_lookups(view, separations(view, {}))
    assert (found.code, found.subject, found.rollout) == ("filtered_in_reasoning", "search_mails.date_from", "7:2")


def test_nothing_is_said_without_both_outcomes_or_of_a_lookup_both_make():
    assert separations(task_of(repeat(0, True, calls=[USER]), repeat(1, True)), {}) == []
    assert separations(task_of(repeat(0, True, calls=[USER]), repeat(1, False, calls=[USER])), {}) == []


@given(st.permutations([(True, True), (True, True), (False, False), (False, False), (False, False)]))
def test_the_order_of_repeats_does_not_matter(order):
    view = task_of(*(repeat(number, passed, calls=[USER] if asked else []) for number, (passed, asked) in enumerate(order)))
    found = list(skipped_lookups(view, separations(view, {})))
    assert {finding.rollout for finding in found} == {f"7:{number}" for number, (passed, _) in enumerate(order) if not passed}


def test_the_tool_that_other_repeats_had_a_value_from():
    unnamed = signal(
        "lookup_skipped", 8, "card=c1", "pay_order.card: expected is c9; no answer of a tool in this rollout holds it"
    )
    view = task_of(repeat(0, False, calls=[PAY], signals=[unnamed]), repeat(1, False, calls=[USER, PAY], signals=[unnamed]))
    never, otherwise = resolved_lookups(view, (("pay_order.card", "get_user"),))
    assert (never.subject, never.rollout, never.step) == ("get_user", "7:0", 8)
    assert otherwise.weight < never.weight
    assert list(resolved_lookups(view, ())) == []


def tool_row(task, number, passed, *names):
    output = []
    for place, (name, arguments) in enumerate(names):
        output += [
            {"type": "function_call", "call_id": f"c{place}", "name": name, "arguments": arguments},
            {"type": "function_call_output", "call_id": f"c{place}", "output": "told"},
        ]
    return row(task, number, float(passed), response={"output": output})


@pytest.fixture(scope="module")
def desk():
    """Twelve tasks of four repeats: who asks for the user passes, reading the order goes with nothing."""
    rows = []
    for task, number in product(range(12), range(4)):
        asks = number % 2 == 0
        calls = [("get_user", '{"id": "u1", "note": ""}')] if asks else []
        calls += [("get_order", '{"id": "o\'1"}')] if (task + number // 2) % 2 else []
        rows.append(tool_row(task, number, asks, *calls, ("bash", '{"cmd": "ls; grep x y"}'), ("pay_order", '{"card": 1}')))
    with opened(rows, extractors=(SignalsExtractor(), CallsExtractor())) as run:
        yield run


def test_what_goes_with_passing_is_learned_over_tasks(desk):
    learned = learn_lookups(desk)
    asked = learned[Lookup("get_user")]
    assert (asked.tasks, asked.counts, asked.lift) == (12, (24, 24, 0, 24), 1.0)
    assert asked.confirmed
    assert asked.p_adjusted == pytest.approx(2 * 6**-12)  # exact: one way of six in each task; two lookups were tested
    order = learned[Lookup("get_order")]
    assert order.lift == 0.0
    assert not order.confirmed
    assert set(learned) == {
        Lookup("get_user"),
        Lookup("get_order"),
    }  # the shell is asked by all; arguments tell no more than their tools


def test_what_is_learned_does_not_depend_on_how_many_tasks_are_counted_at_once(desk, monkeypatch):
    at_once = learn_lookups(desk)
    monkeypatch.setattr("blade.diagnosis.patterns.lookups.BATCH_ROLLOUTS", 4)  # a task each
    assert learn_lookups(desk) == at_once


def test_the_condition_is_blind_to_the_reward_and_the_sql_says_what_the_views_say(desk):
    skipped = desk.query(f"SELECT rollout FROM rollouts WHERE {decided_without(Lookup('get_user'))} ORDER BY task, repeat").rows
    assert {rollout for (rollout,) in skipped} == {f"{task}:{number}" for task in range(12) for number in (1, 3)}
    views = [rollout for view in task_views(desk) for rollout in view.rollouts]
    kinds = {kind for rollout in views for kind in lookups(rollout)}
    assert {str(kind) for kind in kinds} == {
        "get_user",
        "get_user.id",
        "get_order",
        "get_order.id",
        "bash",
        "bash: ls",
        "bash: grep",
    }
    for kind in kinds:
        made = {rollout for rollout, _ in desk.query(made_before_decision(kind)).rows}
        assert made == {rollout.rollout for rollout in views if kind in lookups(rollout)}, kind


def test_several_lookups_in_one_condition_are_those_of_each(desk):
    def rollouts(condition):
        return {rollout for (rollout,) in desk.query(f"SELECT rollout FROM rollouts WHERE {condition}").rows}

    kinds = sorted({kind for view in task_views(desk) for rollout in view.rollouts for kind in lookups(rollout)})
    for several in (kinds, *combinations(kinds, 2), *((kind,) for kind in kinds)):
        each = [rollouts(decided_without(kind)) for kind in several]
        assert rollouts(decided_without_any(several)) == set().union(*each), several
    assert rollouts(decided_without_any(kinds))


@pytest.mark.parametrize("name", ["", "*", "$", "a.b", "a/b", "~1", "a\\", "it's", 'a"q', "a\nb"])
def test_arguments_of_any_name_end_no_diagnosis(name):
    plain, named = json.dumps({"id": "u1"}), json.dumps({"id": "u1", name: "v"})
    rows = [
        tool_row(task, number, number % 2 == 0, ("get_user", plain if number % 2 else named))
        for task, number in product(range(3), range(4))
    ]
    with opened(rows, extractors=(SignalsExtractor(), CallsExtractor())) as run:
        learned = learn_lookups(run)
        assert set(learned) == ({Lookup("get_user", f".{name}")} if '"' not in name else set())
        for kind in learned:
            skipped = run.query(f"SELECT rollout FROM rollouts WHERE {decided_without(kind)} ORDER BY rollout").rows
            assert skipped == run.query(f"SELECT rollout FROM rollouts WHERE {decided_without_any([kind])} ORDER BY rollout").rows
            assert {rollout for (rollout,) in skipped} == {f"{task}:{number}" for task in range(3) for number in (1, 3)}


def test_without_the_table_nothing_is_learned():
    with opened([tool_row(0, 0, True), tool_row(0, 1, False)]) as run:
        assert learn_lookups(run) == {}
        assert learn_given(run) == {}


def test_a_filter_left_out_is_told_where_the_query_was_made_without_it():
    listed = call(2, "list_loans", "[1, 2]", due_from="2026-03-01")
    everything = call(4, "list_loans", "[1, 2, 3]", member="u1")
    view = task_of(
        repeat(0, True, calls=[listed, PAY]), repeat(1, False, calls=[everything, PAY]), repeat(2, True, calls=[listed, PAY])
    )
    (found,) = (each for each in skipped_lookups(view, separations(view, {})) if each.code == "filtered_in_reasoning")
    assert (found.subject, found.step, found.quote) == ("list_loans.due_from", 4, 'list_loans({"member":"u1"})')


def test_a_skipped_lookup_is_told_at_the_change_that_went_wrong():
    wrong = signal("action_wrong_argument", 6, "id=2", subject="pay_bill.id")
    early = call(6, "pay_bill", id="2")
    view = task_of(repeat(0, True, calls=[USER, PAY]), repeat(1, False, calls=[early, PAY], signals=[wrong]))
    (found,) = skipped_lookups(view, separations(view, {}))
    assert (found.code, found.rollout, found.step) == ("skipped_lookup", "7:1", 6)
    assert found.quote == "no get_user before step 6"  # not the later change, which the reader would not find at that step
