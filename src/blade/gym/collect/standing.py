"""Where a run stands: which rollouts are done, and how often each of the others was tried.

Read from what lies on disk, and from nothing else: the rollouts, the failures (one row per failed attempt) and the journal of attempts
that were begun. An attempt that was begun and left no row was interrupted; it counts as an attempt, but not against the limit of
tries, since nothing speaks against the rollout.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from blade.errors import UnreadableRun
from blade.runs.artifacts import SIDECAR_SUFFIXES, bare_stem

INTERRUPTED = "interrupted"
SETUP_FAILURES = ("model_auth", "model_not_found", "model_connection", "unknown_server", "server_unreachable")
"""Failures of the set-up rather than of a rollout: they end a run that meets nothing else, and once mended they speak against nothing."""

PASSING = ("model_connection", "server_unreachable")
"""Those of them that may pass by themselves."""
UNGRADED = ("judge_failed", "verifier_error", "verifier_timeout", "verifier_died")
"""The model answered and nobody graded it. Such a rollout is graded again (`gym eval reverify`), never sampled again."""


class Key(NamedTuple):
    task: int
    repeat: int


class _Keyed(msgspec.Struct):
    task: int | None = msgspec.field(name="_ng_task_index", default=None)
    repeat: int | None = msgspec.field(name="_ng_rollout_index", default=None)
    attempt: int = msgspec.field(name="_ng_attempt_index", default=0)
    failure: str | None = msgspec.field(name="_ng_failure_class", default=None)
    terminal: bool | None = msgspec.field(name="_ng_failure_terminal", default=None)
    reward: Any = None


@dataclass(frozen=True)
class RunFiles:
    """The files of a run by what they hold."""

    rollouts: Path

    def _beside(self, suffix: str) -> Path:
        return self.rollouts.with_name(bare_stem(self.rollouts) + suffix)

    @property
    def inputs(self) -> Path:
        return self._beside(SIDECAR_SUFFIXES["materialized_inputs"])

    @property
    def failures(self) -> Path:
        return self._beside(SIDECAR_SUFFIXES["failures"])

    @property
    def attempts(self) -> Path:
        return self._beside(SIDECAR_SUFFIXES["attempts"])

    @property
    def metrics(self) -> Path:
        return self._beside(SIDECAR_SUFFIXES["aggregate_metrics"])

    @property
    def manifest(self) -> Path:
        return self._beside(SIDECAR_SUFFIXES["manifest"])

    def existing(self) -> list[Path]:
        """What an earlier run left that a fresh one would overwrite or mix with."""
        profiles = [self._beside(SIDECAR_SUFFIXES[kind]) for kind in ("reward_profile", "agent_metrics")]
        every = [self.rollouts, self.inputs, self.failures, self.attempts, self.metrics, self.manifest, *profiles]
        return [path for path in every if path.exists()]


@dataclass
class Standing:
    """`begun` counts all attempts of a rollout, `failed` those that ended in a failure of their own."""

    done: set[Key] = field(default_factory=set)
    begun: Counter[Key] = field(default_factory=Counter)
    failed: Counter[Key] = field(default_factory=Counter)
    terminal: set[Key] = field(default_factory=set)
    rewards: dict[int, list[float]] = field(default_factory=dict)
    """By task: what its finished rollouts were given."""

    def to_do(self, key: Key, most: int) -> bool:
        return key not in self.done and key not in self.terminal and self.failed[key] < most


def read_standing(files: RunFiles, *, forgiving: bool = False) -> Standing:
    """Where the run in these files stands; the files are healed already. `forgiving`: what failed for good may be tried again."""
    standing = Standing()
    for row in _keyed_rows(files.rollouts):
        key = Key(*_key(row))
        if key not in standing.done and isinstance(row.reward, int | float):
            standing.rewards.setdefault(key.task, []).append(float(row.reward))
        standing.done.add(key)
    for row in _keyed_rows(files.failures):
        key = Key(*_key(row))
        standing.failed[key] += row.failure != INTERRUPTED and row.failure not in SETUP_FAILURES
        if (row.terminal or row.failure in UNGRADED) and row.failure not in SETUP_FAILURES and not forgiving:
            standing.terminal.add(key)
        standing.begun[key] = max(standing.begun[key], row.attempt + 1)
    for row in _keyed_rows(files.attempts):
        key = Key(*_key(row))
        standing.begun[key] = max(standing.begun[key], row.attempt + 1)
    for key in standing.done:
        standing.begun[key] = max(standing.begun[key], 1)
    return standing


def _key(row: _Keyed) -> tuple[int, int]:
    assert row.task is not None
    assert row.repeat is not None
    return row.task, row.repeat


def _keyed_rows(path: Path) -> Iterator[_Keyed]:
    if not path.exists():
        return
    decode = msgspec.json.Decoder(_Keyed).decode
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = decode(line)
            except (msgspec.DecodeError, msgspec.ValidationError) as error:
                raise UnreadableRun(
                    f"cannot be resumed: this line is not a row ({error})", path=path, line=number, hint="mend or remove the line"
                ) from None
            if row.task is None or row.repeat is None:
                raise UnreadableRun("cannot be resumed: this row has no indices", path=path, line=number)
            yield row


def interrupted(files: RunFiles) -> Iterator[dict[str, Any]]:
    """A failure's row for each attempt that was begun and left none."""
    told = {(*_key(row), row.attempt) for path in (files.rollouts, files.failures) for row in _keyed_rows(path)}
    for row in _keyed_rows(files.attempts):
        task, repeat = _key(row)
        if (task, repeat, row.attempt) not in told:
            told.add((task, repeat, row.attempt))
            yield {
                "_ng_task_index": task,
                "_ng_rollout_index": repeat,
                "_ng_attempt_index": row.attempt,
                "_ng_failure_class": INTERRUPTED,
                "failure_message": "the attempt was under way when the run ended",
            }


def counts(files: RunFiles, planned: int) -> dict[str, Any]:
    """What a run has come to by its files: rollouts planned and scored, attempts begun, failures by class."""
    standing = read_standing(files)
    failures = Counter(str(row.failure) for row in _keyed_rows(files.failures))
    return {
        "planned": planned,
        "scored": len(standing.done),
        "attempts": sum(standing.begun.values()),
        "failures": dict(sorted(failures.items())),
    }
