"""BI: what is to be shared was given to each in full: "one award of 900, half for each of the two", and both of them get 900.

The calls that are expected are of one tool and their figures come to the sum that every one of them was made with instead. The request says that it is
shared, in words and not by a rule that one has to know, so whoever has it in full has read over that; the sum may be converted on the way, as the shares are.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.data.premises import is_figure
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.cues import cues, may_say
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, Comparison, comparison_of

READ: Final = 20_000
CLOSE: Final = 1e-6
"""What shares may lose together, of their sum."""
_SHARED: Final = re.compile(
    r"\b(?:split(?:ting)?|shar(?:e[sd]?|ing)|divid(?:e[sd]?|ing)|distribut(?:e[sd]?|ing)|halv(?:e[sd]?|ing)|half|(?:equal|even) parts?|"
    r"evenly|equally|fifty-fifty|50[/:-]50|between them|among(?:st)? them|between the (?:two|three|four)|together|jointly|in (?:all|total)|altogether)\b",
    re.IGNORECASE,
)
_CUES: Final = cues(
    "split splitting share shares shared sharing divide divides divided dividing distribute distributes distributed distributing halve halves halved halving half "
    "equal even evenly equally fifty 50 between among amongst together jointly all total altogether"
)
_CALLS: Final = [{"name": "pay_prize", "arguments": {"member": member, "cents": 4500}} for member in ("M-14", "M-20")]


@signal(
    "whole_for_each",
    label="BI",
    needs=("wrong_argument",),
    meaning="several calls were each made with the whole of what the request wants shared, which is what their expected figures come to together",
    causal=False,
    example=Example(
        (call("pay_prize", "ok", member="M-14", cents=9000), call("pay_prize", "ok", member="M-20", cents=9000)),
        asked="The prize of 90 euros is split evenly between the members M-14 and M-20. Pay it.",
        fields={"expected_calls": _CALLS},
    ),
)
def whole_for_each(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not _is_shared(rollout.request):
        return
    for (name, path), given in _wrong_figures(compared).items():
        whole = sum(one.expected for one in given)
        if (
            len(given) > 1
            and min(one.expected for one in given) > 0
            and all(abs(one.actual - whole) <= CLOSE * abs(whole) for one in given)
        ):
            shares = " + ".join(shown(one.expected) for one in given)
            detail = (
                f"{len(given)} calls of {name} are expected with {shares}, and each was made with {path}={shown(given[0].actual)}"
            )
            yield Evidence(given[0].step, f"{path}={shown(given[0].actual)}", detail, argument_subject(name, path))


class _Given(NamedTuple):
    expected: float
    actual: float
    step: int


def _wrong_figures(compared: Comparison) -> dict[tuple[str, str], list[_Given]]:
    """The figures that were given otherwise than expected, by tool and argument."""
    found: dict[tuple[str, str], list[_Given]] = {}
    for match in compared.counted:
        for differs in match.differences if match.outcome == WRONG and match.call is not None else ():
            if match.call is not None and is_figure(differs.expected) and is_figure(differs.actual):
                given = _Given(differs.expected, differs.actual, match.call.step)
                found.setdefault((match.call.name, differs.path), []).append(given)
    return found


@once_for_repeats
def _is_shared(request: str) -> bool:
    return may_say(request[:READ], _CUES) and _SHARED.search(request[:READ]) is not None
