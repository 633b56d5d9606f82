"""Work on another record than the passing repeats'."""

from blade.diagnosis.patterns.other_record import other_record
from blade.diagnosis.views import ExpectedRow
from tests.diagnosis.patterns.support import call, repeat, task_of, told

LISTED = call(1, "find_orders", "W-11 lamp\nW-12 lamp shade")


def repeat_of(number, passed, order, **more):
    return repeat(number, passed, calls=(LISTED, call(3, "cancel_order", order=order)), **more)


def test_another_record_that_was_seen():
    view = task_of(repeat_of(0, True, "W-12"), repeat_of(1, True, "W-12"), repeat_of(2, False, "W-11"))
    assert told(other_record(view)) == [("other_record", "7:2", 3)]


def test_the_same_record_is_right():
    assert told(other_record(task_of(repeat_of(0, True, "W-12"), repeat_of(1, False, "W-12")))) == []


def test_one_that_no_answer_held_is_invented_and_not_chosen():
    assert told(other_record(task_of(repeat_of(0, True, "W-12"), repeat_of(1, False, "W-99")))) == []


def test_passing_repeats_that_differ_tell_nothing():
    view = task_of(repeat_of(0, True, "W-12"), repeat_of(1, True, "W-11"), repeat_of(2, False, "W-11"))
    assert told(other_record(view)) == []


def test_dates_and_amounts_name_no_record():
    def on(number, passed, day):
        return repeat(number, passed, calls=(call(1, "days", "2026-03-01 2026-03-02"), call(3, "book_day", day=day)))

    assert told(other_record(task_of(on(0, True, "2026-03-01"), on(1, False, "2026-03-02")))) == []


def test_changes_of_several_records_are_a_set_and_no_choice():
    both = repeat(1, False, calls=(LISTED, call(3, "cancel_order", order="W-12"), call(5, "cancel_order", order="W-11")))
    assert told(other_record(task_of(repeat_of(0, True, "W-12"), both))) == []


def test_with_expected_calls_one_answer_that_showed_both_is_enough():
    listed = call(1, "find_orders", "W-20411 lamp\nW-20412 lamp shade")
    wanted = (ExpectedRow(0, "cancel_order", '{"order":"W-20412"}', "change", "wrong_argument", 3, ""),)

    def took(number, passed, order):
        return repeat(number, passed, calls=(listed, call(3, "cancel_order", order=order)), expected=wanted)

    assert told(other_record(task_of(took(0, True, "W-20412"), took(1, False, "W-20411")))) == [("other_record", "7:1", 3)]
    nearly_all = (took(number, False, "W-20411") for number in range(1, 4))
    assert told(other_record(task_of(took(0, True, "W-20412"), *nearly_all))) == []  # that is a rule, and no slip


EXPECTED = (ExpectedRow(0, "cancel_order", '{"order":"W-12"}', "change", "wrong_argument", 3, ""),)


def test_with_expected_calls_it_has_to_be_looked_up_too():
    passing = repeat_of(0, True, "W-12", expected=EXPECTED)
    only = repeat_of(1, False, "W-11", expected=EXPECTED)
    throughout = repeat(2, False, calls=(LISTED, call(2, "get_order", "lamp", order="W-11"), *only.calls[1:]), expected=EXPECTED)
    assert told(other_record(task_of(passing, only, throughout))) == [("other_record", "7:2", 3)]
