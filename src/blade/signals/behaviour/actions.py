"""BI: the calls that were made against those that the task expects, and where the wrong values come from.

Only rows that hold an expectation are judged, and an empty one counts: it says that nothing was to be changed. None of these is
causal: which call stands for which expected one is known at the end. What the comparison takes for the same is said in `comparison`
and `sameness`; what a value's origin is, in `origins`.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.behaviour.action_reasons import as_asked_for, one_of_all, traced_value, unseen, why_extra, why_missing
from blade.signals.behaviour.declining import Declined, declined, said_of_another, speaks_of, things_of
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import hands_over
from blade.signals.calls.refused_calls import of_another_record, too_late
from blade.signals.calls.sameness import Difference, same
from blade.signals.example import Example, call, says, user
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown
from blade.signals.texts.speech import claims_success, only_courtesy, reported, takes_leave
from blade.signals.wanted.comparison import WRONG, Comparison, Match, comparison_of
from blade.signals.wanted.request_words import asks_for_order

MAX_TRACED: Final = 3
"""Extra calls of a rollout whose numbers are traced: the first, which are the ones that decided something."""
MAX_DIFFERENCES: Final = 6
"""Wrong arguments told of one call."""
MAX_SAID: Final = 220
"""Characters of what the assistant said that stand in a detail."""
_CANCEL: Final = {"name": "cancel_order", "arguments": {"order_id": "W1"}}
_REFUND: Final = {"name": "refund_order", "arguments": {"order_id": "W1", "amount": 30}}


@signal(
    "action_missing",
    label="BI",
    needs=("departure",),
    meaning="an expected state-changing call was not made, or only tried in vain",
    causal=False,
    example=Example((call("get_order", "{}", order_id="W1"), says("It is on its way.")), fields={"expected_calls": [_CANCEL]}),
)
def action_missing(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in _left_out(rollout, compared) if compared else ():
        assert compared is not None
        place = _given_up(rollout, compared, match)
        detail = "; ".join(part for part in (why_missing(rollout, compared, match), place.said) if part)
        yield Evidence(place.step, match.expected.short, detail, match.expected.name)


@signal(
    "action_declined",
    label="BI",
    needs=("departure",),
    meaning="the assistant of a dialogue said that an expected state-changing call cannot be done, and never made it",
    causal=False,
    example=Example(
        (says("How can I help?"), user("Cancel W1."), says("It has been packed, so I cannot cancel it."), user("A pity."), says("Goodbye.")),
        fields={"expected_calls": [_CANCEL]},
    ),
)  # fmt: skip
def action_declined(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in _left_out(rollout, compared) if compared else ():
        assert compared is not None
        refused = _refused(rollout, compared, match)
        if refused is not None:
            yield Evidence(refused.step, refused.sentence, f"expected is {match.expected.short}", match.expected.name)


@signal(
    "action_partial",
    label="BI",
    needs=("departure",),
    meaning="some of the expected state-changing calls were made, and this one was not",
    causal=False,
    example=Example((call("cancel_order", "ok", order_id="W1"),), fields={"expected_calls": [_CANCEL, _REFUND]}),
)
def action_partial(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.done:
        return
    made = f"{len(compared.done)} of {len(compared.counted)} expected calls were made"
    missing = _left_out(rollout, compared)
    for name in dict.fromkeys(match.expected.name for match in missing):
        first = next(match for match in missing if match.expected.name == name)
        yield Evidence(_given_up(rollout, compared, first).step, first.expected.short, made, name)


@signal(
    "action_extra",
    label="BI",
    needs=("departure",),
    meaning="a state-changing call that no expected one stands for",
    causal=False,
    example=Example((call("send_voucher", "sent", user_id="u1", amount=200),), fields={"expected_calls": []}),
)
def action_extra(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    traced = 0
    for made in compared.extra if compared else ():
        assert compared is not None
        if made.error is None:
            origins = unseen(rollout, made) if traced < MAX_TRACED else ()
            traced += 1
            asked = (*as_asked_for(rollout, compared, made), *one_of_all(rollout, compared, made))
            detail = "; ".join(("it succeeded", why_extra(compared, made), *origins, *asked))
            yield Evidence(made.step, made.short, detail, made.name)


@signal(
    "extra_refused",
    label="BI",
    needs=("departure",),
    meaning="a state-changing call that no expected one stands for was tried, and the tool refused it: nothing was changed",
    causal=False,
    example=Example((call("send_voucher", "Error: no such user", user_id="u9"),), fields={"expected_calls": []}),
)
def extra_refused(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for made in compared.extra if compared else ():
        assert compared is not None
        if made.error is not None:
            yield Evidence(made.step, made.short, f"refused: {made.error.line[:80]}; {why_extra(compared, made)}", made.name)


@signal(
    "action_wrong_argument",
    label="BI",
    needs=("expected_call",),
    meaning="an expected state-changing call was made with another value, or tried in vain for another record",
    causal=False,
    example=Example(
        (user("Refund what I paid."), call("get_order", '{"total": 30, "fee": 5}', order_id="W1"), call("refund_order", "ok", order_id="W1", amount=35)),
        fields={"expected_calls": [_REFUND]},
    ),
)  # fmt: skip
def action_wrong_argument(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        if match.outcome == WRONG and match.call is not None:
            for differs in match.differences[:MAX_DIFFERENCES]:
                first, path = _first_with(match, match.call, differs)
                quote = f"{path}={shown(differs.actual, 150)}" if path else first.short
                detail = traced_value(rollout, match, first, differs)
                if first is not match.call:
                    detail += f"; refused then, made at step {match.call.step}"
                yield Evidence(first.step, quote, detail, argument_subject(first.name, differs.path))
    for refused in of_another_record(rollout):
        path, line = refused.differs.path, "" if refused.call.error is None else f"; refused: {refused.call.error.line[:80]}"
        detail = traced_value(rollout, refused.match, refused.call, refused.differs) + line
        quote = f"{path}={shown(refused.differs.actual, 150)}"
        yield Evidence(refused.call.step, quote, detail, argument_subject(refused.call.name, path))


@signal(
    "action_out_of_order",
    label="BI",
    needs=("expected_call",),
    meaning="the expected changes were made in another order than the expected one, and the request says what comes first, or one was refused for it",
    causal=False,
    example=Example(
        (call("set_status", "ok", order_id="W1", status="closed"), call("refund_order", "ok", order_id="W1", amount=30)),
        asked="Refund 30 on W1. Only once that is through, set its status to closed.",
        fields={"expected_calls": [_REFUND, {"name": "set_status", "arguments": {"order_id": "W1", "status": "closed"}}]},
    ),
)
def action_out_of_order(rollout: Rollout) -> Iterator[Evidence]:
    for late in too_late(rollout):
        line = "" if late.call.error is None else f": {late.call.error.line[:80]}"
        yield Evidence(
            late.before.step,
            late.before.short,
            f"{late.call.name} is expected before it, and was refused after it, at step {late.call.step}{line}",
            late.before.name,
        )
    compared = comparison_of(rollout)
    done = [match for match in compared.done if match.call is not None] if compared else []
    if (
        len({match.expected.name for match in done}) < 2
        or compared is None
        or compared.missing
        or not asks_for_order(rollout.request)
    ):
        return
    made = [match.call for match in sorted(done, key=lambda match: match.number) if match.call is not None]
    for wanted, given in zip(made, sorted(made, key=lambda one: one.position), strict=True):
        if wanted.name != given.name:
            yield Evidence(
                given.step, given.short, f"{wanted.name} is expected before it, and the request says what comes first", given.name
            )
            return


def _first_with(match: Match, made: Call, differs: Difference) -> tuple[Call, str]:
    """The first try that had this wrong value, and where in it: there it was decided, even if the tool refused that try for another reason."""
    if not match.attempts:
        return made, differs.path
    subject = argument_subject("", differs.path)
    earlier = [
        (attempt, other.path)
        for attempt, others in match.attempts
        if attempt.position < made.position
        for other in others
        if argument_subject("", other.path) == subject and same(other.actual, differs.actual)
    ]
    return min(earlier, key=lambda found: found[0].position, default=(made, differs.path))


def _left_out(rollout: Rollout, compared: Comparison) -> list[Match]:
    """The expected calls that were not made; one that was tried for another record has a wrong argument instead."""
    tried = [refused.match for refused in of_another_record(rollout)]
    return [match for match in compared.missing if match not in tried]


class _GivenUp(NamedTuple):
    """Where an expected call was let go: at its last try, where the assistant said that it cannot be done, else where it last said more than goodbye."""

    step: int | None
    said: str = ""


def _given_up(rollout: Rollout, compared: Comparison, match: Match) -> _GivenUp:
    if match.call is not None:
        return _GivenUp(match.call.step)
    refused = _refused(rollout, compared, match)
    if refused is not None:
        return _GivenUp(refused.step, f"declined at step {refused.step}: {shown(refused.sentence, MAX_SAID)}")
    step = _last_word(rollout, _stopped(rollout, compared))
    return _GivenUp(step, _reported(rollout, compared, match, step))


def _refused(rollout: Rollout, compared: Comparison, match: Match) -> Declined | None:
    if match.call is not None:
        return None
    known = _refusals(rollout)
    if match.number not in known:
        known[match.number] = declined(rollout, match.expected, _stopped(rollout, compared))
    return known[match.number]


@once_for_each
def _refusals(rollout: Rollout) -> dict[int, Declined | None]:
    """What was said of expected calls that were never made, by their number: three detectors ask."""
    return {}


def _stopped(rollout: Rollout, compared: Comparison) -> int | None:
    """Where a rollout stopped doing what is expected: at the last of the expected calls that it made, in a dialogue where it ended."""
    done = [match.call.step for match in compared.done if match.call is not None]
    return max(done) if done and not rollout.has_dialogue else _end(rollout)


def _end(rollout: Rollout) -> int | None:
    """Where a rollout stopped doing things: where it handed over, else where it last spoke."""
    for made in rollout.calls:
        if hands_over(made.name):
            return made.step
    return rollout.final.step if rollout.final is not None else rollout.last_step


def _reported(rollout: Rollout, compared: Comparison, match: Match, step: int | None) -> str:
    """What the message at which a call was let go reports as done, in a dialogue: whether this call is among it, a reader sees at once.

    A sentence that has the word for what this tool works on, and no tool that was called does, comes before others; one that is of another
    record, or only leads in to a list, says nothing of it.
    """
    message = (
        next((item for _, item in rollout.assistant_messages() if item.step == step), None) if rollout.has_dialogue else None
    )
    if message is None:
        return ""
    made = [one.expected.name for one in compared.done] + [made.name for made in rollout.own_calls if made.changes]
    things = things_of(match.expected.name).difference(*map(things_of, made))
    told = [one for one in reported(message.text) if not said_of_another(match.expected, one) and not one.endswith(":")]
    said = next((one for one in told if speaks_of(things, one)), None) or (claims_success(message.text) and told and told[0])
    return f"step {step} reports as done: {shown(said, MAX_SAID)}" if said else ""


def _last_word(rollout: Rollout, stopped: int | None) -> int | None:
    """In a dialogue that ends with courtesies, the message before them: there something was still open, and was left so.

    A courtesy in answer to a turn that asks for something is none: there the request was passed over.
    """
    if stopped is None or rollout.final is None or stopped != rollout.final.step or not rollout.has_dialogue:
        return stopped
    called = rollout.calls[-1].position if rollout.calls else -1
    if rollout.own_calls and rollout.own_calls[-1].step > stopped:
        return rollout.own_calls[-1].step
    place = stopped
    for position, item in reversed(list(rollout.assistant_messages())):
        if position <= called:
            break
        place = item.step
        if not (only_courtesy(item.text) and _answers_leave(rollout, position)):
            break
    return place


def _answers_leave(rollout: Rollout, position: int) -> bool:
    before = next((item for item in reversed(rollout.output[:position]) if item.kind == "message"), None)
    return before is not None and before.role == "user" and takes_leave(before.text)
