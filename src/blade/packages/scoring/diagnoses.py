"""Diagnoses that count: a task's cause as the golden report has it, not denied, beside evidence that resolves.

Evidence is a rollout of the task with a step, a quotation or a name beside it. With a run at hand it resolves when the reader found it
there; without one, when the golden report states it too. A task of which a report says something false is not diagnosed in it.
"""

from collections import defaultdict
from dataclasses import dataclass

from blade.claims.reading.entities import is_task_head
from blade.claims.reading.labels import labels
from blade.claims.reading.reading import Read, Reading
from blade.packages.scoring.reported import Reported
from blade.packages.scoring.stated import Stated, agrees

MOST = 12
"""Diagnoses that are asked for at most: a report need not repeat itself to be good."""


@dataclass(frozen=True)
class Diagnoses:
    right: int
    wrong: int
    unsupported: int
    """Causes as the golden report has them, with nothing shown for them or something false beside them."""
    wanted: int
    """Tasks that the golden report gives a cause and evidence for, up to a limit."""

    @property
    def truth(self) -> float:
        """The share of the causes given that are the right ones."""
        given = self.right + self.unsupported + self.wrong
        return 1.0 - self.wrong / given if given else 1.0


def diagnoses(report: Reported, golden: Reported, bad_lines: frozenset[int]) -> Diagnoses:
    """`bad_lines`: lines of the report that are known to be wrong."""
    expected = {task: cause for task, cause in causes(golden).items() if supported(golden, task, golden, frozenset())}
    doubtful = {task for sentence in report.sentences if sentence.line in bad_lines for task in sentence.about}
    right = wrong = unsupported = 0
    for task, cause in causes(report).items():
        if task not in expected or _guessed(cause, expected[task]):
            continue
        if not agrees(expected[task], cause.value):
            wrong += 1
        elif task not in doubtful and not report.disavowed and supported(report, task, golden, bad_lines):
            right += 1
        else:
            unsupported += 1
    return Diagnoses(right, wrong, unsupported, min(len(expected), MOST))


def causes(report: Reported) -> dict[str, Stated]:
    """The cause that a report gives each task: in its sentences, else in a table with a column of tasks. Two causes are none."""
    said: dict[str, list[Stated]] = defaultdict(list)
    for one, _ in report.stated:
        if one.kind == "cause":
            said[one.subject.removeprefix("task ")].append(one)
    for task, label in _in_tables(report.reading):
        if task not in said:
            said[task].append(Stated("cause", f"task {task}", "", label))
    widest = {task: max(several, key=lambda one: one.value.count("+")) for task, several in said.items()}
    return {task: one for task, one in widest.items() if all(agrees(one, other.value) for other in said[task])}


def _guessed(cause: Stated, expected: Stated) -> bool:
    """Whether the right label is named among others: then no cause is given."""
    return not agrees(expected, cause.value) and agrees(cause, expected.value)


def _in_tables(reading: Reading) -> list[tuple[str, str]]:
    found = []
    for table in reading.report.tables:
        for row in table.rows:
            tasks = [
                one.name
                for head, cell in zip(table.head, row, strict=False)
                if is_task_head(head.text)
                for one in reading.reads[cell.number].tasks
            ]
            given = [label.label for cell in row for label in labels(cell.text) if cell.text.strip() == label.label]
            if len(tasks) == 1 and len(given) == 1:
                found.append((tasks[0], given[0]))
    return found


def supported(report: Reported, task: str, golden: Reported, bad_lines: frozenset[int]) -> bool:
    """Whether something resolves that the report shows of a task."""
    reading = report.reading
    shown = False
    for read in reading.everywhere():
        for one in read.rollouts:
            line = read.passage.line_at(one.span.start)
            if one.task != task or line in bad_lines or line in report.false_lines:
                continue
            beside = one.step is not None or read.quotes or read.code
            known = (
                reading.tally.is_true(read.passage, one.span) if reading.bound else _in_golden(report, golden, read, line, task)
            )
            shown = shown or bool(beside and known)
    return shown


def _in_golden(report: Reported, golden: Reported, read: Read, line: int, task: str) -> bool:
    """Whether the golden report states something that stands on this line of the task or a rollout of it."""
    here = [one for one, at in report.stated if read.passage.line <= at <= line and one.task == task]
    return any(golden.book.has(one) for one in here if one.kind in ("at", "call", "value"))
