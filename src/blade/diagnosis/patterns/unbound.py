"""Whether an empty list of expected calls says that nothing is to be done, or nothing at all.

Some datasets list the expected calls of some tasks and judge the others by something else: what a file holds, what a label says. Their
list is empty, and passing rollouts change things all the same. What the run shows of a tool decides: where a good share of the
rollouts that call it under an empty list pass, in more than one task, the list does not speak of that tool. Neither does it where a check of the row is about what
the tool does (`label_saved` of `labels_save`).
"""

from dataclasses import replace
from typing import Final

from blade.diagnosis.views import RolloutView, TaskView
from blade.runs.run import Run
from blade.signals.calls.mutation import words_of

LOOSE: Final = 0.2
"""Share of the rollouts with a change that no list asks for that pass, from which on the empty list does not bind."""
FEWEST_TASKS: Final = 2
"""Tasks with such a pass: one alone may be a hole in its verifier."""
STEM: Final = 4
"""Letters by which two forms of one word are told to be one."""
CODES: Final = ("action_extra", "extra_refused")
UNDER_EMPTY: Final = f"code IN {CODES} AND rollout NOT IN (SELECT rollout FROM expected)"
"""Signals of changes under an empty list; rollouts whose tasks list a call have a row in `expected`."""


def learn_unbound(run: Run) -> frozenset[str]:
    """The tools of which an empty list says nothing."""
    if not run.pass_rule.decides or not {"signals", "expected"} <= set(run.meta["tables"]):
        return frozenset()
    rows = run.query(f"""
        SELECT subject FROM (SELECT DISTINCT rollout, subject FROM signals WHERE class = 'scored' AND code = 'action_extra' AND {UNDER_EMPTY})
        JOIN (SELECT rollout, task, {run.passes} AS passed FROM rollouts WHERE class = 'scored') USING (rollout)
        GROUP BY subject
        HAVING count(*) FILTER (passed) >= {LOOSE} * count(*) AND count(DISTINCT task) FILTER (passed) >= {FEWEST_TASKS}""").rows
    return frozenset(subject for (subject,) in rows)


def bound_only(view: TaskView, unbound: frozenset[str]) -> TaskView:
    """The task without the changes that no list forbids."""
    if not unbound and not any(rollout.checks and not rollout.expected for rollout in view.rollouts):
        return view
    return replace(view, rollouts=tuple(_bound(rollout, unbound) for rollout in view.rollouts))


def _checked(tool: str, checked: set[str]) -> bool:
    """Whether a check speaks of a tool: of all the words of its name."""
    words = [word[:STEM] for word in words_of(tool)]
    return bool(words) and all(word in checked for word in words)


def _bound(rollout: RolloutView, unbound: frozenset[str]) -> RolloutView:
    checked = {word[:STEM] for check in rollout.checks for word in words_of(check.name) if len(word) >= STEM}
    kept = [
        signal
        for signal in rollout.signals
        if not (signal.code in CODES and (signal.subject in unbound or _checked(signal.subject, checked)))
    ]
    return rollout if rollout.expected or len(kept) == len(rollout.signals) else replace(rollout, signals=kept)
