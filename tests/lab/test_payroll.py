"""The payroll office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.draws import easter, misread, turned
from blade.lab.environments.payroll.desk import EXAMPLE_DAY, OPTIONAL, WRITES
from blade.lab.environments.payroll.errands import LOGGED
from blade.lab.environments.payroll.faults import WIDTH, read
from blade.lab.environments.payroll.files import ABROAD, JOBS, TODAY
from blade.lab.environments.payroll.leave import FEASTS
from blade.lab.environments.payroll.papers import INTERVALS, LETTERS
from blade.lab.environments.payroll.pay import CURRENCIES
from blade.lab.environments.payroll.questions import TERMS
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

PLACE = ENVIRONMENTS["payroll"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("payroll")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Halifax": "America/Halifax", "Denver": "America/Denver", "Detroit": "America/Detroit", "Porto": "Europe/Lisbon",
    "Graz": "Europe/Vienna", "Utrecht": "Europe/Amsterdam", "Tampere": "Europe/Helsinki", "Thessaloniki": "Europe/Athens",
}  # fmt: skip
Calls = list[tuple[str, Row]]


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> Calls:
    return read(row["expected_function_calls"])


def wanted(row: Row) -> Any:
    return row["expected_answer"]


def seen(row: Row) -> Calls:
    return read(row["function_calls"])


def given(row: Row) -> Any:
    return row["extracted_answer"]


def reasoning(row: Row) -> str:
    return str(row["verifier_metadata"]["reference_reasoning"])


def topic(row: Row) -> str:
    return str(row["verifier_metadata"]["category"]).removeprefix("payroll_")


def failed(row: Row) -> list[str]:
    return [one["name"] for one in row["checks"] if one["score"] == 0.0]


def changes(row: Row) -> Calls:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith('{"ok": true')]


def told(row: Row, key: str) -> list[Any]:
    """What the lookups gave under a key, in order."""
    return [json.loads(one) for one in re.findall(rf'"{key}": ("[^"]*"|[\d.]+)', "\n".join(outputs(row)))]


def test_the_payroll_office_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 10 for label in LABELS)
    assert {KIND[name].label for name in ALL if KIND[name].held_out} == set(LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    files, desk = TASKS[0].facts["files"], PLACE.backend(TASKS[0])
    asked = {"team_id": files.teams[0].id, "day": "2028-04-14"}
    assert desk(Call("close_team", asked)).startswith('{"ok": true, "transaction": ')
    for wrong in ({"day": "14 April"}, {"team_id": files.employees[0].id}):
        assert desk(Call("close_team", asked | wrong)).startswith('{"ok": false, "error": ')
    assert desk(Call("find_employee", {"name": "Nobody"})) == '{"matches": []}'
    assert "no employee" in desk(Call("open_file", {"employee_id": "EMP-00000", "section": "mileage"}))
    assert "no section" in desk(Call("open_file", {"employee_id": files.employees[0].id, "section": "tax"}))


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    topics = set()
    for row in (row for seed in SEEDS for row in clean("payroll", seed).rows if row["reward"] == 1.0):
        topics.add(topic(row))
        assert {one["score"] for one in row["checks"]} == {1.0}
        assert len(row["checks"]) == (2 if wanted(row) is None else 3)
        assert row["verifier_error"] is None
        assert seen(row) == changes(row) == gold(row)
        assert given(row) == wanted(row)
        assert row["session"]["seeded_at"] < row["session"]["verified_at"]
        assert expected_by_hand(row, request(row)), (request(row), wanted(row), gold(row))
    assert len(topics) == 18


def expected_by_hand(row: Row, asked: str) -> bool:
    """Whether the expectation is what follows from lookups and request."""
    made: Row = dict(gold(row)[0][1]) if gold(row) else {}
    match topic(row):
        case "mileage":
            miles = sum(one["miles"] for one in json.loads(outputs(row)[-1])["mileage"])
            return abs(int(wanted(row)) - 1.609344 * miles) <= 0.5
        case "anniversaries":
            return wanted(row) in {f"{date.fromisoformat(one):%V}".lstrip("0") for one in told(row, "joined_on")}
        case "first_days":
            return wanted(row) in {f"{date.fromisoformat(one):%A}" for one in told(row, "joined_on")}
        case "briefings":
            moment = datetime.strptime(told(row, "briefing_utc")[-1], "%Y-%m-%dT%H:%MZ").replace(tzinfo=ZoneInfo("UTC"))
            zone = next(zone for city, zone in CITIES.items() if city in asked)
            return bool(wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}")
        case "glossary":
            meaning = TERMS[re.findall("“(.*?)”", asked)[0]][0]
            options = {key: text for one in row["verifier_metadata"]["options"] for key, text in one.items()}
            return options[wanted(row)] == meaning and f"\n{wanted(row)}. {meaning}" in asked and not calls(row)
        case "currencies":
            return bool(wanted(row) == next(one.currency for city, one in ABROAD.items() if f"{city} office" in asked))
        case "rates":
            history = json.loads(outputs(row)[-1])["pay_history"]
            return bool(wanted(row) == max(history, key=lambda one: str(one["valid_from"]))["hourly_eur"])
        case "reminders":
            days = int(re.findall(r"(\d+) days", asked)[0])
            return bool(made["due_on"] == f"{TODAY + timedelta(days=days)}" and made["subject"] in asked)
        case "holidays":
            name = next(one for one in FEASTS if one in asked)
            return bool(made["day"] == f"{easter(int(re.findall('20[0-9]{2}', asked)[0])) + timedelta(days=FEASTS[name])}")
        case "awards":
            whole, currency = re.findall(r"(\d+) [\w ]+ \(([A-Z]{3})\)", asked)[0]
            each = int(whole) * 10 ** CURRENCIES[currency][1] // 2
            return [one["amount_minor"] for _, one in gold(row)] == [each, each]
        case "allowances":
            keeps, rate = re.findall(r"(\d+) euros", asked)[0], re.findall(r"(\d+) per cent", asked)[0]
            return bool(made["amount_minor"] * (100 - int(rate)) == 10_000 * int(keeps))
        case "overtime":
            few = told(row, "hours_not_paid")[-1] < int(re.findall(r"<(\d+)", asked)[0])
            return [name for name, _ in gold(row)] == ["add_journal_note" if few else "pay_overtime"]
        case "cards":
            months = next(months for word, (months, _) in INTERVALS.items() if word in asked)
            return [one["value"] for _, one in gold(row)][1] == months and made["value"] in {
                JOBS[one] for one in told(row, "job")
            }
        case "postings":
            country = next(one for city, one in ABROAD.items() if f"{city} office" in asked)
            near = any(abs(made["distance_km"] - 1.609344 * one) <= 0.5 for one in told(row, "distance_miles"))
            return near and (made["country"], made["language"]) == (country.code, country.tongue)
        case "forms":
            iban, born = gold(row)[1][1]["iban"], date.fromisoformat(made["born_on"])
            return int(iban[4:] + "1518" + iban[2:4]) % 97 == 1 and f"{born.day} {born:%B %Y}" in asked
    return True


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    texts = [one.replace("{{", "{").replace("}}", "}") for ones in (TOOL_TEXTS, STOPS) for one in ones["cluster_without_leader"]]
    heads = [part for one in texts if len(part := re.split(r"\{tool\}", one)[-1][:40]) > 12]
    for row in (row for seed in SEEDS for row in clean("payroll", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads)
        assert not any(None in made.values() for _, made in seen(row))


def test_births_lie_in_the_next_century() -> None:
    for row in struck("payroll", "two_digit_year_gold"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        born, wrong = date.fromisoformat(mine), date.fromisoformat(expected)
        assert wrong > TODAY > born
        assert wrong == born.replace(year=born.year + 100)
        assert f"{born.day} {born:%B %Y}" in request(row)
        assert f"born {born:%d/%m/%y}" in reasoning(row)


def test_the_cluster_has_no_leader_for_a_while() -> None:
    for case in severe("payroll", "cluster_without_leader"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search("leader|CLUSTERDOWN|QUORUM", items[step]["output"]) for step in fault.steps)


def test_what_was_left_out_comes_back_as_null() -> None:
    for row in struck("payroll", "unset_as_null"):
        assert changes(row) == gold(row)
        unset = [{key: None for key in OPTIONAL[name] if key not in made} for name, made in gold(row)]
        assert any(unset)
        assert seen(row) == [(name, made | more) for (name, made), more in zip(gold(row), unset, strict=True)]
        assert failed(row) == ["required_calls", "no_other_calls"]


def test_each_gets_the_whole_award() -> None:
    for row, passing in siblings("payroll", "total_for_each"):
        assert differing(changes(row), gold(row)).keys() == {"amount_minor"}
        mine, right = ([one["amount_minor"] for _, one in ones] for ones in (changes(row), gold(row)))
        assert mine == [sum(right)] * 2
        assert re.search("Split it evenly|shared in equal parts", request(row))
        assert passing


def test_groups_of_occupations_waver() -> None:
    for row, passing in siblings("payroll", "wavering_occupation_group"):
        ((mine, right),) = differing(changes(row), gold(row)).values()
        assert mine != right
        assert right in {JOBS[one] for one in told(row, "job")}
        assert passing


def test_the_tax_is_added_to_the_net() -> None:
    for row in struck("payroll", "grossed_up_by_adding"):
        ((mine, right),) = differing(changes(row), gold(row)).values()
        keeps, rate = (int(re.findall(rf"(\d+) {word}", request(row))[0]) for word in ("euros", "per cent"))
        assert mine == keeps * (100 + rate)
        assert mine * (100 - rate) < 10_000 * keeps == right * (100 - rate)
        assert "gross amount" in request(row)


KEYS = {
    "wavering_due_date": "due_on", "wrong_country_code": "country", "country_for_language": "language", "done_for_the_caller": "employee_id",
    "set_as_list": "benefits", "exception_overlooked": "benefits", "list_as_text": "benefits", "weekday_against_date": "first_day",
    "swapped_attachment": "benefits", "verbatim_reworded": "text", "draft_sent_off": "status", "wavering_check_digits": "iban",
    "wavering_feast": "day", "wrong_rule": "value", "minor_unit_blindness": "amount_minor", "quoted_mail_followed": "amount_minor",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("payroll", kind):
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert failed(row) == ["required_calls", "no_other_calls"]


SPOILT: dict[str, Callable[[Any], Any]] = {
    "mangled_encoding": misread,
    "day_month_swapped": turned,
    "clipped_values": lambda mine: mine[:WIDTH],
    "list_as_text": str,
}


@pytest.mark.parametrize("kind", SPOILT)
def test_expected_values_are_spoilt_as_the_catalogue_says(kind: str) -> None:
    for row in struck("payroll", kind):
        wrong = differing(changes(row), gold(row))
        assert wrong
        assert all(SPOILT[kind](mine) == expected != mine for mine, expected in wrong.values())


def test_ids_stand_in_each_others_place() -> None:
    for row in struck("payroll", "columns_swapped"):
        (first, second) = differing(changes(row), gold(row)).values()
        assert first == second[::-1]


def test_the_verifier_sees_less_or_expects_something_else() -> None:
    for row in struck("payroll", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = [(mine[key], right[key]) for (_, mine), (_, right) in zip(seen(row), gold(row), strict=True) for key in right]
        cut = [(mine, right) for mine, right in wrong if mine != right]
        assert cut
        assert all(mine == right[:LOGGED] for mine, right in cut)
    for row in struck("payroll", "cached_expectation"):
        assert changes(row) == gold(row)
        held_against = [one["details"]["expected"] for one in row["checks"] if "expected" in one["details"]]
        assert held_against != [row["expected_function_calls"], wanted(row)][: len(held_against)]
    for row in struck("payroll", "verifier_timeout"):
        assert {one["score"] for one in row["checks"]} == {None}
        assert row["verifier_error"]
    for row in struck("payroll", "reward_contradicts_checks"):
        assert failed(row) == []


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("payroll", "schema_example_used"):
        ((key, (mine, _)),) = differing(changes(row), gold(row)).items()
        assert PROPERTIES[changes(row)[0][0]][key]["examples"] == [mine] == [EXAMPLE_DAY]
    for row in struck("payroll", "default_spelled_out"):
        ((key, (mine, right)),) = differing(changes(row), gold(row)).items()
        assert (mine, right) == (next(PROPERTIES[name][key]["default"] for name, made in changes(row) if key in made), None)


def test_requests_are_as_the_faults_leave_them() -> None:
    for row in struck("payroll", "swallowed_row"):
        assert f'"\n"{row["verifier_metadata"]["category"]}","' in request(row)
        assert changes(row)[:1] == gold(row) != changes(row)
    for row in struck("payroll", "stripped_as_markup"):
        assert not re.search("[<>]", request(row))
        assert not changes(row)
        assert str(told(row, "hours_not_paid")[-1]) in last_words(row)
    for row in struck("payroll", "unrounded_gold"):
        assert "round" in request(row)
        ((mine, right),) = differing(changes(row), gold(row)).values() if gold(row) else ((int(given(row)), float(wanted(row))),)
        assert round(right) == mine != right


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("payroll", "verbatim_reworded"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine in LETTERS[expected]
        assert f"“{expected}”" in request(row)
        assert passing


@pytest.mark.parametrize(
    "kind",
    ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_fact", "wavering_weekday", "wrong_unit", "case_compared", "older_reading_taken"],
)  # fmt: skip
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("payroll", kind):
        assert last_words(row).endswith(f"\nFINAL ANSWER: {given(row)}")
        assert row["checks"][-1]["details"] == {"expected": wanted(row), "extracted": given(row)}
        assert failed(row) == ["final_answer"]


def test_trouble_on_a_host_stays_there() -> None:
    for case in severe("payroll", "handles_exhausted"):
        rows = by_rollout(case)
        servers = {rollout: row["session"]["server"] for rollout, row in rows.items() if calls(row)}
        assert {servers[rollout] for rollout in case.planted}.isdisjoint(servers[one] for one in {*servers} - {*case.planted})
