"""The radio station: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.radio import CALLS
from blade.lab.environments.radio.desk import WRITES
from blade.lab.environments.radio.log import Q_CODES
from blade.lab.environments.radio.programmes import SHARES, roman
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

PLACE = ENVIRONMENTS["radio"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("radio")
CITIES = {
    "Madrid": "Europe/Madrid", "Oslo": "Europe/Oslo", "Bucharest": "Europe/Bucharest", "Dublin": "Europe/Dublin",
    "Toronto": "America/Toronto", "Chicago": "America/Chicago",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def prompt(row: Row) -> str:
    return str(row["responses_create_params"]["input"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["op"], one["params"]) for one in row["item"]["wanted"]["ops"]]


def wanted(row: Row) -> str:
    return str(row["item"]["wanted"]["says"])


def failed(row: Row) -> dict[str, str]:
    """The scorers that were not content, and why."""
    return {one["scorer"]: one["explanation"] for one in row["scores"] if one["value"] == "I"}


def given(row: Row) -> Any:
    (said,) = [one["answer"] for one in row["scores"] if one["scorer"] == "says"]
    return said


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("+")]


def told(row: Row, name: str) -> list[list[str]]:
    """The lines of all tables that a tool gave about what the request or the item names."""
    about = request(row) + str(row["item"])
    return [
        line.split("|")
        for (tool, asked), output in zip(calls(row), outputs(row), strict=True)
        if tool == name and output.endswith("found)") and next(iter(asked.values())) in about
        for line in output.splitlines()[1:-1]
    ]


def test_the_station_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 5 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    desk, log = PLACE.backend(TASKS[0]), TASKS[0].facts["log"]
    spot = {"clip": log.clips[0].id, "on": "2026-05-14", "at": "17:05"}
    assert desk(Call("spotPlace", spot)).startswith("+ spotPlace filed")
    assert desk(Call("spotPlace", spot | {"on": "14 May"})) == "- bad day: 14 May"
    assert desk(Call("spotPlace", spot | {"at": "5 pm"})) == "- bad time: 5 pm"
    assert desk(Call("spotPlace", spot | {"clip": "clip:1"})) == "- no such clip: clip:1"
    assert desk(Call("clipsOf", {"client": "Nobody"})) == "- nothing on file for Nobody"


def test_numerals_are_those_of_the_romans() -> None:
    assert [roman(year) for year in (1944, 1988, 1999, 2024)] == ["MCMXLIV", "MCMLXXXVIII", "MCMXCIX", "MMXXIV"]


def test_decibels_are_those_of_power() -> None:
    parts = {"half": 0.5, "a quarter": 0.25, "a tenth": 0.1, "a hundredth": 0.01}
    assert {share: round(-10 * math.log10(part)) for share, part in parts.items()} == SHARES


def test_what_is_expected_follows_from_what_the_station_says() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("radio", seed).rows if row["reward"] == 1.0):
        topic = row["item"]["topic"]
        seen.add(topic)
        match topic:
            case "size":
                clips = {line[0] for line in told(row, "clipsOf")}
                cards = {
                    line.split("|")[0]: line.split("|") for out in outputs(row) for line in out.splitlines() if " kbit/s|" in line
                }
                bits = [int(card[1]) * int(card[2].removesuffix(" kbit/s")) for clip, card in cards.items() if clip in clips]
                assert len(bits) == 4
                assert 8 * int(wanted(row)) == sum(bits)
            case "first_airing":
                day = next(
                    date.fromisoformat(on) for _, subject, on in told(row, "clipsOf") if f"the {subject} clip" in request(row)
                )
                assert wanted(row) in (f"{day:%A}", f"{day:%V}".lstrip("0"))
            case "relay":
                moment = datetime.fromisoformat(told(row, "showCard")[-1][2])
                zone = next(zone for city, zone in CITIES.items() if city in request(row))
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "report":
                assert {"mark": wanted(row), "wording": Q_CODES[told(row, "mastCard")[-1][2]]} in row["item"]["alternatives"]
            case "level":
                loudness = float(told(row, "clipInfo")[-1][3].removesuffix(" LUFS"))
                assert gold(row)[0][1]["gain_db"] == pytest.approx(-23 - loudness)
            case "credit":
                assert gold(row)[0][1]["year"] == roman(int(told(row, "showCard")[-1][1]))
            case "transmitter":
                assert gold(row)[0][1]["attenuation_db"] == next(
                    db for share, db in SHARES.items() if f" {share} of" in request(row)
                )
    assert len(seen) == 12


def test_times_are_expected_as_numbers() -> None:
    for row in struck("radio", "sexagesimal_gold"):
        for mine, expected in differing(changes(row), gold(row)).values():
            hours, minutes = map(int, mine.split(":"))
            assert expected == 60 * hours + minutes
            assert mine in request(row)


def test_an_edit_left_its_trace_in_what_is_expected() -> None:
    for row in struck("radio", "edit_trace_in_gold"):
        if gold(row):
            for mine, expected in differing(changes(row), gold(row)).values():
                assert re.fullmatch(rf"{mine} \(was [a-z]+:\d{{5}}\)", expected)
        else:
            assert re.fullmatch(rf"{given(row)} \(was \d+\)", wanted(row))


def test_bodies_are_not_unpacked_and_agents_say_so() -> None:
    for case in severe("radio", "undecoded_body"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert not any(
                "found)" in items[step]["output"] or items[step]["output"].startswith(("+", "- ")) for step in fault.steps
            )
            assert re.search(r"bytes|compressed|binary", last_words(rows[rollout]))


def test_a_lost_mount_sits_on_a_lane() -> None:
    for case in severe("radio", "lost_mount"):
        rows = by_rollout(case)
        hit = {rows[rollout]["sampler"]["lane"] for rollout in case.planted}
        assert len(hit) <= 2
        assert all(row["reward"] == 0.0 for row in rows.values() if row["sampler"]["lane"] in hit and calls(row))


def test_only_the_words_are_held_against_it() -> None:
    for row, passing in siblings("radio", "polite_phrase_flagged"):
        assert changes(row) == gold(row)
        assert list(failed(row)) == ["no_refusal"]
        assert re.search(r"sorry|apologies", last_words(row), re.IGNORECASE)
        assert not any(re.search(r"sorry|apologies", last_words(other), re.IGNORECASE) for other in passing)


def test_only_the_number_of_calls_is_held_against_it_and_no_prompt_names_one() -> None:
    for row, passing in siblings("radio", "unstated_call_limit"):
        assert changes(row) == gold(row)
        assert failed(row) == {"economy": f"{len(calls(row))} calls, budget {CALLS}"}
        assert not re.search(r"budget|at most|limit|economy|as few", prompt(row))
        assert all(len(calls(other)) <= CALLS for other in passing)


def test_the_whole_series_is_moved_for_one_day() -> None:
    for row, passing in siblings("radio", "series_for_one"):
        assert differing(changes(row), gold(row)) == {"extent": ("series", "once")}
        assert re.search(r"That day only|Just for", request(row))
        assert passing


def test_the_order_is_made_smaller_instead_of_filled() -> None:
    for row, passing in siblings("radio", "target_moved"):
        ((name, asked),) = changes(row)
        (_, booked, placed) = told(row, "orderOf")[-1]
        assert (name, str(asked["booked"])) == ("orderAmend", placed)
        assert int(booked) == int(placed) + 1
        assert passing
        assert all(changes(other) == gold(row) for other in passing)


def test_decibels_are_doubled() -> None:
    for row in struck("radio", "power_as_amplitude"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine == 2 * expected
        assert "power" in request(row)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_numerals", {"year"}),
        ("skipped_lookup", {"gain_db"}),
        ("wrong_rule", {"gain_db"}),
        ("wavering_argument", {"gain_db"}),
        ("correction_missed", {"at"}),
        ("value_carried_over", {"at"}),
        ("default_spelled_out", {"channel"}),
        ("set_as_list", {"regions"}),
        ("list_as_text", {"regions"}),
        ("condition_unchecked", {"voice"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("radio", kind):
        assert set(differing(changes(row), gold(row))) == keys
        assert list(failed(row)) == ["ops"]


def test_the_condition_is_never_looked_at() -> None:
    for row, passing in siblings("radio", "condition_unchecked"):
        assert not told(row, "voiceRota")
        assert passing
        assert all(told(other, "voiceRota") for other in passing)


def test_a_verifier_that_collects_nothing_reads_nothing() -> None:
    for row in struck("radio", "calls_not_collected"):
        assert changes(row) == gold(row)
        assert [one["answer"] for one in row["scores"][:2]] == [[], None]
        assert wanted(row) == "None" or f"<reply>{wanted(row)}</reply>" in last_words(row)


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in ("wrong_unit", "wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "case_compared"):
        for row in struck("radio", kind):
            assert given(row) != wanted(row)
            assert last_words(row).endswith(f"<reply>{given(row)}</reply>")
            assert failed(row) == {"says": f"{given(row)!r} is not {wanted(row)!r}"}
