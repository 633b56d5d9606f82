"""What (nearly) all repeats of a task gave in place of what is expected: one answer, or one value of an argument.

Where no repeat passes and they agree with each other, either all of them or the gold is wrong; patterns about gold ask the texts of the row and the answers of
the tools which. Reward-aware: there is nothing to ask where a repeat passes.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.diagnosis.patterns.arguments import wrong_value
from blade.diagnosis.patterns.given import answer_groups, answer_row, judged
from blade.diagnosis.patterns.gold import AGREED, EXPECTS
from blade.diagnosis.views import AnswerRow, TaskView

MIN_REPEATS: Final = 2


class Agreed(NamedTuple):
    subject: str
    """The field of the answer, or `tool.argument`."""
    gold: str
    given: str
    times: int
    row: AnswerRow | None
    """The answer's row; None for an argument."""


def agreed(view: TaskView) -> Iterator[Agreed]:
    """The other answer, and the other value of the one argument, that (nearly) all repeats give; nothing where one passes."""
    if view.passing or len(view.failing) < MIN_REPEATS:
        return
    enough = max(MIN_REPEATS, AGREED * len(view.failing))
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    groups = sorted(answer_groups(view.failing), key=len, reverse=True) if row is not None else []
    if row is not None and groups and len(groups[0]) >= enough and not judged(row, groups[0][0][1].text).same:
        yield Agreed(row.expected_field or "expected", row.expected or "", groups[0][0][1].text, len(groups[0]), row)
    other: Counter[tuple[str, str, str]] = Counter()
    for rollout in view.failing:
        wrong = {signal.subject: signal for signal in rollout.signals if signal.code == "action_wrong_argument"}
        for subject, signal in wrong.items() if len(wrong) == 1 else ():
            told = EXPECTS.search(signal.detail)
            if told is not None:
                other[subject, told[1], wrong_value(signal)] += 1
    for (subject, gold, given), times in other.most_common(1):
        if times >= enough:
            yield Agreed(subject, gold, given, times, None)
