"""Gold that the tools do not know, that the request does not name, or that answers another filling of it."""

from blade.diagnosis.patterns.stale_gold import (
    Sources,
    gold_against_record,
    gold_for_other_values,
    gold_of_another,
    learn_sources,
    stale_gold,
)
from blade.signals.data.namesakes import NOTED
from blade.signals.example import Example, call
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from tests.diagnosis.patterns.support import answer, repeat, signal, task_of
from tests.diagnosis.patterns.support import call as made
from tests.runs.support import opened, row

UNSEEN = signal(
    "gold_unseen",
    3,
    "close.customer_id = C-20418",
    "customer_id of find_customer (step 1), the only record there that the request speaks of; C-77120 is expected and stands nowhere",
    label="DA",
    subject="close.customer_id",
)
NOT_NAMED = signal("gold_not_named", 3, "book.room = Aurora", "as the request says", label="DA", subject="book.room")
NOT_ASKED = signal(
    "values_not_asked", None, "values.days = 30", "the request does not name it", label="DA", subject="values.days"
)
USUAL = Sources({"close.customer_id": {"find_customer": 6}}, {"book.room": 6})


def wrong(value, subject="book.until"):
    return signal("action_wrong_argument", 3, f"{subject.partition('.')[2]}={value}", "was never seen", subject=subject)


def weights(findings):
    return {finding.rollout: (finding.code, finding.weight) for finding in findings}


def repeats(*signals, number=4, passed=()):
    return task_of(*(repeat(each, each in passed, signals=() if each in passed else signals) for each in range(number)))


def test_all_repeats_find_a_record_and_the_gold_is_another_that_nobody_saw():
    found = weights(stale_gold(repeats(UNSEEN), USUAL))
    assert found == {f"7:{each}": ("stale_gold", 0.85) for each in range(4)}


def test_where_other_tasks_do_not_say_where_it_comes_from_it_weighs_less():
    assert set(weights(stale_gold(repeats(UNSEEN), Sources())).values()) == {("stale_gold", 0.6)}


def test_a_value_that_other_tasks_have_from_another_tool_was_looked_for_in_the_wrong_place():
    elsewhere = Sources({"close.customer_id": {"get_profile": 5, "find_customer": 1}})
    assert not list(stale_gold(repeats(UNSEEN), elsewhere))


def test_where_a_repeat_passes_the_gold_can_be_met():
    assert not list(stale_gold(repeats(UNSEEN, passed=(2,)), USUAL))


def test_one_repeat_says_nothing_and_neither_do_repeats_that_differ():
    assert not list(stale_gold(repeats(UNSEEN, number=1), USUAL))
    others = [UNSEEN._replace(quote=f"close.customer_id = C-{each}") for each in range(4)]
    assert not list(stale_gold(task_of(*(repeat(n, False, signals=(one,)) for n, one in enumerate(others))), USUAL))


def test_where_one_repeat_had_seen_the_expected_value_it_is_known():
    seen = signal(
        "action_wrong_argument", 3, "customer_id=C-1", "C-77120 stood in find_customer (step 1)", subject="close.customer_id"
    )
    view = task_of(*(repeat(each, False, signals=(UNSEEN, *([seen] if each == 3 else []))) for each in range(4)))
    assert not list(stale_gold(view, USUAL))


def test_the_request_names_what_all_repeats_gave_as_it_does_in_tasks_that_pass():
    assert set(weights(stale_gold(repeats(NOT_NAMED), USUAL)).values()) == {("gold_not_asked", 0.85)}


def test_an_argument_that_is_not_copied_from_requests_may_need_a_rule():
    assert not list(stale_gold(repeats(NOT_NAMED), Sources()))


def test_template_values_that_the_request_does_not_name():
    assert set(weights(gold_for_other_values(repeats(NOT_ASKED, wrong("2026-05-01")))).values()) == {
        ("gold_for_other_values", 0.85)
    }


def test_template_values_explain_nothing_where_a_repeat_passes_or_nothing_went_wrong():
    assert not list(gold_for_other_values(repeats(NOT_ASKED, wrong("2026-05-01"), passed=(1,))))
    assert not list(gold_for_other_values(repeats(NOT_ASKED)))


def test_repeats_that_differ_make_other_values_less_sure():
    view = task_of(*(repeat(each, False, signals=(NOT_ASKED, wrong(f"2026-05-0{each + 1}"))) for each in range(4)))
    assert set(weights(gold_for_other_values(view)).values()) == {("gold_for_other_values", 0.6)}


def test_wrong_answers_count_as_what_was_done():
    view = task_of(*(repeat(each, False, signals=(NOT_ASKED,), answers=(answer("710.00", "650.00"),)) for each in range(3)))
    assert len(list(gold_for_other_values(view))) == 3


def booked(task, *, room, expected, passed):
    """A room that is booked, after a lookup that gives the id of its floor."""
    wanted = [{"name": "book_room", "arguments": {"room": expected, "floor_id": f"F-{task}00"}}]
    made = Example(
        (
            call("list_floors", f'[{{"floor_id": "F-{task}00"}}]'),
            call("book_room", "ok", room=room, floor_id=f"F-{task}00"),
        ),
        asked=f"Book the room {room} on its floor.",
        fields={"expected_calls": wanted},
    ).row()
    return row(task, 0, float(passed), **made)


def test_where_expected_values_come_from_is_learned_from_the_run():
    rows = [booked(task, room=f"Hall {task}", expected=f"Hall {task}", passed=True) for task in range(5)]
    rows.append(booked(7, room="Hall 7", expected="Attic", passed=False))
    with opened(rows, extractors=(GivenExtractor(), ExpectedExtractor())) as run:
        learned = learn_sources(run)
    assert learned.tools == {"book_room.floor_id": {"list_floors": 6}}
    assert learned.asked == {"book_room.room": 5}


def given(subject, quote, detail):
    return signal("action_wrong_argument", subject=subject, step=5, quote=quote, detail=detail)


def test_expected_calls_about_another_record_with_other_values_than_the_request_names():
    record = given(
        "plant.key",
        "key=PL-1",
        "plant expects key=PL-9; another record; PL-1 was seen in find (step 3); PL-9 was never seen in this rollout",
    )
    rows = given(
        "plant.rows",
        "rows=17",
        "plant expects rows=14; 17 was seen in the user's part of the prompt (step -1); 14 was never seen in this rollout",
    )
    told = given(
        "plant.rows",
        "rows=17",
        "plant expects rows=14; 17 was seen in the user's part of the prompt (step -1); 14 stood in find (step 3)",
    )
    assert set(weights(gold_of_another(repeats(record, rows))).values()) == {("gold_not_asked", 0.85)}
    assert weights(gold_of_another(repeats(record))) == {}  # the wrong record may have been picked
    assert weights(gold_of_another(repeats(record, told))) == {}  # the expected value was told
    assert weights(gold_of_another(repeats(record, rows, passed=(0,)))) == {}


def test_a_working_of_other_data_tells_where_all_repeats_agree():
    other = signal("working_of_other_data", 3, "rationale: 60", "get_volume says 80", subject="resize.size")
    repeats = [repeat(number, False, signals=[other]) for number in range(3)]
    assert [finding.code for finding in stale_gold(task_of(*repeats), Sources())] == ["gold_of_other_data"] * 3
    assert not list(stale_gold(task_of(*repeats, repeat(3, False)), Sources()))
    assert not list(stale_gold(task_of(*repeats, repeat(3, True)), Sources()))


def test_a_list_that_is_headed_with_another_record_tells_why_the_gold_is_nowhere():
    headed = signal(
        "material_of_another", None, "Hop bill Batch Rowan", "the list is about Batch Rowan", label="DA", subject="prompt"
    )
    repeats = [repeat(number, False, signals=[NOT_NAMED, headed]) for number in range(3)]
    assert [finding.code for finding in stale_gold(task_of(*repeats), Sources())] == ["gold_not_asked"] * 3
    assert not list(stale_gold(task_of(*(repeat(number, False, signals=[NOT_NAMED]) for number in range(3))), Sources()))


def test_a_figure_that_was_left_as_the_record_has_it_tells_where_all_repeats_convert_it():
    left = signal("gold_as_recorded", 3, "221.0 for 795.6", "the lookups have kWh, MJ is asked for", subject="expected_answer")
    repeats = [repeat(number, False, signals=[left]) for number in range(3)]
    assert [finding.code for finding in stale_gold(task_of(*repeats), Sources())] == ["gold_unconverted"] * 3
    assert not list(stale_gold(task_of(*repeats, repeat(3, False)), Sources()))
    assert not list(stale_gold(task_of(*repeats, repeat(3, True)), Sources()))


def test_a_condition_is_misjudged_where_all_repeats_go_the_other_way():
    other = signal("condition_misjudged", None, "release for hold", "rationale and a lookup have 909", subject="rationale")
    repeats = [repeat(number, False, signals=[other]) for number in range(3)]
    assert [finding.code for finding in stale_gold(task_of(*repeats), Sources())] == ["gold_misjudged"] * 3
    assert not list(stale_gold(task_of(*repeats, repeat(3, False)), Sources()))
    assert not list(stale_gold(task_of(*repeats, repeat(3, True)), Sources()))


OFF = signal("gold_off_record", 3, "guests[0].born = 1981-05-26", "as get_member says", label="DA", subject="book.guests.born")
BORN = signal("action_wrong_argument", 3, "guests[0].born=1981-05-26", "was never seen", subject="book.guests.born")


def test_gold_against_the_record_tells_in_one_repeat_and_in_those_of_many_that_get_there():
    assert weights(gold_against_record(repeats(OFF, BORN, number=1), Sources())) == {"7:0": ("gold_against_record", 0.85)}
    view = task_of(repeat(0, False, signals=(OFF, BORN)), repeat(1, False))
    assert set(weights(gold_against_record(view, Sources()))) == {"7:0"}


def test_gold_that_somebody_meets_or_had_seen_or_where_repeats_differ_is_not_against_the_record():
    assert not list(gold_against_record(repeats(OFF, BORN, passed=(1,)), Sources()))
    seen = BORN._replace(detail="1985-04-04 stood in get_member (step 1)")
    assert not list(
        gold_against_record(task_of(repeat(0, False, signals=(OFF, BORN)), repeat(1, False, signals=(seen,))), Sources())
    )
    other = BORN._replace(quote="guests[0].born=1990-01-01")
    assert not list(
        gold_against_record(task_of(repeat(0, False, signals=(OFF, BORN)), repeat(1, False, signals=(other,))), Sources())
    )


def test_gold_whose_values_come_from_a_tool_that_nobody_asked_is_not_against_the_record():
    sources = Sources({"book.guests.born": {"get_employer_contact": 3}})
    assert not list(gold_against_record(repeats(OFF, BORN), sources))
    asked = task_of(repeat(0, False, signals=(OFF, BORN), calls=[made(1, "get_employer_contact", member_id="M-7")]))
    assert list(gold_against_record(asked, sources))


def test_a_name_that_two_have_in_every_repeat():
    said = "find_person (step 1) lists 2 called Ann Lee, and the request does not say which; P-81334 is expected"
    noted, bare = (
        signal("record_not_told_apart", 2, "Ann Lee", f"{said}{more}", label="DA", subject="book.person")
        for more in (f", {NOTED}", "")
    )
    assert set(weights(stale_gold(repeats(noted), Sources())).values()) == {("request_names_two", 0.85)}
    assert set(weights(stale_gold(repeats(bare), Sources())).values()) == {("request_names_two", 0.6)}
    assert not list(stale_gold(repeats(noted, passed=(2,)), Sources()))
    half = task_of(*(repeat(each, False, signals=(noted,) if each < 2 else ()) for each in range(4)))
    assert not list(stale_gold(half, Sources()))
