"""Wrong answers of a task told apart by their working."""

from blade.diagnosis.catalogue import ANSWER, title
from blade.diagnosis.patterns.wrong_working import FALSE_EQUATION, how_wrong, told_of_working
from tests.diagnosis.patterns.support import repeat, signal


def departing(number, how, detail="solution has 3 + 4 = 7"):
    return repeat(number, False, signals=[signal("working_departs", label="KG", subject=how, detail=detail)])


def test_what_most_repeats_have_in_common_names_the_mode():
    assert how_wrong([departing(0, "a"), departing(1, "b"), departing(2, "b"), repeat(3, False)]) == "b"
    assert how_wrong([departing(0, "b"), departing(1, "a")]) == "a"  # and the same whatever their order
    assert how_wrong([repeat(0, False)]) == ANSWER


def test_a_slip_is_told_before_what_follows_from_it():
    slip = signal("arithmetic_slip", label="UK", quote="2 + 2 = 5", detail="it comes to 4")
    rollout = repeat(0, False, signals=[signal("working_departs", label="KG", subject="a"), slip])
    assert how_wrong([rollout]) == FALSE_EQUATION
    assert told_of_working(rollout) == "; its working says 2 + 2 = 5, and it comes to 4"
    assert told_of_working(departing(0, "a")) == "; solution has 3 + 4 = 7"
    assert told_of_working(repeat(0, False)) == ""


def test_a_title_says_how_only_where_it_is_known():
    assert title("wrong_answer", ANSWER) == "wrong answer, tried once"
    assert title("same_wrong_answer", "a result on the way") == "the same wrong answer (a result on the way)"
