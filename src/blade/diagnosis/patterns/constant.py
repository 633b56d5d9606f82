"""One answer to everything (BI): the model says the same whatever is asked.

A run in which (nearly) every task gets one and the same answer says nothing about what its tasks ask. The question may not reach the
model, a template may answer in its stead, or the model has collapsed; data about the tasks mends none of these. It is said of a run
only where the tasks plainly want different things: many different expected answers, which are no options of a choice and no yes or no,
because of a few options any is often given. Learned from a fixed sample of the run's rollouts; found on failing rollouts only, so
reward-aware.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from blade.answers import compare
from blade.answers.choices import option_letter, yes_or_no
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import breakdown, effective_changes
from blade.diagnosis.patterns.given import answer_row, given_answer
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import AnswerRow, TaskView
from blade.runs.run import Run

ALWAYS_THE_SAME: Final = Pattern(
    "constant_answer", "BI", "(nearly) all tasks of the run get one and the same answer, although they want different ones", 0.9
)
PATTERNS: Final = (ALWAYS_THE_SAME,)
FEWEST_TASKS: Final = 8
FEWEST_GOLD: Final = 6
"""Different expected answers from which on the tasks plainly want different things."""
NEARLY_ALL: Final = 0.9
FIRST_LOOK: Final = 200
SAMPLE: Final = 2_000
SHOWN: Final = 40
"""Characters of the answer in the name of the mode, and the longest answers that are compared by their meaning."""


@dataclass(frozen=True)
class Constant:
    """The answer that the run gives to everything, and how far that goes."""

    text: str
    rollouts: int
    of_rollouts: int
    tasks: int
    """Tasks all of whose rollouts give it."""
    of_tasks: int
    expected: int
    """Different expected answers of these tasks."""
    sampled: bool = False

    @property
    def told(self) -> str:
        read = "sampled rollouts" if self.sampled else "rollouts"
        return (
            f"{self.rollouts:,} of {self.of_rollouts:,} {read} answer {_cut(self.text)} (in {self.tasks:,} of {self.of_tasks:,} tasks every one), "
            f"while the tasks expect {self.expected:,} different answers"
        )


def learn_constant(run: Run) -> Constant | None:
    """The one answer of a run; None where there is none, or where the tasks may well want the same."""
    if not run.pass_rule.decides or "answers" not in run.meta["tables"]:
        return None
    told = run.query("SELECT count(DISTINCT task), count(DISTINCT expected), count(*) FROM answers WHERE class = 'scored' AND expected IS NOT NULL")  # fmt: skip
    tasks, gold, rows = told.rows[0]
    if tasks < FEWEST_TASKS or gold < FEWEST_GOLD:
        return None
    for most in (FIRST_LOOK, SAMPLE):
        found = _in_sample(run, most, whole=rows <= most)
        if found is None or rows <= most:
            return found
    return found


def _in_sample(run: Run, most: int, *, whole: bool) -> Constant | None:
    rows = run.query(f"""
        SELECT task, expected_field, expected, extracted_field, extracted, final_step, final, stated, tolerance, unit FROM answers
        WHERE class = 'scored' AND expected IS NOT NULL ORDER BY md5(rollout), rollout LIMIT {most}""").rows
    given = [(task, AnswerRow(*row)) for task, *row in rows]
    texts = [None if (said := given_answer(row)) is None else said.text for _, row in given]
    counts = Counter(text.casefold() for text in texts if text is not None)
    if not counts:
        return None
    common = counts.most_common(1)[0][0]
    same = [text is not None and (text.casefold() == common or _equal(text, common)) for text in texts]
    by_task: dict[str, list[bool]] = {}
    for (task, _), is_same in zip(given, same, strict=True):
        by_task.setdefault(task, []).append(is_same)
    constant = sum(all(repeats) for repeats in by_task.values())
    if sum(same) < NEARLY_ALL * len(rows) or constant < NEARLY_ALL * len(by_task) or len(by_task) < FEWEST_TASKS:
        return None
    expected = {(row.expected or "").strip().casefold() for _, row in given}
    if len(expected) < FEWEST_GOLD or sum(map(_is_choice, expected)) > 0.5 * len(expected):
        return None
    text = next(text for text, is_same in zip(texts, same, strict=True) if is_same and text is not None)
    return Constant(text, sum(same), len(rows), constant, len(by_task), len(expected), sampled=not whole)


def _is_choice(gold: str) -> bool:
    return option_letter(gold.upper()) is not None or yes_or_no(gold) is not None


def constant_answers(view: TaskView, known: Constant | None) -> Iterator[Finding]:
    """The failing rollouts that gave the run's one answer, and did nothing else that would explain it."""
    for rollout in view.failing if known is not None else ():
        row = answer_row(rollout)
        given = None if row is None else given_answer(row)
        broken = breakdown(rollout)
        if given is None or row is None or effective_changes(rollout) or (broken is not None and broken.code != "wrong_format"):
            continue
        if known is not None and (given.text.casefold() == known.text.casefold() or _equal(given.text, known.text)):
            yield ALWAYS_THE_SAME.found(
                rollout,
                subject=_cut(known.text, SHOWN),
                step=given.step,
                quote=_cut(given.text),
                detail=f"{known.told}; here {_cut(row.expected or '')} is expected",
            )


def _equal(one: str, other: str) -> bool:
    """Figures and short answers only: what is long is compared as it stands."""
    if max(len(one), len(other)) > SHOWN:
        return False
    verdict = compare(one, other)
    return verdict.same and not verdict.assumed


def _cut(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
