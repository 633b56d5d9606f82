"""What the tests of the scripted environments share: planted cases, what their rows say, and checks that hold in every environment."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from blade.lab.cases import Case, clean, plant
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.script import Script, Task
from blade.runs.run import open_run
from blade.signals.labels import LABELS

SEEDS = (1, 2, 3)
Row = dict[str, Any]


def kinds_at(environment: str, means: str | None = None) -> list[str]:
    return [kind.name for kind in KINDS if environment in kind.environments and means in (None, kind.means)]


@lru_cache(maxsize=64)
def planted(environment: str, kind: str, severity: str, seed: int) -> Case:
    """A case for several tests; a megabyte each, so that only the last ones are kept."""
    return plant(environment, kind, severity, seed)


def by_rollout(case: Case) -> dict[str, Row]:
    return {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row for row in case.rows}


def severe(environment: str, kind: str) -> list[Case]:
    return [planted(environment, kind, "severe", seed) for seed in SEEDS]


def struck(environment: str, kind: str) -> list[Row]:
    """The rows that a kind failed, over some seeds."""
    return [by_rollout(case)[rollout] for case in severe(environment, kind) for rollout in case.planted]


def siblings(environment: str, kind: str) -> list[tuple[Row, list[Row]]]:
    """Each row that a kind failed, with the repeats of its task that passed."""
    found = []
    for case in severe(environment, kind):
        rows = by_rollout(case)
        for rollout in case.planted:
            task = rollout.rpartition(":")[0]
            others = [rows[f"{task}:{repeat}"] for repeat in range(4)]
            found.append((rows[rollout], [row for row in others if row["reward"] == 1.0]))
    return found


def calls(row: Row) -> list[tuple[str, Row]]:
    made = [item for item in row["response"]["output"] if item["type"] == "function_call"]
    return [(item["name"], json.loads(item["arguments"])) for item in made]


def outputs(row: Row) -> list[str]:
    return [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]


def differing(made: Sequence[tuple[str, Row]], expected: Sequence[tuple[str, Row]]) -> dict[str, tuple[Any, Any]]:
    """The arguments in which changes are not the expected ones: what was given, and what was expected."""
    assert [name for name, _ in made] == [name for name, _ in expected]
    pairs = [(mine, right) for (_, mine), (_, right) in zip(made, expected, strict=True)]
    return {
        key: (mine.get(key), right.get(key)) for mine, right in pairs for key in mine | right if mine.get(key) != right.get(key)
    }


def last_words(row: Row) -> str:
    return str(row["response"]["output"][-1]["content"][0]["text"])


def reward(environment: str, task: Task, script: Script) -> float:
    place = ENVIRONMENTS[environment]
    player = Player(Episode(task, 0.0, place.hosts[0]), place.backend(task), Random(1), place.manner, None, "x")
    return float(place.verify(player.play(script, noisy=False), None, Random(1))["reward"])


def check_scripts(environment: str, tasks: Sequence[Task]) -> None:
    """Sound scripts pass and faulty ones fail."""
    assert {reward(environment, task, script) for task in tasks for script in task.sound} == {1.0}
    wrong = [(task, script) for task in tasks for scripts in task.faulty.values() for script in scripts]
    assert {reward(environment, task, script) for task, script in wrong} == {0.0}


def check_labels(kinds: Sequence[str]) -> None:
    """All labels have kinds of fault."""
    assert len(kinds) >= 14
    for label in LABELS:
        assert sum(KIND[name].label == label for name in kinds) >= 2


def check_case(case: Case, kind: str) -> None:
    """Planted rollouts fail, all other failures are noise, and every planted step is there."""
    assert case.planted
    assert {fault.kind for fault in case.planted.values()} == {kind}
    assert {fault.label for fault in case.planted.values()} == {KIND[kind].label}
    assert set(case.tasks.values()) == {KIND[kind].label}
    assert case.held_out == (ENVIRONMENTS[case.environment].held_out or KIND[kind].held_out)
    first: dict[str, Row] = {}
    for row in case.rows:  # of two rows with one key the first counts
        first.setdefault(f"{row['_ng_task_index']}:{row['_ng_rollout_index']}", row)
    assert {rollout for rollout, row in first.items() if row["reward"] < 1.0} == set(case.planted) | case.noise
    assert not set(case.planted) & case.noise
    outputs = {rollout: len(row["response"]["output"]) for rollout, row in by_rollout(case).items()}
    assert all(0 <= step < outputs[rollout] for rollout, fault in case.planted.items() for step in fault.steps)


def check_strikes(environment: str, kind: str) -> None:
    """A kind strikes as often as it says, and everything follows from the seed."""
    for severity in SEVERITIES:
        for seed in SEEDS[:2]:
            case = planted(environment, kind, severity, seed)
            check_case(case, kind)
            hits = Counter(rollout.rpartition(":")[0] for rollout in case.planted)
            least, most = KIND[kind].strikes(severity)
            if KIND[kind].means != "weather":
                assert len(hits) >= 2
                assert set(hits.values()) <= ({4 - (99 - least)} if least > 4 else set(range(least, most + 1)))
    assert plant(environment, kind, "mild", 1).rows == planted(environment, kind, "mild", 1).rows
    assert planted(environment, kind, "mild", 1).rows != planted(environment, kind, "mild", 2).rows


def check_clean(environment: str) -> None:
    """Runs without a fault pass but for noise."""
    cases = [clean(environment, seed) for seed in range(8)]
    assert not any(case.planted for case in cases)
    assert sum(len(case.noise) for case in cases) <= 0.06 * sum(len(case.rows) for case in cases)


def check_rows_are_read(environment: str, kind: str, folder: Path) -> None:
    for case in (clean(environment, 1), planted(environment, kind, "severe", 1)):
        with open_run(case.write(folder / case.severity), use_index=False) as run:
            assert run.problems == []
            assert (run.denominator.rows, run.denominator.scored) == (len(case.rows), len(case.rows))


@lru_cache
def usual_fields(environment: str) -> frozenset[str]:
    (usual,) = {frozenset(row) for row in clean(environment, 4).rows}
    return usual


def check_fields(environment: str, kind: str) -> None:
    """Nothing in a row names the fault, and fields are always the same but for the error of a rollout that broke down."""
    for row in planted(environment, kind, "severe", 1).rows:
        assert frozenset(row) - {"error"} == usual_fields(environment)
        assert kind not in str(row)


def check_gap_or_shakiness(environment: str, kind: str, given: str) -> None:
    """A gap in knowledge is always alike and shaky knowledge never; `given` is the row's field that shows it, or several of them."""
    for case in severe(environment, kind):
        rows, values = by_rollout(case), defaultdict(set)
        for rollout in case.planted:
            values[rollout.rpartition(":")[0]].add(str([rows[rollout].get(field) for field in given.split()]))
        assert all(len(seen) == (1 if KIND[kind].label == "KG" else 2) for seen in values.values())


def check_burst(case: Case) -> None:
    """Trouble strikes within a part of the run's time."""
    rows = by_rollout(case)
    times = [row["response"]["created_at"] for row in rows.values()]
    hit = [rows[rollout]["response"]["created_at"] for rollout in case.planted]
    assert max(hit) - min(hit) < 0.6 * (max(times) - min(times))
