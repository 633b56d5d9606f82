"""The workplace evaluation for end-to-end tests: `gym eval run` over chosen tasks, with an endpoint that works as `office_worker` says."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.e2e import office_worker
from tests.e2e.shelves import gym
from tests.gym.endpoints import ScriptedEndpoint

ROOT = office_worker.ROOT
Row = dict[str, Any]


class Office:
    """A folder with an input of some tasks, and an endpoint; ends with `close`."""

    def __init__(self, folder: Path, tasks: Iterable[int]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        wanted = set(tasks)
        self.tasks = [task for task in office_worker.tasks() if task["id"] in wanted]
        self.input = folder / "in.jsonl"
        self.input.write_text("".join(json.dumps(task) + "\n" for task in self.tasks), encoding="utf-8")
        self.endpoint = ScriptedEndpoint(folder / "endpoint", Path(office_worker.__file__), log_bodies=True)

    def close(self) -> None:
        self.endpoint.stop()

    def run(self, name: str, *more: str) -> Path:
        """Four repeats of every task; hands back the rollouts."""
        output = self.folder / name / "rollouts.jsonl"
        chosen = ["--resources-server", "workplace_assistant", "--model-type", "openai_model"]
        model = ["--model", "scripted", "--model-url", self.endpoint.url, "--model-api-key", "none"]
        run = ["--input", str(self.input), "--output", str(output), "--num-repeats", "4", "+num_repeats_add_seed=true"]
        done = gym(self.folder, "eval", "run", *chosen, *model, *run, *more, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        return output


def rows_of(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
