"""Where things lie in a BLADE-ready package.

```
<benchmark>/
  skill/SKILL.md                                    D1: how to read this benchmark (or SKILL.md beside the folders)
  skill/blade.yaml                                  stages, labels, slices and pass rule, as rules (or blade.yaml)
  rollouts/<model>_rollouts.jsonl                   D2: a file for each run, with its sidecars
  golden_reports/<model>_golden_report.md           D3: a report for each model that has one, and beside it
  golden_reports/<model>_golden_report_metrics.json   its figures,
  golden_reports/<model>_anchor_facts.json            what a report as good as it must have found,
  golden_reports/<model>_shallow.md                   and a report that looks like it and found nothing
```
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blade.claims.reading.package import rollout_files, rollouts_of

SKILL: Final = ("skill/SKILL.md", "SKILL.md")
RULES: Final = ("skill/blade.yaml", "blade.yaml")
ROLLOUTS: Final = "rollouts"
GOLDEN_REPORTS: Final = "golden_reports"
REPORT_ENDING: Final = "_golden_report.md"
METRICS_ENDING: Final = "_golden_report_metrics.json"
ANCHORS_ENDING: Final = "_anchor_facts.json"
SHALLOW_ENDING: Final = "_shallow.md"


@dataclass(frozen=True)
class Golden:
    """The golden report of one model and where the files that belong to it lie, whether or not they exist."""

    folder: Path
    model: str

    @property
    def report(self) -> Path:
        return self.folder / f"{self.model}{REPORT_ENDING}"

    @property
    def metrics(self) -> Path:
        return self.folder / f"{self.model}{METRICS_ENDING}"

    @property
    def anchors(self) -> Path:
        return self.folder / f"{self.model}{ANCHORS_ENDING}"

    @property
    def shallow(self) -> Path:
        return self.folder / f"{self.model}{SHALLOW_ENDING}"


@dataclass(frozen=True)
class Package:
    root: Path

    @property
    def benchmark(self) -> str:
        return self.root.resolve().name

    @property
    def skill(self) -> Path | None:
        """The analysis skill, where there is one."""
        return _first(self.root, SKILL)

    @property
    def rules(self) -> Path | None:
        """The benchmark's `blade.yaml`, where there is one."""
        return _first(self.root, RULES)

    @property
    def rollouts_folder(self) -> Path:
        return self.root / ROLLOUTS

    @property
    def golden_folder(self) -> Path:
        return self.root / GOLDEN_REPORTS

    def rollouts(self) -> list[Path]:
        """The rollout files in order of their names, without the sidecars beside them."""
        return rollout_files(self.rollouts_folder)

    def golden(self) -> list[Golden]:
        """The golden reports in order of their models."""
        folder = self.golden_folder
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        reports = (path for path in found if path.is_file() and path.name.endswith(REPORT_ENDING))
        return [Golden(folder, path.name.removesuffix(REPORT_ENDING)) for path in reports]

    def rollouts_of(self, model: str) -> Path | None:
        """The rollout file of a model: named after it, else the only one whose name begins with it."""
        return rollouts_of(self.rollouts_folder, model)


def golden_of(report: Path) -> Golden:
    """What belongs to a report by its name; a report with another name is its own model's."""
    name = report.name
    return Golden(report.parent, name.removesuffix(REPORT_ENDING) if name.endswith(REPORT_ENDING) else report.stem)


def _first(root: Path, names: tuple[str, ...]) -> Path | None:
    return next((path for path in (root / name for name in names) if path.is_file()), None)
