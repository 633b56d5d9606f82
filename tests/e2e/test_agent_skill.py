"""The shipped skill followed step by step: every command of it runs, on a run that it has never seen."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from blade.agent_skill.shipped import NAME, shipped_folder
from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.support import BLADE, blade, sql

ONE_CACHE = True
STEPS = ("Inspect", "Health", "Diagnose", "Read the evidence", "Compare", "Write", "Verify")
BLOCK = re.compile(r"(?ms)^```bash\n(.*?)^```")
QUERY = re.compile(r"(?ms)^```sql\n(.*?)^```")


@pytest.fixture(scope="module")
def workspace(home: Path) -> Path:
    """What an agent finds: a run, and two to compare."""
    folder = home / "workspace"
    write_example(build(tasks=6), folder / "results")
    write_example(build(tasks=6, seed=3), folder / "before")
    write_example(build(tasks=6, seed=3, mended=["skipped_lookup"]), folder / "after")
    return folder


def follow(command: str, folder: Path) -> str:
    """A block as an agent would run it."""
    environment = {**os.environ, "PATH": f"{BLADE.parent}:/usr/bin:/bin"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()
    return done.stdout


def test_the_skill_is_by_the_rules() -> None:
    found = blade("skill", "check", shipped_folder(), "--json")
    assert (found.code, found.json["ok"], found.json["skills"][0]["findings"]) == (0, True, [])
    assert found.json["skills"][0]["name"] == NAME
    text = (shipped_folder() / "SKILL.md").read_text()
    assert len(text.splitlines()) < 200, "an agent reads all of it whenever the skill is used"


def test_every_step_of_the_skill_can_be_followed(workspace: Path) -> None:
    text = (shipped_folder() / "SKILL.md").read_text()
    sections = re.findall(r"(?ms)^## (\d)\. (.*?)\n(.*?)(?=^## |\Z)", text)
    assert [title.split(":")[0].split(",")[0] for _, title, _ in sections] == list(STEPS)
    for _, title, body in sections:
        printed = [follow(command, workspace) for command in BLOCK.findall(body)]
        assert printed or title == "Write"
        if title == "Write":
            (workspace / "analysis.md").write_text(analysis(workspace))
    assert (workspace / "report" / "report.md").is_file()
    assert (workspace / "comparison" / "comparison.md").is_file()


def analysis(workspace: Path) -> str:
    """A short report by the skill's rules, from what its commands printed."""
    document = blade("diagnose", workspace / "results", "--json").json
    task = next(task for task in document["tasks"] if task["bucket"] == "sometimes" and (task["cause"].get("evidence")))
    evidence = task["cause"]["evidence"][0]
    return (
        "# Analysis\n\n"
        f"pass@1 is {100 * document['metrics']['pass_at_1']['value']:.1f} % over {document['task_count']} tasks.\n\n"
        f"Task {task['task']} passes in {task['passed']} of {task['n']} repeats; its cause is {task['cause']['label']}.\n"
        f"See {evidence['rollout']} step {evidence['step']}.\n"
    )


def test_a_false_sentence_does_not_pass_the_last_step(workspace: Path, tmp_path: Path) -> None:
    text = analysis(workspace)
    (tmp_path / "analysis.md").write_text(re.sub(r"pass@1 is [\d.]+ %", "pass@1 is 99.9 %", text))
    found = blade("verify", tmp_path / "analysis.md", "--run", workspace / "results", "--json")
    assert found.code == 1
    assert [finding["line"] for finding in found.json["findings"]] == [3]


def test_the_queries_of_the_skill_run(workspace: Path) -> None:
    queries = QUERY.findall((shipped_folder() / "references" / "queries.md").read_text())
    assert len(queries) >= 4
    for query in queries:
        sql(workspace / "results", query.strip())


def test_install_and_check_from_the_command_line(tmp_path: Path) -> None:
    first = blade("skill", "install", "--dir", tmp_path, "--target", "claude", "--target", "agents", "--json")
    assert first.code == 0
    assert [one["target"] for one in first.json["installed"]] == ["claude", "agents"]
    assert blade("skill", "check", tmp_path).code == 0
    changed = tmp_path / ".claude" / "skills" / NAME / "SKILL.md"
    changed.write_text(changed.read_text().replace("blade inspect", "blade inspekt"))
    kept = blade("skill", "install", "--dir", tmp_path)
    assert kept.code == 1
    assert "--force" in kept.err
    found = blade("skill", "check", tmp_path / ".claude", "--json")
    assert found.code == 1
    assert [one["message"] for one in found.json["skills"][0]["findings"]] == [
        "there is no command blade inspekt; did you mean blade inspect?"
    ]
    assert blade("skill", "install", "--dir", tmp_path, "--force").code == 0
    assert blade("skill", "check", tmp_path).code == 0
    assert blade("skill", "check", tmp_path / "gone").code == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("blade compare a b --gat regressed", "blade compare has no option --gat; did you mean --gate?"),
        ("blade packag validate", "there is no command blade packag; did you mean blade package?"),
        ("gym eval rn", "there is no command gym eval rn; did you mean gym eval run?"),
        (
            "blade package extract-anchors x",
            "there is no command blade package extract-anchors; did you mean blade package extract-anchor-facts?",
        ),
        ("gym list benchmarks --json", None),
        ("blade --help", None),
        ("blade package sanitize results/ --out=shared", None),
    ],
)
def test_a_command_that_does_not_exist_is_told(tmp_path: Path, call: str, said: str | None) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    words = "how the rollouts of our benchmark are read by an agent that knows nothing of it yet " * 3
    (folder / "SKILL.md").write_text(
        f"---\nname: mine\ndescription: Reads our rollouts.\n---\n\n{words}\n\n```bash\n{call}\n```\n"
    )
    findings = blade("skill", "check", folder, "--json").json["skills"][0]["findings"]
    assert [finding["message"] for finding in findings] == ([] if said is None else [said])
