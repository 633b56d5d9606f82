"""Where a report's runs lie when nobody says so: in the package that it is a golden report of."""

from pathlib import Path

_ENDINGS = ("_golden_report", "_report", "_shallow", "_candidate")


def packaged_runs(report: Path) -> list[Path]:
    """`golden_reports/../rollouts/<model>*`: the rollout files of the model that the report is named after."""
    folder = report.resolve().parent
    rollouts = folder.parent / "rollouts"
    if folder.name != "golden_reports" or not rollouts.is_dir():
        return []
    model = report.stem
    for ending in _ENDINGS:
        model = model.removesuffix(ending)
    found = sorted(path for path in rollouts.glob("*") if path.name.startswith(model) and _is_rollouts(path))
    exact = [path for path in found if path.name.split(".")[0] in (model, f"{model}_rollouts")]
    return (exact or found)[:1] if model else []


def _is_rollouts(path: Path) -> bool:
    named = path.name.lower()
    aside = ("_materialized_inputs", "_failures", "_reward_profile", "_aggregate_metrics", "_agent_metrics", "_run.json")
    return path.is_dir() or (".jsonl" in named and not any(part in named for part in aside))
