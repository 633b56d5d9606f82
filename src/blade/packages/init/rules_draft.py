"""A `blade.yaml` drafted from a run: its pass rule, the tools on the way to a pass as stages, what its tools do, its slices.

No labels: what a failure of this benchmark looks like is for somebody who knows it to say, and the built-in signals are there anyway.
"""

from collections.abc import Mapping
from typing import Any, Final

from blade.runs.run import Run

ON_THE_WAY: Final = 0.99
"""The share of passing rollouts that call a tool where calling it is a stage; a stage that passes skip is none."""
MOST_TOOLS: Final = 50
MOST_SLICES: Final = 10
HEAD: Final = """\
# Drafted by `blade package init` from the run; edit it. docs/blade-yaml.md describes every key.
# Add labels for failures that only this benchmark has, for example:
#   labels:
#     - {code: gave_up_early, label: BI, meaning: ended without trying, when: {field: tool_calls, lt: 1}}
"""


def rules_draft(run: Run, document: Mapping[str, Any], benchmark: str) -> str:
    import yaml

    tasks, agent = document["task_count"], (document.get("provenance") or {}).get("agent")
    said = f"{tasks} tasks" + (f", worked on by {agent}" if isinstance(agent, str) else "")
    rules: dict[str, Any] = {"benchmark": benchmark[:200], "description": said[:500]}
    threshold = document["pass_rule"]["threshold"]
    if document["pass_rule"]["kind"] in ("binary", "full_reward", "threshold") and threshold is not None:
        rules["pass"] = {"threshold": threshold}
    if stages := _stages(run):
        rules["stages"] = stages
    if slices := list(dict.fromkeys(item["by"] for item in document.get("slices") or ()))[:MOST_SLICES]:
        rules["slices"] = slices
    kinds = {tool["name"]: tool["kind"] for tool in document.get("tools") or () if tool["kind"] in ("read", "change")}
    if kinds:
        rules["tools"] = dict(list(kinds.items())[:MOST_TOOLS])
    text: str = yaml.safe_dump(rules, sort_keys=False, allow_unicode=True, width=120)
    return HEAD + text


def _stages(run: Run) -> list[dict[str, Any]]:
    """The tools that (nearly) every passing rollout calls, in the order in which it first does."""
    if not run.pass_rule.decides:
        return []
    rows = run.query(f"""
        WITH passing AS (SELECT rollout FROM rollouts WHERE class = 'scored' AND ({run.passes})),
             first_calls AS (SELECT c.rollout, c.name, min(c.step) AS step FROM calls AS c JOIN passing USING (rollout)
                             WHERE c.class = 'scored' AND c.name IS NOT NULL GROUP BY ALL)
        SELECT name FROM first_calls GROUP BY name
        HAVING count(*) >= {ON_THE_WAY} * (SELECT count(*) FROM passing) ORDER BY median(step), name""").rows
    return [
        {"name": f"called {name}"[:80], "meaning": f"a call of {name}"[:500], "when": {"call": name}}
        for (name,) in rows
        if not set(name) & set("*?[")
    ]
