"""The harbour office: sound work passes, each planted kind shows what the catalogue says of it, and rows are as the format has them."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from blade.lab.cases import Case, clean, plant
from blade.lab.desk import Call
from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.harbour_cargo import FORCES
from blade.lab.environments.harbour_desk import TOOLS, WRITES
from blade.lab.environments.harbour_faults import WIDTH
from blade.lab.environments.harbour_register import HAZARDS, QUAYS, imo_number, tides
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.script import Script, Task
from blade.runs.run import open_run
from blade.signals.labels import LABELS

PLACE = ENVIRONMENTS["harbour"]
TASKS = PLACE.tasks(3, 72)
OWN = [kind.name for kind in KINDS if "harbour" in kind.environments]
OF_AGENTS = [name for name in OWN if KIND[name].means == "script"]
WEATHER = [name for name in OWN if KIND[name].means == "weather"]
SEEDS = (1, 2, 3)


def reward(task: Task, script: Script) -> float:
    player = Player(Episode(task, 0.0, PLACE.hosts[0]), PLACE.backend(task), Random(1), PLACE.manner, None, "x")
    return float(PLACE.verify(player.play(script, noisy=False), None, Random(1))["reward"])


@cache
def planted(kind: str, severity: str, seed: int) -> Case:
    return plant("harbour", kind, severity, seed)


def by_rollout(case: Case) -> dict[str, dict[str, Any]]:
    return {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row for row in case.rows}


def struck(kind: str) -> list[dict[str, Any]]:
    """The rows that a kind failed, over some seeds."""
    cases = [planted(kind, "severe", seed) for seed in SEEDS]
    return [by_rollout(case)[rollout] for case in cases for rollout in case.planted]


def siblings(kind: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each row that a kind failed, with the repeats of its task that passed."""
    found = []
    for case in (planted(kind, "severe", seed) for seed in SEEDS):
        rows = by_rollout(case)
        for rollout in case.planted:
            task = rollout.rpartition(":")[0]
            others = [rows[f"{task}:{repeat}"] for repeat in range(4)]
            found.append((rows[rollout], [row for row in others if row["reward"] == 1.0]))
    return found


def request(row: dict[str, Any]) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"][0]["text"])


def calls(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    made = [item for item in row["response"]["output"] if item["type"] == "function_call"]
    return [(item["name"], json.loads(item["arguments"])) for item in made]


def outputs(row: dict[str, Any]) -> list[str]:
    return [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]


def told(row: dict[str, Any], name: str, **given: Any) -> Any:
    """What a tool answered to a call."""
    return next(
        json.loads(output)["result"] for made, output in zip(calls(row), outputs(row), strict=True) if made == (name, given)
    )


def gold(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(step["fn"], step["kwargs"]) for step in row["reference"]["steps"]]


def changes(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The changes that a tool accepted."""
    return [made for made, output in zip(calls(row), outputs(row), strict=True) if made[0] in WRITES and '"ok": true' in output]


def differing(row: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The arguments in which the changes are not the expected ones: what was given, and what was expected."""
    made, wanted = changes(row), gold(row)
    assert [name for name, _ in made] == [name for name, _ in wanted]
    pairs = [(given, right) for (_, given), (_, right) in zip(made, wanted, strict=True)]
    return {
        key: (given[key], right[key])
        for given, right in pairs
        for key in right
        if json.dumps(given[key]) != json.dumps(right[key])
    }


def last_words(row: dict[str, Any]) -> str:
    return str(row["response"]["output"][-1]["content"][0]["text"])


def test_sound_scripts_pass_and_faulty_ones_fail() -> None:
    assert {reward(task, script) for task in TASKS for script in task.sound} == {1.0}
    assert {reward(task, script) for task in TASKS for scripts in task.faulty.values() for script in scripts} == {0.0}


def test_all_labels_have_kinds_and_all_kinds_are_held_out() -> None:
    assert PLACE.held_out
    assert len(OWN) >= 14
    assert all(KIND[name].held_out and KIND[name].environments == ("harbour",) for name in OWN)
    for label in LABELS:
        assert sum(KIND[name].label == label for name in OWN) >= 2


@pytest.mark.parametrize("kind", OF_AGENTS)
def test_some_tasks_give_occasion(kind: str) -> None:
    assert sum(bool(task.faulty.get(kind)) for task in TASKS) >= 4


@pytest.mark.parametrize("kind", OWN)
def test_planted_rollouts_fail_as_often_as_the_kind_says_and_the_rest_is_noise(kind: str) -> None:
    for severity in SEVERITIES:
        for seed in SEEDS:
            case = planted(kind, severity, seed)
            assert case.held_out
            assert set(case.tasks.values()) == {KIND[kind].label}
            failed = {rollout for rollout, row in by_rollout(case).items() if row["reward"] < 1.0}
            assert failed == set(case.planted) | case.noise
            hits: dict[str, int] = defaultdict(int)
            for rollout in case.planted:
                hits[rollout.rpartition(":")[0]] += 1
            assert len(hits) >= 2
            least, most = KIND[kind].strikes(severity)
            if KIND[kind].means != "weather":
                assert set(hits.values()) <= ({4 - (99 - least)} if least > 4 else set(range(least, most + 1)))
    assert plant("harbour", kind, "mild", 1).rows == planted(kind, "mild", 1).rows
    assert planted(kind, "mild", 1).rows != planted(kind, "mild", 2).rows


def test_clean_runs_pass_but_for_noise() -> None:
    cases = [clean("harbour", seed) for seed in range(8)]
    assert not any(case.planted for case in cases)
    assert sum(len(case.noise) for case in cases) <= 0.06 * sum(len(case.rows) for case in cases)


def test_rows_are_read_without_a_problem(tmp_path: Path) -> None:
    for case in (clean("harbour", 1), planted("mangled_encoding", "severe", 1)):
        with open_run(case.write(tmp_path / case.severity), use_index=False) as run:
            assert run.problems == []
            assert (run.denominator.rows, run.denominator.scored) == (len(case.rows), len(case.rows))


def test_nothing_in_a_row_names_the_fault_and_fields_are_always_the_same() -> None:
    usual = {frozenset(row) for row in clean("harbour", 4).rows}
    assert len(usual) == 1
    for kind in OWN:
        for row in planted(kind, "severe", 1).rows:
            assert frozenset(row) in usual
            assert kind not in str(row)


def test_the_register_is_as_ports_have_it() -> None:
    digits = [int(digit) for digit in imo_number(Random(5))]
    assert sum(digit * weight for digit, weight in zip(digits[:6], range(7, 1, -1), strict=True)) % 10 == digits[6]
    assert [kind for kind, _, _ in tides("2026-09-01")] == ["HW", "LW", "HW", "LW"]
    assert (HAZARDS["1203"], HAZARDS["3480"], FORCES[8]) == ("3", "9", 34)


def test_a_call_takes_no_orders_before_it_is_acknowledged() -> None:
    task = next(task for task in TASKS if "hint_not_followed" in task.faulty)
    desk, first = PLACE.backend(task), task.gold["reference"]["steps"]
    acknowledge, order = (Call(step["fn"], step["kwargs"]) for step in first[:2])
    assert acknowledge.name == "call-acknowledge"
    assert "call-acknowledge" in json.loads(desk(order))["error"]
    assert json.loads(desk(acknowledge))["ok"]
    assert json.loads(desk(order))["ok"]


def test_a_day_that_is_none_has_no_tides() -> None:
    answers = [json.loads(PLACE.backend(TASKS[0])(Call("tides-on", {"day": day}))) for day in ("2026-70-02", "2026-07-02")]
    assert [answer["ok"] for answer in answers] == [False, True]


def test_a_name_was_read_in_another_code_page() -> None:
    for row in struck("mangled_encoding"):
        ((given, wanted),) = differing(row).values()
        assert wanted.encode("cp1252").decode() == given != wanted
        assert given in request(row)


def test_day_and_month_changed_places() -> None:
    for row in struck("day_month_swapped"):
        ((given, wanted),) = differing(row).values()
        assert (given[5:7], given[8:10]) == (wanted[8:10], wanted[5:7])
        assert row["scenario"]["slots"]["when"] in request(row)


def test_texts_end_where_the_column_ends() -> None:
    for row in struck("clipped_values"):
        found = differing(row)
        assert found
        assert all(len(given) > WIDTH == len(wanted) and given.startswith(wanted) for given, wanted in found.values())


def test_every_expected_call_stands_twice() -> None:
    for row in struck("fanned_out_gold"):
        wanted = gold(row)
        assert wanted[::2] == wanted[1::2] == changes(row)


def test_a_licence_lost_its_zero() -> None:
    for row in struck("zeros_stripped"):
        ((given, wanted),) = differing(row).values()
        assert given == f"{wanted:04d}"


def test_the_one_surplus_call_only_reads() -> None:
    for row in struck("reads_counted"):
        assert row["outcome"]["actions"]["hit"] == len(gold(row))
        assert set(row["outcome"]["actions"]["surplus"]) == {"berth-availability"}
        assert not differing(row)
    (tool,) = (tool for tool in TOOLS if tool["name"] == "berth-availability")
    assert "Reads only" in tool["description"]


def test_a_remark_has_other_words() -> None:
    for row, passing in siblings("free_text_compared"):
        ((given, wanted),) = differing(row).values()
        assert set(differing(row)) == {"text"}
        assert len(set(given.lower().strip(".").split()) & set(wanted.split())) >= 2
        assert f"'{wanted}'" not in request(row)
        assert all(changes(other) == gold(row) for other in passing)


def test_a_list_has_the_same_members() -> None:
    for row in struck("set_as_list"):
        ((given, wanted),) = differing(row).values()
        assert sorted(given) == sorted(wanted)


def test_a_number_is_the_same_number() -> None:
    for row in struck("number_spelling"):
        ((given, wanted),) = differing(row).values()
        assert given == wanted
        assert str(given) == f"{wanted}.0"


def test_the_log_ends_before_the_last_change() -> None:
    for row in struck("late_snapshot"):
        assert not differing(row)
        assert [(one["fn"], one["kwargs"]) for one in row["outcome"]["actions"]["log"]] == changes(row)[:-1]


def test_the_call_was_cancelled() -> None:
    for row, passing in siblings("cancelled_record"):
        listing = next(output for output in outputs(row) if '"status"' in output)
        states = {entry["call"]: entry["status"] for entry in json.loads(listing)["result"]}
        assert {states[given["call"]] for _, given in changes(row) if given["call"] in states} == {"cancelled"}
        assert "expected call" in request(row)
        assert passing


def test_the_condition_was_never_looked_at() -> None:
    for row, passing in siblings("condition_unchecked"):
        asked = row["scenario"]["slots"]
        assert differing(row) == {"berth": (asked["preferred"], asked["fallback"])}
        assert ("berths-at", {"quay": asked["quay"]}) not in calls(row)
        assert passing
        assert all(("berths-at", {"quay": asked["quay"]}) in calls(other) for other in passing)


def test_what_was_done_was_undone() -> None:
    for row in struck("rolled_back"):
        assert changes(row)[:-1] == gold(row)
        assert changes(row)[-1][0] in ("berth-release", "pilot-cancel", "departure-withdraw")


def test_siblings_do_what_the_tool_asked_for() -> None:
    for row, passing in siblings("hint_not_followed"):
        assert "send call-acknowledge" in outputs(row)[-1]
        assert not changes(row)
        assert passing
        assert all(outputs(row)[-1] in outputs(other) for other in passing)


def test_the_observation_is_the_agents_own() -> None:
    for row in struck("imagined_observation"):
        assert not changes(row)
        assert '"ok": true' in last_words(row)
        assert any(name in last_words(row) for name, _ in gold(row))


def test_nothing_was_looked_up_for_the_figure() -> None:
    for row, passing in siblings("answered_unread"):
        assert not calls(row)
        assert passing
        assert all(calls(other) for other in passing)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("wavering_hazard_class", "imdg_class"),
        ("wrong_hazard_class", "imdg_class"),
        ("wavering_force", "knots"),
        ("force_off_by_one", "knots"),
        ("made_up_locode", "next_port"),
    ],
)
def test_what_is_not_known_shows_in_one_argument_after_the_usual_lookups(kind: str, key: str) -> None:
    for row, passing in siblings(kind):
        assert set(differing(row)) == {key}
        for other in passing:
            assert {name for name, _ in gold(row)} <= {name for name, _ in calls(other)}


@pytest.mark.parametrize("label", ["KG", "UK"])
def test_a_gap_is_always_alike_and_shaky_knowledge_never(label: str) -> None:
    for kind in (name for name in OF_AGENTS if KIND[name].label == label):
        for seed in SEEDS:
            case = planted(kind, "severe", seed)
            rows, given = by_rollout(case), defaultdict(list)
            for rollout in case.planted:
                outcome = rows[rollout]["outcome"]
                given[rollout.rpartition(":")[0]].append(str(outcome["reply"] or outcome["actions"]["log"]))
            assert all(len(set(values)) == (1 if label == "KG" else 2) for values in given.values())


def test_boxes_are_counted_by_the_line() -> None:
    for row in struck("teu_as_boxes"):
        manifest = json.loads(outputs(row)[-1])["result"]
        assert row["outcome"]["reply"]["read"] == str(len(manifest))
        assert row["reference"]["reply"] == str(sum(line["size_ft"] // 20 for line in manifest))


def test_figures_follow_from_what_was_looked_up() -> None:
    for row in struck("wavering_dues"):
        slots = row["scenario"]["slots"]
        (vessel,) = told(row, "vessel-search", q=slots["vessel"])
        cents = round(told(row, "tariff", item=slots["item"], vessel_type=vessel["type"])["eur_per_gt"] * 100)
        assert row["reference"]["reply"] == f"{vessel['gt'] * cents / 100:.2f}"
    for row in struck("wavering_clearance"):
        slots = row["scenario"]["slots"]
        (vessel,) = told(row, "vessel-search", q=slots["vessel"])
        quay = next(quay for quay, letter in QUAYS.items() if letter == slots["berth"][0])
        depth = next(one["depth_m"] for one in told(row, "berths-at", quay=quay) if one["berth"] == slots["berth"])
        day = f"{datetime.strptime(slots['day'], '%d %B %Y'):%Y-%m-%d}"
        tide = max(one["height_m"] for one in told(row, "tides-on", day=day) if one["water"] == "HW")
        assert row["reference"]["reply"] == f"{depth + tide - vessel['draught_m']:.1f}"


@pytest.mark.parametrize("kind", WEATHER)
def test_trouble_is_met_twice_by_whoever_it_stops(kind: str) -> None:
    case = planted(kind, "severe", 2)
    rows = by_rollout(case)
    for rollout, fault in case.planted.items():
        assert len(fault.steps) >= 2
        assert rows[rollout]["response"]["output"][fault.steps[-1] - 1]["type"] == "function_call"
    if kind == "egress_blocked":
        bad = {rows[rollout]["worker_name"] for rollout in case.planted}
        assert len(bad) == 2
        assert not [row for row in case.rows if row["worker_name"] in bad and row["reward"] == 1.0]
    else:
        times = [row["response"]["created_at"] for row in rows.values()]
        hit = [rows[rollout]["response"]["created_at"] for rollout in case.planted]
        assert max(hit) - min(hit) < 0.6 * (max(times) - min(times))


def test_lookups_that_found_nothing_find_it_at_other_times() -> None:
    answered: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for seed in SEEDS:
        for row in planted("empty_index", "mild", seed).rows:
            for (name, given), output in zip(calls(row), outputs(row), strict=True):
                answered[name, f"{seed}:{given}"].add('"result": []' in output)
    assert sum(seen == {True, False} for seen in answered.values()) >= 5
