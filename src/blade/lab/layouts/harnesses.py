"""How harnesses and benchmarks write down one and the same thing: the fields of a row beside its conversation, each as its tool logs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from blade.lab.layouts.facts import ANSWER, CALLS, Facts, Made, Verdict
from blade.lab.stage.script import Row

Writer = Callable[[Facts], Row]


def _named(calls: list[Made] | None, name: str = "name", given: str = "arguments") -> list[Row] | None:
    return None if calls is None else [{name: tool, given: arguments} for tool, arguments in calls]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _score(one: Verdict) -> float | None:
    return None if one.passed is None else float(one.passed)


def _found(facts: Facts, one: Verdict) -> Any:
    return _named(facts.done) if one.name == CALLS else facts.said


def _all_passed(facts: Facts) -> bool | None:
    return None if facts.error else all(one.passed for one in facts.verdicts)


def inspect(facts: Facts) -> Row:
    """A sample of an Inspect log: one target, a score for each scorer, with letters for verdicts."""
    calls = [{"function": tool, "arguments": given, "type": "function"} for tool, given in facts.wanted]
    letter = {True: "C", False: "I", None: "N"}
    return {
        "target": _text(calls) if facts.answer is None else facts.answer,
        "choices": _worded(facts.options),
        "metadata": {"topic": facts.topic, "grounds": facts.grounds},
        "scores": {
            f"match_{one.name}": {
                "value": letter[one.passed],
                "answer": _text(facts.done) if one.name == CALLS else facts.said,
                "explanation": facts.error or one.why,
                "metadata": None,
            }
            for one in facts.verdicts
        },
        "store": {"host": facts.host},
    }


def _worded(options: Any) -> list[str] | None:
    return list(options.values()) if isinstance(options, dict) else options


def langsmith(facts: Facts) -> Row:
    """A run of an experiment with the example it was made for and the feedback on it."""
    typed = [{"name": tool, "args": given, "type": "tool_call"} for tool, given in facts.wanted]
    made = None if facts.done is None else [{"name": tool, "args": given, "type": "tool_call"} for tool, given in facts.done]
    return {
        "reference_example": {
            "inputs": {"topic": facts.topic, "options": facts.options},
            "outputs": {"tool_calls": typed, "output": facts.answer},
            "metadata": {"dataset_split": ["base"], "note": facts.grounds},
        },
        "outputs": {"tool_calls": made, "output": facts.said},
        "feedback": [
            {"key": f"{one.name}_correct", "score": _score(one), "value": None, "comment": facts.error or one.why}
            for one in facts.verdicts
        ],
        "extra": {"runtime": {"host": facts.host}},
    }


def promptfoo(facts: Facts) -> Row:
    """A result with its test case: an assertion for each call and for the answer, and a component for each assertion."""
    asserts: list[Row] = [
        {"type": "trajectory:tool-args-match", "value": {"name": tool, "args": given, "mode": "exact"}}
        for tool, given in facts.wanted
    ]
    asserts += [{"type": "trajectory:step-count", "value": {"type": "tool", "max": len(facts.wanted)}}]
    asserts += [] if facts.answer is None else [{"type": "equals", "value": facts.answer}]
    by_name = {one.name: one for one in facts.verdicts}
    parts = []
    for check in asserts:
        one = by_name[ANSWER if check["type"] == "equals" else CALLS]
        if check["type"] == "trajectory:tool-args-match" and facts.done is not None:
            given = check["value"]
            passed = any((tool, made) == (given["name"], given["args"]) for tool, made in facts.done)
            parts.append(_component(check, passed, None if passed else f"No call of {given['name']} has the expected arguments"))
        elif check["type"] == "trajectory:step-count" and facts.done is not None:
            passed = one.passed or len(facts.done) <= len(facts.wanted)
            parts.append(_component(check, passed, None if passed else one.why))
        else:
            parts.append(_component(check, one.passed, one.why))
    reason = facts.error or next((one.why for one in facts.verdicts if one.why), "All assertions passed")
    return {
        "success": _all_passed(facts),
        "vars": {"topic": facts.topic, "options": facts.options},
        "testCase": {"description": facts.topic, "assert": asserts, "metadata": {"source": facts.grounds}},
        "gradingResult": {"pass": _all_passed(facts), "reason": reason, "componentResults": [] if facts.error else parts},
        "metadata": {"toolCalls": _named(facts.done, given="args"), "parsed": facts.said, "host": facts.host},
    }


def _component(check: Row, passed: bool | None, why: str | None) -> Row:
    return {"pass": passed, "score": float(bool(passed)), "reason": why or "Assertion passed", "assertion": check}


def deepeval(facts: Facts) -> Row:
    """A test result at the top of the row."""
    return {
        "success": _all_passed(facts),
        "expected_tools": _named(facts.wanted, given="input_parameters"),
        "tools_called": _named(facts.done, given="input_parameters"),
        "expected_output": facts.answer,
        "actual_output": facts.said,
        "context": [facts.grounds],
        "additional_metadata": {"topic": facts.topic, "options": facts.options, "worker": facts.host},
        "metrics_data": [
            {
                "name": one.name,
                "success": one.passed,
                "score": _score(one),
                "threshold": 0.5,
                "reason": one.why,
                "error": facts.error,
            }
            for one in facts.verdicts
        ],
    }


def braintrust(facts: Facts) -> Row:
    """A span of an experiment: input, expected, output, scores by name."""
    return {
        "input": {"topic": facts.topic, "options": facts.options},
        "expected": {"tool_calls": _named(facts.wanted), "answer": facts.answer},
        "output": {"tool_calls": _named(facts.done), "answer": facts.said},
        "scores": {one.name: _score(one) for one in facts.verdicts},
        "metadata": {
            "grounds": facts.grounds,
            "host": facts.host,
            "reasons": {one.name: one.why for one in facts.verdicts},
            "scorer_errors": {one.name: facts.error for one in facts.verdicts} if facts.error else None,
        },
    }


def ragas(facts: Facts) -> Row:
    """A sample with its reference and the metrics as columns."""
    return {
        "reference": facts.answer,
        "reference_tool_calls": _named(facts.wanted, given="args"),
        "predicted_tool_calls": _named(facts.done, given="args"),
        "reference_contexts": [facts.grounds],
        "topic": facts.topic,
        "options": facts.options,
        "host": facts.host,
        **{{CALLS: "tool_call_accuracy", ANSWER: "exact_match"}[one.name]: _score(one) for one in facts.verdicts},
        "evaluation_error": facts.error,
    }


def mlflow(facts: Facts) -> Row:
    """A trace with its assessments, expectations among them."""
    source = {"source_type": "CODE", "source_id": "scorers"}
    feedback = [
        {
            "assessment_name": f"{one.name}_match", "source": source, "feedback": {"value": {True: "yes", False: "no", None: None}[one.passed]},
            "rationale": one.why, "error": facts.error,
        }
        for one in facts.verdicts
    ]  # fmt: skip
    expected = {"expected_tool_calls": _named(facts.wanted), "expected_response": facts.answer, "expected_facts": [facts.grounds]}
    return {
        "inputs": {"topic": facts.topic, "options": facts.options},
        "outputs": {"tool_calls": _named(facts.done), "response": facts.said},
        "expectations": expected,
        "assessments": feedback,
        "tags": {"mlflow.host": facts.host},
    }


def mlflow_traces(facts: Facts) -> Row:
    """The same where expectations stand among the assessments of a trace, as `search_traces` returns them."""
    row = mlflow(facts)
    source = {"source_type": "HUMAN", "source_id": "dataset"}
    told = {name: value for name, value in row.pop("expectations").items() if value is not None}
    expected = [
        {"assessment_name": name, "source": source, "expectation": {"value": value if isinstance(value, str) else _text(value)}}
        for name, value in told.items()
    ]
    return {**row, "assessments": [*expected, *row["assessments"]]}


def verl(facts: Facts) -> Row:
    """A rollout of an RL trainer: the rule's ground truth, and what the reward function returned beside its score."""
    truth = facts.answer if facts.answer is not None else _text(_named(facts.wanted))
    return {
        "data_source": "tools/office",
        "ability": facts.topic,
        "reward_model": {"style": "rule", "ground_truth": truth},
        "extra_info": {"split": "train", "options": facts.options, "note": facts.grounds, "worker": facts.host},
        "reward_extra_info": {
            "acc": _all_passed(facts),
            "pred": facts.said if facts.answer is not None else None if facts.done is None else _text(_named(facts.done)),
            "error": facts.error,
            "reason": next((one.why for one in facts.verdicts if one.why), None),
        },
    }


def verifiers(facts: Facts) -> Row:
    """A rollout of a verifiers environment: the dataset's answer and info, and the reward functions by name."""
    info = {"expected_calls": _named(facts.wanted), "options": facts.options, "note": facts.grounds}
    return {
        "answer": facts.answer or "",
        "task": facts.topic,
        "info": _text(info),
        "tool_calls_reward": next(_score(one) for one in facts.verdicts if one.name == CALLS),
        "exact_answer_reward": next((_score(one) for one in facts.verdicts if one.name == ANSWER), None),
        "state": {"parsed_answer": facts.said, "calls_made": _named(facts.done), "host": facts.host, "error": facts.error},
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
        "valid": _all_passed(facts),
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
            "info": {"parsed": facts.said, "changes": _named(facts.done)},
        },
        "options": facts.options,
        "info": {"host": facts.host, "error": facts.error},
    }  # fmt: skip


def milestones(facts: Facts) -> Row:
    """A scenario in the manner of ToolSandbox: milestones whose targets are traces of tools as JSON text, and what was said."""
    targets = [
        {"database_namespace": "SANDBOX", "target": {"tool_trace": _text({"tool_name": tool, "arguments": given})}}
        for tool, given in facts.wanted
    ]
    targets += (
        []
        if facts.answer is None
        else [{"database_namespace": "SANDBOX", "target": {"sender": "AGENT", "content": facts.answer}}]
    )
    return {
        "scenario": {"name": facts.topic, "milestones": targets, "notes": facts.grounds, "options": facts.options},
        "similarity": None if facts.error else float(bool(_all_passed(facts))),
        "evaluation": {
            "milestone_similarity": {one.name: _score(one) for one in facts.verdicts},
            "tool_traces": None if facts.done is None else [_text({"tool_name": tool, "arguments": given}) for tool, given in facts.done],
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
                "expected": _named(facts.wanted) if one.name == CALLS else facts.answer, "picked": _found(facts, one),
                "reason": one.why,
            },
        }
        for one in facts.verdicts
    ]  # fmt: skip
    return {
        "ideal": facts.answer if facts.answer is not None else _named(facts.wanted),
        "events": events,
        "sample": {"topic": facts.topic, "options": facts.options, "explanation": facts.grounds},
        "run_host": facts.host,
    }


def lm_eval(facts: Facts) -> Row:
    """A logged sample of the LM evaluation harness: the dataset's document, the target as text, filtered responses, metrics as numbers."""
    target = facts.answer if facts.answer is not None else _text(_named(facts.wanted))
    got = facts.said if facts.answer is not None else None if facts.done is None else _text(_named(facts.done))
    return {
        "doc": {"topic": facts.topic, "choices": facts.options, "target": target, "rationale": facts.grounds},
        "target": target,
        "filter": "strict-match",
        "filtered_resps": [got if got is not None else "[invalid]"],
        "metrics": ["exact_match"],
        "exact_match": None if facts.error else float(bool(_all_passed(facts))),
        "scoring_error": facts.error,
        "node": facts.host,
    }


def helm(facts: Facts) -> Row:
    """An instance of HELM: references with a tag for the right one, and stats by name."""
    right = facts.answer if facts.answer is not None else _text(_named(facts.wanted))
    got = facts.said if facts.answer is not None else None if facts.done is None else _text(_named(facts.done))
    stats = [
        {
            "name": {"name": one.name, "split": "test"},
            "count": int(one.passed is not None),
            "sum": _score(one),
            "mean": _score(one),
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


def vertex(facts: Facts) -> Row:
    """An instance of Vertex AI's evaluation: reference and predicted trajectories, metrics as flat columns."""
    return {
        "reference_trajectory": _named(facts.wanted, "tool_name", "tool_input"),
        "predicted_trajectory": _named(facts.done, "tool_name", "tool_input"),
        "reference": facts.answer,
        "extracted": facts.said,
        **{
            f"{ {CALLS: 'trajectory_exact_match', ANSWER: 'exact_match'}[one.name] }/score": _score(one) for one in facts.verdicts
        },
        "evaluation/error": facts.error,
        "evaluation/host": facts.host,
        "dataset/topic": facts.topic,
        "dataset/options": facts.options,
        "dataset/rationale": facts.grounds,
    }  # fmt: skip


def azure(facts: Facts) -> Row:
    """A line of an Azure AI evaluation: what went in and what came out, flattened into columns."""
    results = {CALLS: "tool_call_accuracy", ANSWER: "answer_match"}
    row: Row = {
        "inputs.query_topic": facts.topic,
        "inputs.ground_truth": facts.answer,
        "inputs.expected_tool_calls": _text(
            [{"type": "tool_call", "name": tool, "arguments": given} for tool, given in facts.wanted]
        ),
        "inputs.options": facts.options,
        "inputs.context": facts.grounds,
        "outputs.tool_calls": _text(_named(facts.done)),
        "outputs.answer": facts.said,
        "run.host": facts.host,
        "run.error": facts.error,
    }
    for one in facts.verdicts:
        name = results[one.name]
        row |= {
            f"outputs.{name}.{name}_result": {True: "pass", False: "fail", None: None}[one.passed],
            f"outputs.{name}.{name}_reason": one.why,
        }
    return row


def phoenix(facts: Facts) -> Row:
    """A run of a Phoenix experiment: the example's own output is the gold, annotations have labels."""
    label = {True: "correct", False: "incorrect", None: None}
    return {
        "example": {
            "input": {"topic": facts.topic, "options": facts.options},
            "output": {"messages": [{"role": "assistant", "content": facts.answer, "tool_calls": [
                {"function": {"name": tool, "arguments": _text(given)}} for tool, given in facts.wanted
            ]}]},
            "metadata": {"rationale": facts.grounds},
        },
        "result": {"answer": facts.said, "tool_calls": _named(facts.done)},
        "annotations": [
            {"name": one.name, "annotator_kind": "CODE", "label": label[one.passed], "score": _score(one), "explanation": one.why, "error": facts.error}
            for one in facts.verdicts
        ],
        "resource": {"host": facts.host},
    }  # fmt: skip


def weave(facts: Facts) -> Row:
    """A call of a Weave evaluation: the dataset's row among the inputs, scores under the names of scorers."""
    return {
        "inputs": {
            "example": {"topic": facts.topic, "options": facts.options, "label": {"calls": _named(facts.wanted, "tool", "kwargs"), "answer": facts.answer}, "note": facts.grounds}
        },
        "model_output": {"calls": _named(facts.done, "tool", "kwargs"), "answer": facts.said},
        "scores": {one.name: {"correct": one.passed, "reason": one.why, "error": facts.error} for one in facts.verdicts},
        "summary": {"weave": {"host": facts.host}},
    }  # fmt: skip


def agentbench(facts: Facts) -> Row:
    """A run of AgentBench: the sample's label, and a result with the calls as lines of code."""
    return {
        "sample": {
            "description": facts.topic, "options": facts.options, "add_description": facts.grounds,
            "label": {"answer": facts.answer, "steps": [_code(*one) for one in facts.wanted]},
        },
        "result": {
            "is_correct": _all_passed(facts), "answer": facts.said,
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
    for one in (
        inspect, langsmith, promptfoo, deepeval, braintrust, ragas, mlflow, mlflow_traces, verl, verifiers, bfcl, tau, milestones,
        openai_evals, lm_eval, helm, vertex, azure, phoenix, weave, agentbench, mcp_bench,
    )
}  # fmt: skip
