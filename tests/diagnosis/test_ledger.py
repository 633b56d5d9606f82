"""The ledger: predictions that can be read back, written once, whatever a killed writer left."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.diagnosis.interventions import interventions
from blade.diagnosis.ledger import SCHEMA, append_ledger, entries, read_ledger
from blade.errors import UsageError
from tests.diagnosis.test_interventions import diagnosis, mode


def document(**more: Any) -> dict[str, Any]:
    made = diagnosis(
        mode("refusal", condition="r.rollout IN (SELECT 1)"), mode("action_extra", "cancel", condition="x" * 3000), **more
    )
    made["provenance"] |= {"model": "m-1"}
    made["metrics"] = {"pass_at_1": {"value": 0.42, "ci": [0.3, 0.5], "tasks": 50, "method": "w"}}
    return made | {"interventions": interventions(made)}


def test_an_entry_says_what_was_predicted_about_what() -> None:
    first, second = sorted(entries(document()), key=lambda entry: entry["intervention"]["id"], reverse=True)
    assert first["schema"] == SCHEMA
    assert first["run"] == {"path": "results/my run.jsonl", "dataset": "f00", "model": "m-1", "agent": "desk agent"}
    assert first["intervention"]["id"] == "scope_in_prompt"
    assert first["modes"] == [{"code": "refusal", "subject": "", "condition": "r.rollout IN (SELECT 1)", "reward_blind": False}]
    assert first["predicted"] == {"estimate": 0.1, "ci": [0.05, 0.15], "lower": 0.0, "upper": 0.2}
    assert first["score_before"] == {"metric": "pass_at_1", "value": 0.42, "ci": [0.3, 0.5], "tasks": 50}
    assert (first["tasks"], first["status"]) == (["0", "1"], "open")
    assert set(first["confirm"]) == {"command", "repeats"}
    assert second["modes"] == [{"code": "action_extra", "subject": "cancel", "condition": None, "reward_blind": False}]


def test_the_id_is_of_the_run_and_the_modes_and_of_nothing_else() -> None:
    usual = [entry["id"] for entry in entries(document())]
    assert len(set(usual)) == 2
    assert [entry["id"] for entry in entries(document(run={"path": "elsewhere.jsonl"}))] == usual
    other = document()
    other["provenance"] |= {"model": "m-2"}
    assert not set(usual) & {entry["id"] for entry in entries(other)}


def test_without_a_pass_rule_the_score_is_the_mean_reward() -> None:
    made = document()
    made["metrics"] = {"pass_at_1": {"value": None}, "mean_reward": {"value": 3.5, "ci": None}}
    assert entries(made)[0]["score_before"] == {"metric": "mean_reward", "value": 3.5, "ci": None, "tasks": None}
    assert entries({}) == []


def test_writing_again_adds_nothing_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    made = entries(document())
    assert append_ledger(path, made) == 2
    before = path.read_bytes()
    assert append_ledger(path, [entry | {"status": "confirmed"} for entry in made]) == 0
    assert path.read_bytes() == before
    other = document()
    other["provenance"] |= {"model": "m-2"}
    assert append_ledger(path, entries(other)) == 2
    assert path.read_bytes().startswith(before)
    assert [entry["id"] for entry in read_ledger(path)] == [entry["id"] for entry in (*made, *entries(other))]
    assert read_ledger(path)[:2] == json.loads(json.dumps(made))


def test_a_torn_last_line_is_passed_over_and_then_ended(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    first, second = entries(document())
    append_ledger(path, [first])
    with path.open("ab") as file:
        file.write(json.dumps(second).encode()[:70])
    assert [entry["id"] for entry in read_ledger(path)] == [first["id"]]
    assert append_ledger(path, [first, second]) == 1
    assert [entry["id"] for entry in read_ledger(path)] == [first["id"], second["id"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json\n{}\n", "line 1: not a JSON object"),
        ('{"schema": "other/1", "id": "x"}\n', "line 1: not an entry of blade.ledger/1"),
        ('\n[1]\n', "line 2: not an entry of blade.ledger/1"),
        ('{"schema": "blade.ledger/1"}\n', "line 1: not an entry"),
    ],
)  # fmt: skip
def test_what_is_no_ledger_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_ledger(path)
    assert message in str(caught.value)


def test_a_ledger_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_ledger(tmp_path / "none.jsonl")


def test_an_empty_ledger_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.touch()
    assert read_ledger(path) == []
    assert append_ledger(path, entries(document())) == 2


@pytest.mark.parametrize(
    "broken",
    [
        {"predicted": "lots"},
        {"predicted": {"estimate": "lots"}},
        {"tasks": 5},
        {"modes": [1]},
        {"modes": [{"condition": 3}]},
        {"intervention": None},
    ],
)
def test_an_entry_of_another_shape_is_refused_with_its_line(tmp_path: Path, broken: dict[str, Any]) -> None:
    entry = entries(document())[0]
    path = tmp_path / "ledger.jsonl"
    path.write_text(json.dumps(entry) + "\n" + json.dumps(entry | {"id": "another"} | broken) + "\n")
    with pytest.raises(UsageError, match="line 2") as refused:
        read_ledger(path)
    assert "not an entry" in str(refused.value)
