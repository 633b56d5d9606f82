import json
from pathlib import Path
from typing import Any

import pytest

from blade.runs.run import open_run

from .support import opened, planned, row, write_jsonl


def asked(system: str, **params: Any) -> dict[str, Any]:
    return {
        "responses_create_params": {"input": [{"role": "system", "content": system}, {"role": "user", "content": "q"}]} | params
    }


def by(model: str) -> dict[str, Any]:
    return {"response": {"output": [], "model": model}}


def test_what_the_rows_say_of_themselves() -> None:
    rows = [
        row(
            task,
            repeat,
            1,
            agent_ref={"name": "walker"},
            skills_ref={"hash": "h"},
            **asked("s", temperature=0.7, max_output_tokens=5),
            **by("m"),
        )
        for task in range(3)
        for repeat in range(2)
    ]
    with opened(rows) as run:
        found = run.provenance
    assert (found["model"], found["agent"], found["skills"], found["verifier"], found["repeats"]) == ("m", "walker", "h", None, 2)
    assert found["sampling"] == {"temperature": 0.7, "max_output_tokens": 5}
    assert found["dataset"]["tasks"] == 3
    assert found["source"] == {
        "model": "rows",
        "agent": "rows",
        "skills": "rows",
        "sampling": "rows",
        "dataset": "inferred",
        "prompt": "inferred",
        "repeats": "inferred",
    }


def test_what_is_unknown_is_null_and_has_no_source() -> None:
    with opened([row(0, 0), row(1, 0), row(1, 1)]) as run:
        found = run.provenance
    assert all(found[name] is None for name in ("model", "agent", "verifier", "prompt", "skills", "repeats"))
    assert set(found["source"]) == {"dataset"}


def test_rows_that_disagree_are_listed_in_order() -> None:
    rows = [row(0, 0, 1, **asked("one"), **by("b")), row(1, 0, 1, **asked("two"), **by("a"))]
    with opened(rows) as run:
        found = run.provenance
    assert (found["model"], found["prompt"]) == (["a", "b"], "2 system prompts")


def test_the_manifest_wins_and_says_so(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 1, **by("served-name"))])
    manifest = {"model": "real-name", "verifier": "v1", "sampling": {"seed": 3}, "dataset": {"name": "set"}, "other": 1}
    (tmp_path / "r_run.json").write_text(json.dumps(manifest))
    with open_run(tmp_path, use_index=False) as run:
        found = run.provenance
    assert (found["model"], found["verifier"], found["sampling"]) == ("real-name", "v1", {"seed": 3})
    assert (found["dataset"]["name"], found["dataset"]["tasks"]) == ("set", 1)
    assert {name: found["source"][name] for name in ("model", "verifier", "sampling", "dataset")} == dict.fromkeys(
        ("model", "verifier", "sampling", "dataset"), "manifest"
    )
    assert "other" not in found


@pytest.mark.parametrize("text", ["{torn", "[1]", "\xff", ""])
def test_a_manifest_that_cannot_be_read_is_as_none(tmp_path: Path, text: str) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 1, **by("m"))])
    (tmp_path / "r_run.json").write_text(text, encoding="latin-1")
    with open_run(tmp_path, use_index=False) as run:
        assert run.provenance["source"]["model"] == "rows"


def test_the_fingerprint_is_about_the_tasks_and_not_about_how_they_went() -> None:
    def fingerprint(rows: list[dict[str, Any]], **files: Any) -> str:
        with opened({"r.jsonl": rows} | files) as run:
            found: str = run.provenance["dataset"]["fingerprint"]
            return found

    base = fingerprint([row(0, 0, 1, expected_answer=1), row(1, 0, 0, expected_answer=2)])
    assert (
        fingerprint([row(1, 0, 1, expected_answer=2, note="x"), row(0, 0, 0, expected_answer=1), row(0, 1, 0, expected_answer=1)])
        == base
    )
    assert fingerprint([row(0, 0, 1, expected_answer=1), row(1, 0, 0, expected_answer=3)]) != base
    assert fingerprint([row(0, 0, 1, expected_answer=1)]) != base
    assert fingerprint([row(0, 0)], **{"r_materialized_inputs.jsonl": [planned(0, 0), planned(1, 0)]}) != fingerprint([row(0, 0)])
