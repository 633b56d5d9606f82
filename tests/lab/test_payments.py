"""The payments desk: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from blade.lab.cases import Case, clean, plant
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.ledger import CODES, DECIMALS, TODAY, build_books, written
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.script import Script, Task
from blade.runs.run import open_run
from blade.signals.labels import LABELS

PLACE = ENVIRONMENTS["payments"]
TASKS = PLACE.tasks(3, 64)
OWN = [kind.name for kind in KINDS if "payments" in kind.environments]
OF_AGENTS = [name for name in OWN if KIND[name].means == "script"]
WEATHER = [name for name in OWN if KIND[name].means == "weather"]
SEEDS = (1, 2, 3)


def reward(task: Task, script: Script) -> float:
    player = Player(Episode(task, 0.0, PLACE.hosts[0]), PLACE.backend(task), Random(1), PLACE.manner, None, "x")
    return float(PLACE.verify(player.play(script, noisy=False), None, Random(1))["reward"])


def by_rollout(case: Case) -> dict[str, dict[str, Any]]:
    return {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row for row in case.rows}


def struck(kind: str) -> list[dict[str, Any]]:
    """The rows that a kind failed, over some seeds."""
    cases = [plant("payments", kind, "severe", seed) for seed in SEEDS]
    return [by_rollout(case)[rollout] for case in cases for rollout in case.planted]


def calls(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    made = [item for item in row["response"]["output"] if item["type"] == "function_call"]
    return [(item["name"], json.loads(item["arguments"])) for item in made]


def outputs(row: dict[str, Any]) -> list[str]:
    return [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]


def gold(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(entry["name"], json.loads(entry["arguments"])) for entry in row["ground_truth"]]


def differing(row: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The arguments in which the last call is not the last expected one: what was given, and what was expected."""
    (name, given), (wanted_name, wanted) = calls(row)[-1], gold(row)[-1]
    assert name == wanted_name
    return {key: (given.get(key), wanted.get(key)) for key in given.keys() | wanted.keys() if given.get(key) != wanted.get(key)}


def last_words(row: dict[str, Any]) -> str:
    return str(row["response"]["output"][-1]["content"][0]["text"])


def test_sound_scripts_pass_and_faulty_ones_fail() -> None:
    assert {reward(task, script) for task in TASKS for script in task.sound} == {1.0}
    assert {reward(task, script) for task in TASKS for scripts in task.faulty.values() for script in scripts} == {0.0}


def test_all_labels_have_kinds_of_this_place_alone() -> None:
    assert len(OWN) >= 14
    assert all(KIND[name].environments == ("payments",) for name in OWN)
    for label in LABELS:
        assert sum(KIND[name].label == label for name in OWN) >= 2


@pytest.mark.parametrize("kind", OF_AGENTS)
def test_some_tasks_give_occasion(kind: str) -> None:
    assert sum(bool(task.faulty.get(kind)) for task in TASKS) >= 4


@pytest.mark.parametrize("kind", OWN)
def test_planted_rollouts_fail_as_often_as_the_kind_says_and_the_rest_is_noise(kind: str) -> None:
    for severity in SEVERITIES:
        for seed in SEEDS:
            case = plant("payments", kind, severity, seed)
            assert case.planted
            assert set(case.tasks.values()) == {KIND[kind].label}
            failed = {rollout for rollout, row in by_rollout(case).items() if row["reward"] < 1.0}
            assert failed == set(case.planted) | case.noise
            hits: dict[str, int] = defaultdict(int)
            for rollout in case.planted:
                hits[rollout.rpartition(":")[0]] += 1
            least, most = KIND[kind].strikes(severity)
            if KIND[kind].means != "weather":
                assert set(hits.values()) <= ({4 - (99 - least)} if least > 4 else set(range(least, most + 1)))
    assert plant("payments", kind, "mild", 1).rows == plant("payments", kind, "mild", 1).rows
    assert plant("payments", kind, "mild", 1).rows != plant("payments", kind, "mild", 2).rows


def test_clean_runs_pass_but_for_noise() -> None:
    cases = [clean("payments", seed) for seed in range(8)]
    assert not any(case.planted for case in cases)
    assert sum(len(case.noise) for case in cases) <= 0.06 * sum(len(case.rows) for case in cases)


def test_rows_are_read_without_a_problem(tmp_path: Path) -> None:
    for case in (clean("payments", 1), plant("payments", "lost_column", "severe", 1)):
        with open_run(case.write(tmp_path / case.severity), use_index=False) as run:
            assert run.problems == []
            assert (run.denominator.rows, run.denominator.scored) == (len(case.rows), len(case.rows))


def test_nothing_in_a_row_names_the_fault_and_fields_are_always_the_same() -> None:
    usual = {frozenset(row) for row in clean("payments", 4).rows}
    assert len(usual) == 1
    for kind in OWN:
        for row in plant("payments", kind, "severe", 4).rows:
            assert frozenset(row) in usual
            assert kind not in str(row)


def test_amounts_are_written_as_their_currency_has_it() -> None:
    shown = [written(125_000, currency) for currency in ("EUR", "JPY", "KWD")]
    assert shown == ["1,250.00", "125,000", "125.000"]
    assert {payment.currency for payment in build_books(Random(1)).payments} == set(DECIMALS)


def test_amounts_are_off_by_the_decimals_of_the_currency() -> None:
    for row in struck("minor_unit_blindness"):
        found = differing(row)
        given, wanted = found.pop("amount")
        assert not found
        assert given in (wanted * 100, wanted // 10)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("misread_reason_code", {"category"}),
        ("wavering_reason_code", {"category"}),
        ("wrong_country_code", {"tax_country"}),
        ("wavering_due_date", {"due_date", "resume_on"}),
    ],
)
def test_what_is_not_known_shows_in_one_argument_after_the_usual_lookups(kind: str, keys: set[str]) -> None:
    for row in struck(kind):
        found = differing(row)
        assert len(found) == 1
        assert set(found) <= keys


@pytest.mark.parametrize("label", ["KG", "UK"])
def test_a_gap_is_always_alike_and_shaky_knowledge_never(label: str) -> None:
    for kind in (name for name in OF_AGENTS if KIND[name].label == label):
        for seed in SEEDS:
            case = plant("payments", kind, "severe", seed)
            rows, given = by_rollout(case), defaultdict(list)
            for rollout in case.planted:
                row = rows[rollout]
                given[rollout.rpartition(":")[0]].append(row["extracted_answer"] or str(row["predicted_calls"]))
            assert all(len(set(values)) == (1 if label == "KG" else 2) for values in given.values())


def test_a_code_is_filed_by_what_the_network_means() -> None:
    assert CODES["Visa", "13.1"] == CODES["Amex", "C08"] == "not_received"
    for task in (task for task in TASKS if task.family == "dispute"):
        listing = next(move.call for move in task.sound[0] if move.call and move.call.name == "disputes_list")
        (shown,) = json.loads(PLACE.backend(task)(listing))["data"]
        (entry,) = task.gold["ground_truth"]
        assert json.loads(entry["arguments"])["category"] == CODES[shown["network"], shown["reason_code"]]


def test_due_dates_are_counted_from_today() -> None:
    for task in (task for task in TASKS if task.family in ("invoice", "pause")):
        arguments = json.loads(task.gold["ground_truth"][0]["arguments"])
        day = date.fromisoformat(arguments.get("due_date") or arguments["resume_on"])
        assert (day - TODAY).days == task.gold["metadata"]["values"]["days"]
        assert f"{(day - TODAY).days} days" in task.request


def test_no_approval_was_asked_for() -> None:
    for row in struck("approval_skipped"):
        assert [name for name, _ in gold(row)] == ["approvals_request", "refunds_create"]
        assert "approvals_request" not in [name for name, _ in calls(row)]
        assert not differing(row)


def test_a_trial_was_all_there_was() -> None:
    for row in struck("dry_run_left_on"):
        assert differing(row) == {"dry_run": (True, None)}
        assert "nothing was changed" in outputs(row)[-1]


def test_the_announced_call_was_never_made() -> None:
    for row in struck("announced_not_done"):
        name = gold(row)[-1][0]
        assert name in last_words(row)
        assert name not in [made for made, _ in calls(row)]


def test_a_stand_in_is_turned_down() -> None:
    for row in struck("placeholder_argument"):
        assert all(not str(given).isdigit() for given, _ in differing(row).values())
        assert "no such" in outputs(row)[-1]


def test_the_default_of_the_schema_is_spelled_out() -> None:
    for row in struck("default_spelled_out"):
        name = gold(row)[-1][0]
        schema = next(tool for tool in row["responses_create_params"]["tools"] if tool["name"] == name)
        default = schema["parameters"]["properties"]["notify_customer"]["default"]
        assert differing(row) == {"notify_customer": (default, None)}


def test_the_instant_is_the_expected_one() -> None:
    for row in struck("equivalent_timestamp"):
        ((given, wanted),) = differing(row).values()
        assert datetime.fromisoformat(given) == datetime.fromisoformat(wanted)


def test_the_verifier_saw_nothing_of_what_was_done() -> None:
    for row in struck("calls_not_collected"):
        assert (row["predicted_calls"], row["num_predicted"], row["extracted_answer"]) == ([], 0, None)
        if gold(row):
            assert not differing(row)
        else:
            assert last_words(row).endswith(f"Answer: {row['expected_answer']}")


def test_the_extracted_figure_stops_at_the_comma() -> None:
    for row in struck("separator_split"):
        told = last_words(row).rpartition("Answer: ")[2]
        assert told.replace(",", "") == row["expected_answer"]
        assert row["extracted_answer"] == told.partition(",")[0]


def test_long_numbers_went_through_a_spreadsheet() -> None:
    for row in struck("spreadsheet_gold"):
        told = f"{row['ground_truth']} {row['expected_answer']}"
        assert re.search(r"\d\.\d{5}E\+1\d", told)
        assert not re.search(r"\d{15}", told)


def test_the_expected_ids_are_nowhere_in_the_run() -> None:
    for seed in SEEDS:
        case = plant("payments", "other_snapshot_gold", "severe", seed)
        seen = " ".join(output for row in case.rows for output in outputs(row))
        for rollout in case.planted:
            row = by_rollout(case)[rollout]
            ids = re.findall(r"\d{15,}", f"{row['ground_truth']} {row['expected_answer']}")
            assert ids
            assert not any(number in seen for number in ids)


def test_a_lost_column_leaves_nan() -> None:
    for row in struck("lost_column"):
        assert row["expected_answer"] == "nan" or "NaN" in row["ground_truth"][-1]["arguments"]


def test_values_and_calls_agree_with_each_other_and_not_with_the_request() -> None:
    for row in struck("drifted_values"):
        request = row["responses_create_params"]["input"][-1]["content"]
        told = [f"{value} days" if key == "days" else str(value) for key, value in row["metadata"]["values"].items()]
        assert any(value not in request for value in told if value not in ("Visa", "Amex"))
        if row["category"] in ("refund", "invoice", "payout", "pause"):
            assert len(differing(row)) == 1
        else:
            assert row["metadata"]["values"]["customer"] not in request


@pytest.mark.parametrize("kind", WEATHER)
def test_trouble_comes_in_a_burst_and_twice_to_whoever_it_stops(kind: str) -> None:
    case = plant("payments", kind, "severe", 2)
    rows = by_rollout(case)
    times = [row["response"]["created_at"] for row in rows.values()]
    hit = [rows[rollout]["response"]["created_at"] for rollout in case.planted]
    assert max(hit) - min(hit) < 0.6 * (max(times) - min(times))
    for rollout, fault in case.planted.items():
        troubled = {rows[rollout]["response"]["output"][step]["output"] for step in fault.steps}
        assert len(fault.steps) >= 2
        assert not any('"data"' in text for text in troubled)
