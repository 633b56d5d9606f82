import json
from pathlib import Path
from typing import Any

import pytest

from blade.runs.run import open_run
from blade.runs.run_config import configured

from .support import row, write_jsonl

RESOLVED: dict[str, Any] = {
    "policy_model_name": "m-1",
    "checker": {"resources_servers": {"math_with_judge": {"entrypoint": "app.py", "port": 1, "judge": "j", "test_timeout": 30}}},
    "walker": {"responses_api_agents": {"simple_agent": {"max_steps": 10, "datasets": [{"name": "d"}]}}},
    "policy_model": {"responses_api_models": {"openai_model": {"openai_model": "served"}}},
    "responses_create_params": {"temperature": 0.2, "input": []},
    "skills": {"path": "skills/a"},
    "num_repeats": 4,
}


def test_a_resolved_configuration() -> None:
    found = configured(RESOLVED)
    assert found.pop("verifier").startswith("math_with_judge:")
    assert found == {
        "model": "m-1",
        "agent": "walker",
        "limits": {"test_timeout": 30, "max_steps": 10},
        "sampling": {"temperature": 0.2},
        "skills": "skills/a",
        "repeats": 4,
    }


@pytest.mark.parametrize(("change", "same"), [({"port": 9, "entrypoint": "b.py"}, True), ({"judge": "k"}, False)])
def test_a_verifier_is_what_it_is_set_to_and_not_where_it_listens(change: dict[str, Any], same: bool) -> None:
    other = {
        "checker": {
            "resources_servers": {"math_with_judge": RESOLVED["checker"]["resources_servers"]["math_with_judge"] | change}
        }
    }
    assert (configured(other)["verifier"] == configured(RESOLVED)["verifier"]) == same


def test_what_is_not_resolved_says_nothing() -> None:
    assert (
        configured({"policy_model_name": "${oc.env:MODEL}", "m": {"responses_api_models": {"x": {"model": "???"}}}, "odd": [1]})
        == {}
    )


@pytest.mark.parametrize("text", ["policy_model_name: m-1", "{torn", "- 1", "a: !!python/object:os.system x", "\x00"])
def test_a_file_beside_the_rollouts_fills_what_the_rows_leave_open(tmp_path: Path, text: str) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 1, agent_ref={"name": "rows' own"})])
    (tmp_path / "r_config.yaml").write_text(text)
    with open_run(tmp_path, use_index=False) as run:
        found = run.provenance
    readable = text.startswith("policy")
    assert (found["model"], found["source"].get("model")) == (("m-1", "config") if readable else (None, None))
    assert found["agent"] == "rows' own"


def test_the_rows_are_believed_before_a_configuration(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 1, response={"output": [], "model": "served"})])
    (tmp_path / "r_config.yaml").write_text("policy_model_name: asked-for")
    with open_run(tmp_path, use_index=False) as run:
        assert (run.provenance["model"], run.provenance["source"]["model"]) == ("served", "rows")


def test_a_manifest_may_hold_the_configuration(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    (tmp_path / "r_run.json").write_text(json.dumps({"model": "stated", "config": RESOLVED}))
    with open_run(tmp_path, use_index=False) as run:
        found = run.provenance
        assert run.observed_provenance["model"] is None
    assert (found["model"], found["agent"], found["limits"]["max_steps"]) == ("stated", "walker", 10)
    assert found["source"]["verifier"] == "manifest"


def test_secrets_in_a_configuration_are_not_passed_on(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    (tmp_path / "r_config.yaml").write_text("prompt_config: sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    with open_run(tmp_path, use_index=False) as run:
        assert "abcdefghijkl" not in str(run.provenance)
