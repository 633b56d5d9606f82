"""What a row of an environment says, apart from how it says it: what was wanted, what the verifier found, and what it made of that."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from blade.lab.environments.arboretum.faults import read
from blade.lab.environments.insurer.faults import read_back
from blade.lab.stage.script import Row

Made = tuple[str, Row]
"""A call: the tool and its arguments."""


@dataclass(frozen=True)
class Verdict:
    """One check of the verifier: `passed` is None where it came to no verdict."""

    name: str
    passed: bool | None
    why: str | None = None


@dataclass(frozen=True)
class Facts:
    wanted: list[Made]
    answer: str | None
    done: list[Made] | None
    said: str | None
    verdicts: list[Verdict]
    topic: str
    options: Any
    grounds: str | None
    host: str | None
    error: str | None = None
    """What kept the verifier from a verdict."""


Reader = Callable[[Row], Facts]
CALLS: Final = "tool_calls"
ANSWER: Final = "answer"


def _verdicts(calls: str | None, answer: str | None, asks: bool, error: str | None = None) -> list[Verdict]:
    """The two checks that all have, by what each found wrong; without a verdict where an error came between."""
    told = ((CALLS, calls), *(((ANSWER, answer),) if asks else ()))
    return [Verdict(name, None if error else why is None, why) for name, why in told]


def _assay(row: Row) -> Facts:
    result, case = row["eval_case_result"], row["eval_case"]
    state, wanted = case["session_input"]["state"], case["expected_invocation"]
    actual = result["actual_invocation"] or {"intermediate_data": None, "final_response": None}
    named = {one["metric_name"]: one for one in result["eval_metric_results"]}
    calls, answer = (named.get(name) for name in ("tool_trajectory_exact", "final_response_exact"))
    error = result["error_message"]
    return Facts(
        [(one["name"], one["args"]) for one in wanted["intermediate_data"]["tool_uses"]],
        _part(wanted["final_response"]),
        None if actual["intermediate_data"] is None else [
            (one["name"], one["args"]) for one in actual["intermediate_data"]["tool_uses"]
        ],
        _part(actual["final_response"]),
        _verdicts((calls or {}).get("details"), (answer or {}).get("details"), answer is not None, error),
        case["eval_set_id"].rpartition(".")[2], state["options"], state["grounds"], row["session_details"]["worker"], error,
    )  # fmt: skip


def _part(response: Row | None) -> str | None:
    return None if response is None else response["parts"][0]["text"]


def _brewery(row: Row) -> Facts:
    result, golden = row["test_result"], row["golden"]
    metrics = {one["name"]: one for one in result["metrics_data"]}
    error = next((one["error"] for one in metrics.values() if one["error"]), None)
    made = result["tools_called"]
    return Facts(
        [(one["name"], one["input_parameters"]) for one in golden["expected_tools"]],
        golden["expected_output"],
        None if made is None else [(one["name"], one["input_parameters"]) for one in made],
        result["actual_output"],
        _verdicts(
            metrics["Tool Correctness"]["reason"], metrics.get("Exact Match", {}).get("reason"), "Exact Match" in metrics, error
        ),
        golden["additional_metadata"]["topic"], golden["additional_metadata"]["choices"], golden["context"][0],
        row["xdist"]["workerid"], error,
    )  # fmt: skip


def _rescue(row: Row) -> Facts:
    found, wanted, feedback = row["outputs"], row["reference_outputs"], row["feedback"]
    error = feedback["requests_match"]["comment"] if feedback["requests_match"]["score"] is None else None
    made = found["requests"]
    return Facts(
        [(one["operation"], one["body"]) for one in wanted["requests"]],
        wanted["reply"],
        None if made is None else [(one["operation"], one["body"]) for one in made],
        found["reply"],
        _verdicts(
            feedback["requests_match"]["comment"] or None, feedback["reply_match"]["comment"] or None, wanted["reply"] is not None, error
        ),
        row["inputs"]["scenario"], row["inputs"]["options"], row["metadata"]["derivation"],
        row["span"]["attributes"]["worker.slot"], error,
    )  # fmt: skip


def _market(row: Row) -> Facts:
    found, doc = row["assessment"], row["doc"]
    error = found["findings"][0] if found["status"] == "error" else None
    of_text = [one for one in found["findings"] if one.startswith("text is")]
    of_calls = [one for one in found["findings"] if one not in of_text]
    seen = found["observed"] or {"effects": None, "text": None}
    return Facts(
        [(name, given) for name, given in doc["target"]["effects"]],
        doc["target"]["text"],
        None if seen["effects"] is None else [(name, given) for name, given in seen["effects"]],
        seen["text"],
        _verdicts("; ".join(of_calls) or None, "; ".join(of_text) or None, doc["target"]["text"] is not None, error),
        doc["subject"], doc["choices"], doc["gloss"], row["trace"]["pod"], error,
    )  # fmt: skip


def _insurer(row: Row) -> Facts:
    found, wanted = row["grading"], row["solution"]
    kind, message = found["error_type"] or "", found["error_message"]
    error = message if kind.startswith("grader:") else None
    said = found["reply_read"]
    return Facts(
        [(one.name, dict(one.arguments)) for one in map(read_back, wanted["steps"])],
        wanted["reply"],
        None if error else [(one.name, dict(one.arguments)) for one in map(read_back, found["observed_changes"])],
        said if said is None or isinstance(said, str) else str(said),
        _verdicts(
            message if kind.startswith("state:") else None,
            message if kind.startswith("reply:") else None,
            wanted["reply"] is not None, error,
        ),
        row["category"], row["mc_options"], row["curator_comment"], row["exec_node"], error,
    )  # fmt: skip


def _publisher(row: Row) -> Facts:
    item, found = row["datasource_item"], row["sample"]
    named = {one["name"]: one for one in row["results"]}
    error = next((one["error"] for one in named.values() if one["error"]), None)
    made = found["output_tools"]
    asks = item["reference"] is not None
    logs = [one["log"] if one["passed"] is False else None for one in row["results"]]
    return Facts(
        [_function(one) for one in item["expected_tool_calls"]],
        item["reference"],
        None if made is None else [_function(one) for one in made],
        None if not asks else next((one["input"] for name, one in named.items() if name != "tool_calls"), None),
        _verdicts(logs[0], logs[1] if len(logs) > 1 else None, asks, error),
        item["category"], item["choices"], item["explanation"], row["run"]["runner"], error,
    )  # fmt: skip


def _function(one: Row) -> Made:
    return one["function"]["name"], json.loads(one["function"]["arguments"])


def _arboretum(row: Row) -> Facts:
    wanted, found = row["expectations"], row["outputs"]
    told = {one["assessment_name"]: one for one in row["assessments"] if "feedback" in one}
    error = next((one["feedback"]["error"]["error_message"] for one in told.values() if one["feedback"]["error"]), None)
    calls, answer = (told.get(name, {}).get("rationale") for name in ("tool_calls_match", "exact_answer"))
    return Facts(
        read(wanted["expected_tool_calls"]),
        wanted["expected_response"],
        None if found["tool_calls"] is None else read(found["tool_calls"]),
        found["answer"],
        _verdicts(calls, answer, "exact_answer" in told, error),
        row["inputs"]["category"], row["inputs"]["choices"], "; ".join(wanted["expected_facts"]), row["trace_info"]["tags"]["worker"], error,
    )  # fmt: skip


READERS: Final[dict[str, tuple[Reader, frozenset[str]]]] = {
    "arboretum": (_arboretum, frozenset(["expectations", "outputs", "assessments", "inputs", "trace_info"])),
    "publisher": (_publisher, frozenset(["datasource_item", "sample", "results", "status", "run"])),
    "assay": (_assay, frozenset(["eval_case_result", "eval_case", "session_details"])),
    "brewery": (_brewery, frozenset(["test_result", "golden", "xdist"])),
    "rescue": (_rescue, frozenset(["outputs", "reference_outputs", "feedback", "span", "inputs", "metadata"])),
    "market": (_market, frozenset(["assessment", "doc", "trace"])),
    "insurer": (_insurer, frozenset(["grading", "solution", "category", "mc_options", "curator_comment", "exec_node", "t_begin", "t_end"])),
}  # fmt: skip
"""The environments whose rows can be told again, each with the fields that its reader takes up."""
