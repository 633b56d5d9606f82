"""JSON as the commands print it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blade.cli.terminal import json_text

CASES: list[tuple[Any, Any]] = [
    ({"a": 1.5, "b": [1, (2, 3)], "c": None}, {"a": 1.5, "b": [1, [2, 3]], "c": None}),
    ({"a": float("nan"), "b": [float("inf"), 1]}, {"a": None, "b": [None, 1]}),
    (
        {"a": np.float64(0.5), "b": np.int64(3), "c": np.bool_(True), "d": np.float64("inf")},
        {"a": 0.5, "b": 3, "c": True, "d": None},
    ),
    ({"where": Path("/x")}, {"where": "/x"}),
    ({1: "int", np.int64(2): "numpy"}, {"1": "int", "2": "numpy"}),
]


@pytest.mark.parametrize(("value", "told"), CASES)
def test_what_is_no_number_is_null_and_what_is_numpy_is_plain(value: Any, told: Any) -> None:
    assert json.loads(json_text(value)) == told
    assert json.loads(json_text(value, indent=1)) == told


def test_what_steers_a_terminal_is_escaped() -> None:
    assert json_text({"a": "\x9b31m é"}) == '{"a": "\\u009b31m é"}'
