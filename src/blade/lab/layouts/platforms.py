"""How evaluation platforms write down one and the same thing: the fields of a row beside its conversation."""

from __future__ import annotations

from typing import Final

from blade.lab.layouts.facts import ANSWER, CALLS, Facts
from blade.lab.layouts.fields import all_passed, named, score, text, worded
from blade.lab.layouts.writer import Writer
from blade.lab.stage.script import Row


def inspect(facts: Facts) -> Row:
    """A sample of an Inspect log: one target, a score for each scorer, with letters for verdicts."""
    calls = [{"function": tool, "arguments": given, "type": "function"} for tool, given in facts.wanted]
    letter = {True: "C", False: "I", None: "N"}
    return {
        "target": text(calls) if facts.answer is None else facts.answer,
        "choices": worded(facts.options),
        "metadata": {"topic": facts.topic, "grounds": facts.grounds},
        "scores": {
            f"match_{one.name}": {
                "value": letter[one.passed],
                "answer": text(facts.done) if one.name == CALLS else facts.said,
                "explanation": facts.error or one.why,
                "metadata": None,
            }
            for one in facts.verdicts
        },
        "store": {"host": facts.host},
    }


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
            {"key": f"{one.name}_correct", "score": score(one), "value": None, "comment": facts.error or one.why}
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
        "success": all_passed(facts),
        "vars": {"topic": facts.topic, "options": facts.options},
        "testCase": {"description": facts.topic, "assert": asserts, "metadata": {"source": facts.grounds}},
        "gradingResult": {"pass": all_passed(facts), "reason": reason, "componentResults": [] if facts.error else parts},
        "metadata": {"toolCalls": named(facts.done, given="args"), "parsed": facts.said, "host": facts.host},
    }


def _component(check: Row, passed: bool | None, why: str | None) -> Row:
    return {"pass": passed, "score": float(bool(passed)), "reason": why or "Assertion passed", "assertion": check}


def deepeval(facts: Facts) -> Row:
    """A test result at the top of the row."""
    return {
        "success": all_passed(facts),
        "expected_tools": named(facts.wanted, given="input_parameters"),
        "tools_called": named(facts.done, given="input_parameters"),
        "expected_output": facts.answer,
        "actual_output": facts.said,
        "context": [facts.grounds],
        "additional_metadata": {"topic": facts.topic, "options": facts.options, "worker": facts.host},
        "metrics_data": [
            {
                "name": one.name,
                "success": one.passed,
                "score": score(one),
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
        "expected": {"tool_calls": named(facts.wanted), "answer": facts.answer},
        "output": {"tool_calls": named(facts.done), "answer": facts.said},
        "scores": {one.name: score(one) for one in facts.verdicts},
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
        "reference_tool_calls": named(facts.wanted, given="args"),
        "predicted_tool_calls": named(facts.done, given="args"),
        "reference_contexts": [facts.grounds],
        "topic": facts.topic,
        "options": facts.options,
        "host": facts.host,
        **{{CALLS: "tool_call_accuracy", ANSWER: "exact_match"}[one.name]: score(one) for one in facts.verdicts},
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
    expected = {"expected_tool_calls": named(facts.wanted), "expected_response": facts.answer, "expected_facts": [facts.grounds]}
    return {
        "inputs": {"topic": facts.topic, "options": facts.options},
        "outputs": {"tool_calls": named(facts.done), "response": facts.said},
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
        {"assessment_name": name, "source": source, "expectation": {"value": value if isinstance(value, str) else text(value)}}
        for name, value in told.items()
    ]
    return {**row, "assessments": [*expected, *row["assessments"]]}


def vertex(facts: Facts) -> Row:
    """An instance of Vertex AI's evaluation: reference and predicted trajectories, metrics as flat columns."""
    return {
        "reference_trajectory": named(facts.wanted, "tool_name", "tool_input"),
        "predicted_trajectory": named(facts.done, "tool_name", "tool_input"),
        "reference": facts.answer,
        "extracted": facts.said,
        **{
            f"{ {CALLS: 'trajectory_exact_match', ANSWER: 'exact_match'}[one.name] }/score": score(one) for one in facts.verdicts
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
        "inputs.expected_tool_calls": text(
            [{"type": "tool_call", "name": tool, "arguments": given} for tool, given in facts.wanted]
        ),
        "inputs.options": facts.options,
        "inputs.context": facts.grounds,
        "outputs.tool_calls": text(named(facts.done)),
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
                {"function": {"name": tool, "arguments": text(given)}} for tool, given in facts.wanted
            ]}]},
            "metadata": {"rationale": facts.grounds},
        },
        "result": {"answer": facts.said, "tool_calls": named(facts.done)},
        "annotations": [
            {"name": one.name, "annotator_kind": "CODE", "label": label[one.passed], "score": score(one), "explanation": one.why, "error": facts.error}
            for one in facts.verdicts
        ],
        "resource": {"host": facts.host},
    }  # fmt: skip


def weave(facts: Facts) -> Row:
    """A call of a Weave evaluation: the dataset's row among the inputs, scores under the names of scorers."""
    return {
        "inputs": {
            "example": {"topic": facts.topic, "options": facts.options, "label": {"calls": named(facts.wanted, "tool", "kwargs"), "answer": facts.answer}, "note": facts.grounds}
        },
        "model_output": {"calls": named(facts.done, "tool", "kwargs"), "answer": facts.said},
        "scores": {one.name: {"correct": one.passed, "reason": one.why, "error": facts.error} for one in facts.verdicts},
        "summary": {"weave": {"host": facts.host}},
    }  # fmt: skip


WRITERS: Final[dict[str, Writer]] = {
    one.__name__: one
    for one in (inspect, langsmith, promptfoo, deepeval, braintrust, ragas, mlflow, mlflow_traces, vertex, azure, phoenix, weave)
}  # fmt: skip
