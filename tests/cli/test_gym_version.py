"""`gym --version`, for people and for programs."""

import json
import platform
import subprocess
import sys

import pytest

from blade import __version__

GYM = [sys.executable, "-c", "from blade.cli.main import gym_main; gym_main()"]


def gym(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GYM, *arguments], capture_output=True, text=True, check=False)


def test_the_version_in_words() -> None:
    done = gym("--version")
    assert (done.returncode, done.stdout) == (0, f"gym, version {__version__}\n")


@pytest.mark.parametrize("arguments", [("--version", "--json"), ("--json", "--version")])
def test_the_version_and_what_it_runs_on(arguments: tuple[str, str]) -> None:
    done = gym(*arguments)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {"nemo_gym", "python", "python_path", "installation_path", "dependencies", "system"}
    assert set(found["dependencies"]) == {"openai", "ray"}
    assert set(found["system"]) == {"os", "platform", "architecture", "processor", "cpus", "memory_gb"}
    assert (found["nemo_gym"], found["python"], found["python_path"]) == (__version__, platform.python_version(), sys.executable)
    assert found["system"]["cpus"] >= 1
    assert found["system"]["memory_gb"] > 0


def test_json_before_a_command_is_refused() -> None:
    done = gym("--json", "list", "agents")
    assert done.returncode == 2
    assert "--json goes with --version, or after a command" in done.stderr
