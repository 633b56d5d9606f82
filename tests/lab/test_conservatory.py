"""The conservatory: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.conservatory.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.conservatory.roll import COMPOSERS, KEYS, signature, transposed
from blade.lab.faults.catalogue import KIND
from blade.signals.labels import LABELS
from tests.lab.support import (
    SEEDS,
    Row,
    by_rollout,
    calls,
    check_labels,
    differing,
    kinds_at,
    last_words,
    outputs,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["conservatory"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("conservatory")
CITIES = {
    "Vienna": "Europe/Vienna", "Vilnius": "Europe/Vilnius", "Ljubljana": "Europe/Ljubljana", "Montreal": "America/Montreal",
    "Vancouver": "America/Vancouver", "Sofia": "Europe/Sofia",
}  # fmt: skip
SEMITONES = {"B flat clarinet": 2, "B flat trumpet": 2, "horn in F": 7, "E flat alto saxophone": 9}
"""By how much a part lies above what sounds."""
SCALE = ("C", "D flat", "D", "E flat", "E", "F", "G flat", "G", "A flat", "A", "B flat", "B")


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def expected(row: Row, check: str) -> Any:
    return next((one["value"] for one in row["testCase"]["assert"] if one["type"] == check), None)


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["function"], one["kwargs"]) for one in expected(row, "calls")]


def given(row: Row) -> Any:
    return row["gradingResult"]["seen"]["answer"]


def failed(row: Row) -> list[str]:
    return [part["assertion"] for part in row["gradingResult"]["componentResults"] if not part["pass"]]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and "saved=yes" in output]


def told(row: Row, name: str) -> list[Row]:
    """The records that the last use of a tool gave."""
    found = [
        output for (tool, _), output in zip(calls(row), outputs(row), strict=True) if tool == name and "level=" not in output
    ]
    lines = [re.findall(r'(\w+)=("[^"]*"|\S+)', line) for line in found[-1].splitlines()]
    return [{key: value.strip('"') for key, value in line} for line in lines]


def numbers(text: object) -> set[str]:
    return set(re.findall(r"\b[a-z]+/\d{5}\b", str(text)))


def test_the_conservatory_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 5 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    roll, desk = TASKS[0].facts["roll"], PLACE.backend(TASKS[0])
    asked = {"pupil": roll.pupils[0].id, "teacher": roll.teachers[0].id, "day": "2026-10-01"}
    assert desk(Call("TIMETABLE_BOOK_TRIAL", asked)).startswith("level=info saved=yes")
    assert "day must be a date: soon" in desk(Call("TIMETABLE_BOOK_TRIAL", asked | {"day": "soon"}))
    assert "no such pupil" in desk(Call("TIMETABLE_BOOK_TRIAL", asked | {"pupil": roll.teachers[0].id}))
    assert desk(Call("ROSTER_FIND_PUPIL", {"full_name": "Nobody"})) == "level=warn matches=0 query=Nobody"


@pytest.mark.parametrize(
    ("key", "text"), [("C major", "none"), ("G major", "1 sharp"), ("E flat major", "3 flats"), ("B major", "5 sharps")]
)
def test_keys_have_the_signatures_of_the_textbook(key: str, text: str) -> None:
    assert signature(key) == text


def test_a_fifth_is_seven_semitones() -> None:
    for key in KEYS[:-1]:
        above = transposed(key, 1).removesuffix(" major")
        assert SCALE.index(above) == (SCALE.index(key.removesuffix(" major")) + 7) % 12


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("conservatory", seed).rows if row["reward"] == 1.0):
        topic, asked, answer = row["testCase"]["description"], request(row), expected(row, "equals")
        seen.add(topic)
        match topic:
            case "weight":
                assert float(answer) == pytest.approx(
                    sum(int(one["case_lb"]) for one in told(row, "STORE_LIST_LOANS")) / 2.20462, abs=0.051
                )
            case "yearbook" | "shelf":
                day = date.fromisoformat(told(row, "ROSTER_FIND_PUPIL")[0]["first_day"])
                assert answer == (f"{day:%A}" if topic == "yearbook" else f"{day:%V}".lstrip("0"))
            case "stream":
                moment = datetime.fromisoformat(told(row, "STAGE_FIND_CONCERT")[0]["begins"])
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert answer == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "homeland":
                composer = told(row, "LIBRARY_FIND_SCORE")[0]["composer"]
                assert row["testCase"]["vars"]["options"]["wxyz".index(answer)] == COMPOSERS[composer][1]
            case "copyright":
                assert gold(row)[0][1]["year"] == int(told(row, "LIBRARY_FIND_SCORE")[0]["composer_died"]) + 71
            case "part":
                sounds, wanted = told(row, "LIBRARY_FIND_SCORE")[0]["first_piece_sounds_in"], gold(row)[0][1]
                low, high = (SCALE.index(key.removesuffix(" major")) for key in (sounds, wanted["written_key"]))
                assert (high - low) % 12 == SEMITONES[wanted["instrument"]]
            case "coach":
                limit = int(re.findall(r"(\d+) (?:weekly )?hours", asked)[0])
                first, second = re.findall(r"teachers/\d+", asked)
                hours = {one["teacher"]: int(one["weekly_hours"]) for one in told(row, "ROSTER_LIST_DEPARTMENT")}
                assert gold(row)[0][1]["teacher"] == (first if hours[first] <= limit else second)
    assert len(seen) >= 12


def test_ids_stand_in_each_others_columns() -> None:
    for row in struck("conservatory", "columns_swapped"):
        wrong = differing(changes(row), gold(row))
        (first, second) = wrong.values()
        assert first == second[::-1]
        assert not any(expected.startswith(key) for key, (_, expected) in wrong.items())


def test_money_that_goes_back_is_expected_with_a_minus() -> None:
    for row in struck("conservatory", "negative_gold"):
        ((mine, wanted),) = differing(changes(row), gold(row)).values()
        assert wanted == -mine
        assert f"{mine:.2f}" in request(row)
        assert f" {mine:.2f} " in row["testCase"]["metadata"]["why"]


def test_examples_are_served_for_a_while() -> None:
    for case in severe("conservatory", "mock_served"):
        rows = by_rollout(case)
        for rollout in case.planted:
            assert all(re.search(r"example|mock|stub", output) for output in outputs(rows[rollout])[-2:])


def test_arguments_are_lost_on_an_executor() -> None:
    for case in severe("conservatory", "arguments_lost"):
        rows = by_rollout(case)
        hit = {rows[rollout]["runInfo"]["executor"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["runInfo"]["executor"] in hit)
            if rollout in case.planted:
                assert all(made for _, made in calls(row))
                assert all(output.startswith("level=error") for output in outputs(row))


def test_an_id_is_missed_that_nobody_asks_for() -> None:
    for row, passing in siblings("conservatory", "unstated_mention"):
        assert changes(row) == gold(row)
        assert failed(row) == ["icontains"]
        assert expected(row, "icontains") not in request(row)
        assert passing
        assert all(expected(row, "icontains") in last_words(other) for other in passing)


def test_of_two_calls_of_a_tool_the_later_is_seen() -> None:
    for row in struck("conservatory", "same_tool_overwritten"):
        assert changes(row) == gold(row)
        assert [(one["function"], one["kwargs"]) for one in row["gradingResult"]["seen"]["calls"]] == gold(row)[-1:]


def test_the_answer_is_in_another_language() -> None:
    assert "We write English here" in TASKS[0].system
    for row, passing in siblings("conservatory", "other_language"):
        assert re.search(r"Kartei|registre|ficha", last_words(row))
        assert last_words(row).endswith(f"=> {given(row)}")
        assert given(row)[:-1] in last_words(row).partition("=>")[0]
        assert passing


def test_the_day_is_the_example_of_the_schema() -> None:
    (tool,) = [tool for tool in PLACE.setting.tools if tool["name"] == "TIMETABLE_BOOK_TRIAL"]
    assert EXAMPLE_DAY in tool["parameters"]["properties"]["day"]["description"]
    for row, passing in siblings("conservatory", "schema_example_used"):
        assert differing(changes(row), gold(row))["day"][0] == EXAMPLE_DAY
        assert "December" not in request(row)
        assert passing


def test_parts_are_transposed_the_wrong_way() -> None:
    for row in struck("conservatory", "transposed_downwards"):
        sounds = told(row, "LIBRARY_FIND_SCORE")[0]["first_piece_sounds_in"]
        ((mine, wanted),) = differing(changes(row), gold(row)).values()
        low, middle, high = (KEYS.index(key) for key in (mine, sounds, wanted))
        assert high - middle == middle - low > 0


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_key_signature", {"signature"}),
        ("skipped_lookup", {"year"}),
        ("wrong_rule", {"year"}),
        ("wavering_argument", {"year"}),
        ("value_carried_over", {"euros"}),
        ("correction_missed", {"day"}),
        ("set_as_list", {"parts"}),
        ("list_as_text", {"parts"}),
        ("condition_unchecked", {"teacher"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("conservatory", kind):
        assert set(differing(changes(row), gold(row))) == keys


def test_defaults_are_those_of_the_schema() -> None:
    properties = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
    for row in struck("conservatory", "default_spelled_out"):
        ((key, (mine, wanted)),) = differing(changes(row), gold(row)).items()
        assert (mine, wanted) == (properties[changes(row)[0][0]][key]["default"], None)


def test_what_was_graded_is_another_rollouts() -> None:
    for case in severe("conservatory", "graded_another_rollout"):
        rows = by_rollout(case)
        for rollout in case.planted:
            row, task = rows[rollout], rollout.partition(":")[0]
            graded = numbers(row["gradingResult"]["seen"])
            assert changes(row) == gold(row)
            assert graded
            assert not graded & numbers(gold(row))
            assert any(graded <= numbers(gold(other)) for key, other in rows.items() if key.partition(":")[0] != task)


def test_the_work_is_explained_and_not_done() -> None:
    for row, passing in siblings("conservatory", "told_how_to"):
        assert not changes(row)
        assert "programme" in last_words(row)
        assert passing


def test_the_request_names_somebody_whom_nobody_knows() -> None:
    for row in struck("conservatory", "pseudonym_in_prompt"):
        name = calls(row)[-1][1]["full_name"]
        assert name in request(row)
        assert name in last_words(row)
        assert name not in row["testCase"]["metadata"]["why"]
        assert not changes(row)


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in ("wrong_unit", "wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "case_compared"):
        for row in struck("conservatory", kind):
            assert last_words(row).endswith(f"=> {given(row)}")
            assert row["gradingResult"]["reason"] == f"Expected {expected(row, 'equals')!r}, got {given(row)!r}"


def test_a_wrong_zone_is_not_the_time_that_was_read() -> None:
    for row in struck("conservatory", "wrong_zone"):
        assert given(row) not in told(row, "STAGE_FIND_CONCERT")[0]["begins"]
