"""How benchmarks and training frameworks write down one and the same thing: the fields of a row beside its conversation."""

from __future__ import annotations

from typing import Final

from blade.lab.layouts.facts import ANSWER, CALLS, Facts, Made
from blade.lab.layouts.fields import all_passed, found, named, score, text
from blade.lab.layouts.writer import Writer
from blade.lab.stage.script import Row


def verl(facts: Facts) -> Row:
    """A rollout of an RL trainer: the rule's ground truth, and what the reward function returned beside its score."""
    truth = facts.answer if facts.answer is not None else text(named(facts.wanted))
    return {
        "data_source": "tools/office",
        "ability": facts.topic,
        "reward_model": {"style": "rule", "ground_truth": truth},
        "extra_info": {"split": "train", "options": facts.options, "note": facts.grounds, "worker": facts.host},
        "reward_extra_info": {
            "acc": all_passed(facts),
            "pred": facts.said if facts.answer is not None else None if facts.done is None else text(named(facts.done)),
            "error": facts.error,
            "reason": next((one.why for one in facts.verdicts if one.why), None),
        },
    }


def verifiers(facts: Facts) -> Row:
    """A rollout of a verifiers environment: the dataset's answer and info, and the reward functions by name."""
    info = {"expected_calls": named(facts.wanted), "options": facts.options, "note": facts.grounds}
    return {
        "answer": facts.answer or "",
        "task": facts.topic,
        "info": text(info),
        "tool_calls_reward": next(score(one) for one in facts.verdicts if one.name == CALLS),
        "exact_answer_reward": next((score(one) for one in facts.verdicts if one.name == ANSWER), None),
        "state": {"parsed_answer": facts.said, "calls_made": named(facts.done), "host": facts.host, "error": facts.error},
    }


def bfcl(facts: Facts) -> Row:
    """A function-calling leaderboard's entry: each argument lists what is accepted, and errors have a type."""
    wrong = next((one for one in facts.verdicts if one.passed is False), None)
    return {
        "test_category": facts.topic,
        "possible_answer": facts.answer if facts.answer is not None else [
            {tool: {key: [value] for key, value in given.items()}} for tool, given in facts.wanted
        ],
        "model_result_decoded": facts.said if facts.answer is not None else None if facts.done is None else [
            {tool: given} for tool, given in facts.done
        ],
        "valid": all_passed(facts),
        "error": [facts.error] if facts.error else [wrong.why] if wrong else [],
        "error_type": "grader:timeout" if facts.error else f"checker:wrong_{wrong.name}" if wrong else None,
        "options": facts.options,
        "comment": facts.grounds,
        "host": facts.host,
    }  # fmt: skip


def tau(facts: Facts) -> Row:
    """A simulation of tau2-bench: criteria in the task, and a check for each action and each piece of information."""
    actions = [
        {"action_id": f"{facts.topic}_{number}", "requestor": "assistant", "name": tool, "arguments": given, "compare_args": None}
        for number, (tool, given) in enumerate(facts.wanted)
    ]
    passed = {one.name: one.passed for one in facts.verdicts}
    done = facts.done or []
    return {
        "task": {
            "description": {"purpose": facts.topic, "notes": facts.grounds},
            "evaluation_criteria": {
                "actions": actions, "communicate_info": [] if facts.answer is None else [facts.answer], "nl_assertions": None,
                "reward_basis": ["DB", "COMMUNICATE"],
            },
        },
        "reward_info": None if facts.error else {
            "db_check": {"db_match": passed[CALLS], "db_reward": float(bool(passed[CALLS]))},
            "action_checks": [
                {"action": one, "action_match": (one["name"], one["arguments"]) in done, "action_reward": float((one["name"], one["arguments"]) in done)}
                for one in actions
            ],
            "communicate_checks": [
                {"info": facts.answer, "met": passed[ANSWER], "justification": next(one.why for one in facts.verdicts if one.name == ANSWER) or "found"}
            ] if facts.answer is not None else [],
            "info": {"parsed": facts.said, "changes": named(facts.done)},
        },
        "options": facts.options,
        "info": {"host": facts.host, "error": facts.error},
    }  # fmt: skip


def milestones(facts: Facts) -> Row:
    """A scenario in the manner of ToolSandbox: milestones whose targets are traces of tools as JSON text, and what was said."""
    targets = [
        {"database_namespace": "SANDBOX", "target": {"tool_trace": text({"tool_name": tool, "arguments": given})}}
        for tool, given in facts.wanted
    ]
    targets += (
        []
        if facts.answer is None
        else [{"database_namespace": "SANDBOX", "target": {"sender": "AGENT", "content": facts.answer}}]
    )
    return {
        "scenario": {"name": facts.topic, "milestones": targets, "notes": facts.grounds, "options": facts.options},
        "similarity": None if facts.error else float(bool(all_passed(facts))),
        "evaluation": {
            "milestone_similarity": {one.name: score(one) for one in facts.verdicts},
            "tool_traces": None if facts.done is None else [text({"tool_name": tool, "arguments": given}) for tool, given in facts.done],
            "content": facts.said,
            "explanations": [one.why for one in facts.verdicts if one.why],
            "exception": facts.error,
        },
        "host": facts.host,
    }  # fmt: skip


def openai_evals(facts: Facts) -> Row:
    """Events of OpenAI's evals: a match of what was expected with what was picked."""
    events = [
        {
            "type": "error" if facts.error else "match",
            "data": {"error": facts.error} if facts.error else {
                "correct": one.passed, "metric": one.name,
                "expected": named(facts.wanted) if one.name == CALLS else facts.answer, "picked": found(facts, one),
                "reason": one.why,
            },
        }
        for one in facts.verdicts
    ]  # fmt: skip
    return {
        "ideal": facts.answer if facts.answer is not None else named(facts.wanted),
        "events": events,
        "sample": {"topic": facts.topic, "options": facts.options, "explanation": facts.grounds},
        "run_host": facts.host,
    }


def lm_eval(facts: Facts) -> Row:
    """A logged sample of the LM evaluation harness: the dataset's document, the target as text, filtered responses, metrics as numbers."""
    target = facts.answer if facts.answer is not None else text(named(facts.wanted))
    got = facts.said if facts.answer is not None else None if facts.done is None else text(named(facts.done))
    return {
        "doc": {"topic": facts.topic, "choices": facts.options, "target": target, "rationale": facts.grounds},
        "target": target,
        "filter": "strict-match",
        "filtered_resps": [got if got is not None else "[invalid]"],
        "metrics": ["exact_match"],
        "exact_match": None if facts.error else float(bool(all_passed(facts))),
        "scoring_error": facts.error,
        "node": facts.host,
    }


def helm(facts: Facts) -> Row:
    """An instance of HELM: references with a tag for the right one, and stats by name."""
    right = facts.answer if facts.answer is not None else text(named(facts.wanted))
    got = facts.said if facts.answer is not None else None if facts.done is None else text(named(facts.done))
    stats = [
        {
            "name": {"name": one.name, "split": "test"},
            "count": int(one.passed is not None),
            "sum": score(one),
            "mean": score(one),
        }
        for one in facts.verdicts
    ]
    return {
        "instance": {
            "references": [{"output": {"text": right}, "tags": ["correct"]}], "split": "test", "sub_split": facts.topic,
            "extra_data": {"rationale": facts.grounds, "options": facts.options},
        },
        "predicted_text": got,
        "stats": stats,
        "annotations": {"grader": {"error": facts.error, "comment": next((one.why for one in facts.verdicts if one.why), None)}},
        "worker": facts.host,
    }  # fmt: skip


def agentbench(facts: Facts) -> Row:
    """A run of AgentBench: the sample's label, and a result with the calls as lines of code."""
    return {
        "sample": {
            "description": facts.topic, "options": facts.options, "add_description": facts.grounds,
            "label": {"answer": facts.answer, "steps": [_code(*one) for one in facts.wanted]},
        },
        "result": {
            "is_correct": all_passed(facts), "answer": facts.said,
            "steps": None if facts.done is None else [_code(*one) for one in facts.done],
            "status": "evaluator error" if facts.error else "completed", "error": facts.error,
            "details": {one.name: {"ok": one.passed, "why": one.why} for one in facts.verdicts},
        },
        "assigned_to": facts.host,
    }  # fmt: skip


def _code(tool: str, given: Row) -> str:
    return f"{tool}({', '.join(f'{key}={value!r}' for key, value in given.items())})"


def mcp_bench(facts: Facts) -> Row:
    """A task of an MCP benchmark: server and tool apart, as the client's config names them."""

    def split(calls: list[Made] | None) -> list[Row] | None:
        if calls is None:
            return None
        return [{"server": tool.partition("__")[0], "tool": tool.partition("__")[2], "arguments": given} for tool, given in calls]

    return {
        "task_config": {
            "category": facts.topic, "options": facts.options, "rationale": facts.grounds,
            "evaluators": [{"func": "executed", "op": "match", "value": split(facts.wanted)}]
            + ([] if facts.answer is None else [{"func": "answer", "op": "=", "value": facts.answer}]),
        },
        "evaluation_results": [
            {"func": "executed" if one.name == CALLS else "answer", "passed": one.passed, "reason": one.why, "error": facts.error,
             "response": split(facts.done) if one.name == CALLS else facts.said}
            for one in facts.verdicts
        ],
        "host": facts.host,
    }  # fmt: skip


WRITERS: Final[dict[str, Writer]] = {
    one.__name__: one
    for one in (verl, verifiers, bfcl, tau, milestones, openai_evals, lm_eval, helm, agentbench, mcp_bench)
}  # fmt: skip
