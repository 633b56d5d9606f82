"""Gold that takes the wrong branch of the request's condition, and gold that takes the right one."""

import time

import pytest

from blade.signals.data.conditions import _condition
from blade.signals.example import Example, call
from tests.signals.support import steps

CODE = "condition_misjudged"
READING = '{"article": "A-1204", "permille": 909}'
AT_LEAST = "If at least 912 parts were found in A-1204, release it, otherwise cancel it."
OR_MORE = 'With 912 parts or more A-1204 is released, with anything below that it is to be cancelled, note "ask the sponsor".'


EITHER = "About A-1204, which we released too early last time: with <912 parts cancel it, with >=912 parts release it at once."
BACKWARDS = "About A-1204: cancel it with <912 parts, release it with >=912 parts."
ONE_CASE = "If less than 912 parts were found in A-1204, release it."


def judged(asked, working, expected="release_article", done="cancel_article", reading=READING, times=1, **given):
    changes = (call(done, "ok", article="A-1204", **given),) * times if done else ()
    made = (call("get_reading", reading, article="A-1204"), *changes)
    wanted = [{"name": expected, "arguments": {"article": "A-1204"}}] if expected else []
    return Example(made, asked=asked, fields={"rationale": working, "expected_calls": wanted})


def either(working, expected, done, asked=EITHER, times=1):
    return judged(asked, working, expected, done, times=times)


def flown(working, limit=75, expected="47988-H", done="11683-H", fuel=55):
    made = (
        call("get_helicopters", f"Rotor 42, 47988-H, fuel {fuel} min; Rotor 60, 11683-H, fuel 85 min", base="East"),
        call("send_helicopter", "ok", helicopter=done),
    )
    asked = f"Rotor 42 (47988-H) if its fuel lasts for {limit} minutes or more, else Rotor 60 (11683-H)."
    wanted = [{"name": "send_helicopter", "arguments": {"helicopter": expected}}]
    return Example(made, asked=asked, fields={"rationale": working, "expected_calls": wanted})


def weighed(limit, reading, working):
    """The parcel goes by truck above the limit, else by post; expected is the post, and the repeats send it by truck."""
    made = (call("get_parcel", reading, parcel="P-77"), call("send_parcel", "ok", parcel="P-77", way="truck"))
    wanted = [{"name": "send_parcel", "arguments": {"parcel": "P-77", "way": "post"}}]
    asked = f"If P-77 comes to more than {limit}, send it by truck, otherwise by post."
    return Example(made, asked=asked, fields={"rationale": working, "expected_calls": wanted})


def made_twice(asked):
    """The right branch, taken twice."""
    made = (
        call("get_parts", '{"article": "A-1204", "found": 909}', article="A-1204"),
        *[call("cancel_article", "ok", article="A-1204")] * 2,
    )
    wanted = [{"name": "cancel_article", "arguments": {"article": "A-1204"}}]
    return Example(made, asked=asked, fields={"rationale": "909 found, 912 wanted: cancelled", "expected_calls": wanted})


CASES = [
    (CODE, made_twice("With <912 parts in A-1204 cancel it, with >=912 parts release it."), False),
    (CODE, made_twice("If A-1204 has less than 912 parts, cancel it."), False),
    (CODE, judged("With <912 parts in A-1204 cancel it, with >=912 parts release it.", "909 found, 912 wanted, released"), True),
    (CODE, weighed("20 kg", '{"parcel": "P-77", "weight_g": 1540}', "1540 g are far below 20 kg: post"), False),
    (CODE, weighed("20 kg", '{"parcel": "P-77", "weight": 1540}', "1540 are far below 20: post"), False),
    (CODE, weighed("20 kg", '{"parcel": "P-77", "weight": "1540 g"}', "1540 are far below 20 kg: post"), False),
    (CODE, weighed("20", '{"parcel": "P-77", "weight_g": 1540}', "1540 are below 20: post"), False),
    (CODE, weighed("$50", '{"parcel": "P-77", "total_cents": 4500}', "4500 cents are below 50: post"), False),
    (CODE, weighed("$50", '{"parcel": "P-77", "total_cents": 4500}', "4500 are below $50: post"), False),
    (CODE, weighed("2 million", '{"parcel": "P-77", "value": 4500}', "4500 are below 2 million: post"), False),
    (CODE, weighed("20 kg", '{"parcel": "P-77", "weight_kg": 25}', "25 kg are below 20 kg: post"), True),
    (CODE, weighed("20 kg", '{"parcel": "P-77", "weight": 25}', "25 kg are below 20 kg: post"), True),
    (CODE, weighed("20 kilograms", '{"parcel": "P-77", "weight_kg": 25}', "25 are below 20: post"), True),
    (CODE, weighed("$50", '{"parcel": "P-77", "total_usd": 65}', "$65 are below 50: post"), True),
    (CODE, weighed("50", '{"parcel": "P-77", "total": 65}', "65 are below 50: post"), True),
    (CODE, judged(AT_LEAST, "909 found, 912 wanted, released"), True),
    (CODE, judged("Under 912 parts: cancel A-1204. Otherwise: release it.", "909 found, 912 wanted, released"), True),
    (CODE, judged("Under 912 parts: release A-1204. Otherwise: cancel it.", "909 found, 912 wanted, released"), False),
    (CODE, judged("If fewer than 912 parts were found in A-1204, cancel it. If there are 912 or more, release it.", "909, 912: released"), True),
    (CODE, judged("If fewer than 912 parts were found in A-1204, release it. If there are 912 or more, cancel it.", "909, 912: released"), False),
    (CODE, judged("If fewer than 912 parts were found in A-1204, cancel it. If there are 800 or more, release it.", "909, 912: released"), False),
    (CODE, judged("If at most 912 parts were found in A-1204, cancel it. If there are 912 or more, release it.", "909, 912: released"), False),
    (CODE, judged(OR_MORE, "909 found, 912 wanted, released", note="ask the sponsor"), True),
    (CODE, judged(AT_LEAST, "909 found, 912 wanted, cancelled", "cancel_article", "release_article"), False),  # the gold is right
    (CODE, judged(AT_LEAST, "909 found, 905 wanted, released"), False),  # by another limit, which may be the right one
    (CODE, judged(AT_LEAST, "915 found, 912 wanted, released"), False),  # by another figure: other data, and no misjudgement
    (CODE, judged(AT_LEAST, "912 is the limit: released"), False),  # its figure is not told
    (CODE, judged("If less than 912 parts were found in A-1204, release it, otherwise cancel it.", "909, 912: released"), False),
    (CODE, judged("If less than 912 parts were found in A-1204, cancel it, otherwise release it.", "909, 912: released"), True),
    (CODE, judged("Release A-1204, unless less than 912 parts were found; then cancel it.", "909, 912: released"), False),
    (CODE, judged("If at least 912 parts were found in A-1204, or at least 80 of silver, release it, else cancel it.", "909, 912"), False),
    (CODE, judged("If at least 912 parts were found in A-1204, release it.", "909, 912: released", done=""), True),
    (CODE, judged(AT_LEAST, "909, 912: released", done=""), False),  # nothing was done, and something is to be done in either case
    (CODE, either("909 found, 912 wanted, released", "release_article", "cancel_article"), True),
    (CODE, either("909 found, 912 wanted, cancelled", "cancel_article", "release_article"), False),
    (CODE, either("909 found, 912 wanted, released", "release_article", "cancel_article", BACKWARDS), False),  # conditions at the end
    (CODE, either("909 found, 912 wanted, cancelled", "cancel_article", "cancel_article", times=2), False),  # done twice, as expected
    (CODE, judged(ONE_CASE, "915 found, 912 wanted: released", "release_article", "release_article", READING, 2), False),
    (CODE, flown("Fuel for 55 min, needed 75: Rotor 42 (47988-H)"), True),
    (CODE, flown("Fuel for 55 min, needed 75: Rotor 60 (11683-H)", expected="11683-H", done="47988-H"), False),
    (CODE, flown("Fuel for 75 min, needed 75: Rotor 60", expected="11683-H", done="47988-H", fuel=75), True),  # the limit itself
    (CODE, flown("Fuel for 75 min, needed 75: Rotor 42", fuel=75), False),
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "fires"), CASES)
def test_the_branch_that_the_figures_come_to(code, example, fires):
    assert bool(steps(code, example)) is fires


@pytest.mark.parametrize("text", ["If 5" + "a" * 100_000, "If 5 " + "a " * 50_000, "If 5" + "a." * 50_000, "5 a b c d " * 10_000])
def test_a_long_request_takes_no_time(text):
    began = time.perf_counter()
    assert _condition(text) is None
    assert time.perf_counter() - began < 0.5
