"""Errors of whoever judged the rollout, in the row's own fields, and whose fault they are.

A judge or a verifier that could not be reached, was refused or ran out of quota was failed by the machinery (IR). One that ran and broke
on what it was given (a verdict that does not parse, a missing key, a time limit of its own) is itself at fault (TI). The name of the field
says who it was, the words say what happened; a judge is a service, so its timeouts are the machinery's, a verifier's are its own. An error that
no name lays at anybody's door, in a row whose rollout came to its end, happened to whoever came after: a program that broke on what was said.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from blade.signals.calls import matcher
from blade.signals.calls.mutation import words_of
from blade.signals.machinery.recorded import GRADER_FAILED, Recorded
from blade.signals.repeats import once_for_names
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts.speech import caseless

_FAILED: Final = (
    r"(?:error|exception|timeout|timed_out|traceback|crash(?:ed)?|failure|failed|fault|stderr)(?:_message|_text|_reason)?$"
)
_JUDGE: Final = re.compile(
    rf"(?:^|_)(?:judge|judgement|autorater|critic|reward_model|rm)_(?:\w+_)?{_FAILED}|^invalid_judge_response$|^judge_failed$"
)
_VERIFIER: Final = re.compile(
    rf"(?:verif(?:ier|ication|y)|evaluat(?:ion|or)|eval|grad(?:er|ing)|scor(?:er|ing)|extract(?:ion|or)|comparison|compare|reward|checker|rubric|parser|matcher|test_runner|test_harness|autograder)_?(?:\w+_)?{_FAILED}"
)
_COMPLETED: Final = re.compile(
    r"^(?:evaluat(?:ion|or)|eval|verif(?:ier|ication)|grad(?:er|ing)|scor(?:er|ing)|test_run|judging|judgement)_(?:was_)?(?:completed?|finished|done|ran|succeeded)$"
)
"""Flags that say whether the judging came to an end."""
_HOLDERS: Final = (
    "verifier_metadata",
    "verifier",
    "verification",
    "grading",
    "scoring",
    "evaluation",
    "eval_result",
    "judge",
    "reward_info",
)
_SERVICE: Final = frozenset(
    [
        "server_error",
        "rate_limited",
        "quota_exhausted",
        "connection_failed",
        "access_denied",
        "sandbox_failed",
        "disk_full",
        "store_failed",
    ]
)
"""Classes that speak of a service or a machine, whoever ran into them."""
_OWN: Final = re.compile(
    r"\b(?:Key|Attribute|Type|Value|Index|Name|Assertion|ZeroDivision|JSONDecode|Unicode\w*|Validation|Syntax|Recursion|Parse|Parsing)Error\b|Traceback|\bpars(?:e|ing|ed)\b|\bdecode\b|NoneType"
    r"|unexpected (?:format|token|end)|no (?:verdict|score|rating|grade) (?:found|in)|(?:verdict|score|rating|output|response) (?:is |was )?(?:malformed|empty|missing|not a number|out of range|invalid)",
    re.IGNORECASE,
)
_BROKE: Final = re.compile(
    r"\b(?:Key|Attribute|Type|Value|Index|Name|ZeroDivision|JSONDecode|Unicode\w*|Validation|Syntax|Recursion|Parse|Parsing)Error\b"
)
_ASSERTED: Final = re.compile(r"\bAssertionError\b")
"""What a test says of what it was given; no program breaks on its own with it."""
_FENCED: Final = re.compile(r"^[ \t]*```[ \t]*(\w*)[^\n]*\n(.*?)(?:```|\Z)", re.MULTILINE | re.DOTALL)
_NO_PROGRAM: Final = frozenset(
    ["json", "jsonl", "yaml", "yml", "xml", "csv", "tsv", "text", "txt", "plaintext", "markdown", "md", "html"]
)
_CODE_LINE: Final = re.compile(
    r"^[ \t]*(?:(?:async )?def \w+ ?\(|class \w+ ?[(:{]|import [\w.]+|from [\w.]+ import |#include\b|public class |fn \w+|func \w+|function \w+ ?\()",
    re.MULTILINE,
)
_ANYBODYS: Final = ("error", "exception", "exception_message", "error_message")
"""Fields that name nobody whose error it was."""
_JUDGES: Final = frozenset(
    ["verifier", "verifiers", "evaluator", "evaluators", "grader", "graders", "autograder", "scorer", "scorers", "checker", "checkers", "judge", "judges"]
)  # fmt: skip
_OF_JUDGING: Final = _JUDGES | frozenset([
    "verify", "verification", "verifications", "eval", "evals", "evaluation", "evaluations", "grade", "grades", "grading", "score", "scores", "scoring",
    "reward", "rewards", "check", "checks", "assert", "asserts", "assertion", "assertions", "metric", "metrics", "judging", "judgement", "judgements",
    "judgment", "judgments", "annotation", "annotations", "feedback", "feedbacks", "assessment", "assessments",
])  # fmt: skip
_OF_TESTS: Final = frozenset(
    ["test", "tests", "testcase", "testcases", "testresult", "testresults", "unittest", "unittests", "case", "cases"]
)
"""Words in names of those who judge, of objects that belong to them, and of tests, which run what was handed in: what is raised there may be its own."""
_TRIED_WITH: Final = frozenset(
    ["input", "inputs", "stdin", "stdout", "stderr", "args", "arguments", "expected", "expectation", "want", "wanted", "reference", "gold", "target"]
)  # fmt: skip
"""Words in names of what stands beside the error of a program that was tried: what it was given, what it printed and what it should have."""
_VERDICT: Final = frozenset([
    "score", "scores", "reward", "rewards", "passed", "pass", "label", "verdict", "correct", "success", "acc", "accuracy", "similarity", "match",
    "matched", "grade", "rating", "valid", "ok", "feedback",
])  # fmt: skip
_REMARKS: Final = frozenset(["comment", "comments", "reason", "reasons", "explanation", "rationale", "feedback", "remark"])
"""Words in names of verdicts, and names of what is said about one."""
_RAISED: Final = re.compile(r"\b\w*(?:Error|Exception|Timeout)\b|\bTraceback\b|\btimed out\b|\bdid not finish\b")
"""Words of what a program raises."""
_DEMANDS: Final = frozenset([
    "question", "problem", "instruction", "instructions", "query", "task", "prompt", "request", "persona", "scenario", "rubric", "rubrics", "criterion",
    "criteria", "expected", "reference", "gold", "solution", "answer", "statement", "description", "context", "passage",
])  # fmt: skip
_GRADERS: Final = ("grad", "verif", "scor")
"""One of these stands in every name of who checks."""
LONGEST_REMARK: Final = 600
DEEPEST: Final = 4
MOST_REMARKS: Final = 20
_NOTHING: Final = ("", "none", "null", "nan", "false", "no", "[]", "{}")


class JudgingError(NamedTuple):
    field: str
    text: str
    of_machinery: bool
    flag: bool = False
    """Whether all that is known is a flag that says that the judging did not come to an end."""


@once_for_each
def judging_errors(rollout: Rollout) -> tuple[JudgingError, ...]:
    """The errors of judging of a rollout's row, looked for once however many ask."""
    found = tuple(errors_of_judging(rollout.fields))
    if not found and rollout.closing is not None and not rollout.status.cut:
        raised = _without_verdict(rollout.fields, DEEPEST)
        if raised and not _holds_program(rollout.closing.text):
            found = tuple(JudgingError(path, text, _of_machinery(text, judge=False)) for path, text in raised)
    return found or tuple(JudgingError(place, error.line, of_machinery=False) for place, error in after_the_end(rollout))


def _without_verdict(value: Any, depth: int, path: str = "") -> list[tuple[str, str]]:
    """What was raised in objects that are named after judging and in which no verdict stands, but nothing where one could: whoever judged came to none."""
    found: list[tuple[str, str]] = []
    if isinstance(value, list):
        for inner in value[:MOST_REMARKS] if depth else ():
            if isinstance(inner, dict):
                found += _without_verdict(inner, depth - 1, path)
        return found
    if path and not value.keys().isdisjoint(_ANYBODYS) and _judges(path) and _has_none(value, path):
        for name in _ANYBODYS:
            text = value.get(name)
            if isinstance(text, str) and len(text) <= LONGEST_REMARK and _RAISED.search(text) and not _ASSERTED.search(text):
                found.append((f"{path}.{name}", text))
    for name, inner in value.items() if depth else ():
        if inner and isinstance(inner, (dict, list)):
            found += _without_verdict(inner, depth - 1, f"{path}.{name}" if path else str(name))
    return found


def _judges(path: str) -> bool:
    """Whether an object is named after judging, and not after tests of what was handed in."""
    words = set(words_of(path))
    return bool(words & _OF_JUDGING) and not words & _OF_TESTS


def _has_none(holder: dict[str, Any], path: str) -> bool:
    """Whether an object has a field for a verdict that is empty, no verdict in any other, and nothing that a program was tried with.

    One that is called after whoever judges may also hold nothing but the error and an empty remark.
    """
    others = {name: value for name, value in holder.items() if name not in _ANYBODYS}
    if any(isinstance(value, bool | int | float) or _TRIED_WITH & set(words_of(name)) for name, value in others.items()):
        return False
    if any(_empty(value) and _VERDICT & set(words_of(name)) for name, value in others.items()):
        return True
    judge = bool(_JUDGES & set(words_of(_at_end(path))))
    return judge and bool(others) and all(value is None and name in _REMARKS for name, value in others.items())


def _empty(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and bool(value) and all(one is None for one in value.values()))


@once_for_each
def after_the_end(rollout: Rollout) -> tuple[Recorded, ...]:
    """The recorded errors of a program that broke when the rollout had come to its end: an exception of its own code after the closing message."""
    return tuple(told for told in raised_late(rollout) if told not in of_the_tested(rollout))


@once_for_each
def of_the_tested(rollout: Rollout) -> tuple[Recorded, ...]:
    """Those that what was handed in may have raised when it was tested: of a program in the closing message, of an assertion, or as a call showed before."""
    late = raised_late(rollout)
    if not late or (rollout.closing is not None and _holds_program(rollout.closing.text)):
        return late
    shown = [item.text for item in rollout.output if item.kind == "tool_output"]
    return tuple(
        told for told in late if _ASSERTED.search(told.error.line) or any(told.error.line.strip() in text for text in shown)
    )


def raised_late(rollout: Rollout) -> tuple[Recorded, ...]:
    """The recorded exceptions that no name lays at anybody's door, in a row whose rollout came to its end."""
    if rollout.closing is None or rollout.status.cut:
        return ()
    return tuple(
        told
        for told in rollout.recorded
        if told.place in _ANYBODYS and (_BROKE.search(told.error.line) or _ASSERTED.search(told.error.line))
    )


def _holds_program(text: str) -> bool:
    """Whether a message holds code: lines that only a program has, or a fenced block of anything but data."""
    blocks = ((found[1].lower(), found[2].lstrip()) for found in _FENCED.finditer(text))
    fenced = any(body and (named not in _NO_PROGRAM if named else body[:1] not in "{[<") for named, body in blocks)
    return fenced or _CODE_LINE.search(text) is not None


def errors_of_judging(fields: dict[str, Any]) -> Iterator[JudgingError]:
    """The errors that a row records of its judging, those at the top first."""
    for holder, place in (("", fields), *((name, fields[name]) for name in _HOLDERS if name in fields)):
        for name in _of_judging(place) if isinstance(place, dict) else ():
            who, value = _named_after(name), place[name]
            path = f"{holder}.{name}" if holder else name
            if who is not None and tells(value):
                yield JudgingError(path, str(value), _of_machinery(str(value), who == "judge"))
            elif value is False and _came_to_an_end(name):
                yield JudgingError(path, "false", of_machinery=False, flag=True)
    remarks = [(path, remark) for path, remark in _remarks(fields, DEEPEST) if _grader_failed(remark)]
    told = {_at_end(name) for name in _of_judging(fields) if _named_after(name) is not None} if remarks else set()
    for path, remark in remarks:
        if _at_end(path) not in told and _named_after(_at_end(path)) is None and not _asks(path):
            yield JudgingError(path, remark, _of_machinery(remark, judge=False))


def _grader_failed(remark: str) -> bool:
    folded = caseless(remark)
    return any(mark in folded for mark in _GRADERS) and GRADER_FAILED.search(remark) is not None


def _at_end(path: str) -> str:
    return path.rpartition(".")[2]


def _asks(path: str) -> bool:
    """Whether a text is what was asked, expected or demanded: it may well speak of graders."""
    return any(_DEMANDS & set(words_of(key)) for key in path.split("."))


def _remarks(value: dict[str, Any] | list[Any], depth: int, path: str = "") -> list[tuple[str, str]]:
    """The short texts of a row's fields that may say that something failed, whatever they are called."""
    found: list[tuple[str, str]] = []
    named = isinstance(value, dict)
    if not depth or not (named or len(value) <= MOST_REMARKS):
        return found
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            if len(inner) <= LONGEST_REMARK and ("ed" in inner or "ime" in inner):
                found.append((_inside(path, name) if named else path, inner))
        elif inner and isinstance(inner, (dict, list)):
            found += _remarks(inner, depth - 1, _inside(path, name) if named else path)
    return found


def _inside(path: str, name: Any) -> str:
    return f"{path}.{name}" if path else str(name)


@once_for_names
def _of_judging(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those among the names of an object that speak of a failure of judging, or of its end."""
    return tuple(name for name in names if _named_after(name) is not None or _came_to_an_end(name))


@lru_cache(maxsize=4096)
def _named_after(name: str) -> Literal["judge", "verifier"] | None:
    """Whose failure a field is named after; the names come again with every row."""
    if _JUDGE.search(name) is not None or name == "_ng_failure_judge_error":
        return "judge"
    return "verifier" if _VERIFIER.search(name) else None


@lru_cache(maxsize=4096)
def _came_to_an_end(name: str) -> bool:
    """Whether a flag says that the judging came to an end."""
    return _COMPLETED.match(name) is not None


def _of_machinery(text: str, judge: bool) -> bool:
    kind = matcher.classify(text[-2_000:])
    if kind in _SERVICE:
        return True
    return judge and not _OWN.search(text)


def tells(value: Any) -> bool:
    """Whether a field that is named after a failure says that there was one."""
    if isinstance(value, str):
        return value.strip().lower() not in _NOTHING
    return value is True or (isinstance(value, dict | list) and bool(value))
