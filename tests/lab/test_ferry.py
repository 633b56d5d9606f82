"""The ferry line: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.ferry.crew import WATCH_HOURS, WATCHES
from blade.lab.environments.ferry.desk import WRITES
from blade.lab.environments.ferry.errands import LOGGED
from blade.lab.environments.ferry.faults import read
from blade.lab.environments.ferry.harbours import GAPS, KNOTS, NOTICES
from blade.lab.environments.ferry.line import COUNTRIES, HAZARDS, MIDS, TODAY, sea_state
from blade.lab.environments.ferry.questions import SIGNALS
from blade.lab.faults.catalogue import KIND
from blade.lab.faults.troubles import STOPS, TOOL_TEXTS
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

PLACE = ENVIRONMENTS["ferry"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("ferry")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Bergen": "Europe/Oslo", "Tallinn": "Europe/Tallinn", "Athens": "Europe/Athens", "Chicago": "America/Chicago",
    "Boston": "America/New_York", "Gothenburg": "Europe/Stockholm", "Riga": "Europe/Riga",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return read(row["expected"]["calls"])


def wanted(row: Row) -> str:
    return str(row["expected"]["answer"])


def note(row: Row) -> str:
    return str(row["metadata"]["author_note"])


def given(row: Row) -> Any:
    return row["output"]["answer"]


def failed(row: Row) -> list[str]:
    return [name for name, score in row["scores"].items() if score == 0.0]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("{'saved': True")]


def told(row: Row, asked: str) -> Row:
    """The first entry that the last search of a register, or the last look at a sheet, gave."""
    found = [
        ast.literal_eval(out)["entries"]
        for (_, args), out in zip(calls(row), outputs(row), strict=True)
        if asked in args.values() and "'entries'" in out
    ]
    entries = [one for one in found if one][-1]
    return {"first": entries[0], "all": entries}


def test_the_ferry_line_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 9 for label in LABELS)
    assert len(PROPERTIES) == 14


def test_the_tools_turn_down_what_does_not_fit() -> None:
    line, desk = TASKS[0].facts["line"], PLACE.backend(TASKS[0])
    asked = {"vessel_id": line.vessels[0].id, "check": "hull", "date": "2026-06-02", "in_dock": False}
    assert desk(Call("check_schedule", asked)).startswith("{'saved': True")
    assert "is not a date" in desk(Call("check_schedule", asked | {"date": "soon"}))
    assert "is in no register" in desk(Call("check_schedule", asked | {"vessel_id": line.crew[0].id}))
    assert "is not a time" in desk(Call("log_append", {"record_id": line.vessels[0].id, "text": "fog", "time": "noon"}))
    assert desk(Call("register_search", {"register": "crew", "name": "Nobody"})) == "{'count': 0, 'entries': []}"
    assert "no register" in desk(Call("register_search", {"register": "fleet", "name": "Salt Wind"}))
    assert "no sheet" in desk(Call("sheet_read", {"record_id": line.harbours[0].id, "sheet": "tides"}))


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("ferry", seed).rows if row["reward"] == 1.0):
        seen.add(row["input"]["topic"])
        assert set(row["scores"].values()) == {1.0}
        assert row["scorer_errors"] == {}
        assert [one["expected"] for one in row["score_metadata"].values()] == [row["expected"]["calls"], wanted(row)][
            : len(row["scores"])
        ]
        assert read(row["output"]["calls"]) == changes(row) == gold(row)
        assert row["metrics"]["start"] < row["metrics"]["end"]
        assert expected_by_hand(row, request(row))
    assert len(seen) == 18


def expected_by_hand(row: Row, asked: str) -> bool:
    """Whether the expectation is what follows from lookups and request."""
    made = gold(row)[0][1] if gold(row) else {}
    match row["input"]["topic"]:
        case "distances":
            return bool(abs(int(wanted(row)) - 1.852 * sum(one["nautical_miles"] for one in told(row, "legs")["all"])) <= 0.5)
        case "badges":
            return wanted(row) == f"{date.fromisoformat(told(row, 'crew')['first']['joined']):%V}".lstrip("0")
        case "departures":
            moment = datetime.fromisoformat(f"{told(row, 'sailings')['first']['departs_utc']}+00:00")
            zone = next(zone for city, zone in CITIES.items() if city in asked)
            return wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
        case "signals":
            flag = re.findall(r"flag ([A-Z]) ", asked)[0]
            shown = f"({wanted(row)}) {SIGNALS[flag][0]}" in asked
            return shown and row["input"]["choices"][wanted(row)] == SIGNALS[flag][0] and not calls(row)
        case "flags":
            return wanted(row) == MIDS[told(row, "visitors")["first"]["mmsi"][:3]][0]
        case "depths":
            return float(wanted(row)) == float(max((one["sounded"], one["depth_m"]) for one in told(row, "soundings")["all"])[1])
        case "watches":
            return bool(made["start"] == next(times[0] for name, times in WATCHES.items() if f"The {name}" in note(row)))
        case "checks":
            days = int(re.findall(r"(\d+) days", asked)[0])
            return bool(made["date"] == f"{TODAY + timedelta(days=days)}" and made["in_dock"] == ("No need" not in asked))
        case "bells":
            begins = next(hour for name, hour in WATCH_HOURS.items() if name in asked)
            minutes = 60 * begins + 30 * (1 + ("one", "two", "three", "four").index(re.findall(r"(\w+) bells? ", asked)[0]))
            return bool(made["time"] == f"{minutes // 60:02}:{minutes % 60:02}")
        case "sea":
            return bool(made["sea_state"] == sea_state(told(row, "waves")["first"]["off_the_pier_m"]))
        case "wind":
            return bool(made["wind_knots"] == KNOTS[int(re.findall(r"[Ff]orce (\d+)", asked)[0])])
        case "hazards":
            return bool(made["hazard_class"] == HAZARDS[told(row, "accounts")["first"]["freight"]["un_number"][2:]][0])
        case "collections":
            card = told(row, "accounts")["first"]
            close = abs(made["kilograms"] - 0.45359237 * card["freight"]["weight_lb"]) <= 0.5
            return close and gold(row)[1][1]["country"] == COUNTRIES[card["country"]][0] and gold(row)[1][1]["time"] in asked
        case "refunds":
            return f"£{made['amount'] / 100:.2f}" in asked.partition("\n\n")[0]
        case "space":
            few = told(row, "space")["first"]["free_lane_metres"] < int(re.findall(r"<(\d+)", asked)[0])
            return [name for name, _ in gold(row)] == ["log_append" if few else "unit_book"]
    return True


def test_sea_state_is_that_of_the_scale() -> None:
    heights = {0.05: 1, 0.3: 2, 1.0: 3, 2.0: 4, 3.1: 5, 5.0: 6, 7.5: 7, 10.0: 8, 15.0: 9}
    assert {height: sea_state(height) for height in heights} == heights


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    heads = [re.split(r"[{(]", one)[0][:30] for ones in (TOOL_TEXTS, STOPS) for one in ones["results_unawaited"]]
    for row in (row for seed in SEEDS for row in clean("ferry", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads if len(head) > 12)


def test_entries_of_the_list_were_left_out() -> None:
    for row in struck("ferry", "elided_list"):
        lines = request(row).splitlines()
        assert sum(line in GAPS for line in lines) == 1
        numbers = [int(line.partition(".")[0]) for line in lines if re.match(r"\d+\. ", line)]
        assert numbers != list(range(1, len(numbers) + 1))
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        hidden = set(expected) - set(mine)
        assert len(expected) - len(mine) == len(hidden) in (1, 2)
        assert not any(one in request(row) for one in hidden)
        assert all(one in note(row) for one in hidden)


def test_results_of_a_host_are_never_awaited() -> None:
    for case in severe("ferry", "results_unawaited"):
        rows = by_rollout(case)
        hit = {rows[rollout]["context"]["hostname"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["context"]["hostname"] in hit)
            if rollout in case.planted:
                assert all(re.search(r"coroutine|[Pp]romise|coro=|Future", output) for output in outputs(row))


def test_what_is_false_does_not_reach_the_verdict() -> None:
    for row in struck("ferry", "false_values_lost"):
        assert changes(row) == gold(row)
        lost = differing(read(row["output"]["calls"]), gold(row))
        assert set(lost.values()) == {(None, False)}


def test_the_unit_of_the_schema_is_ignored() -> None:
    for row, passing in siblings("ferry", "schema_unit_ignored"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        (name, _) = gold(row)[0]
        assert re.search("pence|centimetres", PROPERTIES[name][key]["description"])
        assert expected == pytest.approx(100 * mine)
        assert f"{mine:.2f}" in request(row) or f"{mine:g} metres" in request(row)
        assert "units and words that the description of a tool names" in str(row["responses_create_params"]["input"][0])
        assert passing


def test_bells_are_taken_for_hours() -> None:
    for row in struck("ferry", "bells_as_hours"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        begins = 60 * next(hour for name, hour in WATCH_HOURS.items() if name in request(row))
        late, right = (60 * int(one[:2]) + int(one[3:]) - begins for one in (mine, expected))
        assert late % 1440 == 2 * right
        assert set(differing(changes(row), gold(row))) == {"time"}


KEYS = {
    "wavering_sea_state": "sea_state", "wavering_force": "wind_knots", "force_off_by_one": "wind_knots", "wrong_hazard_class": "hazard_class",
    "wavering_hazard_class": "hazard_class", "wavering_due_date": "date", "wrong_country_code": "country", "value_carried_over": "percent",
    "done_for_the_caller": "crew_id", "set_as_list": "facilities", "exception_overlooked": "facilities", "list_as_text": "facilities",
    "weekday_against_date": "date", "date_through_utc": "date", "day_month_swapped": "date", "verbatim_reworded": "text",
    "draft_sent_off": "status", "wrong_rule": "start", "sexagesimal_gold": "time", "negative_gold": "amount", "html_escaped_gold": "text",
    "correction_missed": "date", "swapped_attachment": "facilities",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("ferry", kind):
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert failed(row) == ["calls_match"]


SPOILT: dict[str, Callable[[Any], Any]] = {
    "negative_gold": lambda mine: -mine,
    "sexagesimal_gold": lambda mine: 60 * int(mine[:2]) + int(mine[3:]),
    "date_through_utc": lambda mine: f"{date.fromisoformat(mine) - timedelta(days=1)}T23:00:00.000Z",
    "html_escaped_gold": lambda mine: mine.replace("&", "&amp;"),
    "list_as_text": str,
}


@pytest.mark.parametrize("kind", SPOILT)
def test_expected_values_are_spoilt_as_the_catalogue_says(kind: str) -> None:
    for row in struck("ferry", kind):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert SPOILT[kind](mine) == expected
        assert kind not in ("sexagesimal_gold", "html_escaped_gold") or mine in request(row)
    assert PROPERTIES["refund_pay"]["amount"]["minimum"] == 0


def test_the_verifier_sees_less_or_expects_something_else() -> None:
    for row in struck("ferry", "log_clips_text"):
        wrong = differing(read(row["output"]["calls"]), gold(row))
        assert wrong
        assert all(mine == expected[:LOGGED] != expected for mine, expected in wrong.values())
    for row in struck("ferry", "cached_expectation"):
        assert changes(row) == gold(row)
        held_against = [one["expected"] for one in row["score_metadata"].values()]
        assert held_against != [row["expected"]["calls"], wanted(row)][: len(held_against)]
    for row in struck("ferry", "verifier_timeout"):
        assert set(row["scores"].values()) == {None}
        assert row["scorer_errors"].keys() == row["scores"].keys()


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("ferry", "verbatim_reworded"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine in NOTICES[expected]
        assert f"“{expected}”" in request(row)
        assert passing


@pytest.mark.parametrize(
    "kind", ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_fact", "case_compared", "older_reading_taken"]
)  # fmt: skip
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("ferry", kind):
        assert last_words(row).endswith(f'\n{{"answer": "{given(row)}"}}')
        assert row["score_metadata"]["answer_match"] == {"expected": wanted(row), "got": given(row)}
        assert failed(row) == ["answer_match"]
