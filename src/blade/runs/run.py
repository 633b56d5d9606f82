"""A Run: what everyone above this floor holds.

`open_run` finds the artifacts, builds the facts tables or finds them in the index, and hands out a `Run`: queries over the
tables, counts that always sum, and trajectories read back by offset.
"""

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any, Self

from blade.engines import Engine
from blade.errors import UnreadableRun, UsageError
from blade.runs.artifacts import Artifact, Artifacts, locate
from blade.runs.build import RUN_FILE, Builder, Progress
from blade.runs.database import connect, lock
from blade.runs.index import Index, default_cache, make_key
from blade.runs.inventory import inventory
from blade.runs.lessons import teach
from blade.runs.pass_rule import PassRule, RewardShape, out_of_reach, pass_rule
from blade.runs.quoting import literal
from blade.runs.scan import Extractor, Problem
from blade.runs.sources import Readers
from blade.runs.steps import Trajectory, trajectory
from blade.runs.tables import Table, TableFiles, is_small, stretch
from blade.untrusted.limits import max_line_bytes

OUT_OF_REACH = "threshold_out_of_reach"
"""The problem of a threshold that no reward of the run reaches."""


@dataclass(frozen=True)
class Denominator:
    """Where every line and every expected rollout went; `passed` and `failed` are None where there is no pass rule."""

    lines: int
    blank: int
    malformed: int
    rows: int
    scored: int
    errored_rows: int
    duplicate: int
    conflicting: int
    unexpected: int
    expected: int
    passed: int | None
    failed: int | None
    errored: int
    missing: int
    attempts: int
    expected_source: str


@dataclass(frozen=True)
class Place:
    """A rollout row: which, its reward, and where it stands."""

    rollout: str
    task: str
    repeat: int
    reward: float | None
    state: str
    path: str
    line: int
    offset: int
    length: int


@dataclass(frozen=True)
class Outcomes:
    """Per task, in order: counts and reward sums over its scored rollouts. Arrays of equal length."""

    tasks: list[str]
    expected: Any
    scored: Any
    passed: Any  # None without a pass rule
    reward_sum: Any
    reward_best: Any


def open_run(
    spec: str | Path | Sequence[str | Path],
    *,
    engine: Engine | None = None,
    index_dir: Path | None = None,
    use_index: bool = True,
    task_field: str | None = None,
    repeats: int | None = None,
    inputs: Path | None = None,
    pass_threshold: float | None = None,
    extractors: tuple[Extractor, ...] = (),
    progress: Progress | None = None,
    preload: Sequence[str] = (),
) -> "Run":
    """Open a RUN (file, directory, glob, @list, or several): builds its tables, or finds them in the index.

    `preload` names modules that worker processes will need, here or later: the server that they are forked from imports them once.
    """
    if pass_threshold is not None and not math.isfinite(pass_threshold):
        raise UsageError(
            f"a pass threshold of {pass_threshold} is no reward that a rollout could have",
            hint="give --pass-threshold a finite number",
        )
    artifacts = _with_inputs(locate(spec), inputs)
    index = Index((index_dir or default_cache()) if use_index else None)
    try:
        extractors, learned = teach(extractors, artifacts, index, pass_threshold)
        builder = Builder(artifacts, index, engine, task_field, repeats, extractors, progress or Progress(), preload)
        versions = [(extractor.table, extractor.version) for extractor in extractors]
        key = make_key(artifacts.facts_paths(), task_field, repeats, max_line_bytes(), versions)
        entry = index.entry("runs", key, builder.build)
    except OSError as error:
        index.close()
        raise UnreadableRun(f"{error.filename or artifacts.spec} cannot be read: {error.strerror or error}") from error
    except BaseException:
        index.close()
        raise
    return Run(artifacts, entry, index, builder, pass_threshold, learned)


def _with_inputs(artifacts: Artifacts, inputs: Path | None) -> Artifacts:
    if inputs is None:
        return artifacts
    if not inputs.is_file():
        raise UsageError(f"{inputs} is not a file", hint="--inputs takes the materialized inputs that the run was made from")
    return Artifacts(
        artifacts.spec, artifacts.rollouts, artifacts.sidecars | {"materialized_inputs": (inputs,)}, artifacts.others
    )


def small_tables(paths: dict[str, Path]) -> dict[str, str]:
    """The tables that are worth holding in memory, with their files as SQL literals."""
    return {name: literal(path) for name, path in paths.items() if is_small(path)}


class Run:
    """The facts of a run and its trajectories. Close it (or use `with`) to drop what was temporary."""

    def __init__(
        self,
        artifacts: Artifacts,
        entry: Path,
        index: Index,
        builder: Builder,
        pass_threshold: float | None,
        learned: str = "",
    ) -> None:
        self.artifacts = artifacts
        self.directory = entry
        self.meta: dict[str, Any] = json.loads((entry / RUN_FILE).read_text())
        self.cache_note = index.why_temporary
        self._index = index
        self._builder = builder
        self._pass_threshold = pass_threshold
        self.learned = learned
        """What the extractors learned of its rows before the scan (`lessons`); empty where none learns."""
        self.threshold_source = "flag"
        """Who asked for the threshold: flag, or package where a benchmark's own skill did."""
        self._readers = Readers({})
        self._held = Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._readers.close()
        if "db" in self.__dict__:
            self.db.close()
        self._index.close()

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self.meta["tables"])

    @property
    def files(self) -> TableFiles:
        """The tables and the pass rule, for other processes."""
        return TableFiles(self.table_paths(), self.passes)

    def table_paths(self) -> dict[str, Path]:
        return {name: self.directory / f"{name}.parquet" for name in self.meta["tables"]}

    @cached_property
    def db(self) -> Any:
        """A DuckDB connection with a view for each table."""
        db = connect()
        for name, path in self.table_paths().items():
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({literal(path)})")
        return db

    def hold(self) -> None:
        """Take the small tables into memory, for who is about to ask many questions, and close the database off from all but the tables."""
        if self._held.is_set():
            return
        paths = self.table_paths()
        for name, path in small_tables(paths).items():
            self.db.execute(f"DROP VIEW {name}")
            self.db.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet({path})")
        lock(self.db, paths.values())
        self._held.set()

    def held(self) -> Any:
        """A connection of one's own to the tables that are held; as closed off as the one that users have."""
        self.hold()
        return self.db.cursor()

    def keep(self, kind: str, key: Sequence[Any], build: Callable[[Path], None]) -> Path:
        """The directory of something made from this run: found in the index, or built (temporary where there is no index)."""
        return self._index.entry(kind, make_key((), *key), build)

    @property
    def pass_threshold(self) -> float | None:
        """The threshold that was asked for, if any."""
        return self._pass_threshold

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> Table:
        """Our own SQL over the tables; a user's SQL goes through `blade.runs.sql`."""
        cursor = self.db.execute(sql, list(parameters))
        return Table([column[0] for column in cursor.description], cursor.fetchall())

    def beside(self) -> "Run":
        """The same run with a connection of its own, for another thread: the tables are shared, and what is held in memory is held once."""
        other = copy(self)
        other.db = self.db.cursor()
        return other

    @contextmanager
    def apart(self) -> "Iterator[Run]":
        """The same run with a database of its own, for questions that take much memory: all of it is given back in the end."""
        other = copy(self)
        other.__dict__.pop("db", None)
        other._held = Event()
        other.hold()
        try:
            yield other
        finally:
            other.db.close()

    def stretch(self, table: str, tasks: Sequence[str]) -> str:
        """A part of a table that holds all rows of these tasks; a table that is held in memory is read as it is."""
        path = self.table_paths()[table]
        return table if is_small(path) else stretch(self.db, path, tasks)

    @cached_property
    def reward_shape(self) -> RewardShape:
        count, low, high, binary, signed = self.query("""
            SELECT count(*), min(reward), max(reward), coalesce(bool_and(reward IN (0, 1)), false), coalesce(bool_and(reward IN (-1, 1)), false)
            FROM rollouts WHERE class = 'scored'""").rows[0]
        return RewardShape(count, low, high, binary, signed)

    @cached_property
    def pass_rule(self) -> PassRule:
        return pass_rule(self.reward_shape, self._pass_threshold, self.threshold_source)

    def pass_by(self, condition: str) -> None:
        """Let a benchmark's own condition over `rollouts AS r` decide what passes, unless a threshold was given.

        A row is known by where it stands, so that the condition holds under whatever name a query has for the table.
        """
        if self._pass_threshold is None and self.pass_rule.source != "package":
            rows = f'SELECT r.path, r."offset" FROM rollouts AS r WHERE {condition}'
            self.judge_by(PassRule("threshold", None, "package", f'(path, "offset") IN ({rows})'))

    def judge_by(self, rule: PassRule) -> None:
        """Let another rule decide what passes: a benchmark's own, or the one that this run shares with those it is compared with."""
        self.pass_rule = rule
        for counted in ("denominator", "outcomes"):
            self.__dict__.pop(counted, None)

    @property
    def passes(self) -> str:
        """SQL that is true for a row that passes; NULL where there is no rule."""
        return self.pass_rule.sql

    @cached_property
    def denominator(self) -> Denominator:
        files = self.meta["files"]["rollouts"]
        classes = dict(self.query("SELECT class, count(*) FROM rollouts GROUP BY 1").rows)
        states = dict(self.query("SELECT state, count(*) FROM plan GROUP BY 1").rows)
        passed = (
            self.query(f"SELECT count(*) FILTER ({self.passes}) FROM rollouts WHERE class = 'scored'").rows[0][0]
            if self.pass_rule.decides
            else None
        )
        scored = classes.get("scored", 0)
        attempts = self.query("SELECT coalesce(sum(attempts), 0)::BIGINT FROM plan").rows[0][0]
        return Denominator(
            lines=sum(count["lines"] for count in files),
            blank=sum(count["blank"] for count in files),
            malformed=sum(count["malformed"] for count in files),
            rows=sum(count["rows"] for count in files),
            scored=scored,
            errored_rows=classes.get("errored", 0),
            duplicate=classes.get("duplicate", 0),
            conflicting=classes.get("conflicting", 0),
            unexpected=classes.get("unexpected", 0),
            expected=sum(states.values()),
            passed=passed,
            failed=None if passed is None else scored - passed,
            errored=states.get("errored", 0),
            missing=states.get("missing", 0),
            attempts=attempts,
            expected_source=self.meta["expected_source"],
        )

    @cached_property
    def outcomes(self) -> Outcomes:
        """What the estimators take: one entry per expected task, those without a scored rollout too."""
        found = self.db.execute(f"""
            SELECT t.task, t.expected, coalesce(r.scored, 0) AS scored, coalesce(r.passed, 0) AS passed,
                   coalesce(r.reward_sum, 0) AS reward_sum, coalesce(r.best, 0) AS best
            FROM (SELECT *, row_number() OVER () AS place FROM tasks) AS t
            LEFT JOIN (SELECT task, count(*) AS scored, count(*) FILTER ({self.passes}) AS passed, sum(reward) AS reward_sum, max(reward) AS best
                       FROM rollouts WHERE class = 'scored' GROUP BY task) AS r USING (task)
            ORDER BY t.place""").fetchnumpy()
        passed = found["passed"] if self.pass_rule.decides else None
        return Outcomes(list(found["task"]), found["expected"], found["scored"], passed, found["reward_sum"], found["best"])

    @cached_property
    def problems(self) -> list[Problem]:
        """What is wrong with the artifacts, and with the threshold that was asked for."""
        told = out_of_reach(self.reward_shape, self._pass_threshold)
        asked = [] if told is None else [Problem(OUT_OF_REACH, None, None, None, told)]
        return asked + [Problem(*row) for row in self.query('SELECT code, path, line, "offset", message FROM problems').rows]

    @cached_property
    def inventory(self) -> list[Artifact]:
        def mean_rewards(path: str) -> list[float]:
            """What the rows of one file average to: those that count, and those with the unexpected ones."""
            found = self.query(
                "SELECT avg(reward) FILTER (class = 'scored'), avg(reward) FROM rollouts WHERE path = $1 AND class IN ('scored', 'unexpected')",
                (path,),
            )
            return [mean for mean in found.rows[0] if mean is not None]

        return inventory(self.artifacts, self.meta, mean_rewards)

    @cached_property
    def provenance(self) -> dict[str, Any]:
        from blade.runs.provenance import config_of, manifest_of, provenance

        return provenance(self.db, manifest_of(self.artifacts), config_of(self.artifacts), self.meta["own_fields"])

    @cached_property
    def observed_provenance(self) -> dict[str, Any]:
        """What the rows alone say: to be compared with a run that has no manifest."""
        from blade.runs.provenance import provenance

        return provenance(self.db, None, None, self.meta["own_fields"])

    def places(self, task: str, repeat: int | None = None) -> list[Place]:
        """The rows of a task (or of one repeat of it), counted ones first."""
        rows = self.query(
            """SELECT rollout, task, repeat, reward, class, path, line, "offset", length FROM rollouts
               WHERE task = $1 AND ($2 IS NULL OR repeat = $2)
               ORDER BY repeat, list_position(['scored', 'unexpected', 'errored', 'conflicting', 'duplicate'], class), path, "offset" """,
            (task, repeat),
        ).rows
        return [Place(*row) for row in rows]

    def find(self, name: str) -> list[Place]:
        """The rows that `TASK` or `TASK:REPEAT` names; a task id may itself hold colons."""
        if found := self.places(name):
            return found
        task, colon, repeat = name.rpartition(":")
        with suppress(ValueError):
            if colon and (found := self.places(task, int(repeat))):
                return found
        return []

    def scored(self, rollouts: Sequence[str]) -> dict[str, Place]:
        """The row that counts of each of these rollouts, by its name; those without one are left out."""
        rows = self.query(
            """SELECT rollout, task, repeat, reward, class, path, line, "offset", length FROM rollouts
               WHERE class = 'scored' AND rollout IN (SELECT unnest($1))""",
            (list(rollouts),),
        ).rows
        return {row[0]: Place(*row) for row in rows}

    def text(self, place: Place) -> bytes:
        """The row as it stands in the artifact."""
        if place.path not in self._readers.sources:
            if not os.path.exists(place.path):
                raise UnreadableRun(f"{place.path} is gone since it was indexed")
            self._readers.sources[place.path] = self._builder.source(Path(place.path))
        return self._readers.read(place.path, place.offset, place.length).removeprefix(b"\xef\xbb\xbf")

    def trajectory(self, place: Place) -> Trajectory:
        return trajectory(self.text(place))
