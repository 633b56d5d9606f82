"""DA: gold that nothing in the rollout names.

An id comes from another copy of the database than the one the tools answer from, a value from another version of the request: then what was given
was found or named, and the expected one stands *nowhere*. That is no proof by itself (somebody may have looked in the wrong place), so it is weighed
over repeats and tasks (`diagnosis.patterns.stale_gold`).
"""

from collections.abc import Iterator
from typing import Any

from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.days import moment_in_request, moment_of, plain_day
from blade.signals.texts.origins import NOTHING, in_request, origin, shown, sources_of, traceable
from blade.signals.texts.schemes import of_one_scheme
from blade.signals.wanted.comparison import comparison_of
from blade.signals.wanted.differing import differing, wrong_arguments
from blade.signals.wanted.wanted_record import as_asked


@signal(
    "gold_unseen",
    label="DA",
    needs=("one_turn",),
    meaning="the work led from the request to one record and used its id, the expected one stands nowhere; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (
            call("find_customer", '[{"customer_id": "C-20418", "name": "Ann Lee"}]', name="Ann Lee"),
            call("close_account", "ok", customer_id="C-20418"),
        ),
        asked="Please close the account of Ann Lee.",
        fields={"expected_calls": [{"name": "close_account", "arguments": {"customer_id": "C-77120"}}]},
    ),
)  # fmt: skip
def gold_unseen(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    for path, expected, actual, step in differing(rollout):
        if not of_one_scheme(expected, actual) or sources_of(rollout).places(expected):
            continue
        source = as_asked(rollout, actual)
        if source is not None:
            yield Evidence(
                step, f"{path} = {shown(actual)}", f"{source.told()}; {shown(expected)} is expected and stands nowhere", path
            )


@signal(
    "gold_not_named",
    label="DA",
    needs=("wrong_argument", "one_turn"),
    meaning="the value given stands in the request, the expected one stands nowhere and follows from nothing; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (call("book_room", "booked", room="Aurora", guests=40),),
        asked="Book the room Aurora for 40 people.",
        fields={"expected_calls": [{"name": "book_room", "arguments": {"room": "Borealis", "guests": 40}}]},
    ),
)  # fmt: skip
def gold_not_named(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    compared = comparison_of(rollout)
    if compared is None:
        return
    for path, expected, actual, step in wrong_arguments(compared):
        literal = in_request(rollout, actual) and NOTHING in origin(rollout, expected, len(rollout.output))
        if traceable(actual) and (literal or _another_moment(rollout, expected, actual)):
            quote = f"{path} = {shown(actual)}"
            yield Evidence(step, quote, f"as the request says; {shown(expected)} is expected, which stands nowhere", path)


def _another_moment(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether the request names the moment that was given, and nothing the one that is expected."""
    days = moment_of(plain_day(rollout, actual)), moment_of(plain_day(rollout, expected))
    if None in days or not moment_in_request(rollout, actual):
        return False
    return not moment_in_request(rollout, expected) and not sources_of(rollout).places(str(expected))
