"""A package of two models, made once; each test that changes something has a copy of it, and the index of the first look."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from blade.cli.files import write_whole
from blade.packages.check import Check, Phase
from blade.packages.init import init_package
from blade.packages.layout import Package
from blade.packages.runs import PackageRuns
from blade.packages.validate import validate
from tests.packages.two_models import write_runs

SAID = "The verifier runs hidden tests on the files that are left at the end; all of them must pass for a reward of 1."
ANCHOR = "Rollout 6:3 fails because replace_in_file reported “old text not found” at step 7."


@dataclass(frozen=True)
class Made:
    """A package on disk, and what is said of it."""

    root: Path
    runs: PackageRuns

    @property
    def skill(self) -> Path:
        return self.root / "skill" / "SKILL.md"

    @property
    def report(self) -> Path:
        return self.root / "golden_reports" / "model_a_golden_report.md"

    @property
    def metrics(self) -> Path:
        return self.root / "golden_reports" / "model_a_golden_report_metrics.json"

    @property
    def anchors(self) -> Path:
        return self.root / "golden_reports" / "model_a_anchor_facts.json"

    def validate(self, *phases: Phase) -> list[Check]:
        return validate(self.runs, phases or ("skill", "rollouts", "golden"))

    def wrong(self, *phases: Phase) -> list[Check]:
        return [check for check in self.validate(*phases) if not check.ok]

    def put(self, path: Path, old: str, new: str) -> None:
        """Change one place of a file."""
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


def write_anchors(path: Path, *facts: str, **more: Any) -> None:
    listed = [{"id": f"B{number}", "fact": fact, "difficulty": "high", **more} for number, fact in enumerate(facts, 1)]
    path.write_text(json.dumps({"anchor_facts": listed}, indent=1, ensure_ascii=False), encoding="utf-8")


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """What `init` made, its skill edited, with an anchor fact; its runs stay open."""
    folder = tmp_path_factory.mktemp("packages")
    runs = write_runs(folder / "results")
    patched = pytest.MonkeyPatch()
    patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    init_package(folder / "evalplus", [str(path) for path in runs.values()], write_whole)
    with PackageRuns(Package(folder / "evalplus")) as opened:
        made = Made(folder / "evalplus", opened)
        made.skill.write_text(re.sub(r"<!--.*?-->", SAID, made.skill.read_text(encoding="utf-8")), encoding="utf-8")
        write_anchors(made.anchors, ANCHOR)
        shutil.copytree(made.root, folder / "whole")
        yield made
    patched.undo()


@pytest.fixture
def package(made_once: Made, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """The package to break: everything but the rollouts is put back afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(made_once.root.parent / "cache"))
    yield made_once
    for part in ("skill", "golden_reports"):
        shutil.rmtree(made_once.root / part)
        shutil.copytree(made_once.root.parent / "whole" / part, made_once.root / part)
