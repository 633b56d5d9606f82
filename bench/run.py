"""How fast `blade` is, as ratios to a plain JSON pass on the same machine: `python -m bench.run [--quick] [--out PAGE]`.

Seconds differ between machines and hours; the ratio to one single-process `orjson.loads` pass over the same lines hardly does, so
every target is a ratio. Times are the best of several runs of whole commands, the start of Python included. Cold means an empty
cache directory for each run (the input files themselves stay in the page cache), warm means a second look with the index there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench import collection
from bench.generate import REPEATS, inputs_beside, write_profile, write_rollouts
from bench.measure import Outcome, best_of, memory_kind, run
from bench.report import Line, table, write_page

GENERATOR = 1
"""Raised when `generate` changes what it writes, so that a cached data directory is not mistaken for the new data."""
MEMORY_LIMIT = 600_000_000
FLAT = 1.2
COMPARED_TASKS = 500
ORJSON_PASS = """
import sys, orjson
for path in sys.argv[1:]:
    with open(path, "rb") as lines:
        for line in lines:
            orjson.loads(line)
"""
PREAMBLE = (
    "Every ratio is to one plain single-process `orjson.loads` pass over the lines of the same file, measured in the same run, "
    "unless the line says otherwise. Rows are generated: 5 KB to 1.5 MB (median about 11.5 KB, 99th percentile about 400 KB), "
    "with tool calls and reasoning. Times are the best of several runs of the whole command; input files are in the page cache. "
    "Memory is the largest sum of {memory} over all processes of the command, sampled every 20 ms."
)


@dataclass(frozen=True)
class Scale:
    small: int
    rows: int

    @property
    def large(self) -> int:
        return 2 * self.small


FULL, QUICK = Scale(10**9, 100_000), Scale(10**8, 10_000)


def _beside_python(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _size(size: int) -> str:
    return f"{size / 1e9:g} GB" if size >= 10**9 else f"{size / 1e6:.0f} MB"


@contextmanager
def _fresh_cache() -> Iterator[dict[str, str]]:
    """The environment of a user who has never run `blade`."""
    with tempfile.TemporaryDirectory(prefix="blade-bench-cache-") as folder:
        yield {"XDG_CACHE_HOME": folder}


def _made(folder: Path, name: str, write: Callable[[Path], object]) -> Path:
    """The generated file, from the cache directory where it is already complete."""
    home = folder / f"{name}-v{GENERATOR}"
    if not home.exists():
        _say(f"generating {name}")
        partial = folder / f"{home.name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        write(partial / "rollouts.jsonl")
        partial.rename(home)
    return home / "rollouts.jsonl"


def _json_pass(*paths: Path) -> Outcome:
    return best_of(3, lambda: run([sys.executable, "-c", ORJSON_PASS, *map(str, paths)]))


def _line(what: str, outcome: Outcome, against: Outcome, limit: float, target: str) -> Line:
    """A timed command against its yardstick."""
    broken = next((measured for measured in (outcome, against) if not measured.ok), None)
    if broken:
        return Line(what, "", None, target, None, broken.complaint or f"exit code {broken.code}")
    ratio = outcome.seconds / against.seconds
    return Line(what, f"{outcome.seconds:.3f} s", ratio, target, ratio <= limit)


def _memory_line(what: str, outcome: Outcome, against: Outcome | None) -> Line:
    target = f"< {MEMORY_LIMIT // 10**6} MB" + ("" if against is None else f", <= {FLAT}x")
    if not outcome.ok:
        return Line(what, "", None, target, None, outcome.complaint or f"exit code {outcome.code}")
    ratio = outcome.peak_bytes / against.peak_bytes if against and against.peak_bytes else None
    met = outcome.peak_bytes < MEMORY_LIMIT and (ratio is None or ratio <= FLAT)
    return Line(what, f"{outcome.peak_bytes / 1e6:.0f} MB", ratio, target, met)


def _look(command: str, path: Path, env: dict[str, str], *, sample_memory: bool = False) -> Outcome:
    return run([_beside_python("blade"), command, str(path), "--json"], env, sample_memory=sample_memory)


def _cold(command: str, path: Path) -> Outcome:
    with _fresh_cache() as env:
        return _look(command, path, env)


def _sampled_then_warm(command: str, path: Path) -> tuple[Outcome, Outcome]:
    """A cold look for its memory, then the best of three second looks."""
    with _fresh_cache() as env:
        sampled = _look(command, path, env, sample_memory=True)
        return sampled, best_of(3, lambda: _look(command, path, env)) if sampled.ok else sampled


def inspect_lines(small: Path, large: Path, scale: Scale) -> Iterator[Line]:
    _say("orjson pass")
    plain = _json_pass(small)
    yield Line(f"orjson pass, {_size(scale.small)}", f"{plain.seconds:.3f} s", 1.0 if plain.ok else None, failure=plain.complaint)
    _say("blade inspect, cold")
    cold = best_of(3, lambda: _cold("inspect", small))
    yield _line(f"blade inspect, cold, {_size(scale.small)}", cold, plain, 1.0, "<= 1.0x")
    _say("blade inspect, memory and warm")
    small_peak, small_warm = _sampled_then_warm("inspect", small)
    large_peak, large_warm = _sampled_then_warm("inspect", large)
    yield _line(f"blade inspect, warm, {_size(scale.small)}", small_warm, plain, 0.3, "<= 0.3x")
    yield _line(
        f"blade inspect, warm, {_size(scale.large)} (to the same at {_size(scale.small)})", large_warm, small_warm, 1.2, "<= 1.2x"
    )
    memory = f"peak memory ({memory_kind()}), cold inspect"
    yield _memory_line(f"{memory}, {_size(scale.small)}", small_peak, None)
    yield _memory_line(
        f"{memory}, {_size(scale.large)} (to {_size(scale.small)})", large_peak, small_peak if small_peak.ok else None
    )


def diagnose_lines(small: Path, large: Path, scale: Scale) -> Iterator[Line]:
    _say("blade diagnose, cold")
    plain = _json_pass(small)
    cold = best_of(2, lambda: _cold("diagnose", small))
    yield _line(f"blade diagnose, cold, {_size(scale.small)}", cold, plain, 6.0, "<= 6x")
    _say("blade diagnose, memory and warm")
    small_peak, small_warm = _sampled_then_warm("diagnose", small)
    yield _line(f"blade diagnose, warm, {_size(scale.small)}", small_warm, plain, 1.0, "<= 1x")
    large_peak, _ = _sampled_then_warm("diagnose", large)
    memory = f"peak memory ({memory_kind()}), cold diagnose"
    yield _memory_line(f"{memory}, {_size(scale.small)}", small_peak, None)
    yield _memory_line(
        f"{memory}, {_size(scale.large)} (to {_size(scale.small)})", large_peak, small_peak if small_peak.ok else None
    )


def compare_lines(a: Path, b: Path) -> Iterator[Line]:
    """Comparing two warm runs against inspecting both of them, warm too."""
    _say("blade compare, warm")
    blade = _beside_python("blade")

    def seconds(env: dict[str, str]) -> Outcome:
        looks = [_look("inspect", path, env) for path in (a, b)]
        failed = next((look for look in looks if not look.ok), None)
        return failed or replace(looks[0], seconds=sum(look.seconds for look in looks))

    with _fresh_cache() as env:
        first = run([blade, "compare", str(a), str(b), "--json"], env)
        both = best_of(3, lambda: seconds(env))
        again = best_of(3, lambda: run([blade, "compare", str(a), str(b), "--json"], env)) if first.ok else first
    what = f"{COMPARED_TASKS} tasks x {REPEATS} repeats, warm"
    yield Line(f"blade inspect, both runs, {what}", f"{both.seconds:.3f} s", 1.0 if both.ok else None, failure=both.complaint)
    yield _line(f"blade compare, {what} (to inspecting both)", again, both, 3.0, "<= 3x")


def profile_lines(rollouts: Path, scale: Scale) -> Iterator[Line]:
    _say("gym eval profile")
    inputs = inputs_beside(rollouts)
    plain = _json_pass(inputs, rollouts)
    command = [_beside_python("gym"), "eval", "profile", "--inputs", str(inputs), "--rollouts", str(rollouts)]

    def profile() -> Outcome:
        with _fresh_cache() as env:
            return run(command, env)

    what = f"{scale.rows:,} rollouts and their inputs"
    yield Line(f"orjson pass, {what}", f"{plain.seconds:.3f} s", 1.0 if plain.ok else None, failure=plain.complaint)
    yield _line(f"gym eval profile, {what}", best_of(3, profile), plain, 1.5, "<= 1.5x")


def collection_lines(scale: Scale) -> Iterator[Line]:
    """Rollouts a second of a run against requests a second of a client that does nothing else."""
    _say("gym eval run")
    few, many = collection.measure(scale.rows // 10), collection.measure(scale.rows * 4 // 10)
    for found in (few, many):
        what = f"{found.rollouts:,} rollouts, {collection.CONCURRENCY:,} at a time"
        yield Line(f"bare aiohttp client, {what}", f"{found.bare:,.0f} requests/s", 1.0)
        yield Line(f"gym eval run, {what}", f"{found.run:,.0f} rollouts/s", found.ratio, ">= 0.6x", found.ratio >= 0.6)
    grown = many.peak_mb / few.peak_mb
    what = f"peak memory (RSS), gym eval run, {many.rollouts:,} rollouts (to {few.rollouts:,})"
    yield Line(what, f"{many.peak_mb:.0f} MB", grown, f"<= {FLAT}x", grown <= FLAT)


def start_lines() -> Iterator[Line]:
    _say("blade --help")
    bare = best_of(10, lambda: run([sys.executable, "-c", "pass"]))
    yield Line("python -c pass", f"{bare.seconds:.3f} s", 1.0 if bare.ok else None, failure=bare.complaint)
    shown = best_of(10, lambda: run([_beside_python("blade"), "--help"]))
    yield _line("blade --help (to python -c pass)", shown, bare, 10.0, "<= 10x")


def measure_all(folder: Path, scale: Scale, seed: int) -> list[Line]:
    small = _made(folder, f"rollouts-{scale.small}-seed{seed}", lambda path: write_rollouts(path, scale.small, seed))
    large = _made(folder, f"rollouts-{scale.large}-seed{seed}", lambda path: write_rollouts(path, scale.large, seed))
    compared = [
        _made(
            folder,
            f"compared-{COMPARED_TASKS}-seed{seed}-{rolled}",
            lambda path, rolled=rolled: write_profile(path, COMPARED_TASKS * REPEATS, seed, rolled),  # type: ignore[misc]
        )
        for rolled in (seed, seed + 1)
    ]
    profiled = _made(folder, f"profile-{scale.rows}-seed{seed}", lambda path: write_profile(path, scale.rows, seed))
    return [
        *inspect_lines(small, large, scale),
        *diagnose_lines(small, large, scale),
        *compare_lines(*compared),
        *profile_lines(profiled, scale),
        *collection_lines(scale),
        *start_lines(),
    ]


@contextmanager
def _data_folder() -> Iterator[Path]:
    """$BLADE_BENCH_DIR where it is set, and kept; otherwise a temporary one."""
    if kept := os.environ.get("BLADE_BENCH_DIR"):
        yield Path(kept)
    else:
        with tempfile.TemporaryDirectory(prefix="blade-bench-") as folder:
            yield Path(folder)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 when a command failed to run at all, 0 otherwise (a missed target is a result, not an error)."""
    parser = argparse.ArgumentParser(prog="python -m bench.run", description="Measure blade against a plain JSON pass.")
    parser.add_argument("--quick", action="store_true", help="100 MB and 10,000 rollouts instead of 1 GB and 100,000")
    parser.add_argument("--out", type=Path, help="also write a Markdown page, keeping what stands between its notes markers")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with _data_folder() as folder:
        lines = measure_all(folder, QUICK if given.quick else FULL, given.seed)
    print(table(lines))
    if given.out:
        command = "python -m bench.run" + (" --quick" if given.quick else "") + f" --out {given.out}"
        write_page(given.out, lines, PREAMBLE.format(memory=memory_kind()), command)
    return 1 if any(line.failure for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
