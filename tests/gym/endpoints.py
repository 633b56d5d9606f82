"""Scripted endpoints as processes that a test can start, ask what they saw, and rely on to end."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("scripted_endpoint.py")


class ScriptedEndpoint:
    """A running scripted endpoint; `url` ends in `/v1`."""

    def __init__(self, folder: Path, script: Mapping[str, Any] | str | Path, *, log_bodies: bool = False, port: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "requests.jsonl"
        self.log.touch()
        if isinstance(script, Path):
            file = script
        else:
            file = folder / ("script.py" if isinstance(script, str) else "script.json")
            file.write_text(script if isinstance(script, str) else json.dumps(script), encoding="utf-8")
        flags = ["--log-bodies"] if log_bodies else []
        order = [sys.executable, str(PROGRAM), "--port", str(port), "--script", str(file), "--log", str(self.log), *flags]
        self.process = subprocess.Popen([*order, "--with-parent", str(os.getpid())], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), "the scripted endpoint did not start"

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    def requests(self) -> list[dict[str, Any]]:
        """Every request so far, in the order of arrival."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
