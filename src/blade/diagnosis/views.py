"""The run task by task: what patterns, contrasts and causes look at.

A `TaskView` holds one task's scored rollouts with everything the facts tables say of them. Views are made in batches of tasks
straight from the tables, so a run of a million rollouts never stands in memory as objects.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, wraps
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

from blade.runs.run import Run
from blade.runs.tables import Facts

BATCH_ROLLOUTS = 20_000


class SignalRow(NamedTuple):
    code: str
    label: str
    subject: str
    step: int | None
    quote: str
    detail: str


class CallRow(NamedTuple):
    step: int
    name: str
    arguments: str
    output_step: int | None
    output: str | None
    error_class: str | None
    mutation: str  # read, change, unknown


class ExpectedRow(NamedTuple):
    """One expected call, and what became of it."""

    number: int
    name: str
    arguments: str
    mutation: str
    outcome: str  # made, failed, wrong_argument, missing
    step: int | None
    detail: str


class AnswerRow(NamedTuple):
    expected_field: str | None
    expected: str | None
    extracted_field: str | None
    extracted: str | None
    final_step: int | None
    final: str | None
    stated: str | None = None
    """What the final message states in the form that the prompt asks for."""
    tolerance: float | None = None
    """How far a figure may be from the expected one, as the row or the prompt says."""
    unit: str | None = None
    """The unit in which a figure is asked for."""
    any_order: bool = False
    option: str | None = None
    """The text of the expected option, where gold is its letter or numeral and nobody asks for that alone."""


class CheckRow(NamedTuple):
    """One check of a verifier that has several: a named test, a rubric item, a reward component."""

    field: str
    name: str
    score: float | None
    passed: bool | None
    detail: str


class RestatedRow(NamedTuple):
    """A field of the row that tells its answer besides the gold."""

    field: str
    value: str


@dataclass(frozen=True, eq=False)
class RolloutView:
    rollout: str
    task: str
    repeat: int
    reward: float
    passed: bool | None
    steps: int
    signals: Sequence[SignalRow]
    calls: Sequence[CallRow]
    expected: Sequence[ExpectedRow]
    answers: Sequence[AnswerRow]
    checks: Sequence[CheckRow]
    restated: Sequence[RestatedRow] = ()
    prompt: str | None = field(default=None, kw_only=True)
    """The hash of its prompt; repeats may begin from different states."""

    @cached_property
    def tools(self) -> frozenset[str]:
        """The tools that it calls or is expected to."""
        return frozenset([call.name for call in self.calls if call.name] + [row.name for row in self.expected])

    @cached_property
    def changes(self) -> tuple[CallRow, ...]:
        return tuple([call for call in self.calls if call.mutation == "change"])


Told = TypeVar("Told")


def once(function: Callable[[RolloutView], Told]) -> Callable[[RolloutView], Told]:
    """A question about one rollout that many patterns ask: worked out once for each view, and gone with it."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def asked(rollout: RolloutView) -> Told:
        known = rollout.__dict__
        if name not in known:
            known[name] = function(rollout)
        told: Told = known[name]
        return told

    return asked


@dataclass(frozen=True, eq=False)
class TaskView:
    task: str
    rollouts: tuple[RolloutView, ...]
    """Its scored rollouts in the order of their repeats."""

    @cached_property
    def passing(self) -> tuple[RolloutView, ...]:
        return tuple(view for view in self.rollouts if view.passed)

    @cached_property
    def failing(self) -> tuple[RolloutView, ...]:
        return tuple(view for view in self.rollouts if view.passed is False)

    @property
    def bucket(self) -> str:
        if not self.rollouts:
            return "missing"
        return "never" if not self.passing else "sometimes" if self.failing else "always"


_DETAILS: dict[str, tuple[type[Any], str]] = {
    "signals": (SignalRow, "code, label, subject, step, quote, detail"),
    "calls": (CallRow, "step, name, arguments, output_step, output, error_class, mutation"),
    "expected": (ExpectedRow, "number, name, arguments, mutation, outcome, step, detail"),
    "answers": (
        AnswerRow,
        "expected_field, expected, extracted_field, extracted, final_step, final, stated, tolerance, unit, any_order, option",
    ),
    "checks": (CheckRow, "field, name, score, passed, detail"),
    "restated": (RestatedRow, "field, value"),
}


def batches(run: Run, most: int = BATCH_ROLLOUTS) -> Iterator[list[str]]:
    """The run's tasks in the order of the task table, in groups of about so many rollouts."""
    batch: list[str] = []
    size = 0
    for task, count in zip(run.outcomes.tasks, run.outcomes.scored, strict=True):
        batch.append(task)
        size += int(count)
        if size >= most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def task_views(run: Run, tasks: Sequence[str] | None = None) -> Iterator[TaskView]:
    """The run's tasks (or the given ones) in the order of the task table, those without a scored rollout left out."""
    for batch in batches(run) if tasks is None else (list(tasks),):
        yield from views_of(run, batch)


def views_of(facts: Facts, tasks: Sequence[str]) -> Iterator[TaskView]:
    found = facts.query(
        f"""SELECT task, repeat, rollout, reward, {facts.passes}, coalesce(steps, 0), prompt_hash FROM rollouts
            WHERE class = 'scored' AND task IN (SELECT unnest($1)) ORDER BY repeat""",
        (list(tasks),),
    ).rows
    details = {table: _details(facts, table, list(tasks)) for table in _DETAILS}
    by_task: dict[str, list[RolloutView]] = defaultdict(list)
    for task, repeat, rollout, reward, passed, steps, prompt in found:
        rows = (details[table].get(rollout, ()) for table in _DETAILS)
        by_task[task].append(RolloutView(rollout, task, repeat, reward, passed, steps, *rows, prompt=prompt))
    for task in tasks:
        if task in by_task:
            yield TaskView(task, tuple(by_task[task]))


def _details(facts: Facts, table: str, tasks: list[str]) -> dict[str, list[Any]]:
    """The rows of one table by rollout; a run that was opened without its extractor has none."""
    if table not in facts.tables:
        return {}
    kind, columns = _DETAILS[table]
    rows = facts.query(
        f"""SELECT rollout, {columns} FROM {facts.stretch(table, tasks)} WHERE class = 'scored' AND task IN (SELECT unnest($1))""",
        (tasks,),
    ).rows
    found: dict[str, list[Any]] = defaultdict(list)
    told = map(
        partial(tuple.__new__, kind), map(_WITHOUT_ROLLOUT, rows)
    )  # as `kind._make`, without a call in Python for each row
    for rollout, row in zip(map(_ROLLOUT, rows), told, strict=True):
        found[rollout].append(row)
    for listed in found.values():
        if len(listed) > 1:
            _put_in_order(listed, _signal_order if table == "signals" else tuple)
    return found


_ROLLOUT: Final = itemgetter(0)
_WITHOUT_ROLLOUT: Final = itemgetter(slice(1, None))


def _put_in_order(rows: list[Any], order: Callable[[Any], tuple[Any, ...]]) -> None:
    """Sort the rows of one rollout; the database would do the same for all of them at once, texts and all. What is missing comes last."""
    try:
        rows.sort(key=order)
    except TypeError:  # a row lacks what another one has
        rows.sort(key=lambda row: [(value is None, value) for value in order(row)])


def _signal_order(row: SignalRow) -> tuple[Any, ...]:
    """By step, those of the whole rollout first; then by what is said."""
    return (-1_000_000 if row.step is None else row.step, row.code, row.subject, row.quote, row.label, row.detail)
