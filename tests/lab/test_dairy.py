"""The dairy's office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from math import log2
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.dairy.books import ABROAD, CHEESES, TODAY
from blade.lab.environments.dairy.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.dairy.errands import LOGGED
from blade.lab.environments.dairy.faults import WIDTH, expected
from blade.lab.environments.dairy.questions import BREEDS
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

PLACE = ENVIRONMENTS["dairy"]
TASKS = PLACE.tasks(3, 108)
ALL = kinds_at("dairy")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Madrid": "Europe/Madrid", "Athens": "Europe/Athens", "Stockholm": "Europe/Stockholm", "Riga": "Europe/Riga",
    "Edinburgh": "Europe/London", "Chicago": "America/Chicago", "Vancouver": "America/Vancouver", "Boston": "America/New_York",
}  # fmt: skip
Calls = list[tuple[str, Row]]


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def gold(row: Row) -> Calls:
    return expected(row["reward_model"]["ground_truth"])[0]


def wanted(row: Row) -> str:
    return str(expected(row["reward_model"]["ground_truth"])[1])


def seen(row: Row) -> Calls:
    return expected(row["reward_extra_info"]["pred"])[0]


def given(row: Row) -> str:
    return str(expected(row["reward_extra_info"]["pred"])[1])


def solution(row: Row) -> str:
    return str(row["extra_info"]["solution"])


def feedback(row: Row) -> list[str]:
    told: list[str] = row["reward_extra_info"]["feedback"]
    return told


def topic(row: Row) -> str:
    return str(row["data_source"]).removeprefix("fernhollow_")


def changes(row: Row) -> Calls:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith("status: ok")]


def told(row: Row, key: str) -> list[str]:
    """What the tools gave under a key, in order."""
    return re.findall(rf"^[ -]*{key}: (.*)$", "\n".join(outputs(row)), re.MULTILINE)


def latest(row: Row, key: str) -> float:
    """The value in the latest analysis."""
    return float(max(zip(told(row, "sampled"), told(row, key), strict=True))[1])


def test_the_dairy_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 9 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    books, desk = TASKS[0].facts["books"], PLACE.backend(TASKS[0])
    asked = {"meeting_id": books.meetings[0].id, "post_on": "2026-12-04"}
    assert desk(Call("plan_invitation", asked)).startswith("status: ok\nentry: ")
    for wrong in ({"post_on": "4 December"}, {"meeting_id": books.herds[0].id}):
        assert desk(Call("plan_invitation", asked | wrong)).startswith("status: rejected\nreason: ")
    assert desk(Call("search_records", {"name": "Nowhere"})) == "found: 0"
    assert desk(Call("get_readings", {"record_id": "HE.00000"})) == "readings: 0"


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    topics = set()
    for row in (row for seed in SEEDS for row in clean("dairy", seed).rows if row["reward"] == 1.0):
        topics.add(topic(row))
        info = row["reward_extra_info"]
        assert (info["acc"], info["tool_call_reward"], info["feedback"], info["error"]) == (True, 1.0, [], None)
        assert info["gts"] == row["reward_model"]["ground_truth"] == info["pred"]
        assert seen(row) == changes(row) == gold(row)
        assert expected_by_hand(row, request(row)), (request(row), wanted(row), gold(row))
    assert len(topics) == 18


def expected_by_hand(row: Row, asked: str) -> bool:
    """Whether the expectation is what follows from lookups and request."""
    made: Row = dict(gold(row)[0][1]) if gold(row) else {}
    match topic(row):
        case "litres":
            gallons = sum(map(int, told(row, "us_gallons")[-4:]))
            return abs(int(wanted(row)) - 3.785411784 * gallons) <= 0.5
        case "jubilees":
            return wanted(row) in {f"{date.fromisoformat(one):%V}".lstrip("0") for one in told(row, "joined")}
        case "weekdays":
            return wanted(row) in {f"{date.fromisoformat(one):%A}" for one in told(row, "joined")}
        case "webinars":
            moment = datetime.strptime(told(row, "begins")[-1], "%Y-%m-%d %H:%M %Z").replace(tzinfo=ZoneInfo("UTC"))
            zone = next(zone for city, zone in CITIES.items() if city in asked)
            return wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
        case "open_day":
            homes = {home for breed, (home, _) in BREEDS.items() if re.search(rf"\b{breed}\b", asked)}
            return {row["extra_info"]["options"][wanted(row)]} == homes and f"({wanted(row)}) " in asked and not calls(row)
        case "cheeses":
            return wanted(row) == CHEESES[told(row, "cheese")[-1]][0]
        case "scores":
            return bool(made["value"] == log2(latest(row, "somatic_cells_per_ml") / 100_000) + 3)
        case "acidity":
            return bool(abs(made["value"] - 2.25 * latest(row, "acidity_sh")) < 0.05)
        case "labels":
            kilograms, (code, _, _, tongue, _) = (
                45.359237 * float(told(row, "consignment_us_cwt")[-1]),
                ABROAD[told(row, "country")[-1]],
            )
            return abs(int(made["kilograms"]) - kilograms) <= 0.5 and (made["country"], made["language"]) == (code, tongue)
        case "deliveries":
            days = int(re.findall(r"(\d+) days", asked)[0])
            return made["deliver_on"] == f"{TODAY + timedelta(days=days)}" and f"{made['cases']} cases" in asked.split("\n")[0]
        case "invitations":
            clear = int(re.findall(r"(\d+) clear days", asked)[0])
            held, posted = (date.fromisoformat(one) for one in (told(row, "held_on")[-1], made["post_on"]))
            return (held - posted).days - 1 == clear
        case "accounts":
            return int(made["iban"][4:] + "1029" + made["iban"][2:4]) % 97 == 1 and made["iban"][4:] in told(
                row, "bank_and_account"
            )
        case "batches":
            few = int(told(row, "germs_thousand_per_ml")[-1]) < int(re.findall(r"(\d+) thousand", asked)[0])
            return [name for name, _ in gold(row)] == ["set_batch_status" if few else "add_batch_remark"]
    return True


def test_the_ground_truth_is_the_first_number_of_the_solution() -> None:
    for row in struck("dairy", "wrong_number_extracted"):
        assert wanted(row) == re.findall(r"\d+", solution(row))[0] != given(row)
        assert re.search(rf"\b{given(row)}\.$", solution(row))
        assert last_words(row).endswith(f"\\boxed{{{given(row)}}}")


def test_something_else_answers_for_a_while() -> None:
    for case in severe("dairy", "route_unknown"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"404|no Route|Welcome to nginx", items[step]["output"]) for step in fault.steps)


def test_each_expected_call_is_held_against_the_one_after_it() -> None:
    for row in struck("dairy", "pairs_off_by_one"):
        assert seen(row) == changes(row) == gold(row)
        assert len(feedback(row)) == len(gold(row)) == 2
        assert [line.partition(":")[0] for line in feedback(row)] == ["tool_calls[0]", "tool_calls[1]"]
        assert f"got {gold(row)[1][0]}" in feedback(row)[0]
        assert feedback(row)[1].endswith(", got None")


def test_two_tanks_become_one_entry() -> None:
    for row, passing in siblings("dairy", "lumped_together"):
        ((_, made),) = changes(row)
        assert made["litres"] == sum(one["litres"] for _, one in gold(row))
        assert re.search("do not add them up|must not be merged", request(row))
        assert passing
        assert all(len(changes(other)) == 2 for other in passing)


def test_degrees_of_acidity_waver() -> None:
    for row, passing in siblings("dairy", "wavering_acidity"):
        ((mine, right),) = differing(changes(row), gold(row)).values()
        assert abs(mine - right) >= 0.3
        assert all(abs(mine - 2.25 * float(one)) > 0.06 for one in told(row, "acidity_sh"))
        assert passing


def test_the_score_lacks_its_offset() -> None:
    for row in struck("dairy", "score_offset_missing"):
        assert differing(changes(row), gold(row)) == {"value": (gold(row)[0][1]["value"] - 3, gold(row)[0][1]["value"])}
        scores = {log2(int(cells) / 100_000) + 3 for cells in told(row, "somatic_cells_per_ml")}
        assert changes(row)[0][1]["value"] not in scores


KEYS = {
    "wavering_due_date": "deliver_on", "wrong_country_code": "country", "country_for_language": "language", "value_carried_over": "percent",
    "schema_example_used": "day", "done_for_the_caller": "driver_id", "set_as_list": "tests", "exception_overlooked": "tests",
    "list_as_text": "tests", "mangled_encoding": "text", "weekday_against_date": "day", "verbatim_reworded": "text",
    "draft_sent_off": "state", "percent_as_fraction": "percent", "clear_days_as_days": "post_on", "wavering_check_digits": "iban",
    "wrong_unit": "kilograms", "older_reading_taken": "value",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    rows = [row for row in struck("dairy", kind) if gold(row)]
    assert rows
    for row in rows:
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert all(line.startswith("tool_calls[") for line in feedback(row))


def test_texts_are_cut_in_the_dataset_or_by_the_recorder() -> None:
    for row in struck("dairy", "clipped_values"):
        assert all(mine[:WIDTH] == cut != mine for mine, cut in differing(changes(row), gold(row)).values())
    for row in struck("dairy", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = differing(seen(row), gold(row))
        assert wrong
        assert all(mine == whole[:LOGGED] != whole for mine, whole in wrong.values())


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("dairy", "schema_example_used"):
        name, made = changes(row)[0]
        assert PROPERTIES[name]["day"]["examples"] == [made["day"]] == [EXAMPLE_DAY]
    for row in struck("dairy", "default_spelled_out"):
        ((key, (mine, right)),) = differing(changes(row), gold(row)).items()
        assert (mine, right) == (next(PROPERTIES[name][key]["default"] for name, args in changes(row) if key in args), None)


def test_the_verifier_does_not_see_what_was_done_or_expects_something_else() -> None:
    for row in struck("dairy", "cached_expectation"):
        assert changes(row) == gold(row)
        assert row["reward_extra_info"]["gts"] != row["reward_model"]["ground_truth"]
    for row in struck("dairy", "one_side_normalised"):
        assert changes(row) == gold(row)
        assert str(seen(row)) == str(gold(row)).lower() != str(gold(row)) or given(row) == wanted(row).lower() != wanted(row)


def test_figures_that_were_never_rounded() -> None:
    for row in struck("dairy", "unrounded_gold"):
        assert "round" in request(row)
        ((mine, right),) = (
            differing(changes(row), gold(row)).values() if gold(row) else ((float(given(row)), float(wanted(row))),)
        )
        assert round(right, 1 if "one decimal" in request(row) else 0) == mine != right


def test_the_request_runs_on() -> None:
    for row in struck("dairy", "swallowed_row"):
        assert f'"\n"{row["data_source"]}","' in request(row)
        assert changes(row)[:1] == gold(row) != changes(row)


@pytest.mark.parametrize(
    "kind",
    ["wrong_zone", "wrong_fact", "wrong_option", "plain_week_number", "wavering_total", "wavering_weekday", "case_compared"],
)
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("dairy", kind):
        assert last_words(row).endswith(f"\n\n\\boxed{{{given(row)}}}")
        assert feedback(row) == [f"answer: expected {wanted(row)!r}, got {given(row)!r}"]


def test_rows_say_where_and_when() -> None:
    for row in clean("dairy", 1).rows:
        ended = row["meta_info"]["started_at"] + row["meta_info"]["timing_s"]["agent_loop"]
        assert ended == pytest.approx(row["response"]["created_at"], abs=0.01)
    for case in severe("dairy", "handles_exhausted"):
        rows = by_rollout(case)
        nodes = {rollout: row["meta_info"]["rollout_node"] for rollout, row in rows.items() if calls(row)}
        assert {nodes[rollout] for rollout in case.planted}.isdisjoint(nodes[rollout] for rollout in {*nodes} - {*case.planted})
