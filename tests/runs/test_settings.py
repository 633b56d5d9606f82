"""Settings that the rows carry, observed in a run's provenance."""

from typing import Any

import pytest

from .support import opened, row


def provenance(*rows: dict[str, Any]) -> dict[str, Any]:
    with opened(rows) as run:
        return run.provenance


def everywhere(**fields: Any) -> dict[str, Any]:
    return provenance(*(row(task, 0, 1, **fields) for task in range(3)))


@pytest.mark.parametrize(
    ("fields", "limits"),
    [
        ({"max_steps": 20}, {"max_steps": 20}),
        ({"config": {"max_steps": 20, "max_errors": 3}}, {"max_steps": 20, "max_errors": 3}),
        ({"instance_config": {"agent_timeout": 2700, "timeout_s": 1.5}}, {"agent_timeout": 2700, "timeout_s": 1.5}),
        ({"agent_timed_out": False, "timeout_rate": 0.5, "timeout": True, "max_score": 3, "steps": 4}, {}),
        ({"max_steps": "20"}, {}),
        ({"responses_create_params": {"input": "q", "max_tool_calls": 4}}, {"max_tool_calls": 4}),
    ],
)
def test_limits(fields: dict[str, Any], limits: dict[str, Any]) -> None:
    found = everywhere(**fields)
    assert found["limits"] == limits
    assert found["source"].get("limits") == ("rows" if limits else None)


def test_what_varies_or_stands_on_few_rows_is_no_setting() -> None:
    assert provenance(*(row(task, 0, 1, max_steps=task) for task in range(3)))["limits"] == {}
    assert provenance(row(0, 0, 1, max_steps=5), row(1), row(2))["limits"] == {}


@pytest.mark.parametrize(
    ("fields", "verifier"),
    [
        ({"verifier_version": "v3"}, "v3"),
        ({"verifier": {"name": "exact", "version": "2"}}, {"verifier.name": "exact", "verifier.version": "2"}),
        ({"judge_model": "j"}, "j"),
        ({"resources_server_ref": {"name": "math_with_judge"}}, "math_with_judge"),
        ({"verifier_error": "none", "judge_output": "yes", "verifier_metadata": {"id": "x"}}, None),
    ],
)
def test_the_verifier(fields: dict[str, Any], verifier: Any) -> None:
    assert everywhere(**fields)["verifier"] == verifier


def test_the_world_that_the_agent_acts_in() -> None:
    assert everywhere(config={"llm_user": "u", "git_commit": "abc"})["environment"] == {"user_model": "u", "version": "abc"}


@pytest.mark.parametrize(
    ("params", "prompt", "tools"),
    [
        ({"input": "q"}, "no system prompt", False),
        ({"input": "q", "instructions": "be brief"}, "system:", False),
        ({"input": "q", "tools": [{"name": "t"}]}, "no system prompt", True),
        ({}, None, False),
    ],
)
def test_prompt_and_tools(params: dict[str, Any], prompt: str | None, tools: bool) -> None:
    found = everywhere(responses_create_params=params)
    assert (found["prompt"] or "")[:7] == (prompt or "")[:7]
    assert (found["tools"] is not None) == tools


@pytest.mark.parametrize(("reasoning", "effort"), [({"effort": "high"}, "high"), ({"effort": None}, None), (None, None)])
def test_the_effort_that_was_asked_for_is_sampling(reasoning: Any, effort: str | None) -> None:
    found = everywhere(responses_create_params={"input": "q", "reasoning": reasoning})
    assert found["sampling"] == ({"reasoning_effort": effort} if effort else {})
