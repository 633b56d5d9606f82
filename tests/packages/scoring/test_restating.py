"""A sentence that follows a golden one must carry the same: numbers, names, and what turns it round."""

import pytest

from blade.packages.scoring.reported import read
from blade.packages.scoring.restating import Golden, wording

SAID = "Task 4: every repeat orders 144 pieces with `order_supplies`, where the request was for 1728 of them."


def difference(text: str) -> tuple[str, str] | None:
    golden = Golden(read(SAID).sentences)
    found = golden.difference(wording(read(text).sentences[0]))
    return None if found is None else (found.expected, found.found)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("144", "145"), ("144", "145")),
        (("`order_supplies`", "`check_out`"), ("order_supplies", "check_out")),
        (("every repeat orders", "every repeat never orders"), ("nothing", "not")),
        (("every", "some"), ("all", "some")),
    ],
)
def test_a_change_of_what_is_carried_is_found(change: tuple[str, str], expected: tuple[str, str]) -> None:
    assert difference(SAID.replace(*change)) == expected


def test_other_words_and_fewer_figures_are_no_contradiction() -> None:
    assert difference(SAID) is None
    assert difference(SAID.replace("the request was for", "the request asked for")) is None
    assert difference(SAID.replace(" 144", "")) is None


def test_other_tasks_are_not_compared() -> None:
    assert difference(SAID.replace("Task 4", "Task 7").replace("144", "12")) is None
