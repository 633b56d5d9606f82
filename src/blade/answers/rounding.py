"""Figures that are rounded as they are written, and whether one becomes another by a factor all the same."""

from typing import Final

ROUNDED: Final = 0.03
"""The most that rounding may make of a figure for a proportion to tell something."""
HALF: Final = 0.51
"""Half of the last place, and a little for the way in which figures are kept."""


def last_place(value: object, *, padded: bool = False) -> float:
    """What the last digit of a figure is worth; noughts behind the point may have been put there (`padded`)."""
    decimals = str(value).strip().partition(".")[2]
    return float(10.0 ** -len(decimals.rstrip("0") if padded else decimals))


def becomes(one: float, other: float, factor: float, places: tuple[float, float], *, close: float = 0.0) -> bool:
    """Whether one figure times a factor is the other, as far as their last places (and a relative slack) can tell, and these tell enough."""
    near = HALF * (places[0] * abs(factor) + places[1]) + close * abs(other)
    return near <= ROUNDED * abs(other) and abs(one * factor - other) <= near
