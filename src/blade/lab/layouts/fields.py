"""What the writers of all layouts share: calls, texts and verdicts as fields."""

from __future__ import annotations

import json
from typing import Any

from blade.lab.layouts.facts import CALLS, Facts, Made, Verdict
from blade.lab.stage.script import Row


def named(calls: list[Made] | None, name: str = "name", given: str = "arguments") -> list[Row] | None:
    return None if calls is None else [{name: tool, given: arguments} for tool, arguments in calls]


def text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def score(one: Verdict) -> float | None:
    return None if one.passed is None else float(one.passed)


def found(facts: Facts, one: Verdict) -> Any:
    return named(facts.done) if one.name == CALLS else facts.said


def all_passed(facts: Facts) -> bool | None:
    return None if facts.error else all(one.passed for one in facts.verdicts)


def worded(options: Any) -> list[str] | None:
    return list(options.values()) if isinstance(options, dict) else options
