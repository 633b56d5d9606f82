"""The runs of a package: each rollout file opened once, by the rules of the package's own `blade.yaml`."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.measured import run_facts
from blade.comparison.compare import compare
from blade.comparison.pair import Asked
from blade.diagnosis.opening import apply, extractors
from blade.diagnosis.skill import Skill, load_skill
from blade.diagnosis.stored import diagnosis
from blade.errors import BladeError
from blade.packages.layout import Package
from blade.runs.build import Progress
from blade.runs.run import Run, open_run


class PackageRuns:
    """What the rollouts of a package say. A `blade.yaml` that cannot be read is left aside: whoever checks the skill says so."""

    def __init__(self, package: Package, progress: Progress | None = None) -> None:
        self.package = package
        self._progress = progress
        self._stack = ExitStack()
        self._runs: dict[Path, Run | BladeError] = {}
        self._facts: dict[Path, RunFacts] = {}
        self._documents: dict[Path, dict[str, Any]] = {}
        self._reported: dict[Path, dict[str, Any]] = {}
        self.skill = _skill(package)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def run(self, path: Path) -> Run:
        """The run of a rollout file; the error that it was refused with is raised each time."""
        if path not in self._runs:
            try:
                self._runs[path] = self._stack.enter_context(self._opened(path))
            except BladeError as error:
                self._runs[path] = error
        found = self._runs[path]
        if isinstance(found, BladeError):
            raise found
        return found

    def readable(self) -> dict[Path, Run]:
        """The rollout files that can be read, in their order."""
        found = {}
        for path in self.package.rollouts():
            try:
                found[path] = self.run(path)
            except BladeError:
                continue
        return found

    def document(self, path: Path) -> dict[str, Any]:
        """The diagnosis of a rollout file."""
        if path not in self._documents:
            self._documents[path] = diagnosis(self.run(path), skill=self.skill, progress=self._progress)
        return self._documents[path]

    def reported(self, path: Path) -> dict[str, Any]:
        """The diagnosis as a report of the package tells it: held against every other run, with paths as they are in the package."""
        if path not in self._reported:
            self._reported[path] = self._compared(path)
        return self._reported[path]

    def _compared(self, path: Path) -> dict[str, Any]:
        run, others = self.run(path), [(other, one) for other, one in self.readable().items() if other != path]
        known = {id(one): self.document(other) for other, one in [(path, run), *others]}
        rules = {id(one): one.pass_rule for _, one in [(path, run), *others]}
        against = []
        for _, other in others:
            against.append(compare([other, run], lambda one: known[id(one)], metric=None, asked=Asked()))
            for one in (run, other):
                one.judge_by(rules[id(one)])
        found = within(known[id(run)] | {"against": against}, f"{self.package.root}/")
        return dict(found)

    def facts(self, path: Path) -> RunFacts:
        """What a report about it is held against."""
        if path not in self._facts:
            self._facts[path] = run_facts(self.run(path), self.document(path))
        return self._facts[path]

    def _opened(self, path: Path) -> Run:
        threshold = None if self.skill is None else self.skill.pass_threshold
        opened = open_run(path, pass_threshold=threshold, extractors=extractors(self.skill), progress=self._progress)
        if self.skill is not None:
            opened.threshold_source = "package"
        apply(self.skill, opened)
        return opened


def within(value: Any, root: str) -> Any:
    """The same with the package's own place taken out of every text: where a package lies is nobody else's business."""
    if isinstance(value, str):
        return value.replace(root, "")
    if isinstance(value, dict):
        return {key: within(inner, root) for key, inner in value.items()}
    return [within(inner, root) for inner in value] if isinstance(value, list) else value


def _skill(package: Package) -> Skill | None:
    try:
        return None if package.rules is None else load_skill(package.rules)
    except BladeError:
        return None
