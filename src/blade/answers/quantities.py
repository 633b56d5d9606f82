"""Two quantities compared: values exactly, units by name, conversions and left-out units only as weaker verdicts."""

from fractions import Fraction
from typing import Final

from blade.answers.normal import Quantity
from blade.answers.units import PERCENT, Unit, factors_within, is_known
from blade.answers.verdict import Relation, Verdict, different, equivalent, unknown

_FLOAT_NOISE: Final = Fraction(1, 10**11)
"""Doubles carry almost sixteen digits; after a few operations, eleven of them still agree."""
_ROUNDING: Final = Fraction(1, 200)

SAME_NUMBER: Final = Verdict(Relation.EQUAL, "same number")


def compare_quantities(one: Quantity, other: Quantity) -> Verdict:
    """`SAME_NUMBER` for the same value and unit, else what can be said; symmetric."""
    if one.unit == other.unit:
        return _same_unit(one, other)
    if one.unit is None or other.unit is None:
        with_unit, without = (one, other) if one.unit else (other, one)
        assert with_unit.unit is not None
        return _one_unit(with_unit, with_unit.unit, without)
    return _two_units(one, one.unit, other, other.unit)


def _same_unit(one: Quantity, other: Quantity) -> Verdict:
    if one.value == other.value:
        return SAME_NUMBER
    gap = abs(one.value - other.value)
    size = max(abs(one.value), abs(other.value))
    decimals = [number.places for number in (one, other) if number.places]
    if decimals and max(decimals) >= 10 and gap <= size * _FLOAT_NOISE:
        return equivalent("rounding in the last digits", assumed=True)
    if gap <= size * _ROUNDING and _round_alike(one, other):
        return unknown("equal only after rounding")
    return different("different numbers")


def _round_alike(one: Quantity, other: Quantity) -> bool:
    places = [number.places for number in (one, other) if number.places is not None]
    if not places or one.places == other.places:
        return False
    step = Fraction(1, 10 ** min(places))
    return abs(one.value - other.value) <= step


def _one_unit(with_unit: Quantity, unit: Unit, without: Quantity) -> Verdict:
    sign = unit.name == PERCENT
    if with_unit.value == without.value:
        return equivalent("percent sign left out" if sign else "unit left out", assumed=True)
    if sign and with_unit.value == 100 * without.value:
        return equivalent("percent as a fraction", assumed=True)
    if not is_known(unit):
        return unknown("numbers differ, and only one has a unit")
    ratio = with_unit.value / without.value if without.value else None
    if ratio in factors_within(unit.dimension) or unit.shift:
        return unknown("equal if the number without a unit is meant in another one")
    if _same_unit(with_unit, Quantity(without.value, unit, without.places)).relation is not Relation.DIFFERENT:
        return unknown("equal only after rounding")
    return different("different numbers")


def _two_units(one: Quantity, unit: Unit, other: Quantity, other_unit: Unit) -> Verdict:
    if unit.dimension != other_unit.dimension:
        if is_known(unit) and is_known(other_unit):
            return different("different units")
        return unknown("units that cannot be compared")
    mine, theirs = unit.to_base(one.value), other_unit.to_base(other.value)
    if mine == theirs:
        return equivalent("unit conversion", assumed=True)
    if abs(mine - theirs) <= _ROUNDING * max(abs(mine), abs(theirs)):
        return unknown("equal only after unit conversion and rounding")
    return different("different quantities")
