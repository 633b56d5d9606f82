"""The market office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.draws import easter
from blade.lab.environments.market.desk import WRITES
from blade.lab.environments.market.ledger import VAT
from blade.lab.environments.market.register import FEASTS, ORIGINS
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

PLACE = ENVIRONMENTS["market"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("market")
CITIES = {
    "Porto": "Europe/Lisbon", "Bologna": "Europe/Rome", "Tampere": "Europe/Helsinki", "Lviv": "Europe/Kyiv",
    "Boston": "America/New_York", "Seattle": "America/Los_Angeles",
}  # fmt: skip


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return [(name, given) for name, given in row["doc"]["target"]["effects"]]


def wanted(row: Row) -> str:
    return str(row["doc"]["target"]["text"])


def given(row: Row) -> Any:
    return row["assessment"]["observed"]["text"]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("ok: true")]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [output for (tool, _), output in zip(calls(row), outputs(row), strict=True) if tool == name and output[:3] != "ok:"]
    return [dict(line.split(": ") for line in entry.strip().splitlines()) for entry in found[-1].removesuffix("...").split("---")]


def numbers(text: object) -> set[str]:
    return set(re.findall(r"\b\d{5}/[A-Z]\b", str(text)))


def test_the_office_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 5 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    register = TASKS[0].facts["register"]
    desk, (pitch, day) = PLACE.backend(TASKS[0]), register.lets[0]
    asked = {"pitch": pitch.id, "trader": register.traders[0].id, "day": "2026-07-04"}
    assert desk(Call("stalls.let", asked)).startswith("ok: true")
    assert "not a date: 4 July" in desk(Call("stalls.let", asked | {"day": "4 July"}))
    assert "unknown pitch 1/P" in desk(Call("stalls.let", asked | {"pitch": "1/P"}))
    assert "already let" in desk(Call("stalls.let", asked | {"day": f"{day}"}))
    assert desk(Call("stalls.let", asked | {"day": f"{day}", "override": True})).startswith("ok: true")
    assert "no entry for Nobody" in desk(Call("register.look_up", {"name": "Nobody"}))


def test_easter_is_when_the_almanac_has_it() -> None:
    assert [f"{easter(year):%m-%d}" for year in range(2024, 2031)] == [
        "03-31", "04-20", "04-05", "03-28", "04-16", "04-01", "04-21",
    ]  # fmt: skip


def test_what_is_expected_follows_from_what_the_office_says() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("market", seed).rows if row["reward"] == 1.0):
        subject, asked = row["doc"]["subject"], request(row)
        seen.add(subject)
        match subject:
            case "energy":
                assert float(wanted(row)) == pytest.approx(
                    3.6 * sum(int(one["meter_kwh"]) for one in told(row, "stalls.holdings"))
                )
            case "anniversary":
                day = date.fromisoformat(told(row, "register.look_up")[0]["since"])
                assert wanted(row) in (f"{day:%A}", f"{day:%V}".lstrip("0"))
            case "booking":
                moment = datetime.fromisoformat(told(row, "calendar.fair")[0]["booking_opens"])
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "origin":
                cheese = told(row, "register.look_up")[0]["known_for"]
                assert row["doc"]["choices"][int(wanted(row)) - 1] == ORIGINS[cheese]
            case "tax":
                net = int(told(row, "ledger.season_fee")[0]["net_pounds"])
                (rate,) = [rate for country, (rate, _) in VAT.items() if country in asked]
                assert gold(row)[0][1]["amount"] == pytest.approx(net + net * rate / 100)
            case "notice":
                days = date.fromisoformat(told(row, "calendar.fair")[0]["day"]) - date.fromisoformat(gold(row)[0][1]["day"])
                assert f"{days.days - 1} clear days" in asked
            case "feast":
                (off,) = [off for name, off in FEASTS.items() if name in asked]
                day = date.fromisoformat(gold(row)[0][1]["day"])
                assert day == easter(day.year) + timedelta(days=off)
                assert str(day.year) in asked
    assert len(seen) >= 11


def test_the_request_names_somebody_whom_nobody_knows() -> None:
    for row in struck("market", "pseudonym_in_prompt"):
        asked = [made["name"] for name, made in calls(row) if name == "register.look_up" and made["name"] in request(row)]
        assert asked[0] not in row["doc"]["gloss"]
        assert f"no entry for {asked[0]}" in str(outputs(row))
        assert asked[0] in last_words(row)
        assert not changes(row)


def test_days_are_expected_as_the_evening_before() -> None:
    for row in struck("market", "date_through_utc"):
        for mine, expected in differing(changes(row), gold(row)).values():
            assert expected == f"{date.fromisoformat(mine) - timedelta(days=1)}T23:00:00.000Z"


def test_responses_of_a_while_make_no_sense() -> None:
    for case in severe("market", "garbled_decoding"):
        rows = by_rollout(case)
        assert len({rollout.partition(":")[0] for rollout in case.planted}) >= 2
        for rollout in case.planted:
            (only,) = rows[rollout]["response"]["output"]
            assert len(set(only["content"][0]["text"])) <= 5
            assert rows[rollout]["response"]["incomplete_details"]


def test_changes_are_there_already_on_a_pod() -> None:
    for case in severe("market", "unreset_state"):
        rows = by_rollout(case)
        hit = {rows[rollout]["trace"]["pod"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            writes = any(name in WRITES for name, _ in calls(row))
            assert (rollout in case.planted) == (writes and row["trace"]["pod"] in hit)
            if rollout in case.planted:
                assert not changes(row)
                assert re.search(r"session|episode|earlier run", outputs(row)[-1])


def test_the_other_tool_does_the_same() -> None:
    descriptions = {tool["name"]: tool["description"] for tool in PLACE.setting.tools}
    assert "same as ledger.adjust to an amount of 0" in descriptions["ledger.waive"]
    for row in struck("market", "equivalent_tool"):
        assert changes(row) == [("ledger.adjust", {**asked, "amount": 0}) for _, asked in gold(row)]


def test_what_was_graded_is_another_rollouts() -> None:
    for case in severe("market", "graded_another_rollout"):
        rows = by_rollout(case)
        for rollout in case.planted:
            row, task = rows[rollout], rollout.partition(":")[0]
            graded = numbers(row["assessment"]["observed"])
            assert changes(row) == gold(row)
            assert graded
            assert not graded & numbers(gold(row))
            assert any(graded <= numbers(gold(other)) for key, other in rows.items() if key.partition(":")[0] != task)


def test_the_work_is_explained_and_not_done() -> None:
    for row, passing in siblings("market", "told_how_to"):
        assert not changes(row)
        assert "open the" in last_words(row).lower()
        assert passing


def test_somebody_is_overridden() -> None:
    for row, passing in siblings("market", "forced_through"):
        ((_, asked),) = changes(row)
        assert asked["override"] is True
        assert "already let" in str(outputs(row))
        assert passing
        for other in passing:
            assert "already let" in str(outputs(other))
            assert changes(other) == gold(row)


def test_clear_days_are_counted_as_any() -> None:
    for row in struck("market", "clear_days_as_days"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert date.fromisoformat(mine) - date.fromisoformat(expected) == timedelta(days=1)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("wavering_feast", {"day"}),
        ("skipped_lookup", {"amount"}),
        ("wrong_rule", {"amount"}),
        ("wavering_argument", {"amount"}),
        ("value_carried_over", {"amount"}),
        ("correction_missed", {"day"}),
        ("default_spelled_out", {"hookup"}),
        ("set_as_list", {"goods"}),
        ("list_as_text", {"goods"}),
        ("html_escaped_gold", {"goods"}),
        ("condition_unchecked", {"steward"}),
    ],
)
def test_one_argument_is_otherwise(kind: str, keys: set[str]) -> None:
    for row in struck("market", kind):
        assert set(differing(changes(row), gold(row))) == keys


@pytest.mark.parametrize(("kind", "tool"), [("condition_unchecked", "rota.of_hall"), ("skipped_lookup", "ledger.season_fee")])
def test_what_siblings_look_up_is_never_looked_at(kind: str, tool: str) -> None:
    def looked(row: Row) -> bool:
        return any(name == tool and made.get("hall", "") in request(row) for name, made in calls(row))

    for row, passing in siblings("market", kind):
        assert not looked(row)
        assert passing or kind == "skipped_lookup"
        assert all(map(looked, passing))


def test_a_verifier_that_collects_nothing_reads_nothing() -> None:
    for row in struck("market", "calls_not_collected"):
        assert changes(row) == gold(row)
        assert row["assessment"]["observed"] == {"effects": [], "text": None}
        assert wanted(row) == "None" or f"[[{wanted(row)}]]" in last_words(row)


def test_wrong_answers_are_told_as_they_were_given() -> None:
    for kind in ("wrong_unit", "wrong_zone", "wrong_fact", "plain_week_number", "wavering_total", "case_compared"):
        for row in struck("market", kind):
            assert last_words(row).endswith(f"[[{given(row)}]]")
            assert row["assessment"]["findings"] == [f"text is {given(row)!r}, should be {wanted(row)!r}"]


def test_a_wrong_unit_is_a_wrong_conversion_and_not_none() -> None:
    for row in struck("market", "wrong_unit"):
        read = sum(int(one["meter_kwh"]) for one in told(row, "stalls.holdings"))
        assert float(given(row)) not in (read, float(wanted(row)))


@pytest.mark.parametrize("seed", [92029, 3, 4])
def test_every_register_has_somebody_whose_week_the_plain_count_misses(seed: int) -> None:
    tasks = PLACE.tasks(seed, 28)
    assert any("plain_week_number" in task.faulty for task in tasks)
