"""Changes that nobody expects: lists that lack a call, and agents that go further than they were asked to."""

from dataclasses import replace

from blade.diagnosis.patterns.extra_calls import extra_calls
from blade.diagnosis.views import ExpectedRow, RestatedRow
from blade.signals.behaviour.action_reasons import UNTOLD
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told

BOOKED = (ExpectedRow(0, "book_seat", '{"seat":"12A"}', "change", "made", 3, ""),)
ASKED = "it succeeded; no call of this tool is expected; channel=sms is what the request says"


def reminded(number, quote='send_reminder({"channel":"sms"})', detail=ASKED, more=()):
    extra = signal("action_extra", 5, quote, detail, subject="send_reminder")
    return repeat(number, False, signals=(extra, *more), expected=BOOKED)


def test_all_repeats_do_what_is_asked_and_the_list_lacks_it():
    view = task_of(*(reminded(number) for number in range(3)))
    assert told(extra_calls(view, {"send_reminder"})) == [("gold_lacks_call", f"7:{number}", 5) for number in range(3)]


def test_a_call_is_asked_for_by_the_name_of_its_tool_or_by_a_tool_that_is_expected_here():
    by_name = [reminded(number, detail="it succeeded; the request asks for it by name") for number in range(3)]
    assert [code for code, _, _ in told(extra_calls(task_of(*by_name), set()))] == ["gold_lacks_call"] * 3
    another = signal(
        "action_extra", 5, 'book_seat({"seat":"12B"})', "it succeeded; seat=12B is what the request says", subject="book_seat"
    )
    again = [repeat(number, False, signals=(another,), expected=BOOKED) for number in range(3)]
    assert [code for code, _, _ in told(extra_calls(task_of(*again), set()))] == ["gold_lacks_call"] * 3


def test_a_call_whose_record_a_text_of_the_row_names():
    extra = signal("action_extra", 5, 'drop_copy({"id":"C-4470"})', "it succeeded", subject="drop_copy")
    wanted = (ExpectedRow(0, "drop_copy", '{"id":"C-1063"}', "change", "made", 3, ""),)

    def made(number, text):
        told_there = [RestatedRow("rationale", text)]
        return replace(repeat(number, False, signals=(extra,), expected=wanted), restated=told_there)

    both = [made(number, "To drop: C-1063, C-4470.") for number in range(2)]
    assert [code for code, _, _ in told(extra_calls(task_of(*both), set()))] == ["gold_lacks_call"] * 2
    assert told(extra_calls(task_of(*(made(number, "To drop: C-1063.") for number in range(2))), set())) == []


def test_what_may_be_the_agents_own_idea():
    same = [reminded(0), reminded(1)]
    assert told(extra_calls(task_of(*same), {"book_seat"})) == []  # no task expects it
    assert told(extra_calls(task_of(same[0], reminded(1, 'send_reminder({"channel":"post"})')), {"send_reminder"})) == []
    assert told(extra_calls(task_of(*(reminded(n, detail="it succeeded") for n in range(2))), {"send_reminder"})) == []
    missing = signal("action_missing", 7)
    assert told(extra_calls(task_of(*(reminded(n, more=(missing,)) for n in range(2))), {"send_reminder"})) == []


def test_a_change_that_passing_repeats_do_without():
    cancelled = signal("action_extra", 4, 'cancel_visit({"id":"AP-1"})', "it succeeded", subject="cancel_visit")
    passing = repeat(0, True, calls=(call(3, "book_seat", seat="12A"),), expected=BOOKED)
    further = repeat(1, False, signals=(cancelled,), expected=BOOKED)
    assert told(extra_calls(task_of(passing, further), set())) == [("unasked_change", "7:1", 4)]
    assert told(extra_calls(task_of(passing, further), set(), dialogue=True)) == []
    too = repeat(2, True, calls=(call(3, "cancel_visit", id="AP-9"),), expected=BOOKED)
    assert told(extra_calls(task_of(passing, too, further), set())) == []


def test_an_expected_call_of_which_nothing_tells():
    missing = signal("action_missing", 7, "set_colour({})", f"the tool was never called; {UNTOLD}", subject="set_colour")
    wanted = (*BOOKED, ExpectedRow(1, "set_colour", '{"ebc":30}', "change", "missing", None, ""))
    repeats = [repeat(number, False, signals=(missing,), expected=wanted) for number in range(3)]
    assert [code for code, _, _ in told(extra_calls(task_of(*repeats), set()))] == ["gold_stray_call"] * 3
    assert not list(extra_calls(task_of(*repeats, repeat(3, False, expected=wanted)), set()))  # one of them makes it
    assert not list(extra_calls(task_of(*repeats, repeat(3, True, expected=wanted)), set()))
