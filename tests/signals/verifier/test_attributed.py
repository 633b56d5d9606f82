"""Whom the row itself blames, and rows that judge turns or label failures without blaming anybody."""

import pytest

from blade.signals.example import Example, call, says, thinks, user
from tests.signals.support import found, steps


def turns(*judged):
    return [{"index": number, "source": source, "reward": reward, "explanation": f"{source} {number}"} for number, (source, reward) in enumerate(judged)]  # fmt: skip


HAPPENED = (thinks("hm"), says("Which one?"), user("That one."), *call("close", "ok", ticket="T-1"))


def judged(*listed, **fields):
    return Example(HAPPENED, fields={"judge": {"turns": turns(*listed)}} | fields)


def logged(*rewards, **more):
    roles = ("user", "assistant")
    return Example((says("Done."),), fields={"log": [{"role": roles[n % 2], "reward": reward, **more} for n, reward in enumerate(rewards)]})  # fmt: skip


USER, AGENT, TOOL = ("user", 1), ("agent", 1), ("environment", 1)
CASES = [
    ("environment_blamed", judged(USER, AGENT, ("user", 0), AGENT, TOOL), [2]),
    ("environment_blamed", judged(USER, AGENT, USER, AGENT, ("environment", 0)), [4]),
    ("environment_blamed", judged(USER, AGENT, USER, AGENT, TOOL, AGENT, ("user", 0)), [None]),  # a turn that the row does not keep
    ("agent_blamed", judged(USER, AGENT, USER, ("agent", 0), ("environment", 0)), [3]),
    ("environment_blamed", judged(USER, AGENT, USER, ("agent", 0), ("environment", 0)), []),  # the first one tells
    ("agent_blamed", judged(USER, ("agent", None), USER, AGENT, TOOL), []),
    ("agent_blamed", Example(HAPPENED, fields={"steps": [{"source": "agent", "reward": 0}, {"source": "agent", "reward": 1}]}), []),
    ("environment_blamed", Example(HAPPENED, fields={"failure_labels": ["user_failure"]}), [None]),
    ("environment_blamed", Example(HAPPENED, fields={"failure_labels": ["tool failure"]}), [None]),
    ("agent_blamed", Example(HAPPENED, fields={"failure_labels": ["agent_failure"]}), [None]),
    ("agent_blamed", Example(HAPPENED, fields={"failure_labels": ["agent_failure", "user_failure"]}), []),
    ("environment_blamed", Example(HAPPENED, fields={"failure_labels": []}), []),
    ("environment_blamed", Example(HAPPENED, fields={"fault_source": "tool"}), [None]),
    ("environment_blamed", Example(HAPPENED, fields={"error_source": "tool"}), []),  # where it came up
    ("environment_blamed", logged(0, 0, 0, 0), []),
    ("environment_blamed", logged(0, 0, 0, 1), []),
    ("environment_blamed", logged(0, 1), []),
    ("environment_blamed", logged(0, 0, 0, 0, message="Hello."), []),  # the turn's own words
    ("environment_blamed", logged(0, 0, 0, 0, reason="The customer left."), [-1]),
    ("environment_blamed", logged(0, 0, 0, 0, explanation=""), []),
    ("environment_blamed", logged(1, 1, 0, 1), [None]),
    ("environment_blamed", logged(0, 1, 1, 1), [-1]),
    ("environment_blamed", Example(HAPPENED, fields={"labels": ["user_failure"]}), []),
    ("agent_blamed", Example(HAPPENED, fields={"failure_labels": ["wrong_total"]}), []),
    ("sample_masked", Example(HAPPENED, fields={"instance": {"mask_sample": True}}), [None]),
    ("sample_masked", Example(HAPPENED, fields={"mask_sample": False}), []),
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_whom_the_row_blames(code, example, expected):
    assert steps(code, example) == expected


def test_the_reason_of_the_judge_is_quoted():
    assert [one.quote for one in found("agent_blamed", judged(USER, ("agent", 0)))] == ["agent 1"]
