"""When a rollout went round in a circle until something stopped it: its last calls are the same few, with the same answers, again and again.

A circle is told from work that only looks alike: a call that may change something (a step in a game, a page further down) can be
answered alike and get on, so it needs many more rounds; one that waits for something that is under way is no circle at all, and neither
are tries against a service that is down.
"""

import re
from typing import Final, NamedTuple

from blade.signals.calls import matcher
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import hands_over
from blade.signals.rollout import Rollout, once_for_each

LONGEST: Final = 3
"""Calls that a circle has at most."""
LEAST: Final = 5
"""Calls in a row that come again with the same answer, from which on they are a circle."""
LEAST_CHANGES: Final = 20
"""The same where a call may change something that its answer does not tell."""
_UNDER_WAY: Final = re.compile(
    r"(?i)\b(?:pending|running|in[ _-]progress|queued|processing|starting|waiting|not (?:yet )?ready|still working|started|provisioning|building|scheduled|deploying|installing|loading|initiali[sz]ing|creating|pulling)\b"
)


class Loop(NamedTuple):
    first: Call
    """The first call that came again."""
    calls: int
    """How many calls the circle took, from there to the end."""
    names: tuple[str, ...]


@once_for_each
def last_loop(rollout: Rollout) -> Loop | None:
    """The circle that a rollout's calls end in, if they do."""
    made = rollout.own_calls
    if len(made) <= LEAST:
        return None
    for period in range(1, LONGEST + 1):
        again = 0
        while again + period < len(made) and _same(made[-1 - again], made[-1 - again - period]):
            again += 1
        round_ = made[len(made) - period :]
        if again < period * (2 if period > 1 else 1) or not all(map(_goes_round, round_)):
            continue
        if again >= (LEAST if all(map(_tells, round_)) else LEAST_CHANGES):
            return Loop(made[len(made) - again], again, tuple(dict.fromkeys(call.name for call in round_)))
    return None


def _same(later: Call, earlier: Call) -> bool:
    return (
        later.output is not None
        and earlier.output is not None
        and later.name == earlier.name
        and later.output.text == earlier.output.text
        and later.key == earlier.key
    )


def _goes_round(call: Call) -> bool:
    """Whether making it again can bring nothing."""
    if call.error is not None:
        return call.error.kind not in matcher.INFRASTRUCTURE
    return call.output is not None and (not call.reads or _UNDER_WAY.search(call.output.text[:300]) is None)


def _tells(call: Call) -> bool:
    """Whether an answer like the one before shows that nothing has changed."""
    return call.reads or call.error is not None or hands_over(call.name)
