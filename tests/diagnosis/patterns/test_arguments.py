"""The same wrong argument every time, or another each time."""

from dataclasses import replace

import pytest

from blade.diagnosis.patterns.arguments import ANOTHER_RECORD, EXPECTS, NONE_EXPECTED, repeated_arguments
from blade.diagnosis.views import ExpectedRow
from blade.signals.behaviour.action_reasons import ANOTHER, NAMED_RECORD, OFFERED, OMITTED
from blade.signals.behaviour.lookups import SPOKEN_OF
from blade.signals.example import Example
from blade.signals.example import call as made
from blade.signals.texts.origins import FROM_OWN, NOTHING
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told
from tests.signals.support import found as detected

LOOKUP = call(2, "get_user", '{"status": "gold"}', id="u1")


def wrong(step, value, subject="book_trip.bags"):
    return signal(
        "action_wrong_argument", step, f"{subject.partition('.')[2]}={value}", "book_trip expects bags=0", subject=subject
    )


def booking(number, value, *, step=8, before=(LOOKUP,), signals=(), passed=False):
    made = [*before, call(step, "book_trip", bags=value)]
    return repeat(number, passed, calls=made, signals=[*signals, *([] if passed else [wrong(step, value)])])


def test_what_is_said_of_an_entry_that_nobody_expects_is_read_here():
    wanted = {"name": "book_trip", "arguments": {"user_id": "u1", "stops": ["Ulm"]}}
    rollout = Example((made("book_trip", "ok", user_id="u1", stops=["Ulm", "Graz"]),), fields={"expected_calls": [wanted]})
    (one,) = detected("action_wrong_argument", rollout)
    assert NONE_EXPECTED in one.detail
    assert EXPECTS.search(one.detail) is not None


def test_the_same_wrong_value_in_every_repeat_is_a_gap_at_the_first_use():
    tried = [LOOKUP, call(6, "book_trip", "Error: does not add up", error="tool_error", bags=1)]
    view = task_of(booking(0, 1), booking(1, 1, before=tried), booking(2, 1), booking(3, 1))
    found = list(repeated_arguments(view))
    assert told(found) == [("same_wrong_argument", f"7:{number}", step) for number, step in enumerate([8, 6, 8, 8])]
    assert {(finding.label, finding.subject) for finding in found} == {("KG", "book_trip.bags")}
    assert min(finding.weight for finding in found) > 0.6
    assert "4 of 4 repeats" in found[0].detail


@pytest.mark.parametrize(
    ("given", "expected", "code"),
    [(58.0, 57.5, "asked_value_changed"), (57, 57.5, "asked_value_changed"), (55, 57.5, "same_wrong_argument")],
)
def test_a_figure_that_was_given_and_is_rounded_lacks_no_rule(given, expected, code):
    said = f"book_trip expects bags={expected}; {given} was not seen; {expected} stood in the user's part of the prompt (step -1)"
    shown = signal("action_wrong_argument", 8, f"bags={given}", said, subject="book_trip.bags")
    view = task_of(*(repeat(n, False, calls=[LOOKUP, call(8, "book_trip", bags=given)], signals=[shown]) for n in range(4)))
    assert {name for name, *_ in told(repeated_arguments(view))} == {code}


@pytest.mark.parametrize(
    "unclean",
    [
        {"before": (LOOKUP, call(4, "get_price", "Error: 500", error="server_error"))},
        {"signals": (signal("thrashing", 5),)},
        {"before": ()},  # without the lookup that the passing repeats made
    ],
)
def test_an_unclean_process_explains_it_otherwise(unclean):
    passing = [booking(number, 0, passed=True) for number in (6, 7)]
    view = task_of(*(booking(number, 1, **unclean) for number in range(6)), *passing)
    assert {finding.weight for finding in repeated_arguments(view)} == {0.35}


def test_a_mistyped_lookup_that_was_answered_after_all_leaves_the_process_clean():
    mistyped = call(1, "get_user", "Error: no such user", error="not_found", id="u11")
    passing = [booking(number, 0, passed=True) for number in (3, 4)]
    again = task_of(*(booking(number, 1, before=(mistyped, LOOKUP)) for number in range(3)), *passing)
    assert [finding.code for finding in repeated_arguments(again)] == ["wavering_argument"] * 3
    too_late = mistyped._replace(step=4, output_step=5)
    later = task_of(*(booking(number, 1, before=(LOOKUP, too_late)) for number in range(3)), *passing)
    assert not list(repeated_arguments(later))


@pytest.mark.parametrize(("told_there", "weight"), [('{"status": "gold"}', 0.7), ('{"bags": "none"}', 0.35)])
def test_the_lookup_of_a_single_passing_repeat_counts_where_it_gave_what_is_expected(told_there, weight):
    failing = [booking(number, 1, before=()) for number in range(4)]
    looked = booking(4, "none", passed=True, before=(call(2, "get_user", told_there, id="u1"),))
    wanted = ExpectedRow(0, "book_trip", '{"bags":"none"}', "change", "made", 8, "")
    view = task_of(*failing, replace(looked, expected=[wanted]))
    assert {finding.weight for finding in repeated_arguments(view)} == {weight}


def test_values_that_waver_around_the_right_one():
    view = task_of(booking(0, 0, passed=True), booking(1, 2), booking(2, 1), booking(3, 0, passed=True))
    assert told(repeated_arguments(view)) == [("wavering_argument", "7:1", 8), ("wavering_argument", "7:2", 8)]


def test_one_repeat_tells_little():
    (found,) = repeated_arguments(task_of(booking(0, 1)))
    assert found.weight <= 0.25
    assert "cannot be told" in found.detail


def test_passing_repeats_are_not_judged():
    assert list(repeated_arguments(task_of(repeat(0, True, signals=[wrong(3, 1)])))) == []


def test_another_record_is_chosen_and_not_known():
    view = task_of(
        *(
            repeat(
                number,
                False,
                calls=[LOOKUP, call(8, "cancel_trip", trip_id="T2")],
                signals=[signal("action_wrong_argument", 8, "trip_id=T2", f"cancel_trip expects trip_id=T1; {ANOTHER}", subject="cancel_trip.trip_id")],
            )
            for number in range(4)
        )
    )  # fmt: skip
    assert {finding.weight for finding in repeated_arguments(view)} == {ANOTHER_RECORD}


@pytest.mark.parametrize(
    ("value", "clean"),
    [("sam.porter@x.org", False), ("card_77", False), ("40.5", True), ("2026-03-01 10:00:00", True), ("47 2 7 * *", True)],
)
def test_a_guessed_name_is_no_gap_and_a_miscalculated_number_may_be_one(value, clean):
    shown = signal(
        "action_wrong_argument", 8, f"bags={value}", f"book_trip expects bags=x; {value} {NOTHING}", subject="book_trip.bags"
    )
    view = task_of(
        *(repeat(number, False, calls=[LOOKUP, call(8, "book_trip", bags=value)], signals=[shown]) for number in range(4))
    )
    assert {finding.weight for finding in repeated_arguments(view)} == {0.7 if clean else 0.35}


@pytest.mark.parametrize(("told_by", "codes"), [("F10 is free", set()), ("a plate of 96", {"wavering_argument"})])
def test_what_passing_repeats_work_out_is_no_id_that_others_make_up(told_by, codes):
    detail = f"put_tube expects well=F10; G10 {NOTHING}; F10 was never seen in this rollout"
    wrong = signal("action_wrong_argument", 4, "well=G10", detail, subject="put_tube.well")
    plate = call(2, "get_plate", told_by, plate="P1")
    passing = [repeat(number, True, calls=(plate, call(4, "put_tube", well="F10"))) for number in range(2)]
    failing = repeat(2, False, calls=(plate, call(4, "put_tube", well="G10")), signals=(wrong,))
    assert {finding.code for finding in repeated_arguments(task_of(*passing, failing))} == codes


def test_what_passing_repeats_look_up_only_after_the_call_belongs_to_another():
    later = call(12, "get_slots", "S1", day="1")

    def made(number, value, passed=False):
        one = booking(number, value, passed=passed)
        return replace(one, calls=[*one.calls, later])

    earlier = booking(9, 0, passed=True, before=(LOOKUP, call(5, "get_slots", "S1", day="1")))
    view = task_of(*(made(number, 1) for number in range(3)), made(7, 0, passed=True), made(8, 0, passed=True), earlier)
    assert {finding.code for finding in repeated_arguments(view)} == {"wavering_argument"}


def test_a_value_that_the_request_names_is_not_a_matter_of_knowing():
    detail = "book_room expects guests=12; 12 stood in the user's part of the prompt (step -1)"
    wrong = signal("action_wrong_argument", 3, "guests=10", detail, subject="book_room.guests")
    view = task_of(repeat(0, True), repeat(1, True), repeat(2, False, signals=(wrong,), calls=(call(3, "book_room", guests=10),)))
    weights = {finding.code: finding.weight for finding in repeated_arguments(view)}
    assert weights["asked_value_changed"] > weights["wavering_argument"]


@pytest.mark.parametrize(
    ("origin", "code"),
    [("10 was seen in the user's part of the prompt (step -1); ", "asked_value_changed"), ("", "same_wrong_argument")],
)
def test_two_values_of_the_request_that_change_places_are_no_gap(origin, code):
    detail = f"book_room expects guests=12; {origin}12 stood in the user's part of the prompt (step -1)"
    wrong = signal("action_wrong_argument", 3, "guests=10", detail, subject="book_room.guests")
    made = [repeat(number, False, signals=(wrong,), calls=(call(3, "book_room", guests=10),)) for number in range(3)]
    assert {finding.code for finding in repeated_arguments(task_of(*made))} == {code}


@pytest.mark.parametrize(
    ("subject", "detail", "code"),
    [
        ("put_tags.tags.Owner", "put_tags expects tags.Owner=ada; ada stood in list_hosts (step 2)", "known_value_left_out"),
        ("put_tags.tags.Owner", "put_tags expects tags.Owner=ada; ada stood in the user's part of the prompt (step -1)", "same_wrong_argument"),
        ("put_tags.owner", "put_tags expects owner=ada; ada stood in list_hosts (step 2)", "same_wrong_argument"),
    ],
)  # fmt: skip
def test_a_part_that_a_tool_had_told_and_that_is_left_out_was_not_kept(subject, detail, code):
    gap = signal("action_wrong_argument", 3, f"{subject.partition('.')[2]}=nothing", detail, subject=subject)
    view = task_of(*(repeat(number, False, signals=(gap,), calls=(call(3, "put_tags", tags={}),)) for number in range(3)))
    assert {finding.code for finding in repeated_arguments(view)} == {code}


@pytest.mark.parametrize(("why", "weight"), [(SPOKEN_OF, 0.35), ("its description speaks of it", 0.7)])
def test_a_lookup_that_the_request_speaks_of_and_nobody_made_is_no_clean_process(why, weight):
    skipped = signal("lookup_skipped", 8, "bags=1", f"get_policy was not called, {why}", subject="get_policy")
    view = task_of(*(booking(number, 1, signals=(skipped,)) for number in range(3)))
    assert {finding.weight for finding in repeated_arguments(view) if finding.code == "same_wrong_argument"} == {weight}


@pytest.mark.parametrize(
    ("detail", "failing", "passing", "code"),
    [
        ("9 was seen in get_price (step 2); 40 stood in get_user (step 2)", 3, 1, "asked_value_changed"),
        ("9 was given by its own call of pay (step 3); 40 stood in its own call of update (step 4)", 3, 1, "asked_value_changed"),
        ("9 was not seen but follows from what was seen (40 - 31); 40 stood in get_user (step 2)", 3, 1, "same_wrong_argument"),
        ("9 was seen in get_price (step 2); 40 was never seen in this rollout", 3, 1, "same_wrong_argument"),
        ("9 was not seen but follows from what was seen (40 - 31); 40 stood in get_user (step 2)", 1, 3, "asked_value_changed"),
    ],
    ids=["copied from beside it", "carried over", "worked out by a rule", "never told", "once, whatever was given"],
)
def test_a_right_value_in_hand_is_no_gap(detail, failing, passing, code):
    bad = signal("action_wrong_argument", 8, "bags=9", f"book_trip expects bags=40; {detail}", subject="book_trip.bags")
    made = [repeat(number, False, calls=(LOOKUP, call(8, "book_trip", bags=9)), signals=(bad,)) for number in range(failing)]
    right = [repeat(9 - number, True, calls=(LOOKUP, call(8, "book_trip", bags=40))) for number in range(passing)]
    found = list(repeated_arguments(task_of(*made, *right)))
    assert max(found, key=lambda finding: finding.weight).code == code


@pytest.mark.parametrize("failing", [1, 3])
def test_a_value_that_was_given_for_something_else_is_carried_over_and_no_gap(failing):
    """The first booking's price once more for the second, where passing repeats work out each."""
    carried = signal(
        "action_wrong_argument",
        8,
        "price=130.52",
        f"book_trip expects price=94.92; 130.52 {FROM_OWN} book_trip (step 6); 94.92 was never seen in this rollout",
        subject="book_trip.price",
    )
    calls = [LOOKUP, call(6, "book_trip", price=130.52), call(8, "book_trip", price=130.52)]
    passing = [repeat(number, True, calls=calls[:2]) for number in range(failing, 4)]
    view = task_of(*(repeat(number, False, calls=calls, signals=[carried]) for number in range(failing)), *passing)
    codes = {finding.code: finding.weight for finding in repeated_arguments(view)}
    assert max(codes, key=codes.__getitem__) == "asked_value_changed"


def test_a_value_is_wrong_where_it_was_carried_to_and_not_where_it_is_right():
    carried = signal(
        "action_wrong_argument",
        8,
        "price=130.52",
        f"book_trip expects price=94.92; 130.52 {FROM_OWN} book_trip (step 6)",
        subject="book_trip.price",
    )
    first = ExpectedRow(0, "book_trip", '{"price":130.52}', "change", "made", 6, "")
    calls = [LOOKUP, call(6, "book_trip", price=130.52), call(8, "book_trip", price=130.52)]
    failing = [repeat(number, False, calls=calls, signals=[carried], expected=[first]) for number in range(3)]
    assert {finding.step for finding in repeated_arguments(task_of(*failing, repeat(3, True, calls=calls[:2])))} == {8}


@pytest.mark.parametrize(("asked", "code"), [(True, "asked_value_changed"), (False, "same_wrong_argument")])
def test_a_short_value_of_the_call_before_is_carried_over_where_the_request_names_the_right_one(asked, code):
    told = "18 stood in the user's part of the prompt (step -1)" if asked else "18 was never seen in this rollout"
    wrong = signal("action_wrong_argument", 8, "percent=5", f"set_rate expects percent=18; {told}", subject="set_rate.percent")
    first, second = call(6, "set_rate", client="A", percent=5), call(8, "set_rate", client="B", percent=5)
    failing = [repeat(number, False, calls=[LOOKUP, first, second], signals=[wrong]) for number in range(3)]
    found = list(repeated_arguments(task_of(*failing, repeat(3, True, calls=[LOOKUP, first]))))
    assert {finding.code for finding in found} == {code}


@pytest.mark.parametrize(
    ("origin", "passing", "code"),
    [
        (
            "sent is grounded in nothing seen before; draft stood in the user's part of the prompt (step -1)",
            1,
            "asked_value_changed",
        ),
        ("sent is grounded in nothing seen before; draft was never seen in this rollout", 1, "same_wrong_argument"),
        (
            "sent is grounded in nothing seen before; draft stood in the user's part of the prompt (step -1)",
            0,
            "same_wrong_argument",
        ),
    ],
)
def test_a_value_out_of_nowhere_in_the_place_of_one_that_the_request_names(origin, passing, code):
    wrong = signal("action_wrong_argument", 8, "status=sent", f"save expects status=draft; {origin}", subject="save.status")
    failing = [repeat(number, False, calls=[LOOKUP, call(8, "save", status="sent")], signals=[wrong]) for number in range(3)]
    right = [repeat(3, True, calls=[LOOKUP, call(8, "save", status="draft")])] * passing
    assert {finding.code for finding in repeated_arguments(task_of(*failing, *right))} == {code}


def test_an_argument_that_passing_repeats_give_and_nobody_expects_is_not_compared():
    odd = signal(
        "action_wrong_argument",
        8,
        "note=as agreed",
        "book_trip expects note=nothing; it stands nowhere",
        subject="book_trip.note",
    )
    calls = [LOOKUP, call(8, "book_trip", note="as agreed")]
    failing = [repeat(number, False, calls=calls, signals=[odd]) for number in range(3)]
    assert list(repeated_arguments(task_of(*failing)))
    assert not list(repeated_arguments(task_of(*failing, repeat(3, True, calls=calls, signals=[odd]))))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (f"4 stood in the user's part of the prompt beside its name; {OMITTED}", "asked_value_changed"),
        (f"it stood in the user's part of the prompt in words; {OMITTED}", "asked_value_changed"),
        (OMITTED, "same_wrong_argument"),  # nobody told it: that it is needed may not be known
        ("4 stood in the user's part of the prompt beside its name", "same_wrong_argument"),  # worked out, and otherwise
    ],
)
def test_an_option_that_the_request_names_and_the_call_leaves_out(said, code):
    left = signal("action_wrong_argument", 8, "hours=8", f"book_trip expects hours=4; {said}", subject="book_trip.hours")
    failing = [repeat(n, False, calls=[LOOKUP, call(8, "book_trip", trip="T1")], signals=[left]) for n in range(3)]
    passing = repeat(3, True, calls=[LOOKUP, call(8, "book_trip", trip="T1", hours=4)])
    assert {name for name, *_ in told(repeated_arguments(task_of(*failing, passing)))} == {code}


def test_what_the_request_only_offers_has_to_be_known():
    said = "right was seen in the user's part of the prompt (step -1); left stood in the user's part of the prompt (step -1)"
    codes = []
    for more in ("", f"; {OFFERED}"):
        wrong = signal("action_wrong_argument", 8, "side=right", f"save expects side=left; {said}{more}", subject="save.side")
        failing = [repeat(number, False, calls=[LOOKUP, call(8, "save", side="right")], signals=[wrong]) for number in range(3)]
        right = repeat(3, True, calls=[LOOKUP, call(8, "save", side="left")])
        codes.append({name for repeats in ((), (right,)) for name, *_ in told(repeated_arguments(task_of(*failing, *repeats)))})
    assert codes == [{"asked_value_changed"}, {"same_wrong_argument"}]


def test_the_record_that_the_request_does_not_mean_is_no_gap():
    said = f"{ANOTHER}; P-7 was seen in get_user (step 2); P-8 stood in get_user (step 2)"
    codes = []
    for more in ("", f"; {NAMED_RECORD}"):
        wrong = signal("action_wrong_argument", 8, "who=P-7", f"save expects who=P-8; {said}{more}", subject="save.who")
        failing = [repeat(number, False, calls=[LOOKUP, call(8, "save", who="P-7")], signals=[wrong]) for number in range(3)]
        codes.append({name for name, *_ in told(repeated_arguments(task_of(*failing)))})
    assert codes == [{"same_wrong_argument"}, {"asked_value_changed"}]
