"""Time a command and find the peak memory of its whole process tree, from the outside, as a user would see it."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Outcome:
    """One run of a command. `complaint` is the last line of its stderr when it failed."""

    seconds: float
    code: int
    complaint: str = ""
    peak_bytes: int = 0

    @property
    def ok(self) -> bool:
        return self.code == 0


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _proportional(process: psutil.Process) -> int:
    return int(process.memory_full_info().pss)


def _resident(process: psutil.Process) -> int:
    return int(process.memory_info().rss)


def memory_kind() -> str:
    """`PSS` counts a page shared by n processes as 1/n in each, so a sum counts it once; outside Linux only `RSS` is known."""
    return "PSS" if hasattr(psutil.Process().memory_full_info(), "pss") else "RSS"


def installed_bytes() -> int:
    return int(psutil.virtual_memory().total)


def tree_bytes(root: psutil.Process, read: Callable[[psutil.Process], int]) -> int:
    """The memory of a process and its descendants now; processes that end in between count nothing."""
    total = 0
    for process in _tree(root):
        try:
            total += read(process)
        except psutil.Error:
            continue
    return total


def run(
    command: Sequence[str], env: Mapping[str, str] | None = None, *, sample_memory: bool = False, every: float = 0.02
) -> Outcome:
    """Run a command to its end with its output discarded.

    Sampling memory takes the kernel's locks on the process it looks at, so a run that is sampled should not also be timed.
    """
    read = _proportional if memory_kind() == "PSS" else _resident
    with tempfile.TemporaryFile() as stderr:
        started = time.perf_counter()
        try:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, env={**os.environ, **(env or {})})
        except OSError as error:
            return Outcome(0.0, 127, f"{command[0]}: {error.strerror}")
        peak = _watch(process, read, every) if sample_memory else 0
        code = process.wait()
        seconds = time.perf_counter() - started
        stderr.seek(0)
        lines = stderr.read().decode(errors="replace").strip().splitlines() if code else []
    return Outcome(seconds, code, lines[-1] if lines else "", peak)


def _watch(process: subprocess.Popen[bytes], read: Callable[[psutil.Process], int], every: float) -> int:
    peak = 0
    try:
        root = psutil.Process(process.pid)
    except psutil.Error:
        return peak
    while process.poll() is None:
        peak = max(peak, tree_bytes(root, read))
        time.sleep(every)
    return peak


def best_of(times: int, attempt: Callable[[], Outcome]) -> Outcome:
    """The quickest of several runs, or the first that failed: noise on a shared machine only ever adds time."""
    best: Outcome | None = None
    for _ in range(times):
        outcome = attempt()
        if not outcome.ok:
            return outcome
        if best is None or outcome.seconds < best.seconds:
            best = outcome
    if best is None:
        raise ValueError("best_of needs at least one run")
    return best
