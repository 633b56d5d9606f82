"""BI: several entries were wanted, and one was made with what they come to together.

The expected calls are of one tool and differ in a figure; the one call that was made has the sum of theirs, and the others are missing. That each was to be
entered by itself is what is expected, and a sum is none of the figures that anybody asked for.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.sameness import Difference, same
from blade.signals.data.premises import is_figure
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, Comparison, Match, comparison_of

MOST_MISSING: Final = 6
"""Missing calls of which sums are tried."""
_SEAT: Final = {"name": "log_delivery", "arguments": {"site": "S-4", "tonnes": 12}}
_OTHER: Final = {"name": "log_delivery", "arguments": {"site": "S-4", "tonnes": 9}}


@signal(
    "entries_merged",
    label="BI",
    needs=("wrong_argument",),
    meaning="one call was made with the sum of the figures of several expected calls, which were wanted one by one",
    causal=False,
    example=Example(
        (call("log_delivery", "ok", site="S-4", tonnes=21),),
        asked="Site S-4 got two deliveries, 12 tonnes and 9 tonnes. Log each by itself.",
        fields={"expected_calls": [_SEAT, _OTHER]},
    ),
)
def entries_merged(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared is not None and compared.missing else ():
        if match.outcome != WRONG or match.call is None or compared is None or len(match.differences) != 1:
            continue
        differs = match.differences[0]
        terms = _terms(compared, match, differs)
        if terms:
            detail = f"{shown(differs.actual)} is {' + '.join(map(shown, terms))}, which {len(terms)} calls of {match.call.name} are expected with one by one"
            subject = argument_subject(match.call.name, differs.path)
            yield Evidence(match.call.step, f"{differs.path}={shown(differs.actual)}", detail, subject)


def _terms(compared: Comparison, match: Match, differs: Difference) -> list[float]:
    """The figures of an expected call and of missing ones that are otherwise like it, which add up to the given one."""
    wanted, given = _figure(differs.expected), _figure(differs.actual)
    if wanted is None or given is None:
        return []
    mine = dict(leaves(match.expected.arguments))
    others = [figure for other in compared.missing if (figure := _beside(mine, match, other, differs.path)) is not None]
    for size in range(1, min(len(others), MOST_MISSING) + 1):
        for chosen in combinations(others[:MOST_MISSING], size):
            if same(round(wanted + sum(chosen), 6), given):
                return [wanted, *chosen]
    return []


def _beside(mine: dict[str, Any], match: Match, other: Match, path: str) -> float | None:
    """The figure of a missing call that is like another one in all but that."""
    theirs = dict(leaves(other.expected.arguments))
    if other.expected.name != match.expected.name or theirs.keys() != mine.keys() or path not in theirs:
        return None
    alike = all(same(value, theirs[place]) for place, value in mine.items() if place != path)
    return _figure(theirs[path]) if alike else None


def _figure(value: Any) -> float | None:
    return float(value) if is_figure(value) and value > 0 else None
