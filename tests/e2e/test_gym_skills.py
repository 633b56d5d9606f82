"""Skills as the only variable: the same evaluation with and without them, from the requests to the comparison."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from blade.gym.skills import READ_SKILL, skills_hash
from tests.e2e.office_worker import PLANTED, SKILLED
from tests.e2e.offices import Office, rows_of
from tests.e2e.support import Result, blade

ONE_CACHE = True
CLEAN = (2, 12, 48, 74)
NAME, ABOUT = "office-rules", "How names and dates are handled in this office."
TEXT = f"""---
name: {NAME}
description: {ABOUT}
version: 3
---
Look every name up in the directory before it is used. Give dates to the query, and do not filter its answer by hand.
"""
Row = dict[str, Any]


@dataclass(frozen=True)
class Evaluated:
    """Both runs, and what the endpoint was asked in each."""

    skills: Path
    without: Path
    with_skills: Path
    asked_without: list[Row]
    asked_with: list[Row]


@pytest.fixture(scope="module")
def evaluated(home: Path) -> Evaluated:
    skills = home / "skills"
    (skills / NAME).mkdir(parents=True)
    (skills / NAME / "SKILL.md").write_text(TEXT, encoding="utf-8")
    office = Office(home / "office", [*PLANTED, *CLEAN])
    try:
        without = office.run("without")
        first = len(office.endpoint.requests())
        with_skills = office.run("with", f"+skills.path={skills}")
        asked = office.endpoint.requests()
    finally:
        office.close()
    told = [[request for request in part if "turn" in request] for part in (asked[:first], asked[first:])]
    return Evaluated(skills, without, with_skills, *told)


@pytest.fixture(scope="module")
def compared(evaluated: Evaluated, home: Path) -> Result:
    env = {"XDG_CACHE_HOME": str(home / "cache")}
    return blade("compare", evaluated.without, evaluated.with_skills, "--json", env=env)


def opening(requests: list[Row]) -> dict[tuple[str, int], Row]:
    """The body of each rollout's first request."""
    return {(request["text"], request["seed"]): request["body"] for request in requests if request["turn"] == 0}


def test_the_rows_say_which_skills_there_were(evaluated: Evaluated) -> None:
    reference = {
        "path": str(evaluated.skills),
        "hash": skills_hash(evaluated.skills),
        "skills": [{"name": NAME, "description": ABOUT, "version": "3"}],
    }
    for path in (evaluated.with_skills, evaluated.with_skills.with_name("rollouts_materialized_inputs.jsonl")):
        assert all(row["skills_ref"] == reference for row in rows_of(path))
    assert not [row for row in rows_of(evaluated.without) if "skills_ref" in row]
    assert json.loads(evaluated.with_skills.with_name("rollouts_run.json").read_text(encoding="utf-8"))["skills"] is not None


def test_nothing_else_differs_in_what_the_model_is_asked(evaluated: Evaluated) -> None:
    plain, skilled = opening(evaluated.asked_without), opening(evaluated.asked_with)
    assert len(plain) == 4 * (len(PLANTED) + len(CLEAN))
    assert plain.keys() == skilled.keys()
    for key, body in plain.items():
        system, *rest = skilled[key]["input"]
        before, added = body["input"][0]["content"], system["content"]
        assert added.startswith(before)
        assert f"- {NAME}: {ABOUT}" in added[len(before) :]
        assert TEXT not in added
        expected = [body["input"][0] | {"content": added}, *body["input"][1:]]
        assert [system, *rest] == expected
        assert skilled[key]["tools"] == [*body["tools"], READ_SKILL]
        assert {**skilled[key], "input": None, "tools": None} == {**body, "input": None, "tools": None}


def test_the_skill_is_read_with_the_tool(evaluated: Evaluated) -> None:
    for row in rows_of(evaluated.with_skills):
        call, answer, *_ = row["response"]["output"]
        assert (call["name"], answer["output"]) == ("read_skill", TEXT)
        assert READ_SKILL in row["response"]["tools"]


def test_the_rows_differ_in_nothing_that_was_asked_of_the_task(evaluated: Evaluated) -> None:
    """What the evaluation asks is the same; the skills stand in a field of their own."""
    plain, skilled = (
        {(row["_ng_task_index"], row["_ng_rollout_index"]): row["responses_create_params"] for row in rows_of(path)}
        for path in (evaluated.without, evaluated.with_skills)
    )
    assert plain == skilled


def test_the_comparison_names_the_skills_as_the_one_change(compared: Result, evaluated: Evaluated) -> None:
    assert compared.code == 0, compared.err
    found = compared.json
    assert [change["what"] for change in found["changed"]] == ["skills"]
    assert skills_hash(evaluated.skills) in found["changed"][0]["b"]
    assert (found["single_change"], found["kind"], found["unknown"]) == (True, "skills", [])
    assert found["cause"]["assignable"] is True
    assert "because of the skills" in found["cause"]["sentence"]


def test_the_comparison_shows_the_effect(compared: Result, evaluated: Evaluated) -> None:
    mended = {task: plant for task, plant in PLANTED.items() if plant.worker in SKILLED}
    tasks = len(PLANTED) + len(CLEAN)
    found = compared.json
    failing = sum(len(plant.seeds) for plant in PLANTED.values())
    assert found["a_value"] == pytest.approx(1 - failing / (4 * tasks))
    assert found["delta"] == pytest.approx(sum(len(plant.seeds) for plant in mended.values()) / (4 * tasks))
    assert (found["tasks"]["better"], found["tasks"]["worse"]) == (len(mended), 0)
    ids = {str(row["_ng_task_index"]): row["id"] for row in rows_of(evaluated.without)}
    assert {ids[flip["task"]] for flip in found["flips"]} == set(mended)
    (term,) = [term for term in found["waterfall"] if term["delta"]]
    assert term["delta"] == pytest.approx(found["delta"])


def test_the_tool_that_comes_with_the_skills_is_no_unknown_tool(compared: Result) -> None:
    assert not [mode["mode"] for mode in compared.json["modes"] if mode["subject"] == "read_skill"]
