from typing import Any

import numpy as np
import pytest

from blade.comparison.pairing import pair
from blade.comparison.slices import SliceChanges, partition, slice_changes
from blade.errors import UsageError
from blade.stats import holm, mcnemar_p_value

from .support import both, rolled

LEVELS = ("easy", "hard")


def rows(gains: bool, *, tasks: int = 40, repeats: int = 1, **fields: Any) -> list[dict[str, Any]]:
    """Half of the easy tasks pass; with `gains` all hard tasks pass too, of which none did."""
    return [
        rolled(task, 1 if (task % 2 == 0 and task % 4 == 0) or (gains and task % 2) else 0, repeat, **{"metadata": {"level": LEVELS[task % 2]}} | fields)
        for task in range(tasks)
        for repeat in range(repeats)
    ]  # fmt: skip


def compared(a: list[dict[str, Any]], b: list[dict[str, Any]], by: str | None = None) -> SliceChanges:
    with both(a, b) as runs:
        return slice_changes(*runs, pair(*runs), by)


def test_the_slice_that_gained_stands_first_with_its_adjusted_p_value() -> None:
    found = compared(rows(False), rows(True))
    assert found.tests == 2
    hard, easy = found.slices
    assert (hard["by"], hard["value"], hard["tasks"]) == ("metadata.level", "hard", 20)
    assert (hard["a"], hard["b"], hard["delta"], hard["test"]) == (0, 1, 1, "exact_mcnemar")
    assert (easy["a"], easy["b"], easy["delta"], easy["p_adjusted"]) == (0.5, 0.5, 0, 1)
    assert hard["p_adjusted"] == pytest.approx(holm([mcnemar_p_value(20, 0), 1.0])[0])
    assert hard["ci"][0] > 0


def test_more_repeats_are_tested_by_sign_flips_over_tasks() -> None:
    hard = compared(rows(False, repeats=3), rows(True, repeats=2)).slices[0]
    assert (hard["delta"], hard["test"]) == (1, "exact_sign_flip")
    assert hard["p_value"] == pytest.approx(2 / 2**20)


def test_a_field_that_means_something_else_in_b_makes_no_slices() -> None:
    turned = [made | {"metadata": {"level": LEVELS[(made["_ng_task_index"] + 1) % 2]}} for made in rows(True)]
    found = compared(rows(False), turned)
    assert (found.slices, found.refused) == ([], {"metadata.level": "40 tasks have another value in B than in A"})


def test_the_model_is_no_slice_of_the_tasks() -> None:
    sides = [[made | {"response": {"output": [], "model": name}} for made in rows(False)] for name in "ab"]
    assert {slice_["by"] for slice_ in compared(sides[0], sides[1]).slices} == {"metadata.level"}


def test_a_field_that_was_asked_for_is_shown_whatever_its_size_and_small_slices_are_not_tested() -> None:
    sides = [
        [made | {"kind": "rare" if made["_ng_task_index"] < 2 else "usual"} for made in rows(gains)] for gains in (False, True)
    ]
    found = compared(sides[0], sides[1], by="kind")
    shown = {
        slice_["value"]: (slice_["tasks"], slice_["p_adjusted"] is None) for slice_ in found.slices if slice_["by"] == "kind"
    }
    assert shown == {"rare": (2, True), "usual": (38, False)}
    assert found.slices[0]["by"] == "kind"


def test_a_partition_gives_every_key_its_slice() -> None:
    a = [rolled(task, 1, level=level) for task, level in [(0, "x"), (1, "y"), (2, None), (3, "x")]]
    b = [rolled(task, 1, level=level) for task, level in [(0, "x"), (2, "y"), (4, "z")]]
    with both(a, b) as runs:
        paired = pair(*runs)
        found = partition(*runs, paired, "level")
    assert paired.names == ("0", "1", "2", "3", "4")
    assert [found.names[code] for code in found.codes] == ["x", "y", "y", "x", "z"]
    assert found.codes.dtype == np.int64


def test_tasks_without_a_value_are_a_slice_of_their_own() -> None:
    sides = [[rolled(0, 1, level="x"), rolled(1, 1)]] * 2
    with both(*sides) as runs:
        found = partition(*runs, pair(*runs), "level")
    assert (found.names, found.codes.tolist()) == (("x", "(none)"), [0, 1])


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("nothing", "no row has this field"),
        ("note", "varies between the rollouts of 1 task"),
        ("who", "another value in B than in A"),
    ],
)
def test_a_field_that_does_not_divide_the_tasks_is_refused(by: str, why: str) -> None:
    sides = [
        [rolled(0, 1, repeat, note=str(repeat), who=who, response={"output": [], "id": str(repeat)}) for repeat in range(2)]
        for who in "ab"
    ]
    with both(*sides) as runs, pytest.raises(UsageError, match=why):
        partition(*runs, pair(*runs), by)
