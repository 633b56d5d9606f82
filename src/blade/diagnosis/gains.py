"""What each failure mode costs, measured over all rollouts that carry it, passing ones too: counts, within-task lift, gain.

A mode is a condition in SQL over `rollouts AS r` that was decided without the reward. Its counts per task come from one query, whose
text (`mode_query`) is also what a claim about the mode carries. The signals' own signatures, of which a run can have hundreds, are
measured together in one pass. With a pass rule a rollout counts 1 or 0 by the rule; without one, by its reward.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from blade import stats
from blade.claims.estimators import gain_json
from blade.runs.run import Run
from blade.stats.gain_ranking import ENOUGH_TASKS_TO_HALVE

HELD_OUT = "row_number() OVER (ORDER BY md5(task), task) % 2 = 0"
"""Over the tasks with a scored rollout: every second one, in an order that has nothing to do with them."""


@dataclass(frozen=True)
class Effect:
    """One mode. `failed` and `passed` are None without a pass rule; `lift` without a mixed task."""

    name: str
    subject: str
    rollouts: int
    tasks: int
    failed: int | None
    passed: int | None
    share_of_loss: float | None
    """The part of all lost reward that lies in its rollouts; shares of several modes overlap."""
    lift: stats.Lift | None
    gain: stats.Gain
    p_adjusted: float | None = None
    ranking: stats.Ranking | None = None

    def as_json(self) -> dict[str, Any]:
        """The keys of a mode in the contract that are about numbers."""
        lift = self.lift
        return {
            "rollouts": self.rollouts,
            "tasks": self.tasks,
            "failed_rollouts": self.failed,
            "passed_rollouts": self.passed,
            "share_of_loss": self.share_of_loss,
            "lift": None if lift is None else lift.value,
            "lift_ci": None if lift is None or lift.interval is None else [lift.interval.low, lift.interval.high],
            "lift_tasks": 0 if lift is None else lift.tasks,
            "p_value": None if lift is None else lift.p_value,
            "p_adjusted": self.p_adjusted,
            "gain": gain_json(self.gain),
            "ranking": ranking_json(self.ranking),
        }


def ranking_json(ranking: stats.Ranking | None) -> dict[str, Any]:
    """What a mode is ranked by: its estimate on the tasks that did not serve to find it, or one drawn towards the others'."""
    return {"value": None, "by": None} if ranking is None else {"value": ranking.value, "by": ranking.by}


def signal_effects(
    run: Run,
    *,
    by_subject: bool = True,
    failing_only: Collection[str] = (),
    carriers: "Mapping[tuple[str, str], Carriers] | None" = None,
) -> list[Effect]:
    """Every signature (code, subject) of the table `signals`, or every code; in their order, adjusted for their number.

    `failing_only` names codes that exist on failing rows by construction. `carriers` are those of `signal_carriers`, where they are
    known already.
    """
    return _measured(run, signal_carriers(run, by_subject=by_subject) if carriers is None else carriers, failing_only)


@np.errstate(all="ignore")
def signal_lifts(run: Run, carriers: "Mapping[tuple[str, str], Carriers]") -> dict[tuple[str, str], tuple[float, int]]:
    """The lift alone, without test or interval, and the mixed tasks that show it: there can be thousands of signatures."""
    tasks, found = _Tasks(run), {}
    for key, carrier in carriers.items():
        with suppress(stats.ImpossibleCounts):  # rewards beyond all range have no sum
            split = tasks.split(carrier)
            value = stats.mantel_haenszel(split)
            if value is not None:
                found[key] = value, int(split.mixed.sum())
    return found


def passing_shares(run: Run, carriers: "Mapping[tuple[str, str], Carriers]") -> dict[tuple[str, str], float]:
    """The share of the rollouts with a signature that pass; 0 where no rule says what passes."""
    decides = run.pass_rule.decides
    return {
        key: (round(float(carrier.affected_sum.sum())) if decides else 0) / int(carrier.affected.sum())
        for key, carrier in carriers.items()
    }


def signal_carriers(run: Run, *, by_subject: bool = True) -> "dict[tuple[str, str], Carriers]":
    """The carriers of every signature of the table `signals` (of every code, with an empty subject), from one query."""
    key = "code, subject" if by_subject else "code, '' AS subject"
    hits = f"SELECT DISTINCT {key}, rollout FROM signals WHERE class = 'scored'"
    found = run.db.execute(f"""
        WITH numbered AS ({_numbered()}),
             affected AS (
                 SELECT hit.code, hit.subject, r.task, count(*) AS affected, sum({value_sql(run)})::DOUBLE AS affected_sum
                 FROM ({hits}) AS hit JOIN rollouts AS r ON r.rollout = hit.rollout AND r.class = 'scored' GROUP BY ALL)
        SELECT dense_rank() OVER (ORDER BY code, subject) - 1 AS mode, number, affected, affected_sum
        FROM affected JOIN numbered USING (task) ORDER BY mode, number""").fetchnumpy()
    present = run.query(
        f"SELECT DISTINCT hit.code, hit.subject FROM ({hits}) AS hit JOIN rollouts AS r USING (rollout) WHERE r.class = 'scored' ORDER BY 1, 2"
    ).rows
    edges = np.searchsorted(found["mode"], np.arange(len(present) + 1))
    return {
        (str(code), str(subject)): Carriers(*(found[name][edges[mode] : edges[mode + 1]] for name in Carriers.COLUMNS))
        for mode, (code, subject) in enumerate(present)
    }


def effects(
    run: Run,
    conditions: Mapping[str, str],
    failing_only: Collection[str] = (),
    known: "Mapping[str, Carriers] | None" = None,
) -> list[Effect]:
    """Modes given by name and condition, in their order, adjusted for their number. The carriers of some may be `known`."""
    counted = known or {}
    carriers = {(name, ""): counted.get(name) or _carriers(run, condition) for name, condition in conditions.items()}
    return _measured(run, carriers, failing_only)


def mode_query(run: Run, condition: str) -> str:
    """The counts of a mode per task with an affected rollout, for the estimators `lift` and `gain` of a claim."""
    shape = run.reward_shape
    scale = (
        "0 AS low, 1 AS high"
        if run.pass_rule.decides
        else f"{float(shape.low or 0.0)!r}::DOUBLE AS low, {float(shape.high or 0.0)!r}::DOUBLE AS high, list(value ORDER BY value) AS rewards"
    )
    return (
        f"WITH carried AS (SELECT r.task, {value_sql(run)} AS value, coalesce(({condition}), false) AS hit "
        "FROM rollouts AS r WHERE r.class = 'scored') "
        "SELECT task, count(*) FILTER (hit) AS affected, coalesce(sum(value) FILTER (hit), 0)::DOUBLE AS affected_sum, "
        "count(*) FILTER (NOT hit) AS unaffected, coalesce(sum(value) FILTER (NOT hit), 0)::DOUBLE AS unaffected_sum, "
        f"(SELECT count(DISTINCT task) FROM carried) AS tasks, {scale} "
        "FROM carried GROUP BY task HAVING count(*) FILTER (hit) > 0 ORDER BY task"
    )


def oracle_query(run: Run) -> str:
    """Best and mean score per task, for the estimator `oracle_gain`: the row of a gain table above which no fix can go."""
    value, high = value_sql(run), 1.0 if run.pass_rule.decides else float(run.reward_shape.high or 0.0)
    return (
        f"SELECT task, max({value}) AS best, avg({value}) AS mean, {high!r}::DOUBLE AS high "
        "FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task"
    )


def value_sql(run: Run) -> str:
    """SQL for what a rollout counts: 1 or 0 by the pass rule, else its reward."""
    return f"CAST({run.passes} AS INTEGER)" if run.pass_rule.decides else "reward"


@dataclass(frozen=True, eq=False)
class Carriers:
    """Tasks (by their number) with an affected rollout, how many they have, and the sum of what these count."""

    COLUMNS = ("number", "affected", "affected_sum")
    number: Any
    affected: Any
    affected_sum: Any


class _Tasks:
    """The run's scored tasks in the order of their ids: what every mode is measured against."""

    def __init__(self, run: Run) -> None:
        value = value_sql(run)
        self.run = run
        self.binary = run.pass_rule.decides
        shape = run.reward_shape
        self.low, self.high = (0.0, 1.0) if self.binary else (float(shape.low or 0.0), float(shape.high or 0.0))
        found = run.db.execute(f"""
            SELECT count(*) AS n, sum({value})::DOUBLE AS total, {HELD_OUT} AS held_out
            FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").fetchnumpy()
        self.n, self.total, self.held_out = (np.asarray(found[name]) for name in ("n", "total", "held_out"))

    @property
    def count(self) -> int:
        return int(self.n.size)

    @cached_property
    def loss(self) -> float:
        """What is lacking to full reward, in units of the score."""
        return float((self.high - self.total / self.n).mean()) if self.count else 0.0

    @cached_property
    def rewards(self) -> list[Any]:
        """All rewards of each task, only where they are not 0 and 1."""
        found = self.run.db.execute("SELECT reward FROM rollouts WHERE class = 'scored' ORDER BY task, reward").fetchnumpy()
        return np.split(np.asarray(found["reward"]), np.cumsum(self.n)[:-1])

    def split(self, carriers: Carriers) -> stats.Split:
        number = carriers.number
        without = self.total[number] - carriers.affected_sum
        unaffected = self.n[number] - carriers.affected
        return stats.split(carriers.affected, carriers.affected_sum, unaffected, np.where(unaffected > 0, without, 0.0))


@np.errstate(all="ignore")
def _measured(run: Run, carriers: Mapping[tuple[str, str], Carriers], failing_only: Collection[str]) -> list[Effect]:
    tasks = _Tasks(run)
    found = [_effect(tasks, key, mode, key[0] in failing_only) for key, mode in carriers.items()]
    tested = [place for place, effect in enumerate(found) if effect.lift is not None]
    adjusted = stats.benjamini_hochberg([lift.p_value for effect in found if (lift := effect.lift) is not None])
    by_place = dict(zip(tested, adjusted.tolist(), strict=True))
    apart = [_held_out(tasks, carriers[effect.name, effect.subject], effect.gain) for effect in found]
    mixed = [0 if effect.lift is None else effect.lift.tasks for effect in found]
    ranked = stats.rankings([effect.gain for effect in found], mixed, apart)
    return [replace(effect, p_adjusted=by_place.get(place), ranking=ranked[place]) for place, effect in enumerate(found)]


def _effect(tasks: _Tasks, key: tuple[str, str], carriers: Carriers, failing_only: bool) -> Effect:
    rollouts = int(carriers.affected.sum())
    passed = round(float(carriers.affected_sum.sum())) if tasks.binary else None
    lift, gain = None, stats.Gain(0.0, None, 0.0)
    try:
        split = tasks.split(carriers)
        resampled = stats.resample(split, tasks.count, tasks.low, tasks.high) if not failing_only else stats.Resampled(None, None)
        gain = stats.gain(split, tasks.low, tasks.high, tasks.count, failing_only=failing_only, resampled=resampled)
        if not failing_only:
            rewards = None if tasks.binary else [tasks.rewards[number] for number in carriers.number]
            lift = stats.lift(split, tasks.count, rewards, resampled)
    except stats.ImpossibleCounts:  # rewards beyond all range have no sum
        pass
    return Effect(
        name=key[0],
        subject=key[1],
        rollouts=rollouts,
        tasks=int(carriers.number.size),
        failed=None if passed is None else rollouts - passed,
        passed=passed,
        share_of_loss=gain.upper / tasks.loss if tasks.loss > 0 else None,
        lift=lift,
        gain=gain,
    )


def _held_out(tasks: _Tasks, carriers: Carriers, whole: stats.Gain) -> stats.Gain | None:
    """The gain on the half of the tasks that discovery leaves alone; None in a run too short to be halved."""
    if whole.estimate is None or tasks.count < ENOUGH_TASKS_TO_HALVE:
        return None
    kept = tasks.held_out[carriers.number]
    half = Carriers(*(getattr(carriers, name)[kept] for name in Carriers.COLUMNS))
    without = stats.Resampled(None, None)
    return stats.gain(tasks.split(half), tasks.low, tasks.high, int(tasks.held_out.sum()), resampled=without)


def held_out_tasks(run: Run) -> frozenset[str]:
    """The tasks that discovery leaves alone; none in a run too short to be halved."""
    rows = run.query(f"SELECT task, {HELD_OUT} FROM rollouts WHERE class = 'scored' GROUP BY task").rows
    return frozenset(task for task, held in rows if held) if len(rows) >= ENOUGH_TASKS_TO_HALVE else frozenset()


def _numbered() -> str:
    return """SELECT task, row_number() OVER (ORDER BY task) - 1 AS number
              FROM (SELECT DISTINCT task FROM rollouts WHERE class = 'scored')"""


def _carriers(run: Run, condition: str) -> Carriers:
    found = run.db.execute(f"""
        WITH numbered AS ({_numbered()}),
             carried AS (SELECT r.task, {value_sql(run)} AS value FROM rollouts AS r WHERE r.class = 'scored' AND ({condition}))
        SELECT number, count(*) AS affected, sum(value)::DOUBLE AS affected_sum
        FROM carried JOIN numbered USING (task) GROUP BY number ORDER BY number""").fetchnumpy()
    return Carriers(*(np.asarray(found[name]) for name in Carriers.COLUMNS))
