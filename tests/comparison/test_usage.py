from typing import Any

import pytest
from scipy.stats import t

from blade.comparison.pairing import pair
from blade.comparison.usage import usage

from .support import both, rolled


def used(task: int, repeat: int = 0, *, output: int | None = None, steps: int = 1, **fields: Any) -> dict[str, Any]:
    given = None if output is None else {"input_tokens": 10, "output_tokens": output, "total_tokens": 10 + output}
    message = {"type": "message", "role": "assistant", "content": "x"}
    return rolled(task, 1, repeat, response={"output": [message] * steps, "usage": given, "id": f"{task}-{repeat}"}, **fields)


def compared(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> dict[str, Any]:
    with both(a, b) as runs:
        return usage(*runs, pair(*runs))


def test_means_within_tasks_then_over_the_tasks_that_both_have() -> None:
    a = [used(0, 0, output=10), used(0, 1, output=30), used(1, output=100), used(9, output=10_000)]
    b = [used(0, output=40), used(1, output=110), used(8, output=10_000)]
    found = compared(a, b)["output_tokens"]
    differences = [40 - 20, 110 - 100]
    half = float(t.ppf(0.975, 1)) * 5  # sd(20, 10) / sqrt(2)
    assert (found["a"], found["b"], found["delta"], found["tasks"]) == (60, 75, sum(differences) / 2, 2)
    assert found["ratio"] == pytest.approx(1.25)
    assert found["ci"] == pytest.approx([15 - half, 15 + half])


def test_what_a_run_does_not_report_is_null_and_not_zero() -> None:
    found = compared([used(0, output=5), used(1, output=5)], [used(0), used(1)])
    assert [name for name, value in found.items() if value is not None] == ["steps", "tool_calls"]


def test_only_tasks_on_which_both_report() -> None:
    found = compared([used(0, output=5), used(1)], [used(0, output=7), used(1, output=9)])["output_tokens"]
    assert (found["a"], found["b"], found["tasks"], found["ci"]) == (5, 7, 1, None)


def test_rows_without_output_have_no_steps() -> None:
    found = compared([used(0, steps=0), used(1, steps=0)], [used(0, steps=3), used(1, steps=3)])
    assert (found["steps"], found["tool_calls"]) == (None, None)


@pytest.mark.parametrize(
    ("field", "measure", "value"),
    [
        ({"duration_s": 2.0}, "latency_ms", 2000),
        ({"result": {"duration": 2.5}}, "latency_ms", 2500),
        ({"latency_ms": 7}, "latency_ms", 7),
        ({"cost": 0.5}, "cost", 0.5),
        ({"result": {"agent_cost": 0.25}}, "cost", 0.25),
        ({"ng_model_call_capture": {"metrics": {"latency_total_ms": 90}}}, "latency_ms", 90),
    ],
)
def test_time_and_cost_under_the_names_they_go_by(field: dict[str, Any], measure: str, value: float) -> None:
    rows = [used(task, **field) for task in range(2)]
    found = compared(rows, rows)[measure]
    assert (found["a"], found["b"], found["delta"], found["ratio"]) == (value, value, 0, 1)


def test_a_price_of_nothing_on_every_row_is_no_price() -> None:
    assert compared([used(task, cost=0.5) for task in range(3)], [used(task, cost=0.0) for task in range(3)])["cost"] is None
