"""Are the cells of a table what its row and its column say: a figure of the run, or of a part of it?"""

import re
from collections.abc import Sequence

from blade.claims.reading.checks.figures import fits, known
from blade.claims.reading.document import Passage, Table
from blade.claims.reading.entities import entity, measures, run_measure
from blade.claims.reading.facts import RUN
from blade.claims.reading.metrics import interval_after
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Reading
from blade.claims.reading.tally import WRONG_DENOMINATOR, WRONG_NUMBER

LOOSE = ("p", "errors", "steps", "lost")
"""Measures that others may count in another way: they are found right, or not at all."""
_TASKS = re.compile(r"\d[\d,]* tasks?\b")
_VALUE_HEADS = {"value", "result", "score", "count", "figure", "this run", "all", "overall", "number", "metric value"}


def check_tables(reading: Reading) -> None:
    if not reading.bound:
        return
    for table in reading.report.tables:
        heads = [head.text for head in table.head]
        for row in table.rows:
            texts = [cell.text for cell in row]
            thing = entity(heads, texts, reading.facts, table.section)
            if thing is not None:
                _entity_row(reading, table, row, thing)
            elif texts and (measure := run_measure(texts[0])):
                _run_row(reading, table, row, measure)


def _entity_row(reading: Reading, table: Table, row: Sequence[Passage], thing: str) -> None:
    for head, cell in zip(table.head, row, strict=False):
        for measure in measures(head.text):
            if measure == "interval":
                break
            values = reading.facts.values(thing, measure)
            if values:
                _cell(reading, cell, thing, measure, values)
                break


def _run_row(reading: Reading, table: Table, row: Sequence[Passage], measure: str) -> None:
    """A row of the run's own measure: its value stands under `value`, or under the name of a run or model."""
    values = known(reading.facts, measure)
    _over_tasks(reading, row[1:])
    for head, cell in list(zip(table.head, row, strict=False))[1:]:
        named = " ".join(head.text.casefold().split())
        if values and (named in _VALUE_HEADS or (not measures(head.text) and _names_run(reading, named)) or len(table.head) == 2):
            _cell(reading, cell, RUN, measure, values)


def _over_tasks(reading: Reading, cells: Sequence[Passage]) -> None:
    """`34 tasks with 4 repeats`, beside a measure of the run: as many tasks as the run has, or as a measure of it takes."""
    found = [(name, values) for run in reading.facts.runs for name, values in run.measures[RUN].items()]
    counts = [value for name, values in found if name.endswith("tasks") for value in values]
    for cell in cells:
        numbers = reading.reads[cell.number].numbers
        if counts and numbers and numbers[0].span.start == 0 and _TASKS.match(cell.text):
            expected = reading.facts.described(RUN, "tasks", counts)
            reading.tally.judge(numbers[0].value in counts, cell, numbers[0].span, WRONG_DENOMINATOR, expected)


def _names_run(reading: Reading, head: str) -> bool:
    """Whether a header names one of the runs at hand: its model, its agent, or a part of its path."""
    for run in reading.facts.runs:
        told = run.document.get("provenance") or {}
        path = str((run.document.get("run") or {}).get("path") or "").casefold()
        if head and (
            head in (str(told.get("model")).casefold(), str(told.get("agent")).casefold()) or (len(head) > 3 and head in path)
        ):
            return True
    return False


def _cell(reading: Reading, cell: Passage, thing: str, measure: str, values: Sequence[float]) -> None:
    read = reading.reads[cell.number]
    number = read.numbers[0] if read.numbers else None
    if number is None or (number.hedge == "bound" and measure != "gain"):
        return
    if (measure in LOOSE or thing.startswith(("stage ", "label "))) and not fits(number, measure, values):
        return
    expected = reading.facts.described(thing, measure, values)
    if read.fractions and read.fractions[0].part is number:
        fraction = read.fractions[0]
        if measure in ("rate", "share", "share_of_loss", "coverage", "consistency", "oracle", "pass_at_1"):
            right = bool(fraction.whole.value) and any(
                abs(fraction.part.value / fraction.whole.value - value) < 1e-3 for value in values
            )
        else:
            right = fits(number, measure, values)
        reading.tally.judge(right, cell, number.span, WRONG_NUMBER, expected)
        _whole(reading, cell, fraction.whole, measure)
        return
    reading.tally.judge(fits(number, measure, values), cell, number.span, WRONG_NUMBER, expected)
    _bounds(reading, cell, number, thing, measure)


def _whole(reading: Reading, cell: Passage, whole: Number, measure: str) -> None:
    """The denominator of a cell: all tasks under tasks, all failed rollouts under failed; where it is none of these it is left open."""
    of = {"tasks": "tasks", "failed": "failed"}.get(measure)
    values = reading.facts.values(RUN, of) if of else []
    if values:
        described = reading.facts.described(RUN, of or "", values)
        reading.tally.judge(whole.value in values, cell, whole.span, WRONG_DENOMINATOR, described)


def _bounds(reading: Reading, cell: Passage, number: Number, thing: str, measure: str) -> None:
    read = reading.reads[cell.number]
    bounds = interval_after(read.text, number, read.numbers)
    for bound, which in zip(bounds or (), ("low", "high"), strict=False):
        if fits(bound, measure, reading.facts.values(thing, f"{measure}_{which}")):
            reading.tally.hold(cell, bound.span)
