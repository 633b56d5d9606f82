"""Two models on one small benchmark of programming tasks, as the evaluation loop leaves them: every package test starts from here."""

from dataclasses import replace
from pathlib import Path

from blade.lab.pairs.files import RunFiles
from blade.lab.pairs.world import TASKS, make_world

SEED = 5


def write_runs(folder: Path, tasks: int = TASKS) -> dict[str, Path]:
    """`evalplus_model_a_rollouts.jsonl` and `…_b_…` in a folder: the same tasks (24 at most), four repeats each, two systems."""
    world = make_world("code", SEED)
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for model in ("model_a", "model_b"):
        setting = replace(world.place.setting, model=model)
        rows = [row for row in world.rows(world.run(world.plan(model), model), model, setting) if row["_ng_task_index"] < tasks]
        found[model] = RunFiles(rows).write(folder / model).rename(folder / f"evalplus_{model}_rollouts.jsonl")
        (folder / model).rmdir()
    return found
