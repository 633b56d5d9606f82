"""Rollouts under way: so many at a time, each tried a bounded number of times, every attempt with an outcome.

One failing rollout never ends a run. What does: the disk is full, the user says so, or the endpoint refuses everything (the same
failure so many times in a row that going on would only burn the attempts of every rollout left).
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from blade.errors import BladeError
from blade.gym.collect.standing import PASSING, SETUP_FAILURES, UNGRADED, Key
from blade.gym.collect.tally import Tally
from blade.gym.servers.agent import failed
from blade.gym.servers.calls import CallFailed

Row = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    concurrency: int = 100
    attempts: int = 3
    rollout_timeout: float | None = 3_600.0
    backoff: float = 1.0
    longest_backoff: float = 60.0
    hopeless_after: int = 20


@dataclass(frozen=True)
class Planned:
    """A rollout to do: its materialized row, how many attempts were begun before, and how many of these failed."""

    row: Row
    begun: int = 0
    failed: int = 0

    @property
    def key(self) -> Key:
        return Key(self.row["_ng_task_index"], self.row["_ng_rollout_index"])


class Hopeless(BladeError):
    """The set-up does not work: no rollout could have succeeded."""


@dataclass(frozen=True)
class Sink:
    """Where outcomes go; what was given to one of the three survives the process."""

    begin: Callable[[Row], None]
    succeed: Callable[[Row], None]
    fail: Callable[[Row], None]


class Schedule:
    def __init__(self, run: Callable[[Row], Awaitable[Row]], sink: Sink, limits: Limits, tally: Tally) -> None:
        self._run, self._sink, self._limits, self._tally = run, sink, limits, tally
        self._stopping = asyncio.Event()
        self._hopeless = 0

    def stop(self) -> None:
        """Begin nothing new; what is under way may finish."""
        self._stopping.set()

    async def work(self, plan: Iterator[Planned]) -> None:
        """All rollouts of the plan; returns early, with what was begun finished, after `stop`."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, min(self._limits.concurrency, self._tally.total))):
                    group.create_task(self._take_from(plan))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _take_from(self, plan: Iterator[Planned]) -> None:
        while not self._stopping.is_set():
            planned = next(plan, None)
            if planned is None:
                return
            self._tally.running += 1
            try:
                await self._rollout(planned)
            finally:
                self._tally.running -= 1

    async def _rollout(self, planned: Planned) -> None:
        """One rollout, tried until it has a score, must not be tried again, or has used up its attempts."""
        begun, failed = planned.begun, planned.failed
        while True:
            row = planned.row | ({"_ng_attempt_index": begun} if begun else {})
            self._sink.begin(row)
            result = self._kept(row, await self._attempt(row))
            begun += 1
            if not result.get("_ng_failure_class"):
                self._tally.finished(result)
                self._hopeless = 0
                return
            failed += 1
            self._sink.fail(result)
            self._tally.failed(result)
            self._give_up_if_hopeless(result)
            if not _worth_another(result) or failed >= self._limits.attempts:
                self._tally.given_up += 1
                return
            if await self._stopped_while_waiting(failed):
                return

    def _kept(self, row: Row, result: Row) -> Row:
        """The result of an attempt, written down where it is a success; one that cannot be written is a failure."""
        if result.pop("_ng_no_persist", False):
            result = row | {"_ng_failure_class": "kill_shaped", "failure_message": "the agent asked for this row not to be kept"}
        if not result.get("_ng_failure_class"):
            try:
                self._sink.succeed(result)
            except (TypeError, ValueError, OverflowError, RecursionError) as error:
                result = row | {"_ng_failure_class": "agent_run_error", "failure_message": f"the row is no JSON: {error}"}
        return result

    async def _attempt(self, row: Row) -> Row:
        """The row of one attempt, whatever happens."""
        try:
            async with asyncio.timeout(self._limits.rollout_timeout):
                result = await self._run(row)
        except TimeoutError:
            message = f"no result within {self._limits.rollout_timeout:g} s"
            result = row | {"_ng_failure_class": "timeout_exceeded", "failure_message": message}
        except BladeError:
            raise
        except CallFailed as error:
            result = row | failed(error)
        except Exception as error:  # noqa: BLE001  # the boundary: an agent's bug costs its rollouts, not the run
            result = row | {"_ng_failure_class": "agent_run_error", "failure_message": f"{type(error).__name__}: {error}"}
        kept = ("_ng_task_index", "_ng_rollout_index", "_ng_attempt_index", "agent_ref", "skills_ref")
        return {name: value for name, value in result.items() if name not in kept} | {
            name: row[name] for name in kept if name in row
        }

    def _give_up_if_hopeless(self, result: Row) -> None:
        """The set-up is to blame where nothing else is met, or where every request is refused from the beginning."""
        refused = result["_ng_failure_class"] == "model_client_error" and not self._tally.done and not self._tally.before
        self._hopeless = self._hopeless + 1 if refused or result["_ng_failure_class"] in SETUP_FAILURES else 0
        if self._hopeless >= self._enough_of(result["_ng_failure_class"]):
            raise Hopeless(
                f"{self._hopeless} attempts in a row failed in the same way: {result.get('failure_message')}",
                hint="mend the set-up and run the same command with --resume; gym env validate --probe asks the endpoint",
            )

    def _enough_of(self, failure: str) -> int:
        """A lost connection may meet all rollouts under way at once; a key that is refused is refused for good."""
        most = max(self._limits.hopeless_after, self._limits.concurrency) if failure in PASSING else self._limits.hopeless_after
        return max(1, min(most, self._tally.total))

    async def _stopped_while_waiting(self, failed: int) -> bool:
        """Wait before the next attempt, longer each time and never all at once."""
        longest = min(self._limits.longest_backoff, self._limits.backoff * 2 ** (failed - 1))
        try:
            await asyncio.wait_for(self._stopping.wait(), longest * random.uniform(0.5, 1.0))  # noqa: S311
        except TimeoutError:
            return False
        return True


def _worth_another(result: Row) -> bool:
    """Whether the model may be asked again: never for an answer that was given and could not be graded, or the score would be of the
    answers that can be; and not where the set-up refuses."""
    failure = str(result["_ng_failure_class"])
    refused = failure in SETUP_FAILURES and failure not in PASSING
    return not (result.get("_ng_failure_terminal") or failure in UNGRADED or refused)
