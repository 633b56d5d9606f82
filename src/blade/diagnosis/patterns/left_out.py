"""A figure or a name that passing repeats put into a free text, and that this one left out (BI).

Some arguments are read by a judge and compared with nothing: a remark, a message, a log entry. What has to stand in them no list says, but where
every passing repeat gives the same figure or name there, however it words the rest, a text without it lacks something.
Reward-aware: found on failing rollouts only.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import short
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView, once
from blade.signals.layout.paths import opened

PIECE: Final = Pattern(
    "piece_left_out",
    "BI",
    "a text that an argument holds lacks a figure or a name that every passing repeat gives there",
    0.6,
)
PATTERNS: Final = (PIECE,)
MIN_PASSING: Final = 2
"""Passing repeats that have to give a piece: what one of them says may be chance."""
MIN_WORDS: Final = 3
"""Words of an argument from which on it is a text."""
_SPECIFIC: Final = re.compile(r"[\w:./-]*\d[\w:./-]*|(?<=[a-z,;:] )[A-Z][\w'’-]{2,}")
"""A word with a figure, or one with a capital inside a sentence."""


def pieces_left_out(view: TaskView) -> Iterator[Finding]:
    if len(view.passing) < MIN_PASSING:
        return
    for rollout in view.failing:
        for call, path, text in free_texts(rollout):
            others = [
                [mine for made, place, mine in free_texts(other) if (made.name, place) == (call.name, path)]
                for other in view.passing
            ]
            if not all(others):
                continue
            given = set.intersection(*({piece.strip(".,:") for piece in _SPECIFIC.findall(" ".join(texts))} for texts in others))
            if missing := sorted(piece for piece in given if piece and piece not in text):
                yield PIECE.found(
                    rollout,
                    subject=f"{call.name}.{path}",
                    step=call.step,
                    quote=short(call),
                    detail=f"{path} of {call.name} lacks {', '.join(missing[:4])}, which all {len(view.passing)} passing repeats give there",
                )
                break


@once
def free_texts(rollout: RolloutView) -> tuple[tuple[CallRow, str, str], ...]:
    """The texts in the arguments of the calls that were expected and made, besides those that are compared."""
    return tuple(_free_texts(rollout))


def _free_texts(rollout: RolloutView) -> Iterator[tuple[CallRow, str, str]]:
    compared = {row.step: _arguments(row.arguments) for row in rollout.expected if row.outcome == "made"}
    for call in rollout.calls:
        for name, value in _arguments(call.arguments).items() if call.step in compared else ():
            if name not in compared[call.step] and isinstance(value, str) and len(value.split()) >= MIN_WORDS:
                yield call, name, value


def _arguments(written: str) -> dict[str, Any]:
    read = opened(written)
    return read if isinstance(read, dict) else {}
