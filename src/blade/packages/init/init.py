"""A package made from runs: the files placed, the rules, the skill, the golden report and its figures drafted.

What is there already is kept unless the caller says otherwise, and both are told. Everything is drafted from the rollouts as they
lie in the package, so that whoever validates it finds the same.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from blade.diagnosis.diagnose import extractors
from blade.diagnosis.stored import diagnosis
from blade.errors import BladeError, UsageError
from blade.packages import metrics_sidecar
from blade.packages.init.placing import RunToPlace, place, plan_runs
from blade.packages.init.rules_draft import rules_draft
from blade.packages.init.skill_draft import skill_draft
from blade.packages.layout import GOLDEN_REPORTS, RULES, SKILL, Golden, Package
from blade.packages.runs import PackageRuns
from blade.reports.markdown import report
from blade.runs.build import Progress
from blade.runs.run import open_run

Write = Callable[[Path, str], None]


@dataclass
class Made:
    """What became of each file."""

    root: Path
    golden: Golden
    written: list[Path] = field(default_factory=list)
    replaced: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)


def init_package(
    root: Path,
    specs: Sequence[str],
    write: Write,
    *,
    link: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Made:
    """Make the package; `write` puts a text into a file. The first run is the one that the golden report is about."""
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file", hint="give a folder for the package")
    package = Package(root)
    planned = plan_runs(package, specs)
    golden = Golden(root / GOLDEN_REPORTS, planned[0].model)
    made = Made(root, golden)
    desk = _Desk(made, write, overwrite)
    try:
        _fill(desk, package, planned, link, progress)
    except BladeError as error:
        _take_back(made)
        for one in (one for run in planned for one in run.files):  # the copy is gone: what is wrong is wrong with the original
            error.message = error.message.replace(str(one.target.absolute()), str(one.source)).replace(
                str(one.target), str(one.source)
            )
        raise
    return made


def _fill(desk: "_Desk", package: Package, planned: Sequence[RunToPlace], link: bool, progress: Progress | None) -> None:
    root, golden = package.root, desk.made.golden
    for run in planned:
        for one in run.files:
            if desk.may_write(one.target):
                place(one, link=link)
    if package.rules is None or desk.overwrite:
        desk.write(root / RULES[0], _rules(package, planned[0], progress))
    else:
        desk.made.kept.append(package.rules)
    with PackageRuns(package, progress) as runs:
        first = planned[0].rollouts
        documents = [
            (str(run.rollouts.relative_to(root)), runs.run(run.rollouts), runs.document(run.rollouts)) for run in planned
        ]
        desk.write(package.skill or root / SKILL[0], skill_draft(package.benchmark, documents))
        desk.write(golden.report, report(runs.reported(first)))
        figures = metrics_sidecar.draft(runs.document(first), golden.model, package.benchmark)
        desk.write(golden.metrics, json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


def _take_back(made: Made) -> None:
    """No half of a package: what was written for it goes again, and the folders that it alone was in."""
    for path in made.written:
        path.unlink(missing_ok=True)
    for folder in sorted({path.parent for path in made.written} | {made.root}, key=lambda path: -len(path.parts)):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


@dataclass
class _Desk:
    made: Made
    put: Write
    overwrite: bool

    def may_write(self, path: Path) -> bool:
        """Whether the file may be written; what is done is noted."""
        if not (path.exists() or path.is_symlink()):
            self.made.written.append(path)
            return True
        (self.made.replaced if self.overwrite else self.made.kept).append(path)
        return self.overwrite

    def write(self, path: Path, text: str) -> None:
        if self.may_write(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self.put(path, text)


def _rules(package: Package, first: RunToPlace, progress: Progress | None) -> str:
    with open_run(first.rollouts, extractors=extractors(), progress=progress) as run:
        if not run.denominator.scored:
            raise UsageError(f"{first.files[0].source} holds no scored rollout", hint="a package is drafted from scored runs")
        return rules_draft(run, diagnosis(run, progress=progress), package.benchmark)
