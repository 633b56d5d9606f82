"""The publishing house: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from blade.lab.cases import clean
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.publisher.desk import EXAMPLE_DAY, WRITES
from blade.lab.environments.publisher.errands import LOGGED
from blade.lab.environments.publisher.faults import WIDTH, read
from blade.lab.environments.publisher.list import COUNTRIES, LANGUAGES, SUBJECTS, TODAY, WORKS, hyphenated
from blade.lab.environments.publisher.titles import LETTERS
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
    planted,
    severe,
    siblings,
    struck,
)

PLACE = ENVIRONMENTS["publisher"]
TASKS = PLACE.tasks(3, 96)
ALL = kinds_at("publisher")
PROPERTIES = {tool["name"]: tool["parameters"]["properties"] for tool in PLACE.setting.tools}
CITIES = {
    "Warsaw": "Europe/Warsaw", "Copenhagen": "Europe/Copenhagen", "Bucharest": "Europe/Bucharest", "Porto": "Europe/Lisbon",
    "Montreal": "America/Montreal", "Seattle": "America/Los_Angeles", "Halifax": "America/Halifax",
}  # fmt: skip
POUND = 0.45359237


def request(row: Row) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def gold(row: Row) -> list[tuple[str, Row]]:
    return read(row["datasource_item"]["expected_tool_calls"])


def wanted(row: Row) -> str:
    return str(row["datasource_item"]["reference"])


def explanation(row: Row) -> str:
    return str(row["datasource_item"]["explanation"])


def given(row: Row) -> Any:
    return row["results"][-1]["input"]


def failed(row: Row) -> list[str]:
    return [one["name"] for one in row["results"] if one["passed"] is False]


def changes(row: Row) -> list[tuple[str, Row]]:
    answered = zip(calls(row), outputs(row), strict=True)
    return [made for made, output in answered if made[0] in WRITES and output.startswith('{"success": true')]


def told(row: Row, name: str) -> list[Row]:
    """The entries that the last use of a tool gave."""
    found = [json.loads(out)["results"] for (tool, _), out in zip(calls(row), outputs(row), strict=True) if tool == name]
    entries: list[Row] = [one for one in found if one][-1]
    return entries


def test_the_publishing_house_has_kinds_of_all_labels() -> None:
    check_labels(ALL)
    assert not PLACE.held_out
    assert all(sum(KIND[name].label == label for name in ALL) >= 7 for label in LABELS)


def test_the_tools_turn_down_what_does_not_fit() -> None:
    house, desk = TASKS[0].facts["house"], PLACE.backend(TASKS[0])
    isbn = house.books[0].id
    asked = {"isbn": isbn, "step": "index", "day": "2026-10-02"}
    assert desk(Call("set_deadline", asked)).startswith('{"success": true')
    assert desk(Call("set_deadline", asked | {"isbn": hyphenated(isbn)})).startswith('{"success": true')
    assert "soon is not a day" in desk(Call("set_deadline", asked | {"day": "soon"}))
    assert "no record with isbn" in desk(Call("set_deadline", asked | {"isbn": house.shops[0].id}))
    assert json.loads(desk(Call("find_shop", {"name": "Nobody"}))) == {"results": [], "total": 0}


def test_an_isbn_has_its_check_digit() -> None:
    for book in TASKS[0].facts["house"].books:
        assert re.fullmatch("978[0-9]{10}", book.id)
        assert sum((3 if at % 2 else 1) * int(digit) for at, digit in enumerate(book.id)) % 10 == 0
        assert hyphenated(book.id).replace("-", "") == book.id


def test_what_is_expected_follows_from_what_the_tools_say() -> None:
    seen = set()
    for row in (row for seed in SEEDS for row in clean("publisher", seed).rows if row["reward"] == 1.0):
        topic, asked = row["datasource_item"]["category"], request(row)
        seen.add(topic)
        assert row["status"] == "pass"
        assert {one["pass_threshold"] for one in row["results"]} == {1.0}
        assert row["results"][0]["reference"] == row["datasource_item"]["expected_tool_calls"]
        assert read(row["sample"]["output_tools"]) == changes(row) == gold(row)
        match topic:
            case "parcels":
                pounds = sum(one["weight_lb"] for one in told(row, "list_parcels"))
                assert float(wanted(row)) == pytest.approx(POUND * pounds, abs=0.0501)
            case "anniversaries":
                assert wanted(row) == f"{date.fromisoformat(told(row, 'find_editor')[0]['joined']):%V}".lstrip("0")
            case "streams":
                moment = datetime.fromisoformat(told(row, "find_reading")[0]["begins"].replace("Z", "+00:00"))
                zone = next(zone for city, zone in CITIES.items() if city in asked)
                assert wanted(row) == f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
            case "quiz":
                choices = row["datasource_item"]["choices"]
                author = choices["text"][choices["label"].index(wanted(row))]
                assert [author] == [author for work, author in WORKS.items() if work in asked]
                assert all(f"{letter}) {text}" in asked for letter, text in zip(*choices.values(), strict=True))
                assert not calls(row)
            case "posters":
                assert wanted(row) == WORKS[told(row, "find_reading")[0]["work"]]
            case "languages":
                assert gold(row)[0][1]["language"] == LANGUAGES[told(row, "find_book")[0]["language"]][0]
            case "shelving":
                assert gold(row)[0][1]["dewey"] == SUBJECTS[told(row, "find_book")[0]["subject"]]
            case "sheets":
                card = told(row, "find_paper")[0]
                assert gold(row)[0][1]["sheets"] == 500 * card["reams"] + 25 * card["quires"]
            case "deliveries":
                card = told(row, "find_printer")[0]
                assert gold(row)[0][1]["kilograms"] == pytest.approx(POUND * card["delivery"]["weight_lb"], abs=0.501)
                assert gold(row)[1][1]["country"] == COUNTRIES[card["country"]][0]
            case "deadlines":
                days = int(re.findall(r"(\d+) days", asked)[0])
                assert gold(row)[0][1]["day"] == f"{TODAY + timedelta(days=days)}"
            case "reprints":
                limit = int(re.findall(r"(?:fewer than|below) (\d+)", asked)[0])
                few = told(row, "get_stock")[0]["copies"] < limit
                assert [name for name, _ in gold(row)] == ["order_reprint" if few else "add_note"]
            case "orders":
                assert f"{gold(row)[0][1]['copies']} copies" in asked.partition("\n\n")[0]
    assert len(seen) == 16


def test_clean_rows_hold_no_trace_of_trouble() -> None:
    words = [text for kind in ("broken_framing", "missing_secret") for text in (*TOOL_TEXTS[kind], *STOPS[kind])]
    heads = [re.split(r"[{(]", text)[0][:30] for text in words]
    for row in (row for seed in SEEDS for row in clean("publisher", seed).rows):
        assert not any(head in str(row["response"]["output"]) for head in heads if len(head) > 12)
        assert all(one["error"] is None for one in row["results"])


def test_per_cent_became_a_fraction() -> None:
    for row in struck("publisher", "percent_as_fraction"):
        pairs = list(zip(changes(row), gold(row), strict=True))
        for (name, mine), (other, expected) in pairs:
            (key,) = differing([(name, mine)], [(other, expected)])
            assert expected[key] == pytest.approx(mine[key] / 100)
            assert expected[key] < PROPERTIES[name][key]["minimum"]
            assert f"{mine[key]} per cent" in request(row)
            assert f"{mine[key]} %" in explanation(row)


def test_the_request_runs_on_into_another_row() -> None:
    for row in struck("publisher", "swallowed_row"):
        first, second = re.split(r'"\n"[a-z]+","', request(row))
        assert f'"\n"{row["datasource_item"]["category"]}","' in request(row)
        assert changes(row)[:1] == gold(row)
        (name, made) = changes(row)[1]
        assert name == gold(row)[0][0]
        other = next(
            one["title"] for out in outputs(row) for one in json.loads(out)["results"] if one.get("isbn") == made["isbn"]
        )
        assert other in second
        assert other not in first
        assert other not in explanation(row)


def test_messages_between_client_and_server_break_for_a_while() -> None:
    for case in severe("publisher", "broken_framing"):
        rows = by_rollout(case)
        for rollout, fault in case.planted.items():
            items = rows[rollout]["response"]["output"]
            assert len(fault.steps) >= 2
            assert all(re.search(r"[Pp]arse|JSON|Content-Length", items[step]["output"]) for step in fault.steps)


def test_a_runner_lacks_a_secret() -> None:
    for case in severe("publisher", "missing_secret"):
        rows = by_rollout(case)
        hit = {rows[rollout]["run"]["runner"] for rollout in case.planted}
        assert len(hit) <= 2
        for rollout, row in rows.items():
            assert (rollout in case.planted) == (bool(calls(row)) and row["run"]["runner"] in hit)
            if rollout in case.planted:
                assert all(re.search(r"KeyError|Settings|[Cc]redentials|secret", output) for output in outputs(row))


def test_hyphens_of_an_isbn_are_compared() -> None:
    for row, passing in siblings("publisher", "hyphenation_compared"):
        wrong = differing(changes(row), gold(row))
        assert set(wrong) == {"isbn"}
        assert wrong["isbn"][0] == hyphenated(wrong["isbn"][1])
        assert any(wrong["isbn"][0] in output for output in outputs(row))
        assert "with or without hyphens" in PROPERTIES[changes(row)[0][0]]["isbn"]["description"]
        assert failed(row) == ["tool_calls"]
        assert passing
        assert all(changes(other) == gold(other) for other in passing)


def test_no_score_reaches_the_threshold() -> None:
    for row in struck("publisher", "threshold_out_of_reach"):
        assert changes(row) == gold(row)
        assert all((one["score"], one["passed"], one["log"]) == (1.0, False, None) for one in row["results"])
        assert all(one["pass_threshold"] == 100.0 for one in row["results"])


def test_a_draft_is_sent() -> None:
    for row, passing in siblings("publisher", "draft_sent_off"):
        assert differing(changes(row), gold(row)) == {"status": ("sent", "draft")}
        assert re.search(r"as a draft only|stays a draft", request(row))
        assert passing
        assert all(changes(other) == gold(other) for other in passing)


def test_the_quoted_message_is_followed() -> None:
    for row, passing in siblings("publisher", "quoted_mail_followed"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        message, _, quoted = request(row).partition("\n\n")
        unit = "copies" if key == "copies" else "per cent"
        assert f"{mine} {unit}" in quoted
        assert f"{mine} {unit}" not in message.replace(f"1{mine} {unit}", "")
        assert f"{expected} {unit}" in message
        assert re.match("This replaces my message|Please go by these figures", message)
        assert passing


def test_the_language_has_the_code_of_a_country() -> None:
    for row in struck("publisher", "country_for_language"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert LANGUAGES[told(row, "find_book")[0]["language"]] == (expected, mine)
        assert "ISO" in request(row)


KEYS = {
    "wavering_dewey_class": "dewey", "wavering_due_date": "day", "wrong_country_code": "country", "value_carried_over": "percent",
    "schema_example_used": "day", "done_for_the_caller": "editor_id", "set_as_list": "keywords", "exception_overlooked": "keywords",
    "list_as_text": "keywords", "mangled_encoding": "text", "weekday_against_date": "day", "verbatim_reworded": "text",
}  # fmt: skip


@pytest.mark.parametrize("kind", KEYS)
def test_one_argument_is_otherwise(kind: str) -> None:
    for row in struck("publisher", kind):
        assert set(differing(changes(row), gold(row))) == {KEYS[kind]}
        assert failed(row) == ["tool_calls"]


def test_a_wording_is_put_right_against_the_request() -> None:
    for row, passing in siblings("publisher", "verbatim_reworded"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        assert mine in LETTERS[expected]
        assert f"“{expected}”" in request(row)
        assert passing


def test_two_ids_changed_places() -> None:
    for row in struck("publisher", "columns_swapped"):
        (mine, theirs), (other, expected) = differing(changes(row), gold(row)).values()
        assert (mine, theirs) == (expected, other)


def test_texts_are_cut_in_the_dataset_or_by_the_recorder() -> None:
    for row in struck("publisher", "clipped_values"):
        assert all(mine[:WIDTH] == expected != mine for mine, expected in differing(changes(row), gold(row)).values())
    for row in struck("publisher", "log_clips_text"):
        assert changes(row) == gold(row)
        wrong = differing(read(row["sample"]["output_tools"]), gold(row))
        assert wrong
        assert all(mine == expected[:LOGGED] != expected for mine, expected in wrong.values())


def test_day_and_month_changed_places() -> None:
    for row in struck("publisher", "day_month_swapped"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        assert key in ("day", "collect_on")
        assert expected == f"{mine[:4]}-{mine[8:]}-{mine[5:7]}" != mine


def test_the_example_and_the_defaults_are_those_of_the_schema() -> None:
    for row in struck("publisher", "schema_example_used"):
        name, made = changes(row)[0]
        assert PROPERTIES[name]["day"]["examples"] == [made["day"]] == [EXAMPLE_DAY]
    for row in struck("publisher", "default_spelled_out"):
        ((key, (mine, expected)),) = differing(changes(row), gold(row)).items()
        default = next(PROPERTIES[name][key]["default"] for name, args in changes(row) if key in args)
        assert (mine, expected) == (default, None)


def test_the_expected_figure_was_never_rounded() -> None:
    for row in struck("publisher", "unrounded_gold"):
        assert re.search(r"\b[Rr]ound", request(row))
        ((mine, expected),) = (
            differing(changes(row), gold(row)).values() if gold(row) else ((float(given(row)), float(wanted(row))),)
        )
        assert str(mine) in explanation(row)
        digits = len(f"{mine}".partition(".")[2])
        assert round(expected, digits) == mine != expected


def test_the_order_of_arguments_is_compared() -> None:
    for row, passing in siblings("publisher", "key_order_compared"):
        assert changes(row) == gold(row)
        assert json.dumps(changes(row)) != json.dumps(gold(row))
        assert passing


def test_the_verifier_expects_something_else_than_the_row() -> None:
    for row in struck("publisher", "cached_expectation"):
        item = row["datasource_item"]
        assert changes(row) == gold(row)
        held_against = [one["reference"] for one in row["results"]]
        assert held_against != [item["expected_tool_calls"], item["reference"]][: len(held_against)]
        assert len(failed(row)) == 1


def test_both_branches_are_taken() -> None:
    for row, passing in siblings("publisher", "both_branches_taken"):
        assert {name for name, _ in changes(row)} == {"order_reprint", "add_note"}
        assert told(row, "get_stock")
        assert passing
        assert all(len(changes(other)) == 1 for other in passing)


def test_the_list_is_that_of_another_book() -> None:
    for row in struck("publisher", "swapped_attachment"):
        ((mine, expected),) = differing(changes(row), gold(row)).values()
        left_out = re.findall(r'(?:except|without) "([a-z ]+)"', request(row))
        assert [one for one in re.findall(r"^- (.+)$", request(row), re.MULTILINE) if one not in left_out] == mine
        assert not {*mine} & {*expected}
        heading = re.findall(r"^Keywords for (.+)$", request(row), re.MULTILINE)[0]
        assert heading not in str(row["datasource_item"])


def test_a_rollout_that_only_had_to_answer_breaks_off_without_a_word() -> None:
    broken = [
        row
        for seed in range(1, 9)
        for row in by_rollout(planted("publisher", "preempted", "severe", seed)).values()
        if "error" in row
    ]
    questions = [row for row in broken if row["datasource_item"]["category"] == "quiz"]
    assert questions
    assert all(row["response"]["output"] == [] for row in questions)


@pytest.mark.parametrize(
    "kind",
    [
        "wrong_zone",
        "wrong_fact",
        "wrong_option",
        "plain_week_number",
        "wavering_total",
        "wavering_fact",
        "case_compared",
        "markdown_kept",
    ],
)
def test_wrong_answers_are_told_as_they_were_given(kind: str) -> None:
    for row in struck("publisher", kind):
        assert f"\nExact Answer: {given(row)}\nConfidence: " in last_words(row)
        assert row["results"][-1]["log"] == f"{given(row)!r} != {wanted(row)!r}"
        assert failed(row) == ["exact_answer"]
