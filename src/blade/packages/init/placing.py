"""The rollouts of a new package: each run's file and sidecars, copied or linked under the name of its model."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blade.errors import UsageError
from blade.packages.layout import ROLLOUTS, Package
from blade.runs.artifacts import SIDECAR_SUFFIXES, Artifacts, bare_stem, locate, uncompressed_name

GENERIC: Final = frozenset({"rollouts", "rollout", "run", "results", "output", "out", "eval"})
"""Names of files that name no model: then that of the folder does."""
LONGEST: Final = 80


@dataclass(frozen=True)
class Placed:
    """A file of a run and where it goes."""

    source: Path
    target: Path


@dataclass(frozen=True)
class RunToPlace:
    model: str
    files: tuple[Placed, ...]

    @property
    def rollouts(self) -> Path:
        return self.files[0].target


def plan_runs(package: Package, specs: Sequence[str]) -> list[RunToPlace]:
    """Which file goes where; refuses runs that a package cannot keep, before anything is written."""
    found: list[RunToPlace] = []
    for spec in specs:
        artifacts = locate(spec)
        if len(artifacts.rollouts) > 1:
            raise UsageError(
                f"{spec} is {len(artifacts.rollouts)} rollout files, and a package keeps one for each run",
                hint="give the files one by one where each is a run, or merge shards first: gym eval aggregate",
            )
        model = model_name(artifacts.rollouts[0], package.benchmark)
        taken = [one.model for one in found]
        if model in taken:  # two results of one name, each in a folder of its own
            model = model_name(artifacts.rollouts[0].resolve().parent, package.benchmark)
        if model in taken:
            raise UsageError(
                f"{spec} would be called {model}, as {specs[taken.index(model)]} is",
                hint="rename one of the files after its model",
            )
        found.append(RunToPlace(model, tuple(_files(artifacts, package, model))))
    return found


def model_name(rollouts: Path, benchmark: str) -> str:
    """`model_a` of `results/evalplus_model_a_rollouts.jsonl` in a package of evalplus; of `model_a/rollouts.jsonl` too."""
    stem = bare_stem(rollouts)
    named = stem if stem.casefold() not in GENERIC else rollouts.resolve().parent.name
    named = named.removesuffix("_rollouts").removesuffix("_golden_report")
    for prefix in (f"{benchmark}_", f"{benchmark}-"):
        named = named.removeprefix(prefix) or named
    return re.sub(r"[^A-Za-z0-9._-]+", "_", named).strip("._-")[:LONGEST] or "model"


def _files(artifacts: Artifacts, package: Package, model: str) -> list[Placed]:
    rollouts, folder = artifacts.rollouts[0], package.root / ROLLOUTS
    ending = uncompressed_name(rollouts)
    packed = rollouts.name.removeprefix(ending)
    found = [Placed(rollouts, folder / f"{model}_rollouts.jsonl{packed}")]
    for kind, suffix in SIDECAR_SUFFIXES.items():
        for path in artifacts.sidecars.get(kind, ()):
            packed = path.name.removeprefix(uncompressed_name(path))
            found.append(Placed(path, folder / f"{model}_rollouts{suffix}{packed}"))
    return found


def is_in_place(one: Placed) -> bool:
    """Whether a file lies where it goes, or is linked from there."""
    return one.target.exists() and one.source.resolve() == one.target.resolve()


def place(one: Placed, *, link: bool) -> None:
    """Copy or link a file to its place, which is free."""
    try:
        if link:
            one.target.symlink_to(one.source.resolve())
        else:
            shutil.copyfile(one.source, one.target)
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror or error}", path=one.target) from None
