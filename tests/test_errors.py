import pickle
from pathlib import Path

import pytest

from blade.errors import BladeError, Exit, FellShort, NotDecidable, UnreadableRun, UsageError


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BladeError("it broke"), "it broke."),
        (BladeError("it broke."), "it broke."),
        (BladeError("it broke", hint="try again"), "it broke; try again."),
        (BladeError("not JSON", path=Path("a/b.jsonl"), line=7, hint="fix it"), "a/b.jsonl, line 7: not JSON; fix it."),
        (BladeError("not JSON", path="b.jsonl"), "b.jsonl: not JSON."),
        (BladeError("not JSON", line=7), "line 7: not JSON."),
    ],
)
def test_an_error_is_one_sentence_with_place_and_next_step(error: BladeError, sentence: str) -> None:
    assert str(error) == sentence


@pytest.mark.parametrize(
    ("kind", "code"), [(BladeError, 2), (UsageError, 2), (UnreadableRun, 2), (NotDecidable, 3), (FellShort, 1)]
)
def test_each_error_has_its_exit_code(kind: type[BladeError], code: int) -> None:
    assert kind("x").exit_code == code


def test_exit_codes_are_the_documented_ones() -> None:
    assert {code.name: int(code) for code in Exit} == {
        "FINE": 0,
        "FELL_SHORT": 1,
        "BAD_INPUT": 2,
        "NOT_DECIDABLE": 3,
        "INTERRUPTED": 130,
    }


class TooFew(NotDecidable):
    """A subclass with a constructor of its own, as the statistics have."""

    def __init__(self, k: int, *, most: int) -> None:
        super().__init__(f"pass^{k} needs {k} attempts, and no task has more than {most}")
        self.k = k


@pytest.mark.parametrize(
    "error",
    [
        BladeError("m", path="p", line=3, hint="h"),
        UnreadableRun("m", path="p", problems=["line 1 is not JSON", "line 2 is empty"]),
        TooFew(4, most=2),
    ],
)
def test_an_error_survives_the_way_between_processes(error: BladeError) -> None:
    error.add_note("seen in shard 3")
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert vars(arrived) == vars(error)
    assert str(arrived) == str(error)
    assert arrived.args == error.args
