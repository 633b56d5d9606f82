"""Pages that tell a story: their files are written and their commands run in the order in which a reader meets them."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from blade.cli.main import gym_main
from blade.cli.main import main as blade_main
from tests.commands import called

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ENDPOINT = "http://127.0.0.1:8000/v1"
"""The address that stands in the pages for the reader's own endpoint."""
FILE = re.compile(r"^`([\w./]+)`[^\n]*:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def files_of(text: str) -> dict[str, str]:
    """The files that a page shows: a path in code, a colon at the line's end, and the content as a block."""
    return dict(FILE.findall(text))


def commands_of(text: str) -> list[str]:
    return [line for block in COMMANDS.findall(text) for line in block.strip().splitlines()]


def run_line(line: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A line as a reader enters it. Here where it is one command of ours, read as a shell would read it; a process costs a second each.

    In a shell where the shell has something to decide, where the program is another one, and where a model would stay in memory.
    """
    program, *words = shlex.split(line)
    main = {".venv/bin/blade": blade_main, ".venv/bin/gym": gym_main}.get(program)
    if main is not None and not {"&&", "||", "local_model"}.intersection(words):
        assert (folder / program).exists()
        return called(main, *words, cwd=folder, env=environment)
    return subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False)


class Reader:
    """Somebody who follows a page in an empty folder, with an endpoint of their own."""

    def __init__(self, folder: Path, endpoint: str) -> None:
        self.folder, self.endpoint = folder, endpoint
        folder.mkdir(parents=True)
        (folder / ".venv").symlink_to(BIN.parent)
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "HOME": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "120",
        } | {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}

    def write(self, files: dict[str, str]) -> None:
        for name, content in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(content.replace(ENDPOINT, self.endpoint), encoding="utf-8")

    def run(self, line: str, *, expect: int = 0) -> subprocess.CompletedProcess[str]:
        done = self.try_out(line)
        assert done.returncode == expect, f"{line}\n{done.stdout}\n{done.stderr}"
        return done

    def try_out(self, line: str) -> subprocess.CompletedProcess[str]:
        return run_line(line.replace(ENDPOINT, self.endpoint), self.folder, self.environment)

    def start(self, line: str) -> subprocess.Popen[str]:
        """A command that runs on, as in a terminal of its own; the caller ends it."""
        return subprocess.Popen(
            line.replace(ENDPOINT, self.endpoint).split(),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
