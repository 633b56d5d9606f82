"""What differs, what is unknown, and whether the report may say "because of": observed on runs with and without manifests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blade.comparison.differences import Differences, differences
from blade.comparison.pairing import pair
from blade.runs.run import Run, open_run
from tests.runs.support import write_jsonl
from tests.shared_data import needs_shared_data, shared_data

from .support import rolled

STATED = {
    "model": "m-1",
    "agent": "walker",
    "verifier": "exact:1",
    "dataset": {"fingerprint": "f00"},
    "prompt": "prompts/v1",
    "sampling": {"temperature": 0.7, "max_output_tokens": 512},
    "limits": {"max_steps": 10},
    "repeats": 1,
}
TEN = range(10)
PLAIN = [rolled(task, task % 2, system="s") for task in TEN]


@contextmanager
def made(
    folder: Path, rows: list[dict[str, Any]], manifest: dict[str, Any] | None = None, config: str | None = None
) -> Iterator[Run]:
    write_jsonl(folder / "r.jsonl", rows)
    if manifest is not None:
        (folder / "r_run.json").write_text(json.dumps(manifest))
    if config is not None:
        (folder / "r_config.yaml").write_text(config)
    with open_run(folder, use_index=False) as run:
        yield run


def compared(tmp_path: Path, a: Any, b: Any) -> Differences:
    """Each side as (rows, manifest, config), cut short where there is none."""
    with made(tmp_path / "a", *a) as first, made(tmp_path / "b", *b) as second:
        return differences(first, second, pair(first, second))


def whats(found: Differences) -> list[str]:
    return [change.what for change in found.changed]


def test_two_manifests_that_state_the_same(tmp_path: Path) -> None:
    found = compared(tmp_path, (PLAIN, STATED), (PLAIN, STATED))
    assert (found.changed, found.unknown, found.single_change, found.kind) == ((), (), False, "same_settings")
    assert found.cause.startswith("Nothing differs")


@pytest.mark.parametrize(
    ("changed", "what", "a", "b"),
    [
        ({"model": "m-2"}, "model", "m-1", "m-2"),
        ({"agent": "runner"}, "agent", "walker", "runner"),
        ({"verifier": "exact:2"}, "verifier", "exact:1", "exact:2"),
        ({"dataset": {"fingerprint": "f01"}}, "dataset", None, None),
        ({"prompt": "prompts/v2"}, "prompt", "prompts/v1", "prompts/v2"),
        ({"sampling": {"temperature": 0.0, "max_output_tokens": 512}}, "sampling", {"temperature": 0.7}, {"temperature": 0.0}),
        (
            {"sampling": {"temperature": 0.7, "max_output_tokens": 64}},
            "limits",
            {"max_output_tokens": 512},
            {"max_output_tokens": 64},
        ),
        ({"limits": {"max_steps": 5}}, "limits", {"max_steps": 10}, {"max_steps": 5}),
        ({"skills": {"path": "s", "hash": "abc"}}, "skills", "no skills", "abc"),
    ],
)
def test_one_known_change_and_nothing_unknown_may_be_called_the_cause(
    tmp_path: Path, changed: dict[str, Any], what: str, a: Any, b: Any
) -> None:
    found = compared(tmp_path, (PLAIN, STATED), (PLAIN, STATED | changed))
    assert (whats(found), found.unknown, found.single_change, found.kind) == ([what], (), True, what)
    if what != "dataset":
        assert (found.changed[0].a, found.changed[0].b) == (a, b)
    assert found.cause.startswith(f"Only the {what} differs")
    assert f"because of the {what}" in found.cause


def test_several_changes_name_the_run_that_would_separate_them(tmp_path: Path) -> None:
    found = compared(tmp_path, (PLAIN, STATED), (PLAIN, STATED | {"model": "m-2", "prompt": "prompts/v2"}))
    assert (whats(found), found.single_change, found.kind) == (["model", "prompt"], False, "several")
    assert "A run with B's model and A's prompt would separate them" in found.cause
    assert "A run with C's model and A's prompt would separate them" in replace(found, letter="C").cause
    assert "because of" not in found.cause


@pytest.mark.parametrize("key", ["model", "agent", "verifier", "sampling", "limits"])
def test_what_one_side_does_not_say_is_unknown(tmp_path: Path, key: str) -> None:
    lacking = {name: value for name, value in STATED.items() if name != key}
    found = compared(tmp_path, (PLAIN, STATED), (PLAIN, lacking))
    assert (key in found.unknown, found.single_change) == (True, None)
    assert "cannot be assigned" in found.cause


def test_unknown_is_never_equal_to_unknown(tmp_path: Path) -> None:
    found = compared(tmp_path, (PLAIN,), (PLAIN,))
    assert found.unknown == ("model", "agent", "verifier", "sampling", "limits")
    assert (found.changed, found.single_change) == ((), None)


def test_more_repeats_are_listed_and_are_no_cause(tmp_path: Path) -> None:
    twice = [rolled(task, 1, repeat, system="s") for task in TEN for repeat in range(2)]
    found = compared(tmp_path, (PLAIN, STATED), (twice, STATED | {"repeats": 2, "model": "m-2"}))
    assert (whats(found), found.single_change, found.kind) == (["model", "repeats"], True, "model")


def test_a_manifest_on_one_side_only_is_not_held_against_the_rows(tmp_path: Path) -> None:
    rows = [made | {"response": {"output": [], "model": "served"}} for made in PLAIN]
    found = compared(tmp_path, (rows, {"model": "m-1"}), (rows,))
    assert "model" not in (*whats(found), *found.unknown)


# --- from the rows


def told(**fields: Any) -> list[dict[str, Any]]:
    base: dict[str, Any] = {
        "system": "s",
        "agent_ref": {"name": "walker"},
        "response": {"output": [], "model": "m"},
        "temperature": 1.0,
    }
    return [rolled(task, task % 2, **base | fields) for task in TEN]


@pytest.mark.parametrize(
    ("a", "b", "what"),
    [
        ({}, {"response": {"output": [], "model": "n"}}, "model"),
        ({}, {"agent_ref": {"name": "runner"}}, "agent"),
        ({"tools": [{"name": "t"}]}, {"tools": [{"name": "u"}]}, "agent"),
        ({}, {"tools": [{"name": "u"}]}, "agent"),
        ({"config": {"llm_user": "u-1"}}, {"config": {"llm_user": "u-2"}}, "agent"),
        ({}, {"system": "be brief"}, "prompt"),
        ({}, {"system": None}, "prompt"),
        ({}, {"temperature": 0.0}, "sampling"),
        ({"max_output_tokens": 100}, {"max_output_tokens": 10}, "limits"),
        ({"config": {"max_steps": 200}}, {"config": {"max_steps": 20}}, "limits"),
        ({"judge_model": "j-1"}, {"judge_model": "j-2"}, "verifier"),
        ({"rubric": "old"}, {"rubric": "new"}, "verifier"),
        ({}, {"skills_ref": {"path": "s", "hash": "h1", "skills": []}}, "skills"),
        ({"skills_ref": {"hash": "h1"}}, {"skills_ref": {"hash": "h2"}}, "skills"),
    ],
)
def test_the_rows_tell_what_differs(tmp_path: Path, a: dict[str, Any], b: dict[str, Any], what: str) -> None:
    found = compared(tmp_path, (told(**a),), (told(**b),))
    assert (whats(found), found.kind) == ([what], what)
    assert found.single_change is None  # the rows do not say everything


def test_a_new_template_is_a_change_of_the_prompt(tmp_path: Path) -> None:
    sides = [
        [rolled(task, 1, user=f"{words} {task}", expected_answer=f"gold {task}") for task in TEN]
        for words in ("solve", "now solve")
    ]
    found = compared(tmp_path, (sides[0],), (sides[1],))
    assert (whats(found), found.changed[0].a) == (["prompt"], "10 user turns")


@pytest.mark.parametrize(
    "rows",
    [
        PLAIN[:-1],
        [*PLAIN, rolled(99, 1, system="s")],
        [*PLAIN[:-1], rolled(9, 1, user="another question", system="s")],
    ],
)
def test_other_tasks_are_another_dataset(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    assert whats(compared(tmp_path, (PLAIN,), (rows,))) == ["dataset"]


def test_a_prompt_that_varies_with_the_task_is_compared_task_by_task(tmp_path: Path) -> None:
    rows = [rolled(task, 1, system=f"document {task}") for task in TEN]
    found = compared(tmp_path, (rows,), (rows[:5],))
    assert (whats(found), "prompt" in found.unknown) == (["dataset"], False)


def test_one_commit_of_the_harness_is_one_verifier(tmp_path: Path) -> None:
    rows = told(config={"git_commit": "abc"})
    assert "verifier" not in compared(tmp_path / "same", (rows,), (rows,)).unknown
    other = compared(tmp_path / "other", (rows,), (told(config={"git_commit": "def"}),))
    assert (whats(other), "verifier" in other.unknown) == (["agent"], True)


# --- from a configuration

CONFIG = """
policy_model_name: m-1
checker:
  resources_servers:
    math_with_judge: {{entrypoint: app.py, port: {port}, judge: {judge}}}
walker:
  responses_api_agents:
    simple_agent: {{max_steps: {steps}}}
"""


@pytest.mark.parametrize(
    ("config", "what"),
    [
        ({}, None),
        ({"port": 2}, None),
        ({"judge": "j-2"}, "verifier"),
        ({"steps": 5}, "limits"),
    ],
)
def test_a_configuration_speaks_where_the_rows_are_silent(tmp_path: Path, config: dict[str, Any], what: str | None) -> None:
    base = {"port": 1, "judge": "j-1", "steps": 10}
    found = compared(tmp_path, (told(), None, CONFIG.format(**base)), (told(), None, CONFIG.format(**base | config)))
    assert whats(found) == ([what] if what else [])
    assert found.unknown == ()
    assert found.single_change is (what is not None)


# --- real runs


def real(index: Path, a: str, b: str) -> Differences:
    root = shared_data()
    assert root is not None
    with open_run(root / a, index_dir=index) as first, open_run(root / b, index_dir=index) as second:
        return differences(first, second, pair(first, second))


@needs_shared_data
def test_the_gemini_runs_have_the_same_settings_as_far_as_is_known(real_index: Path) -> None:
    found = real(real_index, *(f"taubench/retail__gemini-2.0-flash__tool-calling__1t_run{number}.jsonl.gz" for number in (1, 3)))
    assert (found.changed, found.single_change, found.kind) == ((), None, "same_settings")
    assert "because of" not in found.cause


@needs_shared_data
def test_the_fine_tuned_model_is_what_differs(real_index: Path) -> None:
    found = real(real_index, "tau2_sft_pair/telecom__gpt-4.1__base.jsonl.gz", "tau2_sft_pair/telecom__gpt-4.1-ft__sft.jsonl.gz")
    assert (whats(found), found.unknown, found.single_change) == (["model"], ("sampling",), None)


@needs_shared_data
@pytest.mark.parametrize("harness", ["hermes", "openclaw", "opencode", "pi"])
def test_the_harnesses_are_agents(harness: str, real_index: Path) -> None:
    found = real(
        real_index, "gym/anyswe_agent/example_rollouts_claude_code.jsonl", f"gym/anyswe_agent/example_rollouts_{harness}.jsonl"
    )
    assert whats(found) == (["agent"] if harness == "hermes" else ["agent", "limits"])
    assert not found.single_change
