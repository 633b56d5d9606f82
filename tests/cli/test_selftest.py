"""`blade selftest`: what it prints, for people and for scripts, on scripted cases and on a copy of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blade.cli.main import main
from blade.lab.cases import clean


def selftest(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(["selftest", *arguments])
    return int(left.value.code or 0), capsys.readouterr().out


def test_scores_as_json_and_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = selftest(capsys, "--cases", "1", "--seed", "3", "--workers", "1", "--json")
    document = json.loads(out)
    assert code == 0
    assert set(document["labels"]) == {"DA", "IR", "TI", "BI", "UK", "KG"}
    assert {"precision", "recall", "n"} <= set(document["labels"]["BI"])
    assert {"labels", "confusion", "modes", "steps", "calibration"} <= set(document)
    assert sum(one["n"] for one in document["labels"].values()) == document["planted_tasks"] > 0
    code, text = selftest(capsys, "--cases", "1", "--seed", "3", "--workers", "1")
    assert code == 0
    assert "kind, worst first" in text
    assert f"{document['planted_tasks']} tasks with planted faults" in text


def test_plants_into_a_copy_and_leaves_the_run_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = clean("records", 3, tasks=12).write(tmp_path)
    before = path.read_bytes()
    code, out = selftest(capsys, "--plant", str(path), "--cases", "1", "--workers", "1", "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["part"], document["run"], document["cases"]) == ("own", str(path), 1)
    assert document["planted_tasks"] > 0
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["rollouts.jsonl"]


def test_a_run_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _ = selftest(capsys, "--plant", str(tmp_path / "none.jsonl"))
    assert code == 2


def test_a_threshold_says_what_passes_in_the_planted_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rewards of 0.2 and 0.9 have no rule of their own."""
    path = clean("records", 3, tasks=12).write(tmp_path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line | {"reward": 0.9 if line["reward"] else 0.2}) + "\n" for line in lines))
    assert selftest(capsys, "--plant", str(path), "--cases", "1", "--workers", "1")[0] == 3
    code, out = selftest(capsys, "--plant", str(path), "--cases", "1", "--workers", "1", "--pass-threshold", "0.8", "--json")
    assert (code, json.loads(out)["planted_tasks"] > 0) == (0, True)
    assert selftest(capsys, "--pass-threshold", "0.8")[0] == 2
