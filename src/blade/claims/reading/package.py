"""Which rollouts of a package a report is about: by the model that both are named after."""

from pathlib import Path

from blade.runs.artifacts import bare_stem, is_jsonl, sidecar_kind

_ENDINGS = ("_golden_report", "_report", "_shallow", "_candidate")


def packaged_runs(report: Path) -> list[Path]:
    """The rollout file of the model that a report in `golden_reports` is named after; none where it cannot be told."""
    folder = report.resolve().parent
    if folder.name != "golden_reports":
        return []
    model = report.stem
    for ending in _ENDINGS:
        model = model.removesuffix(ending)
    found = rollouts_of(folder.parent / "rollouts", model)
    return [] if found is None else [found]


def rollouts_of(folder: Path, model: str) -> Path | None:
    """The rollout file of a model: named after it, else the only one whose name begins with it. Of several, none is it."""
    if not model:
        return None
    files = rollout_files(folder)
    exact = [path for path in files if model_of(path) == model]
    begun = [path for path in files if bare_stem(path).startswith(model)]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def rollout_files(folder: Path) -> list[Path]:
    """The rollout files of a folder in order of their names, without the sidecars beside them."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.is_file() and is_jsonl(path) and sidecar_kind(path) is None]


def model_of(rollouts: Path) -> str:
    """The model that a rollout file is named after: `model_a` of `model_a_rollouts.jsonl`."""
    return bare_stem(rollouts).removesuffix("_rollouts")
