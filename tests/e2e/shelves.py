"""A small evaluation for end-to-end tests: the shelf environment, twelve tasks, and a scripted endpoint that answers them."""

import json
import os
import subprocess
import sys
from copy import copy as copy_object
from pathlib import Path
from shutil import copy, copytree
from typing import Any, Self

from blade.cli.main import gym_main
from tests.commands import called
from tests.gym.servers import shelf

BIN = Path(sys.executable).parent
SECRET = "sk-not-for-the-files-4711"
CONFIG = """
shelf:
  resources_servers:
    shelf:
      entrypoint: app.py
      domain: other
      tool_timeout_seconds: 2
      verify_timeout_seconds: 2
      num_workers: 2
shelf_agent:
  responses_api_agents:
    simple_agent:
      entrypoint: app.py
      resources_server: {type: resources_servers, name: shelf}
      model_server: {type: responses_api_models, name: policy_model}
      max_steps: 6
policy_model:
  responses_api_models:
    openai_model:
      entrypoint: app.py
      openai_base_url: ${policy_base_url}
      openai_api_key: ${policy_api_key}
      openai_model: ${policy_model_name}
      request_timeout_seconds: 2
      max_retries: 3
      max_retry_pause_seconds: 0.05
"""
SCRIPT: dict[str, Any] = {
    "rules": [
        {"when": {"turn": 0}, "reply": {"calls": [{"name": "shelf_add", "arguments": {"title": "a"}}]}},
        {"when": {"contains": "twice", "turn": 1}, "reply": {"calls": [{"name": "shelf_add", "arguments": {"title": "b"}}]}},
        {"reply": "done"},
    ]
}


class Shelves:
    """The evaluation in a folder: `command(...)` is `gym eval run` over it."""

    def __init__(self, folder: Path, tasks: int = 12, **more: Any) -> None:
        self.folder = folder
        place = folder / "resources_servers" / "shelf"
        (place / "configs").mkdir(parents=True)
        copy(shelf.__file__, place / "app.py")
        (place / "configs" / "shelf.yaml").write_text(CONFIG)
        self.input = folder / "in.jsonl"
        self.input.write_text("".join(json.dumps(self.row(number, **more)) + "\n" for number in range(tasks)))
        self.output = folder / "out" / "run.jsonl"

    @staticmethod
    def row(number: int, **more: Any) -> dict[str, Any]:
        text = f"task-{number} " + ("twice" if number % 3 == 0 else "once")
        return {
            "task_id": f"t{number}",
            "responses_create_params": {"input": [{"role": "user", "content": text}]},
            "books": [],
            **more,
        }

    def command(self, url: str, *more: str, repeats: int = 2) -> list[str]:
        chosen = ["--resources-server", "shelf", "--search-dir", str(self.folder)]
        model = ["--model", "scripted", "--model-url", url, "--model-api-key", SECRET]
        run = ["--input", str(self.input), "--output", str(self.output), "--num-repeats", str(repeats)]
        return [str(BIN / "gym"), "eval", "run", *chosen, *model, *run, "+num_repeats_add_seed=true", *more]

    def run(self, url: str, *more: str, repeats: int = 2) -> subprocess.CompletedProcess[str]:
        return gym(self.folder, *self.command(url, *more, repeats=repeats)[1:], cwd=self.folder)

    def process(self, url: str, *more: str, repeats: int = 2, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """The same as a process of its own, for what a call in this one cannot show."""
        return subprocess.run(
            self.command(url, *more, repeats=repeats),
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=self.folder,
            env=environment(self.folder),
            check=False,
        )

    def copied(self, folder: Path) -> Self:
        """The evaluation with all that was written, in another folder."""
        other = copy_object(self)
        other.folder = Path(copytree(self.folder, folder))
        other.input, other.output = (folder / path.relative_to(self.folder) for path in (self.input, self.output))
        return other

    def rows(self, suffix: str = "") -> list[dict[str, Any]]:
        path = self.output.with_name(f"run{suffix}.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def document(self, suffix: str) -> Any:
        return json.loads(self.output.with_name(f"run{suffix}.json").read_text())

    def scored(self) -> dict[tuple[int, int], float]:
        rows = self.rows()
        found = {(row["_ng_task_index"], row["_ng_rollout_index"]): row["reward"] for row in rows}
        assert len(found) == len(rows), "a rollout stands there twice"
        return found


def gym(folder: Path, *words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command `gym`, here and with nothing of the machine's but what `environment` keeps."""
    return called(gym_main, *words, cwd=cwd, env=environment(folder))


def environment(folder: Path) -> dict[str, str]:
    """No env.yaml of the machine, no cache of the user's."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")}
    return kept | {"XDG_CACHE_HOME": str(folder / "cache")}


EXPECTED = {(task, repeat): 2.0 if task % 3 == 0 else 1.0 for task in range(12) for repeat in range(2)}
"""What an undisturbed run of twelve tasks and two repeats scores."""
