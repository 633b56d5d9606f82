"""How a number follows from others: every shortcut agrees with trying all calculations one after the other."""

from itertools import combinations
from random import Random

import pytest

from blade.signals.texts.derivations import FACTORS, MAX_EXPLAINING, Numbers, number_follows
from blade.signals.texts.sums import MAX_FOR_PAIRS, MAX_NUMBERS


def close(first, second):
    return abs(first - second) <= 0.005 + 1e-9 * abs(second)


def by_trying(wanted, seen):
    """Whether a number follows, by going through every calculation there is."""

    def has(value):
        return value > 0 and (value in seen or (value >= 1 and round(value, 2) in seen))

    target = abs(wanted)
    if (target <= 12 and float(target).is_integer()) or has(target):
        return True
    values = sorted(value for value in seen if 0 < value < 1e9)
    factors = [*range(1, 13), *FACTORS]
    if any(
        close(value * factor, target) or close(value, target * factor) for value in (*values, *range(1, 13)) for factor in factors
    ):
        return True
    for value in values:
        if any(map(has, (target - value, value - target, target / value, value / target))):
            return True
        shares = [share for percent in values if percent <= 100 for share in (percent, 100 - percent, 100 + percent)]
        if any(close(value * share / 100, target) for share in shares):
            return True
    if len(values) > MAX_NUMBERS:
        return target <= 12 * sum(values)
    for count in range(1, 13):
        rests = [target - count * value for value in values]
        if any(has(rest / other) or has(-rest / other) for rest in rests for other in range(1, 13)):
            return True
        part = target / count
        for first, second in combinations(values, 2):
            for both in (first + second, first - second, second - first):
                if has(part - both) or has(both - part) or close(part, both):
                    return True
    if len(values) <= MAX_FOR_PAIRS:
        pairs = {round(first + second, 2) for first, second in combinations(values, 2)}
        for count in range(1, 13):
            part = round(target / count, 2)
            if any(round(pair - part, 2) in pairs or round(part - pair, 2) in pairs for pair in pairs):
                return True
    return any(close(sum(values[: number + 1]), target) for number in range(len(values)))


def drawn(rng):
    return rng.choice(
        (
            float(rng.randrange(1, 2_000)),
            round(rng.uniform(0, 1_000), 2),
            float(rng.randrange(10**9)),
            round(rng.uniform(0, 1), 4),
            float(rng.randrange(10**14)),
            rng.uniform(0, 100),
        )
    )


def made_from(rng, values):
    first, second, third = (rng.choice(values) for _ in range(3))
    made = rng.choice(
        (
            first * rng.choice((2, 7, 24, 3600)),
            first / rng.choice((3, 365)),
            first + second - third,
            rng.randint(1, 12) * (first + second + third),
            first * (100 - second) / 100,
            first / (second or 1),
            rng.uniform(12, 5_000),
            rng.uniform(0, 1e18),
        )
    )
    return made + rng.choice((0, 0, 0.004, -0.005, 0.006))


@pytest.mark.parametrize("size", [0, 1, 3, 8, 20, MAX_FOR_PAIRS, MAX_FOR_PAIRS + 1, MAX_NUMBERS, MAX_NUMBERS + 1, 200])
def test_a_shortcut_finds_what_trying_everything_finds(size):
    rng = Random(size)
    for _ in range(30 if size < 40 else 4):
        seen = {drawn(rng) for _ in range(size)}
        wanted = made_from(rng, sorted(seen) or [1.0])
        assert (number_follows(wanted, seen) is not None) == by_trying(wanted, seen), (wanted, seen)


@pytest.mark.parametrize(
    ("wanted", "seen", "said"),
    [
        (7, set(), "a small count"),
        (136.004, {136.0}, "seen"),
        (200, {50.0, 4.0}, "50 × 4"),
        (200, {2.0, 4.0, 50.0, 100.0}, "100 × 2 or 50 × 4"),
        (2400, {100.0, 200.0, 300.0, 400.0, 1200.0}, "1200 × 2 or 400 × 6 or 300 × 8"),
        (42, set(), "6 × 7"),
        (1600, {592.0, 0.37}, "592 / 0.37"),
        (245, {136.0, 109.0}, "109 + 136"),
        (204, {240.0, 15.0}, "15 % of 240"),
        (1194, {430.0, 412.0, 136.0, 109.0}, "2 × a sum or difference of four numbers"),
        (4817, {31.0}, None),
    ],
)
def test_the_first_calculation_in_order_is_told_and_every_count_of_an_amount(wanted, seen, said):
    assert number_follows(wanted, seen) == said


def test_many_numbers_grant_what_their_total_reaches_without_reading_all():
    many = " ".join(str(1_000 + number) for number in range(2 * MAX_EXPLAINING))
    numbers = Numbers("Of 3 things")
    numbers.read("one and two")
    numbers.read(many)
    assert numbers.give(1_000_003)
    assert numbers.explain(2_222_223.5) == number_follows(2_222_223.5, {float(1_000 + n) for n in range(2 * MAX_EXPLAINING)})
    assert not numbers.give(10.0**12 + 7)
    assert numbers.all() == {1.0, 2.0, 3.0} | {float(1_000 + number) for number in range(2 * MAX_EXPLAINING)}


def test_a_text_that_grows_is_taken_in():
    numbers = Numbers("")
    assert not numbers.give(4817)
    numbers.read("it costs 4,817")
    assert numbers.give(4817)
