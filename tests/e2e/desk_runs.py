"""Small runs at a lending desk, whose failures are known: a member's id is made up instead of looked up."""

import json
from collections.abc import Callable
from typing import Any

from tests.e2e.contract import check_diagnosis
from tests.e2e.support import blade, message, row


def diagnosed(run: object, *options: object) -> dict[str, Any]:
    """The document of a run that must be diagnosable, with the contract checked."""
    result = blade("diagnose", run, "--json", *options)
    assert result.code == 0, result.err
    return check_diagnosis(result.json)


def call(name: str, number: int = 1, output: str = "ok", /, **arguments: object) -> list[dict[str, Any]]:
    made = {"type": "function_call", "name": name, "call_id": f"c{number}", "arguments": json.dumps(arguments)}
    return [made, {"type": "function_call_output", "call_id": f"c{number}", "output": output}]


def worked(task: int, repeat: int, reward: object = 1, **fields: object) -> dict[str, Any]:
    """A rollout that looks a member up and lends a tool; those that fail lend it to somebody they made up."""
    member = f"M-{1000 + task}" if reward == 1 else f"M-{9000 + 7 * task + repeat}"
    found = call("find_member", 1, json.dumps({"member_id": f"M-{1000 + task}"}), name=f"Name{task}") if reward == 1 else []
    output = [*found, *call("lend_tool", 2, "Lent.", member_id=member), message("I have lent the tool.")]
    expected = [{"name": "lend_tool", "arguments": {"member_id": f"M-{1000 + task}"}}]
    return row(task, repeat, reward, response={"model": "m", "output": output}, ground_truth=expected, **fields)


def grid(tasks: int, repeats: int, reward: Callable[[int, int], object]) -> list[dict[str, Any]]:
    return [worked(task, repeat, reward(task, repeat)) for task in range(tasks) for repeat in range(repeats)]


def mixed(task: int, repeat: int) -> int:
    """Every third task always passes; of the others, one passes once and one twice."""
    return int(task % 3 == 0 or repeat < task % 3)
