"""Requests that cannot be worked on: text, readers and what is left undone, held together."""

import pytest

from blade.diagnosis.patterns.requests import contradicting_instructions, unusable_requests
from tests.diagnosis.patterns.support import answer, call, repeat, signal, task_of

OPEN = signal("prompt_unfinished", quote="…move the meeting fro", subject="prompt")
SAYS = signal("prompt_questioned", 3, "it breaks off", subject="prompt")


def weights(*repeats, open_tells=True):
    return [round(finding.weight, 2) for finding in unusable_requests(task_of(*repeats), open_tells)]


def test_an_open_request_whose_readers_say_so():
    assert weights(*(repeat(number, False, signals=[OPEN, SAYS]) for number in range(3))) == [0.9, 0.9, 0.9]


def test_an_open_request_of_which_nobody_makes_a_start():
    assert weights(*(repeat(number, False, signals=[OPEN]) for number in range(3))) == [0.7, 0.7, 0.7]


@pytest.mark.parametrize(
    "begun", [{"calls": [call(1, "book_flight", seat="12A")]}, {"answers": [answer("12", None, "The answer is 11.")]}]
)
def test_work_that_was_begun_speaks_for_the_request(begun):
    assert weights(repeat(0, False, signals=[OPEN], **begun), repeat(1, False, signals=[OPEN])) == []


def test_where_requests_are_never_closed_it_says_nothing():
    assert weights(repeat(0, False, signals=[OPEN]), repeat(1, False, signals=[OPEN]), open_tells=False) == []


def test_several_readers_are_believed_and_one_is_not():
    assert weights(repeat(0, False, signals=[SAYS]), repeat(1, False, signals=[SAYS])) == [0.65, 0.65]
    assert weights(repeat(0, False, signals=[SAYS]), repeat(1, False)) == []
    assert weights(repeat(0, False, signals=[SAYS]), repeat(1, False, signals=[SAYS]), repeat(2, True)) == []


GOES_ON = signal("prompt_continues", quote="Same again, please.", subject="prompt")
TWO = signal("instructions_questioned", 2, "it wants two forms", subject="prompt")


STRIPPED = signal("comparison_stripped", quote="with a level =40 wait", subject="prompt")


def test_a_comparison_without_its_beginning_needs_a_reader_or_that_nobody_makes_a_start():
    begun = {"calls": [call(1, "book_flight", seat="12A")]}
    assert weights(repeat(0, False, signals=[STRIPPED, SAYS]), repeat(1, False, signals=[STRIPPED])) == [0.9, 0.9]
    assert weights(repeat(0, False, signals=[STRIPPED]), repeat(1, False, signals=[STRIPPED])) == [0.7, 0.7]
    assert weights(repeat(0, False, signals=[STRIPPED], **begun), repeat(1, False, signals=[STRIPPED], **begun)) == []


def test_a_request_that_goes_on_from_another_needs_a_reader():
    assert weights(repeat(0, False, signals=[GOES_ON, SAYS]), repeat(1, False, signals=[GOES_ON])) == [0.9, 0.9]
    assert weights(repeat(0, False, signals=[GOES_ON]), repeat(1, False, signals=[GOES_ON])) == []


@pytest.mark.parametrize(
    ("repeats", "found"),
    [
        ([(False, True), (False, True), (False, False), (True, False)], [0.85, 0.85, 0.85]),
        ([(False, True), (True, True)], [0.85]),
        ([(False, True), (False, False), (True, False)], []),
        ([(False, False), (True, True), (True, True)], []),
        ([(False, True), (False, True), *[(False, False)] * 3], []),  # fewer than half
    ],
)
def test_instructions_of_which_several_repeats_say_that_they_contradict_each_other(repeats, found):
    view = task_of(*(repeat(number, passed, signals=[TWO] if says else []) for number, (passed, says) in enumerate(repeats)))
    assert [finding.weight for finding in contradicting_instructions(view)] == found


def test_a_list_that_was_cut_short_needs_no_reader_unless_somebody_passes():
    cut = signal("list_abridged", 2, "dishes = soup, trout", "the list ends with '... 1 more'", subject="set_menu.dishes")
    begun = {"calls": [call(2, "set_menu", dishes="soup")]}
    assert weights(*(repeat(number, False, signals=[cut], **begun) for number in range(2))) == [0.9, 0.9]
    assert weights(repeat(0, False, signals=[cut], **begun), repeat(1, True, **begun)) == []
