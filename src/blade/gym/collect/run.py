"""A run from beginning to end: every rollout of the plan is tried, and every file says what it holds.

Order on disk: materialized inputs and manifest first (each all or nothing), then, rollout by rollout, a line in the journal of attempts
before an attempt begins and a row in the rollouts or the failures when it has ended. So whatever moment a run is killed at, the files
tell what was planned, what is done, and what was under way.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

import msgspec

from blade.errors import BladeError, Exit, UnreadableRun
from blade.gym.collect import manifest as manifests
from blade.gym.collect.durable import RowFile
from blade.gym.collect.expansion import Row
from blade.gym.collect.hooks import hooks_of
from blade.gym.collect.preparation import Prepared
from blade.gym.collect.schedule import Planned, Schedule, Sink
from blade.gym.collect.standing import Key, RunFiles, counts, interrupted
from blade.gym.collect.tally import Tally
from blade.gym.collect.watching import Watch, stoppable, watched
from blade.gym.config import GymConfig
from blade.gym.metrics.aggregate import write_metrics
from blade.gym.servers.agent import failed
from blade.gym.servers.calls import Calls, failure_of

OBJECTS_A_COLLECTION = 100_000


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


async def collect(
    prepared: Prepared, calls: Calls, watch: Watch = lambda tally: None, *, on_stop: Callable[[], None] = lambda: None
) -> Outcome:
    """Run what is left of the plan through the agents, and close the books."""
    files, standing = prepared.files, prepared.standing
    tally = Tally(total=prepared.rollouts, before=len(standing.done))
    tally.continue_from(standing.rewards)
    with prepared.lock:
        try:
            stopped = await _work(prepared, calls, tally, watch, on_stop)
        except BaseException:
            with suppress(BladeError, OSError):
                _close_the_books(prepared, "stopped")
            raise
        _close_the_books(prepared, "stopped" if stopped else "completed")
        metrics = [] if prepared.request.disable_aggregation else measure(files, prepared.config)
    return Outcome(files, tally, stopped, metrics)


async def _work(prepared: Prepared, calls: Calls, tally: Tally, watch: Watch, on_stop: Callable[[], None]) -> bool:
    """The rollouts themselves; says whether it was stopped before the plan was done."""
    with _few_collections(), _opened(prepared.files) as (rollouts, failures, attempts):
        for row in interrupted(prepared.files):
            failures.append(row)
        sink = Sink(begin=lambda row: attempts.append(_begun(row)), succeed=rollouts.append, fail=failures.append)
        schedule = Schedule(lambda row: _run(calls, row), sink, prepared.request.limits(), tally)
        async with stoppable(schedule, on_stop) as stopped, watched(tally, watch, (rollouts, failures, attempts)):
            try:
                await schedule.work(_left(prepared))
            except asyncio.CancelledError:
                if not stopped.is_set():
                    raise
    return stopped.is_set()


def _close_the_books(prepared: Prepared, state: str) -> None:
    manifests.write(
        prepared.files.manifest, manifests.finished(prepared.manifest, state, counts(prepared.files, prepared.rollouts))
    )


def measure(files: RunFiles, config: GymConfig) -> list[Row]:
    """The metrics file of what is there; a run without a single row has none."""
    try:
        return write_metrics(files.rollouts, files.metrics, hooks_of(config))
    except UnreadableRun:
        return []
    except BladeError:
        raise
    except Exception as error:
        if "KeyboardInterrupt" in str(error):  # as native code tells of a Ctrl-C
            raise KeyboardInterrupt from error
        failures = f"; {files.failures.name} has the attempts that failed" if files.failures.stat().st_size else ""
        raise MetricsFailed(
            f"what was scored is written, but its metrics could not be computed: {type(error).__name__}: {error}",
            path=files.rollouts,
            hint=f"mend the environment's compute_metrics, then gym eval aggregate --config …{failures}",
        ) from error


async def _run(calls: Calls, row: Row) -> Row:
    agent = str(row["agent_ref"]["name"])
    reply = await calls.post(agent, "/run", row)
    if reply.ok and isinstance(reply.body, dict):
        result: Row = reply.body
        return result
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


@contextmanager
def _few_collections() -> Iterator[None]:
    """Thousands of rollouts under way are a million live objects; the collector would walk over them again and again."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(OBJECTS_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _opened(files: RunFiles) -> Iterator[tuple[RowFile, RowFile, RowFile]]:
    with ExitStack() as stack:
        opened = []
        for path in (files.rollouts, files.failures, files.attempts):
            file = RowFile(path)
            stack.callback(file.close)
            opened.append(file)
        yield opened[0], opened[1], opened[2]
