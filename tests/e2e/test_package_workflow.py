"""The package workflow of the documents that this project grew from: every command line as it stands there, in a clone.

The clone has the script and two results; the models are two scripted systems on one benchmark of programming tasks. `uv` is a small
script that hands `uv run python …` to this Python: the real one would set up the project first.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.offices import ROOT
from tests.e2e.shelves import environment
from tests.e2e.support import Result, blade, checked
from tests.packages.two_models import write_runs
from tests.shared_data import SEEDS, needs_seeds

ONE_CACHE = True

START = """\
benchmark_name=evalplus
benchmark_dir="benchmarks/${benchmark_name}"

mkdir -p "${benchmark_dir}/skill"
mkdir -p "${benchmark_dir}/rollouts"
mkdir -p "${benchmark_dir}/golden_reports"
"""
COPY = """\
cp results/evalplus_model_a_rollouts.jsonl \\
 "${benchmark_dir}/rollouts/model_a_rollouts.jsonl"

cp results/evalplus_model_b_rollouts.jsonl \\
 "${benchmark_dir}/rollouts/model_b_rollouts.jsonl"
"""
REPORT = """\
golden_report="${benchmark_dir}/golden_reports/model_a_golden_report.md"
"""
METRICS = """\
cat > "${benchmark_dir}/golden_reports/model_a_golden_report_metrics.json" <<'JSON'
{
 "model_name": "model_a",
 "benchmark": "evalplus",
 "pass_at_1": 0.42,
 "pass_at_k": 0.58,
 "total_tasks": 164,
 "total_rollouts": 656
}
JSON
"""
ANCHORS = """\
tool=".codex/skills/nemo-gym-blade-analysis/scripts/blade_toolkit.py"

uv run python "${tool}" extract-anchor-facts \\
 --golden "${benchmark_dir}/golden_reports/model_a_golden_report.md" \\
 --benchmark "${benchmark_name}" \\
 --model-name model_a \\
 --output "${benchmark_dir}/golden_reports/model_a_anchor_facts.json"
"""
SHALLOW = """\
uv run python "${tool}" make-shallow \\
 --input "${benchmark_dir}/golden_reports/model_a_golden_report.md" \\
 --output "${benchmark_dir}/golden_reports/model_a_shallow.md"
"""
VALIDATE = """\
uv run python "${tool}" validate \\
 --benchmark-dir "${benchmark_dir}" \\
 --phase all
"""
CALIBRATE = """\
uv run python "${tool}" calibrate \\
 --golden-report "${benchmark_dir}/golden_reports/model_a_golden_report.md" \\
 --anchor-facts "${benchmark_dir}/golden_reports/model_a_anchor_facts.json" \\
 --shallow-report "${benchmark_dir}/golden_reports/model_a_shallow.md"
"""
BLOCKS = (START, COPY, REPORT, METRICS, ANCHORS, SHALLOW, VALIDATE, CALIBRATE)
UV = """\
#!/bin/sh
test "$1 $2" = "run python" || {{ echo "uv: $*" >&2; exit 64; }}
shift 2
exec {python} "$@"
"""
SECRET = "aB3dE5gH7jK9mN1pQ2sT" * 2
TASKS = 8
SAID = "The verifier runs hidden tests on the files that are left at the end; a reward of 1 needs all of them to pass."


@needs_seeds
def test_the_commands_here_are_those_of_the_document() -> None:
    (document,) = [path for path in SEEDS.glob("*.txt") if "Create The Package Directory" in path.read_text(encoding="utf-8")]
    typed = "\n".join(
        line[1:] if line[0] in "$>" else line
        for line in document.read_text(encoding="utf-8").splitlines()
        if line.startswith(("$", ">"))
    )
    assert [line.rstrip() for line in typed.splitlines() if line.strip()] == [
        line for block in BLOCKS for line in block.splitlines() if line.strip()
    ]


class Clone:
    """A clone in which somebody follows the document."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_runs(folder / "results", TASKS)
        place = ".codex/skills/nemo-gym-blade-analysis/scripts"
        shutil.copytree(ROOT / place, folder / place, ignore=shutil.ignore_patterns("__pycache__"))
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "uv").write_text(UV.format(python=sys.executable), encoding="utf-8")
        (self.bin / "uv").chmod(0o755)

    @property
    def package(self) -> Path:
        return self.folder / "benchmarks" / "evalplus"

    def type(self, *blocks: str) -> Result:
        """The blocks in one shell, after those that set its variables."""
        named = [line for block in (START, REPORT, ANCHORS) for line in block.splitlines() if re.match(r"\w+=", line)]
        script = "\n".join(["set -eu", *named, *blocks])
        env = environment(self.folder.parent) | {"PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}
        ended = subprocess.run(["bash", "-c", script], capture_output=True, cwd=self.folder, env=env, timeout=120, check=False)
        return checked(ended.returncode, ended.stdout, ended.stderr)

    def blade(self, *words: str) -> Result:
        here = Path.cwd()
        os.chdir(self.folder)
        try:
            return blade(*words)
        finally:
            os.chdir(here)


@pytest.fixture(scope="module")
def clone(home: Path) -> Iterator[Clone]:
    """The document followed to its end: the skill and the report drafted by the engine, and the skill then edited."""
    patched = pytest.MonkeyPatch()
    patched.setenv("XDG_CACHE_HOME", str(home / "cache"))
    made = Clone(home / "clone")
    assert made.type(START, COPY).code == 0
    rollouts = [f"benchmarks/evalplus/rollouts/{model}_rollouts.jsonl" for model in ("model_a", "model_b")]
    drafted = made.blade("package", "init", "benchmarks/evalplus", *rollouts)
    assert drafted.code == 0, drafted.err
    skill = made.package / "skill" / "SKILL.md"
    skill.write_text(re.sub(r"<!--.*?-->", SAID, skill.read_text(encoding="utf-8")), encoding="utf-8")
    for block in (ANCHORS, SHALLOW):
        done = made.type(block)
        assert done.code == 0, done.err
    yield made
    patched.undo()


@pytest.fixture
def package(clone: Clone) -> Iterator[Path]:
    """The package to break; it is put back afterwards."""
    aside = clone.folder / "aside"
    shutil.copytree(clone.package, aside)
    yield clone.package
    shutil.rmtree(clone.package)
    aside.rename(clone.package)


def test_the_package_validates_and_calibrates(clone: Clone) -> None:
    validated = clone.type(VALIDATE)
    assert validated.code == 0, validated.out
    *lines, blank, summary = validated.out.splitlines()
    assert all(line.startswith("[PASS] ") for line in lines)
    assert (blank, summary) == ("", f"{len(lines)} passed, 0 failed")
    calibrated = clone.type(CALIBRATE)
    assert calibrated.code == 0, calibrated.out


def test_the_checklist(clone: Clone, package: Path) -> None:
    anchors = package / "golden_reports" / "model_a_anchor_facts.json"
    anchors.write_text(anchors.read_text(encoding="utf-8").replace('"reviewed": false', '"reviewed": true'), encoding="utf-8")
    found = clone.blade("package", "ready", "--benchmark-dir", "benchmarks/evalplus")
    assert found.code == 0, found.out
    assert sum(line.startswith("[PASS] ") for line in found.out.splitlines()) == 7
    assert found.out.splitlines()[-1] == "BLADE-ready: 7 of 7 lines hold"


def test_what_holds_up_the_checklist(clone: Clone, package: Path) -> None:
    """Facts that nobody has reviewed, no shallow baseline, and a secret in the rollouts."""
    (package / "golden_reports" / "model_a_shallow.md").unlink()
    path = package / "rollouts" / "model_b_rollouts.jsonl"
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    told = json.loads(first) | {"notes": f"export OPENAI_API_KEY=sk-proj-{SECRET}"}
    path.write_text("\n".join([json.dumps(told), *rest]) + "\n", encoding="utf-8")
    found = clone.blade("package", "ready", "--benchmark-dir", "benchmarks/evalplus", "--json")
    assert found.code == 1
    assert not found.json["ready"]
    lines = found.json["lines"]
    assert [line["ok"] for line in lines] == [True, True, True, True, False, False, False], found.out
    reasons = [line["reasons"][0] for line in lines[4:]]
    assert "not reviewed" in reasons[0]["message"]
    assert reasons[1]["message"] == "missing shallow baseline"
    assert reasons[2]["path"] == "benchmarks/evalplus/rollouts/model_b_rollouts.jsonl:1"
    assert SECRET not in found.out


def failures(result: Result) -> list[str]:
    assert result.code == 1, result.out
    return [line.removeprefix("[FAIL] ") for line in result.out.splitlines() if line.startswith("[FAIL] ")]


def without_ids(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kept = [{key: value for key, value in row.items() if key not in ("_ng_task_index", "task_name")} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")


TABLE = {
    "D1 skill missing": lambda package: (package / "skill" / "SKILL.md").unlink(),
    "At least two scored rollout files": lambda package: (package / "rollouts" / "model_b_rollouts.jsonl").unlink(),
    "task id field present": lambda package: without_ids(package / "rollouts" / "model_a_rollouts.jsonl"),
    "missing metrics sidecar": lambda package: (package / "golden_reports" / "model_a_golden_report_metrics.json").unlink(),
    "missing anchor facts": lambda package: (package / "golden_reports" / "model_a_anchor_facts.json").unlink(),
}


def test_the_failures_of_the_document(clone: Clone, package: Path) -> None:
    """All at once, each on its line with the file and the fix. Without ids the report has nothing left to cite."""
    for provoke in TABLE.values():
        provoke(package)
    found = clone.blade("package", "validate", "--benchmark-dir", "benchmarks/evalplus")
    lines = failures(found)
    assert [next((name for name in TABLE if line.startswith(name)), "") for line in lines if "cites 0 tasks" not in line] == [
        *TABLE
    ]
    assert all("(benchmarks/evalplus/" in line and ". Fix: " in line for line in lines)
    assert found.out.splitlines()[-1].endswith(f"{len(lines)} failed")


def test_the_figures_of_the_document_are_not_those_of_the_run(clone: Clone, package: Path) -> None:
    assert clone.type(METRICS).code == 0
    found = failures(clone.blade("package", "validate", "--benchmark-dir", "benchmarks/evalplus", "--phase", "golden"))
    for name, value in (("pass_at_1", "0.42"), ("total_tasks", "164"), ("total_rollouts", "656")):
        assert any(line.startswith(f"metrics sidecar says {name} = {value}, the rollouts give") for line in found)
    assert any("the report does not say total_tasks = 164" in line for line in found)


def test_the_script_without_blade_says_so(clone: Clone) -> None:
    script = clone.folder / ".codex/skills/nemo-gym-blade-analysis/scripts/blade_toolkit.py"
    ended = subprocess.run(
        [sys.executable, "-I", "-S", script, "validate"], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 2
    assert "BLADE is not installed for this Python" in ended.stderr
    unknown = subprocess.run([sys.executable, script, "frobnicate"], capture_output=True, text=True, timeout=60, check=False)
    assert unknown.returncode == 2
    assert "calibrate" in unknown.stderr
