"""The held-out kinds wherever they play: planted again and again, and what gives them away is in the rows."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from blade.lab.cases import Case, plant
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES

PAIRS = [(environment, kind.name) for kind in KINDS if kind.held_out for environment in kind.environments]
SEEDS = (1, 2)
MARK = re.compile(r"\{\{ \w+ \}\}|\$?\{\w+\}|%\(\w+\)s|<\w+>")
READ_ONLY = re.compile(r"read.?only|locked|notwritable", re.IGNORECASE)
GOLD = (
    "ground_truth",
    "expected_function_calls",
    "expected_actions",
    "gold_calls",
    "label_spec",
    "oracle",
    "eval",
    "solution",
    "item",
    "doc",
    "testCase",
    "reference_outputs",
    "golden",
    "eval_case",
    "datasource_item",
    "expectations",
    "expected",
    "events",
    "reward_model",
)
IDS = re.compile(
    r"MM\.\d+\.\d+|INST-\d+|QW\d+|SH\d+|B-\d+|TX?\d{6}|\b\d{8}\b|\w+@\w+|\b[a-z]+:\d{5}\b|\b\d{5}/[A-Z]\b|\b[a-z]+/\d{5}\b|\b\d{5}-[a-z]+\b|\b[a-z]+#\d{5}\b|\b\d{18}\b|\b[A-Z]{2}-\d{5}\b|\b\d{13}\b|\b[A-Z]{2}\d{6}\b|\b[A-Z]{3}\.\d{5}\b|\b[A-Z]{2}\.\d{5}\b|\b[A-Z]{3}-\d{5}\b"
)
"""Placeholders, what a read-only store says, and the ids of all worlds."""


def by_rollout(case: Case) -> dict[str, dict[str, Any]]:
    return {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row for row in case.rows}


def prompt(row: dict[str, Any]) -> str:
    return str(row["responses_create_params"]["input"][-1]["content"])


def outputs(row: dict[str, Any]) -> list[str]:
    return [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]


def last_words(row: dict[str, Any]) -> str:
    said = [item for item in row["response"]["output"] if item["type"] == "message" and item["role"] == "assistant"]
    return str(said[-1]["content"][0]["text"])


def places(kind: str) -> list[str]:
    return list(KIND[kind].environments)


@pytest.mark.parametrize(("environment", "kind"), PAIRS)
def test_each_kind_strikes_as_often_as_it_says(environment: str, kind: str) -> None:
    for severity in SEVERITIES:
        least, most = KIND[kind].strikes(severity)
        for seed in SEEDS:
            case = plant(environment, kind, severity, seed)
            struck: dict[str, int] = defaultdict(int)
            for rollout in case.planted:
                struck[rollout.rpartition(":")[0]] += 1
            assert struck
            if KIND[kind].means != "weather":
                assert len(struck) >= 2
                assert set(struck.values()) <= ({4 - (99 - least)} if least > 4 else set(range(least, most + 1)))


@pytest.mark.parametrize(("environment", "kind"), PAIRS)
def test_struck_rollouts_differ_from_what_sound_agents_do(environment: str, kind: str) -> None:
    """The same seed without the fault has other outputs or another gold where it strikes."""
    case = plant(environment, kind, "severe", 1)
    rows = by_rollout(case)
    for rollout in case.planted:
        task = rollout.rpartition(":")[0]
        assert rows[rollout]["reward"] == 0.0
        for sibling in (f"{task}:{repeat}" for repeat in range(4)):
            if sibling not in case.planted and sibling not in case.noise:
                assert rows[sibling]["reward"] == 1.0
                assert rows[sibling]["response"]["output"] != rows[rollout]["response"]["output"]
    assert plant(environment, kind, "severe", 1).rows == case.rows


@pytest.mark.parametrize("environment", places("unfilled_template"))
def test_a_placeholder_stands_in_the_prompt_and_agents_name_it(environment: str) -> None:
    case = plant(environment, "unfilled_template", "severe", 3)
    rows = by_rollout(case)
    for task in case.tasks:
        texts = [prompt(rows[f"{task}:{repeat}"]) for repeat in range(4)]
        assert len(set(texts)) == 1
        assert MARK.search(texts[0])
    assert all(MARK.search(last_words(rows[rollout])) for rollout in case.planted)


@pytest.mark.parametrize("environment", places("neighbours_gold"))
def test_the_gold_is_that_of_another_request(environment: str) -> None:
    case = plant(environment, "neighbours_gold", "severe", 3)
    called: dict[str, set[str]] = defaultdict(set)
    for rollout, row in by_rollout(case).items():
        called[rollout.rpartition(":")[0]] |= {
            call["arguments"] for call in row["response"]["output"] if call["type"] == "function_call"
        }
    for rollout in case.planted:
        gold = {key: value for key, value in by_rollout(case)[rollout].items() if key in GOLD}
        ids = set(IDS.findall(str(gold)))
        task = rollout.rpartition(":")[0]
        assert not ids & set(IDS.findall(str(called[task])))
        assert any(ids <= set(IDS.findall(str(calls))) for other, calls in called.items() if other != task)


@pytest.mark.parametrize("environment", places("readonly_store"))
def test_a_store_that_is_read_only_answers_reads(environment: str) -> None:
    case = plant(environment, "readonly_store", "severe", 3)
    rows = by_rollout(case)
    for rollout, fault in case.planted.items():
        items = rows[rollout]["response"]["output"]
        assert len(fault.steps) >= 2
        assert all(READ_ONLY.search(items[step]["output"]) for step in fault.steps)
        assert any(not READ_ONLY.search(output) for output in outputs(rows[rollout]))


@pytest.mark.parametrize("environment", places("half_answers"))
def test_half_an_answer_is_the_beginning_of_a_whole_one(environment: str) -> None:
    case = plant(environment, "half_answers", "severe", 3)
    rows = by_rollout(case)
    times = [rows[rollout]["response"]["created_at"] for rollout in case.planted]
    everyone = [row["response"]["created_at"] for row in rows.values()]
    assert max(times) - min(times) < max(everyone) - min(everyone)
    for rollout, fault in case.planted.items():
        items = rows[rollout]["response"]["output"]
        first, second = (items[step]["output"] for step in fault.steps[-2:])
        assert first.startswith(second) or second.startswith(first)


@pytest.mark.parametrize("environment", places("call_as_text"))
def test_a_call_that_is_written_out_is_not_made(environment: str) -> None:
    case = plant(environment, "call_as_text", "severe", 3)
    rows = by_rollout(case)
    for rollout, fault in case.planted.items():
        items = rows[rollout]["response"]["output"]
        assert fault.steps == (len(items) - 1,)
        text = last_words(rows[rollout])
        assert text.count("```") == 2
        assert any(item["type"] == "function_call" for item in items) or environment == "dialogue"


def test_no_kind_is_held_out_without_a_place_of_its_own() -> None:
    own = {name for name, place in ENVIRONMENTS.items() if place.held_out}
    assert all(own & set(kind.environments) for kind in KINDS if kind.held_out)
