"""Layouts that no tool has: every decision of whoever writes rows is drawn, once for a run.

Known layouts say whether rows that somebody has met are read; drawn ones, whether it matters that somebody has. What is wanted, what was
found and what the verifier made of it go by names and in forms that harnesses do use, in combinations that none of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from blade.lab.desk import dice
from blade.lab.layouts.facts import CALLS, Facts, Made, Verdict
from blade.lab.layouts.fields import all_passed, score, text
from blade.lab.layouts.writer import Writer
from blade.lab.stage.script import Row

_GOLD: Final = ("expected", "reference", "gold", "target", "ground_truth", "answer_key", "solution", "labels", "expectation", "oracle", "ideal", "desired")  # fmt: skip
_ITEM: Final = ("task", "item", "example", "sample", "doc", "test_case", "instance", "record", "scenario", "problem")
_CALLS: Final = ("tool_calls", "calls", "actions", "steps", "function_calls", "operations", "tool_uses", "invocations")
_ANSWER: Final = ("answer", "text", "final_answer", "response", "output", "reply", "value", "completion")
_NOTES: Final = ("rationale", "explanation", "notes", "comment", "why", "justification", "annotation", "facts", "evidence", "provenance", "remarks")  # fmt: skip
_FOUND: Final = ("output", "prediction", "observed", "actual", "submission", "parsed", "extracted", "model_output", "candidate")
_VERDICT: Final = ("grading", "evaluation", "score_details", "judgement", "eval_results", "verification", "checks", "scorers", "metrics")  # fmt: skip
_OPTIONS: Final = ("options", "choices", "candidates", "alternatives", "answer_options")
_TOPIC: Final = ("category", "topic", "domain", "subset", "task_type", "group")
_PLACE: Final = ("worker", "node", "host", "pod", "executor", "machine", "runner")
_NAMED: Final = (("name", "arguments"), ("tool", "args"), ("function", "parameters"), ("tool_name", "tool_args"), ("action", "kwargs"), ("name", "input"), ("name", "args"), ("tool", "input"))  # fmt: skip
_FORMS: Final = ("named", "named", "openai", "as_text", "code", "keyed", "pairs", "named_text")
_WORDS: Final = ((True, False), (1.0, 0.0), ("PASS", "FAIL"), ("correct", "incorrect"), ("yes", "no"), (1, 0), ("ok", "mismatch"))


def drawn(seed: int) -> Writer:
    """A writer whose every decision follows from the seed."""

    def write(facts: Facts) -> Row:
        return _write(facts, dice(seed, "layout"))

    return write


def _write(facts: Facts, rng: Random) -> Row:
    """The same draws for every row of a run: they depend on nothing that a row holds."""
    gold_name, item, calls_name, answer_name = (rng.choice(names) for names in (_GOLD, _ITEM, _CALLS, _ANSWER))
    notes, found_name, verdict_name = (rng.choice(names) for names in (_NOTES, _FOUND, _VERDICT))
    form, keys, mine = rng.choice(_FORMS), rng.choice(_NAMED), rng.choice(_FORMS)
    nothing = rng.choice(("empty", "null", "absent"))
    gold: Row = {}
    _set(gold, calls_name, _calls(facts.wanted, form, keys), nothing)
    _set(gold, answer_name, facts.answer, rng.choice(("null", "absent")))
    noted = {notes: _notes(facts.grounds, rng.choice(("text", "text", "sentences", "entries", "dated")))}
    where = rng.choice(("in_gold", "beside", "beside", "top", "metadata"))
    about = {rng.choice(_TOPIC): facts.topic, rng.choice(_OPTIONS): facts.options}
    if where == "in_gold":
        gold |= noted
    flat = rng.random() < 0.25
    wanted: Row = {f"{gold_name}_{name}": value for name, value in gold.items() if name != notes} if flat else {gold_name: gold}
    if flat and where == "in_gold":
        wanted |= noted
    if where == "beside":
        wanted |= noted
    row: Row = {item: {**about, **wanted}} if rng.random() < 0.6 else {**about, **wanted}
    if where == "top":
        row |= noted
    if where == "metadata":
        row |= {"metadata": {**noted, "split": "test"}}
    given: Row = {}
    _set(given, calls_name if rng.random() < 0.5 else rng.choice(_CALLS), _calls(facts.done, mine, keys), "null")
    _set(given, answer_name if rng.random() < 0.5 else rng.choice(_ANSWER), facts.said, "null")
    row |= {found_name: given} if rng.random() < 0.75 else {}
    row |= {verdict_name: _verdicts(facts, rng)}
    place = {rng.choice(_PLACE): facts.host}
    return row | (place if rng.random() < 0.4 else {rng.choice(("run_info", "runtime", "trace", "env")): place})


def _set(into: Row, name: str, value: Any, lacking: str) -> None:
    """A field, or what stands for it where there is nothing to write."""
    if value in (None, [], "[]"):
        value = None if lacking == "null" or value is None else value
        if lacking == "absent":
            return
    into[name] = value


def _calls(calls: Sequence[Made] | None, form: str, keys: tuple[str, str]) -> Any:
    if calls is None:
        return None
    name, given = keys
    match form:
        case "named":
            return [{name: tool, given: arguments} for tool, arguments in calls]
        case "named_text":
            return [{name: tool, given: text(arguments)} for tool, arguments in calls]
        case "openai":
            return [{"type": "function", "function": {"name": tool, "arguments": text(arguments)}} for tool, arguments in calls]
        case "as_text":
            return text([{name: tool, given: arguments} for tool, arguments in calls])
        case "code":
            return [f"{tool}({', '.join(f'{key}={value!r}' for key, value in given.items())})" for tool, given in calls]
        case "keyed":
            return [{tool: arguments} for tool, arguments in calls]
        case _:
            return [[tool, arguments] for tool, arguments in calls]


def _notes(grounds: str | None, form: str) -> Any:
    match form, grounds:
        case _, None:
            return None
        case "sentences", str():
            return [grounds]
        case "entries", str():
            return [{"author": "curation", "text": grounds}]
        case "dated", str():
            return f"Checked by two annotators. {grounds[:1].upper()}{grounds[1:].rstrip('.')}."
    return grounds


def _verdicts(facts: Facts, rng: Random) -> Any:
    form = rng.choice(("list", "by_name", "by_name_plain", "overall", "list_scores"))
    yes, no = rng.choice(_WORDS)
    reason, passed = rng.choice(("reason", "message", "explanation", "details", "feedback", "comment")), rng.choice(("passed", "success", "ok", "verdict", "result", "value"))  # fmt: skip
    error = rng.choice(("error", "exception", "error_message"))

    def word(one: Verdict) -> Any:
        return None if one.passed is None else yes if one.passed else no

    match form:
        case "list":
            return [{"name": one.name, passed: word(one), reason: one.why, error: facts.error} for one in facts.verdicts]
        case "list_scores":
            return [{"metric": one.name, "score": score(one), reason: facts.error or one.why} for one in facts.verdicts]
        case "by_name":
            return {one.name: {passed: word(one), reason: one.why, error: facts.error} for one in facts.verdicts}
        case "by_name_plain":
            plain: Row = {f"{one.name}_match": word(one) for one in facts.verdicts}
            return plain | {reason: "; ".join(one.why for one in facts.verdicts if one.why) or None, error: facts.error}
    whole = all_passed(facts)
    told = "; ".join(f"{'calls' if one.name == CALLS else 'answer'}: {one.why}" for one in facts.verdicts if one.why)
    return {passed: None if whole is None else yes if whole else no, reason: told or None, error: facts.error}
