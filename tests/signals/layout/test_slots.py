"""Fields that hold what a request was filled with, by what the requests of passing tasks name."""

import pytest

from blade.signals.example import says
from tests.signals.layout.support import PLACES, layout, paths, row


def errands(tasks=8, *, passed=lambda task: task != 3, **fields):
    """Each asks for a trip to a place for some days; a field is what a function makes of (task, place, days)."""
    rows = []
    for task in range(tasks):
        place, days = PLACES[task], 20 + task
        made = {name: make(task, place, days) for name, make in fields.items()}
        for repeat in range(2):
            asked = f"A trip to {place} for {days} days."
            rows.append(row(task, repeat, passed(task), says("Booked."), asked=asked, **made))
    return rows


SLOTS = {
    "what the requests name": (lambda task, place, days: {"to": place, "days": days}, ["filled.days", "filled.to"]),
    "the failing task may say otherwise": (lambda task, place, days: {"to": "Paris" if task == 3 else place}, ["filled.to"]),
    "a passing one may not": (lambda task, place, days: {"to": "Paris" if task == 4 else place}, []),
    "a category is none": (lambda task, place, days: {"kind": "trip"}, []),
    "nor is one of two": (lambda task, place, days: {"kind": ("trip", "days")[task % 2]}, []),
    "nor what no request names": (lambda task, place, days: {"id": f"T-{task}"}, []),
}


@pytest.mark.parametrize(("make", "expected"), SLOTS.values(), ids=SLOTS)
def test_slots(make, expected):
    assert sorted(paths(layout(errands(filled=make)).slots)) == expected


def test_a_few_tasks_are_enough_beside_a_slot_and_not_alone():
    few = lambda task, place, days: {"to": place, **({"days": days} if task < 3 else {})}  # noqa: E731
    assert sorted(paths(layout(errands(filled=few)).slots)) == ["filled.days", "filled.to"]
    alone = lambda task, place, days: {"days": days} if task < 3 else {}  # noqa: E731
    assert paths(layout(errands(filled=alone)).slots) == []
