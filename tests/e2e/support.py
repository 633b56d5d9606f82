"""Writing runs and calling `blade`: what every end-to-end test needs.

`blade` calls the command in this process, `blade_process` the installed command as a process of its own. Both hand back a
`Result` that has passed the test every command must pass whatever it was given: no traceback, no bug report, and no byte that
steers a terminal on either stream.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blade.cli.main import main
from tests.commands import called

BLADE = Path(sys.executable).parent / "blade"
ROW_CLASSES = ("scored", "errored_rows", "duplicate", "conflicting", "unexpected")
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


@dataclass(frozen=True)
class Result:
    """What a command left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.out, parse_constant=_refuse_constant)
        assert isinstance(found, dict)
        return found


def _refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def blade(*arguments: object, env: dict[str, str] | None = None, **options: Any) -> Result:
    """Call the command here, and check what holds for every call."""
    ended = called(main, *arguments, env=os.environ | (env or {}), **options)
    return checked(ended.returncode, *(text.encode("utf-8", "surrogateescape") for text in (ended.stdout, ended.stderr)))


def blade_process(*arguments: object, env: dict[str, str] | None = None, **options: Any) -> Result:
    """Call the installed command, and check what holds for every call."""
    command = [os.fspath(BLADE), *(argument if isinstance(argument, bytes) else str(argument) for argument in arguments)]
    ended = subprocess.run(command, capture_output=True, env=os.environ | (env or {}), timeout=120, **options)
    return checked(ended.returncode, ended.stdout, ended.stderr)


MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, code, file=sys.stderr)
"""


def blade_peak(*arguments: object) -> tuple[Result, int]:
    """Call the installed command, and give the most memory that it and its workers held at once, in MiB.

    A small process in between does the measuring: a child's peak begins with the size of whoever forked it.
    """
    command = [sys.executable, "-c", MEASURE, os.fspath(BLADE), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, timeout=120)
    *err, measured = ended.stderr.splitlines(keepends=True)
    peak, code = map(int, measured.split())
    return checked(code, ended.stdout, b"".join(err)), peak >> 10


def checked(code: int, out: bytes, err: bytes) -> Result:
    result = Result(code, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))
    assert "Traceback" not in result.err, result.err
    assert "bug in BLADE" not in result.err, result.err
    for text in (result.out, result.err):
        assert not (found := STEERING.search(text)), f"{found[0]!r} in {text[max(found.start() - 60, 0) :][:120]!r}"
    assert code in (0, 1, 2, 3, 130), (code, result.err)
    return result


def inspect(run: object, *options: object, call: Callable[..., Result] = blade) -> dict[str, Any]:
    """The inspection of a run that must be readable, with the contract's identities checked."""
    result = call("inspect", run, "--json", *options)
    assert result.code == 0, result.err
    found = result.json
    check_identities(found)
    return found


def check_identities(inspection: dict[str, Any]) -> None:
    """Lines, rows and expected rollouts are the sums of their parts; nothing is lost."""
    counts = inspection["denominator"]
    assert counts["lines"] == counts["rows"] + counts["malformed"] + counts["blank"]
    assert counts["rows"] == sum(counts[name] for name in ROW_CLASSES)
    settled = counts["scored"] if counts["passed"] is None else counts["passed"] + counts["failed"]
    assert settled == counts["scored"]
    assert counts["expected"] == settled + counts["errored"] + counts["missing"]
    assert counts["expected_source"] in ("inputs", "manifest", "declared", "observed")
    assert (inspection["run"]["lines"], inspection["run"]["rows"]) == (counts["lines"], counts["rows"])
    if counts["expected_source"] == "observed":
        assert counts["missing"] == 0


def counts(inspection: dict[str, Any]) -> dict[str, int]:
    """The denominator without what is zero: short enough to compare with a literal."""
    return {name: value for name, value in inspection["denominator"].items() if value and name != "expected_source"}


def codes(inspection: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in inspection["problems"]]


def refused(run: object, *options: object, call: Callable[..., Result] = blade) -> str:
    """The sentence with which a run is refused: exit 2 on stderr, and the same sentence in an object on stdout."""
    result = call("inspect", run, "--json", *options)
    assert result.code == 2, result.out
    error = result.json
    assert error["schema"] == "blade.error/1"
    assert error["exit_code"] == 2
    first = result.err.splitlines()[0]
    assert first.startswith("blade: "), result.err
    return str(error["error"])


def sql(run: object, query: str, *options: object) -> list[list[Any]]:
    """The rows of a query."""
    result = blade("sql", run, query, "--json", *options)
    assert result.code == 0, result.err
    rows: list[list[Any]] = result.json["rows"]
    return rows


def row(task: object = 0, repeat: object = 0, reward: object = 1, **fields: object) -> dict[str, Any]:
    """A rollout row of the usual shape; a field given as `...` is left out."""
    made = {
        "_ng_task_index": task,
        "_ng_rollout_index": repeat,
        "reward": reward,
        "responses_create_params": {"input": [{"role": "user", "content": f"question {task}"}]},
        "response": {"model": "m", "output": [message(f"answer {task} {repeat}")]},
    }
    return {name: value for name, value in (made | fields).items() if value is not ...}


def message(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def lines_of(rows: Iterable[object], end: bytes = b"\n") -> bytes:
    """Rows as JSON lines; bytes are taken as the line they are."""
    return b"".join((item if isinstance(item, bytes) else json.dumps(item).encode()) + end for item in rows)


def write(path: Path, rows: Iterable[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines_of(rows))
    return path


def without_root_powers() -> None:
    """For `preexec_fn`: permissions bind the command even when root runs the tests."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
