"""Rollouts that end without having done what repeats do (BI): no answer is stated, or no work is left.

A refusal has many wordings and a way of giving up has more. What they share is what is missing: a question for a number ends without
any number, one for an option without any letter; a task that is judged by files ends with none touched although those who pass leave
some. Such an end explains a wrong or missing answer and every failed check, so it is no sign of what the model knows.
Reward-aware: found on failing rollouts only.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.given import answer_row, given_answer
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.work import leaves_something, work_calls
from blade.diagnosis.views import CallRow, RolloutView, TaskView
from blade.runs.run import Run
from blade.signals.answer_rows import signed_off
from blade.signals.texts.speech import gives_up, refuses

WITHHELD: Final = Pattern(
    "answer_withheld", "BI", "the final message states no answer of the kind that is asked for, and the verifier found none", 0.75
)
BEFORE_WORK: Final = Pattern(
    "stopped_before_work", "BI", "the rollout ends without any work, where (nearly) all that pass leave some", 0.75
)
PATTERNS: Final = (WITHHELD, BEFORE_WORK)

NEARLY_ALL: Final = 0.95
MIN_PASSING: Final = 5
SAMPLE: Final = 200
SHORT: Final = 400
"""Characters up to which a message without an answer is an end; a longer one was cut off or argues."""
_NUMBER: Final = re.compile(r"[-+$€£]?\d[\d.,:/ -]*%?(?: ?[^\W\d]{1,12})?")
_LETTER: Final = re.compile(r"\(?([A-Z])\)?[.):]?")
_ANY_LETTER: Final = re.compile(r"(?<![\w'’])(?:[B-H]|A(?=[\s.,;:)*]*$)|A(?=[.):]))(?![\w'’])", re.MULTILINE)
_NUMBER_WORD: Final = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred|thousand|million|half|dozen)\b",
    re.IGNORECASE,
)


def learn_work(run: Run) -> bool:
    """Whether (nearly) all passing rollouts leave some work behind, from a fixed sample of them."""
    if not run.pass_rule.decides or "calls" not in run.meta["tables"]:
        return False
    rows = run.query(f"""
        SELECT s.rollout, c.step, c.name, c.arguments, c.output_step, c.error_class, c.mutation
        FROM (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes} ORDER BY md5(rollout), rollout LIMIT {SAMPLE}) AS s
        LEFT JOIN calls AS c ON c.rollout = s.rollout AND c.class = 'scored' AND c.mutation <> 'read'
        ORDER BY s.rollout, c.step""").rows
    left: dict[str, bool] = {}
    for rollout, step, name, arguments, output_step, error, mutation in rows:
        made = (
            step is not None
            and error is None
            and leaves_something(CallRow(step, name, arguments, output_step, None, None, mutation))
        )
        left[rollout] = left.get(rollout, False) or made
    return len(left) >= MIN_PASSING and sum(left.values()) >= NEARLY_ALL * len(left)


def unattempted(view: TaskView, work_usual: bool) -> Iterator[Finding]:
    """The failing repeats that gave no answer, or left no work where work is what passes."""
    usual = all(work_calls(other) for other in view.passing) if view.passing else work_usual
    for rollout in view.failing:
        if (withheld := _withheld(rollout)) is not None:
            yield withheld
        elif (
            usual
            and not rollout.expected
            and rollout.checks
            and not any(map(leaves_something, rollout.calls))
            and not machinery_ended(rollout)
        ):
            final = next((row for row in rollout.answers if row.final), None)
            passing = "every passing repeat leaves some" if view.passing else "nearly all passing rollouts of the run leave some"
            yield BEFORE_WORK.found(
                rollout,
                subject="work",
                step=rollout.steps - 1 if final is None else final.final_step,
                quote=cut(final.final or "") if final is not None else "",
                detail=f"no change was made and no file written; {passing}",
            )


def machinery_ended(rollout: RolloutView) -> bool:
    """Whether the machinery ended it, or the harness did."""
    return any(signal.label in ("IR", "DA") or signal.code in CUT_OFF for signal in rollout.signals)


def _withheld(rollout: RolloutView) -> Finding | None:
    row = answer_row(rollout)
    if (
        row is None
        or not row.expected
        or (row.extracted or "").strip()
        or not (row.final or "").strip()
        or machinery_ended(rollout)
    ):
        return None
    final, expected = row.final or "", row.expected.strip()
    resigned = gives_up(final) or refuses(final)
    if len(final) > SHORT or signed_off(final) or (states_kind(final, expected) is not False and not resigned):
        return None
    given = given_answer(row)
    if given is None or given.marked:  # a word that ends a conversation answers nothing, and the answer may stand before it
        return None
    return WITHHELD.found(
        rollout,
        subject="answer",
        step=row.final_step,
        quote=cut(final),
        detail="it says that it could not do it" if resigned else f"a {_kind(expected)} is expected, and none is stated",
    )


def _kind(expected: str) -> str:
    return "number" if _NUMBER.fullmatch(expected) else "letter"


def states_kind(text: str, expected: str) -> bool | None:
    """Whether a text holds anything of the kind that is expected; None where that kind has no form to look for."""
    if _NUMBER.fullmatch(expected):
        return bool(re.search(r"\d", text) or _NUMBER_WORD.search(text))
    return bool(_ANY_LETTER.search(text)) if _LETTER.fullmatch(expected) else None


def cut(text: str, limit: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
