"""A package made from runs: the files placed, the rules, the skill, the golden report and its figures drafted.

What is there already is kept unless the caller says otherwise, and both are told. Everything is drafted from the rollouts as they
lie in the package, so that whoever validates it finds the same.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from blade.diagnosis.opening import extractors
from blade.diagnosis.stored import diagnosis
from blade.errors import BladeError, UsageError
from blade.packages import metrics_sidecar
from blade.packages.init.placing import RunToPlace, is_in_place, place, plan_runs
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
    except BaseException as error:
        desk.take_back()
        if isinstance(error, BladeError):
            _speak_of_originals(error, planned)
        raise
    desk.clear()
    return made


def _fill(desk: "_Desk", package: Package, planned: Sequence[RunToPlace], link: bool, progress: Progress | None) -> None:
    root, golden = package.root, desk.made.golden
    for run in planned:
        for one in run.files:
            if is_in_place(one):
                desk.made.kept.append(one.target)
            elif desk.may_write(one.target):
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


def _speak_of_originals(error: BladeError, planned: Sequence[RunToPlace]) -> None:
    """The copy is gone: what is wrong is wrong with the original."""
    for one in (one for run in planned for one in run.files):
        for target in (str(one.target.absolute()), str(one.target)):
            error.message = error.message.replace(target, str(one.source))


@dataclass
class _Desk:
    """Writes the package, and can undo it: what is replaced lies aside until all is done."""

    made: Made
    put: Write
    overwrite: bool
    aside: dict[Path, Path] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    """Those made for the package, an outer one before those in it."""

    def may_write(self, path: Path) -> bool:
        """Whether the file may be written; its place is made free, and what is done is noted."""
        there = path.exists() or path.is_symlink()
        if there and not self.overwrite:
            self.made.kept.append(path)
            return False
        if there and path.is_dir():
            raise UsageError("is a folder, where a file of the package goes", path=path)
        if there:
            self.made.replaced.append(path)
            self.aside[path] = path.with_name(f".{path.name}.{os.getpid()}.aside")
            path.rename(self.aside[path])
        else:
            self.made.written.append(path)
            self._make_folder(path.parent)
        return True

    def write(self, path: Path, text: str) -> None:
        if self.may_write(path):
            self.put(path, text)

    def take_back(self) -> None:
        """No half of a package: what was written goes again, what was replaced is put back, and so are the folders."""
        for path in self.made.written:
            path.unlink(missing_ok=True)
        for path, kept in self.aside.items():
            if kept.exists() or kept.is_symlink():
                kept.replace(path)
        for folder in reversed(self.folders):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def clear(self) -> None:
        for kept in self.aside.values():
            kept.unlink(missing_ok=True)

    def _make_folder(self, folder: Path) -> None:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        self.folders += reversed(missing)
        folder.mkdir(parents=True, exist_ok=True)


def _rules(package: Package, first: RunToPlace, progress: Progress | None) -> str:
    with open_run(first.rollouts, extractors=extractors(), progress=progress) as run:
        if not run.denominator.scored:
            raise UsageError(f"{first.files[0].source} holds no scored rollout", hint="a package is drafted from scored runs")
        return rules_draft(run, diagnosis(run, progress=progress), package.benchmark)
