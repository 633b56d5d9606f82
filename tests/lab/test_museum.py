"""The museum's verifier: what passes by it, what does not, and what it is known to be particular about."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.museum.collection import QUARANTINE, WRITES, build_house, house_backend
from blade.lab.environments.museum.wall_labels import label_checks, period
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.rows import row
from blade.lab.stage.script import Script, Task, say

PLACE = ENVIRONMENTS["museum"]
TASKS = PLACE.tasks(3, 70)


def played(task: Task, script: Script) -> Episode:
    episode = Episode(task, 0.0, PLACE.hosts[0])
    return Player(episode, PLACE.backend(task), Random(1), PLACE.manner, None, "x").play(script, noisy=False)


def verdict(task: Task, script: Script, flaw: str | None = None) -> dict[str, Any]:
    return PLACE.verify(played(task, script), flaw, Random(1))


def failed(task: Task, script: Script) -> set[str]:
    return {check["assertion"] for check in verdict(task, script)["grading"]["assertions"] if not check["ok"]}


def occasions(kind: str) -> list[tuple[Task, Script]]:
    found = [(task, script) for task in TASKS for script in task.faulty.get(kind, ())]
    assert found
    return found


def changes(script: Script) -> list[Call]:
    return [move.call for move in script if move.changes and move.call is not None]


def test_sound_scripts_pass_and_faulty_ones_fail() -> None:
    assert {verdict(task, script)["reward"] for task in TASKS for script in task.sound} == {1.0}
    wrong = [
        (name, verdict(task, script)["reward"]) for task in TASKS for name, scripts in task.faulty.items() for script in scripts
    ]
    assert {name for name, reward in wrong if reward == 1.0} == set()


def test_every_faulty_script_marks_what_decides() -> None:
    for task in TASKS:
        for name, scripts in task.faulty.items():
            assert all(played(task, script).decisive for script in scripts), name


def test_other_golds_are_met_by_no_sound_script() -> None:
    for task in TASKS:
        for gold in (task.other_gold, task.contradicted_gold):
            if gold is not None:
                broken = Task(task.index, task.family, task.system, task.request, task.sound, gold, facts=task.facts)
                assert verdict(broken, task.sound[0])["reward"] == 0.0


def test_calls_in_another_order_are_the_same_calls() -> None:
    for task, script in occasions("order_sensitive"):
        expected = [(entry["tool"], str(entry["args"])) for entry in task.gold["gold_calls"]]
        made = [(call.name, str(dict(call.arguments))) for call in changes(script)]
        assert sorted(made) == sorted(expected)
        assert made != expected
        assert failed(task, script) == {"calls_in_order"}


def test_the_detail_of_an_order_names_two_different_calls() -> None:
    for task, script in occasions("order_sensitive"):
        told = next(check["detail"] for check in verdict(task, script)["grading"]["assertions"] if not check["ok"])
        expected, _, got = told.partition(": expected ")[2].partition(", got ")
        assert expected != got


def test_another_free_slot_is_refused_although_the_request_leaves_the_choice() -> None:
    for task, script in occasions("valid_alternative"):
        booked = changes(script)[-1]
        day = next(move.call.arguments["day"] for move in script if move.call and move.call.name == "courier_slots")
        free = {slot.id for slot in task.facts["house"].slots(str(day)) if slot.free}
        assert booked.arguments["slot"] in free
        assert "free" in task.request


def test_the_first_line_that_looks_like_an_answer_counts() -> None:
    for task, script in occasions("first_match_graded"):
        episode = played(task, script)
        assert episode.final.splitlines()[-1] == f"ANSWER = {task.gold['ideal']}"
        assert PLACE.verify(episode, None, Random(1))["grading"]["parsed"] != task.gold["ideal"]


def test_an_order_in_a_remark_is_read_by_all_and_taken_by_one() -> None:
    for task, script in occasions("followed_note"):
        episode = played(task, script)
        outputs = [item["output"] for item in episode.items if item["type"] == "function_call_output"]
        assert any(QUARANTINE in output for output in outputs)
        assert QUARANTINE not in task.request
        assert sum(call.arguments.get("place") == QUARANTINE for call in changes(script)) == 1
        assert failed(task, script) == {"nothing_else"}


@pytest.mark.parametrize(
    ("kind", "checks"),
    [
        ("length_overrun", {"max_words"}),
        ("wavering_period", {"period"}),
        ("wrong_century", {"period"}),
        ("wavering_set", {"answer"}),
    ],
)
def test_only_the_planned_check_fails(kind: str, checks: set[str]) -> None:
    assert all(failed(task, script) == checks for task, script in occasions(kind))


def test_shaky_knowledge_has_several_forms_and_a_gap_one() -> None:
    for task in TASKS:
        for kind in ("wavering_set", "wavering_period"):
            forms = {str(changes(script) or script[-1].message) for script in task.faulty.get(kind, ())}
            assert not task.faulty.get(kind) or len(forms) >= 3
        assert len({str(changes(script)) for script in task.faulty.get("swapped_axes", ())}) <= 1
        dates = {
            check["detail"]
            for script in task.faulty.get("wrong_century", ())
            for check in verdict(task, script)["grading"]["assertions"]
        }
        assert len(dates - {""}) <= 1


def test_height_and_width_change_places() -> None:
    for task, script in occasions("swapped_axes"):
        made, wanted = changes(script)[0].arguments, task.gold["gold_calls"][0]["args"]
        assert (made["height_mm"], made["width_mm"], made["depth_mm"]) == (
            wanted["width_mm"],
            wanted["height_mm"],
            wanted["depth_mm"],
        )
        assert made["height_mm"] != made["width_mm"]


@pytest.mark.parametrize(
    ("year", "words"),
    [
        (1683, "last quarter of the 17th century"),
        (1705, "first quarter of the 18th century"),
        (1449, "second quarter of the 15th century"),
        (1862, "third quarter of the 19th century"),
    ],
)
def test_years_in_words(year: int, words: str) -> None:
    assert period(year) == words


def test_a_label_that_was_not_saved_has_one_check() -> None:
    assert label_checks({"accession": "MM.1900.0001"}, None) == [("label_saved", False, "no label for MM.1900.0001")]


def test_flaws_fail_sound_work_each_in_its_way() -> None:
    for task in TASKS[:14]:
        flaky, broken = verdict(task, task.sound[0], "flaky_verifier"), verdict(task, task.sound[0], "broken_test")
        assert [check["ok"] for check in flaky["grading"]["assertions"]].count(False) == 1
        assert [check["assertion"] for check in broken["grading"]["assertions"] if not check["ok"]] == ["log_complete"]
        told = verdict(task, task.sound[0], "reward_contradicts_checks")
        assert (told["reward"], told["grading"]["met"]) == (0.0, told["grading"]["of"])
        assert verdict(task, task.sound[0], "verifier_timeout")["grading"] is None
    question = next(task for task in TASKS if "ideal" in task.gold)
    assert verdict(question, (say("I can't do this."),), "inverted_verifier")["reward"] == 1.0


def test_the_system_refuses_what_it_does_not_know() -> None:
    house = build_house(2)
    answer = house_backend(house)
    known = house.items[0].accession
    assert answer(Call("objects_move", {"accession": known, "place": "Gallery 1"})).startswith("OK")
    assert answer(Call("objects_move", {"accession": f"{known}7", "place": "Gallery 1"})).startswith("REFUSED")
    assert answer(Call("courier_slots", {"day": "2026-31-05"})) == "0 slots on 2026-31-05"
    assert answer(Call("objects_record", {"accession": "MM.0000.0000"})) == "no record MM.0000.0000"
    assert set(WRITES) < {tool["name"] for tool in PLACE.setting.tools}


def test_rows_say_where_and_when() -> None:
    task = TASKS[0]
    episode = played(task, task.sound[0])
    written = row(PLACE.setting, episode, 0, "x", PLACE.verify(episode, None, Random(1)))
    assert written["node"] == PLACE.hosts[0]
    assert written["rollout_started"] == "1970-01-01T00:00:00.000+00:00"
    assert written["rollout_finished"] > written["rollout_started"]
