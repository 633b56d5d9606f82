"""What passing repeats agree on, where no field tells what is expected: gold only where all of them begin in one state.

Repeats of a game or of a simulated world may have one prompt or task and different hands: what was right in one is no gold for another.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from blade.diagnosis.patterns.given import answer_groups
from blade.diagnosis.views import RolloutView, TaskView


def one_state(rollouts: Sequence[RolloutView]) -> bool:
    """Whether repeats begin alike: with one prompt, and with one answer to their first call where that is the same."""
    seen: dict[tuple[str, str], str | None] = {}
    for call in (rollout.calls[0] for rollout in rollouts if rollout.calls):
        if seen.setdefault((call.name, call.arguments), call.output) != call.output:
            return False
    return len({rollout.prompt for rollout in rollouts}) <= 1


AGREED: Final = "what passing repeats answer"


def with_agreed_answer(view: TaskView) -> TaskView:
    """The task with what all its passing repeats answer as the expected answer, where no field tells one and all begin alike; else as it is."""
    if (
        not one_state(view.rollouts)
        or not view.passing
        or not view.failing
        or any(row.expected for rollout in view.rollouts for row in rollout.answers)
    ):
        return view
    groups = answer_groups(view.passing)
    if len(groups) != 1 or len(groups[0]) < len(view.passing) or not all(given.marked for _, given in groups[0]):
        return view
    agreed = groups[0][0][1].text
    return replace(
        view,
        rollouts=tuple(
            replace(rollout, answers=tuple(row._replace(expected=agreed, expected_field=AGREED) for row in rollout.answers))
            for rollout in view.rollouts
        ),
    )
