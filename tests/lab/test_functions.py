"""The bank of the code environment, run for real: right is right, and each wrong way fails where it should."""

import pytest

from blade.lab.environments.code import Outcome, run_tests
from blade.lab.environments.code.functions import FUNCTIONS, Wanted


def outcomes(wanted: Wanted, body: str) -> dict[str, Outcome]:
    source = f"def {wanted.name}({wanted.signature}):\n    {body}\n"
    tests = [{"name": name, "input": given, "expected": expected} for name, given, expected in (*wanted.visible, *wanted.hidden)]
    return {outcome.name: outcome for outcome in run_tests(source, wanted.name, tests)}


@pytest.mark.parametrize("wanted", FUNCTIONS, ids=lambda wanted: wanted.name)
def test_each_way_fails_where_it_should(wanted: Wanted) -> None:
    visible = [name for name, _, _ in wanted.visible]
    for body in wanted.right:
        assert all(outcome.passed for outcome in outcomes(wanted, body).values()), body
    assert not all(outcomes(wanted, wanted.caught)[name].passed for name in visible)
    for body in (wanted.misconception, *wanted.wavering):
        found = outcomes(wanted, body)
        assert all(found[name].passed for name in visible), body
        assert not all(outcome.passed for outcome in found.values()), body
    assert len({wanted.misconception, *wanted.wavering}) == 4
    for body in wanted.misuse:
        assert all("has no attribute" in outcome.message for outcome in outcomes(wanted, body).values()), body


def test_a_source_that_is_no_python_fails_every_test() -> None:
    found = run_tests("def f(:", "f", [{"name": "a", "input": "1", "expected": "1"}])
    assert [(outcome.passed, outcome.message.startswith("SyntaxError")) for outcome in found] == [(False, True)]
