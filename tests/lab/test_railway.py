"""The rail travel desk: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.railway.desk import WRITES
from blade.lab.environments.railway.network import COUNTRIES, TODAY, ZONES
from blade.lab.environments.railway.work import share
from tests.lab.support import (
    SEEDS,
    Row,
    by_rollout,
    calls,
    differing,
    last_words,
    outputs,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["railway"]
TASKS = PLACE.tasks(3, 90)


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(one["api_name"], one["parameters"]) for one in row["oracle"]["api_calls"]]


def wanted(row: Row) -> Any:
    return row["oracle"]["final_answer"]


def given(row: Row) -> Any:
    return row["evaluation"]["parsed_answer"]


def failed(row: Row) -> list[str]:
    return [test["test"] for test in row["evaluation"]["tests"] if test["outcome"] == "failed"]


def changes(row: Row) -> list[tuple[str, Row]]:
    """The changes that a tool accepted."""
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("Confirmed")]


def told(row: Row, name: str, **arguments: str) -> str:
    """What a tool answered to the last such call of it."""
    answered = zip(calls(row), outputs(row), strict=True)
    return [output for (tool, asked), output in answered if tool == name and arguments.items() <= asked.items()][-1]


def ref(row: Row) -> str:
    found = re.search(r"TX\d{6}", request(row))
    assert found is not None
    return found[0]


def told_of_order(row: Row) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in told(row, "GetOrder", order_id=ref(row)).splitlines()[1:])


def days_asked(row: Row) -> int:
    """The number of days in a request that takes none back, or the one that is put in place of another."""
    found = re.findall(r"\d+(?=\)? days)", request(row))
    return int(found[-1])


def minutes(text: str) -> int:
    found = re.search(r"(\d\d):(\d\d)", text)
    assert found is not None
    return 60 * int(found[1]) + int(found[2])


def test_the_tools_turn_down_what_does_not_fit() -> None:
    desk, network = PLACE.backend(TASKS[0]), TASKS[0].facts["network"]
    order = network.upcoming[0]
    move = {"order_id": order.id, "train": order.train.number, "departure": order.train.on(TODAY)}
    assert desk(Call("ChangeTrain", move)).startswith("Confirmed")
    assert desk(Call("ChangeTrain", {**move, "departure": f"{move['departure']}:00"})).startswith("Confirmed")
    assert "does not depart" in desk(Call("ChangeTrain", {**move, "departure": f"{TODAY.isoformat()}T23:59"}))
    assert "ISO 8601" in desk(Call("ChangeTrain", {**move, "departure": "tomorrow"}))
    assert "no order" in desk(Call("GetOrder", {"order_id": "TX1"}))
    assert "lies ahead" in desk(Call("FileDelayClaim", {"order_id": order.id, "percent": 25}))
    gone = next(one for one in network.orders if one.cancelled)
    assert "is cancelled" in desk(Call("CancelOrder", {"order_id": gone.id}))


def test_what_is_expected_follows_from_what_the_portal_says() -> None:
    for seed in SEEDS:
        for row in clean("railway", seed).rows:
            if row["reward"] < 1.0:
                continue
            match row["task_type"]:
                case "spend":
                    open_ones = [line for line in told(row, "SearchOrders").splitlines() if "| confirmed |" in line]
                    prices = [float(line.split()[-2]) for line in open_ones]
                    assert float(wanted(row)) == pytest.approx(sum(prices))
                case "journey_time":
                    start, end = (told_of_order(row)[key] for key in ("From", "To"))
                    ahead = ZONES[end.split(",")[0]] - ZONES[start.split(",")[0]]
                    assert ahead
                    assert int(wanted(row)) == minutes(end) - minutes(start) - 60 * ahead
                case "line_length":
                    found = re.search(r"(\d+) m (\d+) ch", told(row, "GetLine"))
                    assert found is not None
                    assert float(wanted(row)) == pytest.approx(int(found[1]) * 1.609344 + int(found[2]) * 0.0201168, abs=0.051)
                case "coach_country":
                    assert row["answer_options"][wanted(row)] == COUNTRIES[told_of_order(row)["Coach"].split()[1]]
                case "order_service" if gold(row)[0][0] == "FileDelayClaim":
                    late = int(told_of_order(row)["Arrived"].split()[0])
                    assert gold(row)[0][1]["percent"] == (25 if 60 <= late < 120 else 50)
                case "rebooking" if "from today" in request(row):
                    day = TODAY + timedelta(days=days_asked(row))
                    assert gold(row)[0][1]["departure"].startswith(day.isoformat())
                case "rebooking" if "same train" in request(row):
                    day = date.fromisoformat(told_of_order(row)["Date of travel"]) + timedelta(days=days_asked(row))
                    assert gold(row)[0][1]["departure"].startswith(day.isoformat())


def test_two_hours_late_are_worth_half_the_price() -> None:
    assert [share(late) for late in (60, 119, 120, 300)] == [25, 25, 50, 50]


def test_an_aged_gold_counts_from_the_day_of_annotation() -> None:
    for row in struck("railway", "aged_gold"):
        found = differing(changes(row), gold(row))
        assert set(found) == {"departure"}
        mine, expected = (datetime.fromisoformat(one).date() for one in found["departure"])
        assert expected - date.fromisoformat(row["annotated_on"]) == mine - TODAY
        assert expected < TODAY


def test_the_right_country_is_in_no_option() -> None:
    for row in struck("railway", "no_right_option"):
        country = COUNTRIES[told_of_order(row)["Coach"].split()[1]]
        assert country in row["reference_note"]
        assert country in last_words(row)
        assert country not in row["answer_options"].values()
        assert all(text in request(row) for text in row["answer_options"].values())


def test_a_rejected_key_leaves_no_output() -> None:
    for case in severe("railway", "model_key_rejected"):
        assert {rollout for rollout, row in by_rollout(case).items() if "error" in row} == set(case.planted)
        assert not any(by_rollout(case)[rollout]["response"]["output"] for rollout in case.planted)


def test_a_browser_that_crashed_is_met_twice() -> None:
    for case in severe("railway", "browser_crashed"):
        for rollout, fault in case.planted.items():
            items = by_rollout(case)[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"[Bb]rowser|crashed|DevTools", items[step]["output"]) for step in fault.steps)


def test_only_the_comparison_of_the_database_fails() -> None:
    for row in struck("railway", "volatile_fields_compared"):
        assert failed(row) == ["test_database_state"]
        assert changes(row) == gold(row)


def test_typographic_variants_are_the_expected_name() -> None:
    for row in struck("railway", "typographic_variant"):
        assert given(row) != wanted(row)
        assert unicodedata.normalize("NFKC", given(row)).replace("\N{HYPHEN}", "-") == wanted(row)


def test_the_order_is_made_anew_where_siblings_change_it() -> None:
    for row, passing in siblings("railway", "cancelled_and_rebooked"):
        (_, cancelled), (_, booked) = [made for made in changes(row) if made[0] in ("CancelOrder", "BookTrain")]
        assert cancelled["order_id"] == gold(row)[0][1]["order_id"]
        assert booked["departure"] == gold(row)[0][1]["departure"]
        assert passing
        assert all(changes(other) == gold(row) for other in passing)


def test_the_order_that_was_excepted_is_cancelled() -> None:
    for row, passing in siblings("railway", "exception_overlooked"):
        extra = [made for made in changes(row) if made not in gold(row)]
        (line,) = [one for one in told(row, "SearchOrders").splitlines() if extra[0][1]["order_id"] in one]
        day = date.fromisoformat(line.split(" | ")[3])
        assert f"{day.day} {day:%B %Y}" in request(row)
        assert len(extra) == 1
        assert passing


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_compensation", {"percent"}),
        ("wrong_rule", {"percent"}),
        ("wavering_argument", {"departure"}),
        ("equivalent_timestamp", {"departure"}),
        ("day_month_swapped", {"departure"}),
        ("set_as_list", {"services"}),
        ("condition_unchecked", {"travel_class"}),
    ],
)
def test_one_parameter_is_wrong(kind: str, keys: set[str]) -> None:
    for row in struck("railway", kind):
        assert set(differing(changes(row), gold(row))) == keys


def test_chains_are_taken_for_hundredths() -> None:
    for row in struck("railway", "chains_as_decimals"):
        found = re.search(r"(\d+) m (\d+) ch", told(row, "GetLine"))
        assert found is not None
        assert float(given(row)) == pytest.approx(float(f"{found[1]}.{int(found[2]):02d}") * 1.609344, abs=0.051)


def test_local_times_are_taken_to_be_of_one_zone() -> None:
    for row in struck("railway", "wrong_zone"):
        assert int(given(row)) == minutes(told_of_order(row)["To"]) - minutes(told_of_order(row)["From"])
