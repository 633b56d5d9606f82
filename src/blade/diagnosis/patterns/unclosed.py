"""Messages that nothing closes, in a run whose messages close their sentences (IR): the stream was lost on the way.

One open sentence says little; some models never write a full stop, or leave it out where they guess. Where nearly all rollouts of a run close their last
sentence, those that don't fail significantly more often (Fisher's exact test), in several tasks, and some of them plainly stop in the middle of a word
(`signals.broken_off`), then the others are beginnings of messages too, wherever in a word they stop. Reward-aware in what it learns.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.exact import fisher_greater
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

LOST: Final = Pattern(
    "stream_lost",
    "IR",
    "the last message does not close its sentence, as nearly all messages of the run do, and such rollouts fail",
    0.75,
)
PATTERNS: Final = (LOST,)
SIGNAL, IN_A_WORD = "message_unclosed", "message_broken_off"
FEWEST, FEWEST_TASKS = 3, 2
MOST: Final = 0.3
"""Share of the rollouts with an open sentence from which on it is the model's manner."""
FAILING: Final = 0.9
"""Share of them that fail: who passes with one had said what was wanted."""
SIGNIFICANT: Final = 0.01


def learn_unclosed(run: Run) -> dict[str, str]:
    """By failing rollout: how rollouts like it fare, where that tells."""
    if not run.pass_rule.decides or "signals" not in run.meta["tables"]:
        return {}
    broken = f"SELECT count(DISTINCT rollout) FROM signals WHERE class = 'scored' AND code = '{IN_A_WORD}'"
    if run.query(broken).rows[0][0] == 0:
        return {}
    rows = run.query(f"""
        SELECT rollout, task, {run.passes} FROM rollouts WHERE class = 'scored' AND rollout IN (
            SELECT rollout FROM signals WHERE class = 'scored' AND code = '{SIGNAL}') ORDER BY rollout""").rows
    scored, failed = run.denominator.scored, run.denominator.failed or 0
    failing = [rollout for rollout, _, passed in rows if not passed]
    if (
        len(failing) < max(FEWEST, FAILING * len(rows))
        or len(rows) > MOST * scored
        or len({task for _, task, _ in rows}) < FEWEST_TASKS
    ):
        return {}
    rest, others = failed - len(failing), scored - len(rows)
    if fisher_greater(len(failing), len(rows), rest, others) > SIGNIFICANT:
        return {}
    told = f"{others} of {scored} rollouts end otherwise, of which {rest} fail; of those that end like this, {len(failing)} of {len(rows)}"
    return dict.fromkeys(failing, told)


def lost_streams(view: TaskView, known: Mapping[str, str]) -> Iterator[Finding]:
    for rollout in view.failing:
        if (told := known.get(rollout.rollout)) is not None:
            signal = next((one for one in rollout.signals if one.code == SIGNAL), None)
            if signal is not None:
                yield LOST.found(rollout, step=signal.step, quote=signal.quote, detail=told)
