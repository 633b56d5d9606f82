"""A run from beginning to end: the plan is written, every rollout is tried, and every file says what it holds.

Order on disk: manifest and materialized inputs first (each all or nothing), then, rollout by rollout, a line in the journal of attempts
before an attempt begins and a row in the rollouts or the failures when it has ended. So whatever moment a run is killed at, the files
tell what was planned, what is done, and what was under way.
"""

import asyncio
import fcntl
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from blade.errors import BladeError, Exit, UnreadableRun, UsageError
from blade.gym.collect import manifest as manifests
from blade.gym.collect.checks import check_components
from blade.gym.collect.durable import RowFile, encoded, heal
from blade.gym.collect.expansion import Expansion, Row
from blade.gym.collect.hooks import hooks_of
from blade.gym.collect.request import RunRequest, expansion_of
from blade.gym.collect.schedule import Planned, Schedule, Sink
from blade.gym.collect.standing import Key, RunFiles, Standing, interrupted, read_standing
from blade.gym.collect.tally import Tally
from blade.gym.config import GymConfig
from blade.gym.files import written_together
from blade.gym.servers.calls import Calls, failure_of

Watch = Callable[[Tally], None]


class MetricsFailed(BladeError):
    """An environment's own metrics raised; everything else of the run is on disk."""

    exit_code = Exit.FELL_SHORT


@dataclass(frozen=True)
class Outcome:
    """What came of a run: its files, its counts, and its metrics (none when aggregation is off)."""

    files: RunFiles
    tally: Tally
    stopped: bool
    metrics: list[Row] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """Rollouts of the plan that have no score."""
        return self.tally.total - self.tally.before - self.tally.done


@dataclass(frozen=True)
class Prepared:
    """A run whose plan is on disk and may begin, or go on."""

    request: RunRequest
    config: GymConfig
    files: RunFiles
    standing: Standing
    manifest: Row
    rollouts: int
    notes: tuple[str, ...] = ()


def prepare_run(request: RunRequest, config: GymConfig, command: list[str]) -> Prepared:
    """Write the plan, or find it where a run is resumed; nothing that an earlier run finished is touched unless asked."""
    files = RunFiles(request.output)
    expansion = expansion_of(request, config)
    misspelt = check_components(config)
    files.rollouts.parent.mkdir(parents=True, exist_ok=True)
    if request.resume_from_cache and files.rollouts.exists():
        return _resumed(request, config, files, expansion, command)
    if existing := files.existing():
        if not request.overwrite:
            listed = ", ".join(path.name for path in existing)
            raise UsageError(
                f"{files.rollouts} is there already ({listed})",
                hint="--resume goes on with it, --overwrite starts anew, or name another --output",
            )
        for path in existing:
            path.unlink()
    figures = _write_plan(files.inputs, expansion)
    manifest = manifests.describe(config, expansion, figures, _limits(request), command)
    manifests.write(files.manifest, manifest)
    return Prepared(request, config, files, Standing(), manifest, figures.rollouts, tuple(misspelt))


def _resumed(request: RunRequest, config: GymConfig, files: RunFiles, expansion: Expansion, command: list[str]) -> Prepared:
    notes = [
        f"the last line of {path.name} was torn; its {torn} bytes were moved to {path.name}.torn"
        for path in (files.rollouts, files.failures, files.attempts)
        if (torn := heal(path))
    ]
    before = manifests.read(files.manifest)
    figures = _figures(expansion)
    now = manifests.describe(config, expansion, figures, _limits(request), command)
    changes = manifests.differences(before, now) if before is not None else []
    if changes and not request.force:
        raise UsageError(
            f"this is not the run that began there: {'; '.join(changes)}",
            hint="give the same settings, or --force to mix them (the manifest will say so), or another --output",
        )
    if before is None:
        notes.append("no manifest lies beside the rollouts: whether model, configuration and verifier are the same is unknown")
    if not files.inputs.exists():
        figures = _write_plan(files.inputs, expansion)
        notes.append("the materialized inputs were gone and were written anew")
    standing = read_standing(files)
    planned = _count(files.inputs, standing)
    event = {"done": len(standing.done)} | ({"forced": changes} if changes else {})
    manifest = manifests.noted((before or now) | {"state": "running"}, "resumed", **event)
    manifests.write(files.manifest, manifest)
    return Prepared(request, config, files, standing, manifest, planned, tuple(notes))


async def collect(
    prepared: Prepared, calls: Calls, watch: Watch = lambda tally: None, *, on_stop: Callable[[], None] = lambda: None
) -> Outcome:
    """Run what is left of the plan through the agents, and close the books."""
    files, standing = prepared.files, prepared.standing
    tally = Tally(total=prepared.rollouts, before=len(standing.done))
    tally.continue_from(standing.rewards)
    with _opened(files) as (rollouts, failures, attempts):
        for row in interrupted(files):
            failures.append(row)
        sink = Sink(begin=lambda row: attempts.append(_begun(row)), succeed=rollouts.append, fail=failures.append)
        schedule = Schedule(lambda row: _run(calls, row), sink, prepared.request.limits(), tally)
        state, error = "completed", None
        try:
            async with _watched(tally, watch), _stoppable(schedule, on_stop) as stopped:
                await schedule.work(_left(prepared))
        except (BladeError, asyncio.CancelledError) as caught:
            state, error = "stopped", caught
    state = "stopped" if stopped.is_set() or error else state
    counts = {
        "planned": tally.total,
        "scored": tally.before + tally.done,
        "given_up": tally.given_up,
        "failures": dict(tally.failures),
    }
    if isinstance(error, BladeError):
        with suppress(BladeError, OSError):
            manifests.write(files.manifest, manifests.finished(prepared.manifest, state, counts))
        raise error
    manifests.write(files.manifest, manifests.finished(prepared.manifest, state, counts))
    metrics = [] if prepared.request.disable_aggregation else measure(files, prepared.config)
    return Outcome(files, tally, state == "stopped", metrics)


def measure(files: RunFiles, config: GymConfig) -> list[Row]:
    """The metrics file of what is there; a run without a single row has none."""
    from blade.gym.metrics.aggregate import write_metrics

    try:
        return write_metrics(files.rollouts, files.metrics, hooks_of(config))
    except UnreadableRun:
        return []
    except BladeError:
        raise
    except Exception as error:
        raise MetricsFailed(
            f"the rollouts are all written, but their metrics could not be computed: {type(error).__name__}: {error}",
            path=files.rollouts,
            hint="mend the environment's compute_metrics, then gym eval aggregate --config …",
        ) from error


async def _run(calls: Calls, row: Row) -> Row:
    agent = str(row["agent_ref"]["name"])
    reply = await calls.post(agent, "/run", row)
    if reply.ok and isinstance(reply.body, dict):
        result: Row = reply.body
        return result
    from blade.gym.servers.agent import failed

    return row | failed(failure_of(agent, "/run", reply))


def _left(prepared: Prepared) -> Iterator[Planned]:
    """What of the plan is to be done, read from disk row by row."""
    standing, most = prepared.standing, prepared.request.max_rollout_attempts
    with prepared.files.inputs.open("rb") as file:
        for line in file:
            row = msgspec.json.decode(line)
            key = Key(row["_ng_task_index"], row["_ng_rollout_index"])
            if standing.to_do(key, most):
                yield Planned(row, standing.begun[key], standing.failed[key])


def _begun(row: Row) -> Row:
    """A line of the journal: whose attempt, which one, and when."""
    keys = ("_ng_task_index", "_ng_rollout_index", "_ng_attempt_index")
    return {name: row[name] for name in keys if name in row} | {"at": round(time.time(), 3)}


def _write_plan(path: Path, expansion: Expansion) -> manifests.PlanFigures:
    figures = manifests.PlanFigures()
    with written_together(path) as files:
        for row in expansion.rows():
            line = encoded(row) + b"\n"
            figures.take(row, line)
            files[0].write(line)
        if not figures.rollouts:
            raise UsageError("there is nothing to run: the input has no rows (of this limit and shard)")
    return figures


def _figures(expansion: Expansion) -> manifests.PlanFigures:
    figures = manifests.PlanFigures()
    for row in expansion.rows():
        figures.take(row, encoded(row) + b"\n")
    return figures


def _count(inputs: Path, standing: Standing) -> int:
    """How many rollouts the plan has; a finished rollout that it does not name is an error."""
    planned = set()
    with inputs.open("rb") as file:
        for line in file:
            row = msgspec.json.decode(line)
            planned.add(Key(row["_ng_task_index"], row["_ng_rollout_index"]))
    if strangers := sorted(standing.done - planned):
        raise UsageError(
            f"{len(strangers)} finished rollouts are not in the plan, first {strangers[0].task}:{strangers[0].repeat}",
            hint="the materialized inputs belong to another run",
        )
    return len(planned)


def _limits(request: RunRequest) -> Row:
    return {"rollout_timeout_seconds": request.rollout_timeout_seconds}


@contextmanager
def _opened(files: RunFiles) -> Iterator[tuple[RowFile, RowFile, RowFile]]:
    """The three growing files; only one process may hold them."""
    with ExitStack() as stack:
        opened = []
        for path in (files.rollouts, files.failures, files.attempts):
            file = RowFile(path)
            stack.callback(file.close)
            opened.append(file)
        lock = stack.enter_context(files.attempts.open("rb"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"another run is writing to {files.rollouts}", hint="wait for it, or name another --output"
            ) from None
        yield opened[0], opened[1], opened[2]


@asynccontextmanager
async def _watched(tally: Tally, watch: Watch) -> AsyncIterator[None]:
    async def tell() -> None:
        while True:
            watch(tally)
            await asyncio.sleep(0.5)

    teller = asyncio.create_task(tell())
    try:
        yield
    finally:
        teller.cancel()
        watch(tally)


@asynccontextmanager
async def _stoppable(schedule: Schedule, on_stop: Callable[[], None]) -> AsyncIterator[asyncio.Event]:
    """The first interrupt lets rollouts under way finish, the second ends them too."""
    loop, task, stopped = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()

    def interrupt() -> None:
        if stopped.is_set() and task is not None:
            task.cancel()
        stopped.set()
        schedule.stop()
        on_stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        yield stopped
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
