"""Preparing benchmarks: each one's `prepare_script` writes the file that its config names, and the file is checked.

A script is a Python module with `prepare(**arguments) -> Path`. It downloads, converts, and may do anything else, so it runs in a child
process whose output goes straight to the error stream. Its word is not taken for the result: the path must be the one in the config,
every line a JSON object, and every row must fit the benchmark's prompt.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blade.errors import BladeError, UsageError
from blade.gym.collect.prompts import Prompt, load_prompt
from blade.gym.config import GymConfig
from blade.untrusted.limits import max_line_bytes

STANDARD_ERROR: Final = 2
"""What a script prints is for people; the command's own output may be read by programs."""


@dataclass(frozen=True)
class BenchmarkDataset:
    """A benchmark dataset of a configuration: whose it is, what makes its file, and where that belongs: under the script's own root."""

    name: str
    agent: str
    path: Path
    script: Path
    prompt: Path | None


@dataclass(frozen=True)
class Prepared:
    """A benchmark whose file is in place and sound; `cached` if nothing had to be run."""

    name: str
    agent: str
    path: Path
    rows: int
    cached: bool


class PrepareFailed(BladeError):
    """A prepare script that did not leave what its config promises."""


def prepare(config: GymConfig, *, use_cached: bool = False, args: Mapping[str, Any] | None = None) -> list[Prepared]:
    """Run the script of every benchmark dataset, in order; with `use_cached`, files that are in place and sound are left alone."""
    datasets = list(benchmark_datasets(config))
    if not datasets:
        raise UsageError("this configuration has no benchmark dataset", hint="name a benchmark with --benchmark")
    return [_prepared(dataset, use_cached, dict(args or {})) for dataset in datasets]


def benchmark_datasets(config: GymConfig) -> Iterator[BenchmarkDataset]:
    """The datasets of type benchmark, in the order of their agents."""
    for instance in config.instances.values():
        listed = instance.settings.get("datasets") if instance.kind == "responses_api_agents" else None
        for dataset in listed or []:
            if dataset.get("type") == "benchmark":
                yield _dataset(config, instance.name, dataset)


def _dataset(config: GymConfig, agent: str, dataset: Mapping[str, Any]) -> BenchmarkDataset:
    name = str(dataset.get("name"))
    for key in ("jsonl_fpath", "prepare_script"):
        if not isinstance(dataset.get(key), str):
            raise UsageError(f"the benchmark dataset {name!r} of {agent} needs {key}")
    script = config.find(dataset["prepare_script"])
    prompt = dataset.get("prompt_config")
    return BenchmarkDataset(
        name=name,
        agent=agent,
        path=next((root for root in config.roots if root / dataset["prepare_script"] == script), Path.cwd())
        / dataset["jsonl_fpath"],
        script=script,
        prompt=config.find(prompt) if prompt else None,
    )


def _prepared(dataset: BenchmarkDataset, use_cached: bool, args: dict[str, Any]) -> Prepared:
    prompt = load_prompt(dataset.prompt) if dataset.prompt else None
    if use_cached and dataset.path.is_file():
        return Prepared(dataset.name, dataset.agent, dataset.path, checked(dataset.path, prompt), cached=True)
    returned = run_script(dataset.script, args)
    if not _same_file(returned, dataset.path):
        raise PrepareFailed(
            f"it prepared {returned}, but the config of {dataset.name} names {dataset.path}",
            path=dataset.script,
            hint="prepare() must return the path of jsonl_fpath",
        )
    return Prepared(dataset.name, dataset.agent, dataset.path, checked(dataset.path, prompt), cached=False)


def run_script(script: Path, args: dict[str, Any]) -> Path:
    """What `prepare(**args)` of a script returns; it runs in a process of its own, with our terminal."""
    with tempfile.TemporaryDirectory(prefix="gym-prepare-") as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-P", "-m", "blade.gym.collect.prepare_script", str(script), json.dumps(args), str(answer)]
        code = _run_to_the_end(command)
        said = json.loads(answer.read_text(encoding="utf-8")) if answer.is_file() else {}
    if "returned" in said:
        return Path(said["returned"])
    if "error" in said:
        raise PrepareFailed(said["error"], path=script)
    ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    raise PrepareFailed(f"the script {ended} before it returned a path", path=script, hint="its output is above")


def _run_to_the_end(command: list[str]) -> int:
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=STANDARD_ERROR)
    try:
        return process.wait()
    finally:
        if process.poll() is None:  # interrupted: the script must not go on writing behind our back
            process.kill()
            process.wait()


def checked(path: Path, prompt: Prompt | None) -> int:
    """How many rows a benchmark's file has; raises if it has none, or one that is not a row."""
    rows = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file), start=1):
                if line.strip():
                    _check_row(line, number, path, prompt)
                    rows += 1
    except OSError as error:
        raise PrepareFailed(f"the benchmark's file cannot be read: {error.strerror or error}", path=path) from error
    if not rows:
        raise PrepareFailed("the benchmark's file has no rows", path=path)
    return rows


def _lines(file: Any) -> Iterator[bytes]:
    limit = max_line_bytes()
    while line := file.readline(limit + 1):
        yield line


def _check_row(line: bytes, number: int, path: Path, prompt: Prompt | None) -> None:
    if len(line) > max_line_bytes():
        raise PrepareFailed("this row is too long to be read", path=path, line=number)
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise PrepareFailed("this line is not a JSON object", path=path, line=number)
    if prompt is not None:
        try:
            prompt.apply(row)
        except UsageError as error:
            raise PrepareFailed(
                f"the row does not fit the prompt: {error.message}", path=path, line=number, hint=error.hint
            ) from error


def _same_file(returned: Path, wanted: Path) -> bool:
    return os.path.realpath(returned) == os.path.realpath(wanted)
