"""Before a run begins: the plan is written, or found where a run is resumed, and it is checked that the two are one run.

Nothing that an earlier run finished is touched unless asked. A run that goes on must have the plan that it began with; what is not in
the plan (model, verifier, limits, code) may differ only by force, and then the manifest holds both values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO

import msgspec

from blade.errors import UsageError
from blade.gym.collect import manifest as manifests
from blade.gym.collect.checks import check_components
from blade.gym.collect.durable import encoded, heal, hold
from blade.gym.collect.expansion import Expansion, Row
from blade.gym.collect.request import RunRequest, agents_of, expansion_of
from blade.gym.collect.standing import Key, RunFiles, Standing, read_standing
from blade.gym.config import GymConfig
from blade.gym.files import written_together


@dataclass(frozen=True)
class Prepared:
    """A run whose plan is on disk and may begin, or go on; `lock` keeps others away from its files until it is closed."""

    request: RunRequest
    config: GymConfig
    files: RunFiles
    standing: Standing
    manifest: Row
    rollouts: int
    lock: IO[bytes]
    notes: tuple[str, ...] = ()


def prepare_run(request: RunRequest, config: GymConfig, command: list[str]) -> Prepared:
    files = RunFiles(request.output)
    expansion = expansion_of(request, config)
    misspelt = check_components(config)
    if request.resume_from_cache and request.overwrite:
        raise UsageError("--resume goes on with a run and --overwrite removes it", hint="give one of them")
    _make_folder(files.rollouts.parent)
    lock = hold(files.rollouts)
    try:
        existing = files.existing()
        if existing and request.resume_from_cache:
            return _resumed(request, config, files, expansion, command, lock)
        if existing and not request.overwrite:
            listed = ", ".join(path.name for path in existing)
            raise UsageError(
                f"{files.rollouts} is there already ({listed})",
                hint="--resume goes on with it, --overwrite starts anew, or name another --output",
            )
        figures = _write_plan(files.inputs, expansion, config, replacing=existing)
        manifest = manifests.describe(config, expansion, figures, _limits(request), command)
        manifests.write(files.manifest, manifest)
    except BaseException:
        lock.close()
        raise
    return Prepared(request, config, files, Standing(), manifest, figures.rollouts, lock, tuple(misspelt))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError(f"{folder} is not a folder", hint="name another --output") from None


def _resumed(
    request: RunRequest, config: GymConfig, files: RunFiles, expansion: Expansion, command: list[str], lock: IO[bytes]
) -> Prepared:
    notes = [
        f"the last line of {path.name} was torn; its {torn} bytes were moved to {path.name}.torn"
        for path in (files.rollouts, files.failures, files.attempts)
        if (torn := heal(path))
    ]
    before = _manifest(files, request.force)
    now = manifests.describe(config, expansion, _figures(expansion, config), _limits(request), command)
    changes = _refuse_another_run(before, now, request.force) if before is not None else []
    if before is None:
        notes.append("no manifest lies beside the rollouts: whether model, configuration and verifier are the same is unknown")
    if not files.inputs.exists():
        _write_plan(files.inputs, expansion, config)
        notes.append("the materialized inputs were not there and were written anew")
    standing = read_standing(files, forgiving=request.force)
    planned = _count(files.inputs, standing)
    event = {"done": len(standing.done)} | ({"forced": changes} if changes else {})
    manifest = manifests.noted(manifests.mixed(before or now, now) | {"state": "running"}, "resumed", **event)
    manifests.write(files.manifest, manifest)
    return Prepared(request, config, files, standing, manifest, planned, lock, tuple(notes))


def _manifest(files: RunFiles, force: bool) -> Row | None:
    found = manifests.read(files.manifest)
    if found is None and files.manifest.exists() and not force:
        raise UsageError(
            "the manifest cannot be read, so nobody knows which run this is", path=files.manifest, hint="--force goes on"
        )
    return found


def _refuse_another_run(before: Row, now: Row, force: bool) -> list[str]:
    """What is not as it was; a changed plan is another run, whatever is forced."""
    changes = manifests.differences(before, now)
    if not changes:
        return []
    if before.get("plan") != now["plan"] and before.get("plan") is not None:
        raise UsageError(
            f"this is not the run that began there: {'; '.join(changes)}",
            hint="its plan is another one, so give the same data, prompt and sampling, or another --output",
        )
    if not force:
        raise UsageError(
            f"this is not the run that began there: {'; '.join(changes)}",
            hint="give the same settings, or --force to mix them (the manifest will say so), or another --output",
        )
    return changes


def _write_plan(path: Path, expansion: Expansion, config: GymConfig, replacing: Sequence[Path] = ()) -> manifests.PlanFigures:
    """The materialized inputs. What they replace is removed only when the new plan is known to be good."""
    figures = manifests.PlanFigures()
    with written_together(path) as files:
        for row in expansion.rows():
            line = encoded(row) + b"\n"
            figures.take(row, line)
            files[0].write(line)
        _refuse_a_bad_plan(figures, config)
        for old in replacing:
            if old != path:
                old.unlink(missing_ok=True)
    return figures


def _figures(expansion: Expansion, config: GymConfig) -> manifests.PlanFigures:
    figures = manifests.PlanFigures()
    for row in expansion.rows():
        figures.take(row, encoded(row) + b"\n")
    _refuse_a_bad_plan(figures, config)
    return figures


def _refuse_a_bad_plan(figures: manifests.PlanFigures, config: GymConfig) -> None:
    if not figures.rollouts:
        raise UsageError("there is nothing to run: the input has no rows (of this limit and shard)")
    known = agents_of(config)
    for name in sorted(figures.agents - set(known)) if known else ():
        close = get_close_matches(name, known, n=1)
        raise UsageError(
            f"no agent is called {name!r}", hint=f"did you mean {close[0]}?" if close else f"the agents are {', '.join(known)}"
        )


def _count(inputs: Path, standing: Standing) -> int:
    """How many rollouts the plan has; a finished rollout that it does not name is an error."""
    planned = set()
    with inputs.open("rb") as file:
        for line in file:
            row = msgspec.json.decode(line)
            planned.add(Key(row["_ng_task_index"], row["_ng_rollout_index"]))
    if strangers := sorted(standing.done - planned):
        raise UsageError(
            f"{len(strangers)} finished rollouts are not in the plan, first {strangers[0].task}:{strangers[0].repeat}",
            hint="the materialized inputs belong to another run",
        )
    return len(planned)


def _limits(request: RunRequest) -> Row:
    return {"rollout_timeout_seconds": request.rollout_timeout_seconds}
