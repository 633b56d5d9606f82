"""TI: the expected work in other portions: one call for a list made as several for its parts, or several made as one.

A verifier that compares call by call takes this for wrong; what is changed in the end is the same. Only plain values count as parts, ids and
names: an object in a list is a thing with details of its own, and two orders of one article each are not one order of two.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from blade.signals.calls.arguments import canonical
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted.comparison import MADE, Comparison, comparison_of

MAX_PARTS: Final = 200
_HOLD: Final = {"name": "hold_copies", "arguments": {"reader": "R-118", "copies": ["C-4", "C-9"]}}


@signal(
    "made_in_portions",
    label="TI",
    needs=("departure",),
    meaning="an expected call for a list was made as several calls for its parts, or the other way round: the same in the end",
    causal=False,
    example=Example(
        (call("hold_copies", "ok", reader="R-118", copies=["C-4"]), call("hold_copies", "ok", reader="R-118", copies=["C-9"])),
        fields={"expected_calls": [_HOLD]},
    ),
)
def made_in_portions(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.executed:
        return
    differing = {match.expected.name for match in compared.counted if match.outcome != MADE}
    differing |= {made.name for made in compared.extra if made.error is None}
    told = [_portions(rollout, compared, name) for name in sorted(differing)]
    if told and all(told):
        yield from (evidence for evidence in told if evidence is not None)


def _portions(rollout: Rollout, compared: Comparison, name: str) -> Evidence | None:
    """How the calls of one tool are the expected ones in other portions, or None where they are not."""
    wanted = [match.expected.arguments for match in compared.counted if match.expected.name == name]
    calls = [made for made in rollout.calls if made.name == name and made.error is None]
    given = [made.arguments for made in calls if made.arguments is not None]
    if not wanted or len(wanted) == len(given) or len(given) != len(calls):
        return None
    for key in sorted({key for arguments in wanted for key, value in arguments.items() if isinstance(value, list)}):
        parts = _parts(wanted, key)
        if parts is not None and parts == _parts(given, key):
            words = f"{len(given)} calls for the parts of {key} that are expected in {len(wanted)}; together they are the same"
            return Evidence(calls[0].step, calls[0].short, words, argument_subject(name, key))
    return None


def _parts(calls: list[dict[str, Any]], key: str) -> Counter[str] | None:
    """Each part of a list with the other arguments of its call, and how often; None where something is no list of plain values."""
    found: Counter[str] = Counter()
    for arguments in calls:
        listed = arguments.get(key)
        if not isinstance(listed, list) or any(isinstance(part, dict | list) for part in listed):
            return None
        found.update(_one(arguments, key, part) for part in listed)
    return found if 0 < found.total() <= MAX_PARTS else None


def _one(arguments: Mapping[str, Any], key: str, part: Any) -> str:
    return canonical({**arguments, key: part}, None)
