"""Layouts that no tool has: every decision of whoever writes rows is drawn, once for a run.

Known layouts say whether rows that somebody has met are read; drawn ones, whether it matters that somebody has. What is wanted, what was
found and what the verifier made of it go by names and in forms that harnesses do use, in combinations that none of them does. An expert
can tell from the rows which is which, so nothing that a row says may be lost on the way, and nothing is named after what it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from blade.lab.desk import dice
from blade.lab.layouts.drawn_calls import FORMS, NAMED, RECORDS, written
from blade.lab.layouts.drawn_verdicts import Verdicts, draw_verdicts
from blade.lab.layouts.facts import Facts, Made
from blade.lab.layouts.fields import text
from blade.lab.layouts.writer import Writer
from blade.lab.stage.script import Row

_GOLD: Final = ("expected", "reference", "gold", "target", "ground_truth", "answer_key", "solution", "labels", "expectation", "oracle", "ideal", "desired", "want", "should_be", "spec", "label", "truth", "answer_sheet", "data")  # fmt: skip
_ITEM: Final = ("task", "item", "example", "sample", "doc", "test_case", "instance", "record", "scenario", "problem", "payload", "fixture", "entry", "datapoint", "source_row")  # fmt: skip
_CALLS: Final = ("tool_calls", "calls", "actions", "steps", "function_calls", "operations", "tool_uses", "invocations", "sequence", "plan", "ops", "api_calls", "requests", "mutations", "effects")  # fmt: skip
_STATE: Final = ("end_state", "final_state", "db_state", "records", "state_changes")
_ANSWER: Final = ("answer", "text", "final_answer", "response", "output", "reply", "value", "completion", "final", "result", "content", "message", "utterance")  # fmt: skip
_NOTES: Final = ("rationale", "explanation", "notes", "comment", "why", "justification", "annotation", "facts", "evidence", "provenance", "remarks", "context", "background", "source", "memo", "derivation", "gloss", "audit")  # fmt: skip
_FOUND: Final = ("output", "prediction", "observed", "actual", "submission", "parsed", "extracted", "model_output", "candidate", "got", "seen", "result", "agent_output", "returned", "system_output")  # fmt: skip
_VERDICT: Final = ("grading", "evaluation", "score_details", "judgement", "eval_results", "verification", "checks", "scorers", "metrics", "results", "report", "outcome", "assessment", "feedback", "quality")  # fmt: skip
_OPTIONS: Final = ("options", "choices", "candidates", "alternatives", "answer_options")
_TOPIC: Final = ("category", "topic", "domain", "subset", "task_type", "group")
_PLACE: Final = ("worker", "node", "host", "pod", "executor", "machine", "runner")
_AROUND_PLACE: Final = ("run_info", "runtime", "trace", "env")
_NOTED: Final = ("text", "text", "sentences", "entries", "several", "object", "dated")
_WRAPS: Final = ("object", "object", "object", "joined", "typed", "typed_entries", "text")
_NOTHING: Final = ("empty", "null", "absent")


@dataclass(frozen=True)
class _Layout:
    """What was decided for a run; `wrap` is how the gold stands together, `spelling` how fields are named, `flat` whether objects became columns."""

    gold: str
    item: str | None
    calls: str
    answer: str
    form: str
    keys: tuple[str, str]
    nothing: str
    wrap: str
    notes: str
    noted: str
    where: str
    options: str
    topic: str
    found: str | None
    made: str
    made_form: str
    said: str
    as_text: frozenset[str]
    """What is written down as JSON text: the item, what was found, the verdict."""
    verdict: str
    verdicts: Verdicts
    place: str
    around: str | None
    spelling: str
    flat: bool


def drawn(seed: int) -> Writer:
    """A writer whose every decision follows from the seed."""
    layout = _draw(dice(seed, "layout"))

    def write(facts: Facts) -> Row:
        return _write(facts, layout)

    return write


def _draw(rng: Random) -> _Layout:
    form = RECORDS if rng.random() < 0.08 else rng.choice(FORMS)
    calls, answer = rng.choice(_STATE if form == RECORDS else _CALLS), rng.choice(_ANSWER)
    made_form = "named" if form == RECORDS else rng.choice((form, rng.choice(FORMS)))
    return _Layout(
        gold=rng.choice(_GOLD),
        item=rng.choice((*_ITEM, *[None] * 6)),
        calls=calls,
        answer=answer,
        form=form,
        keys=rng.choice(NAMED),
        nothing=rng.choice(_NOTHING),
        wrap=rng.choice(_WRAPS),
        notes=rng.choice(_NOTES),
        noted=rng.choice(_NOTED),
        where=rng.choice(("in_gold", "beside", "beside", "top", "metadata")),
        options=rng.choice(_OPTIONS),
        topic=rng.choice(_TOPIC),
        found=rng.choice((*_FOUND, *[None] * 3)),
        made=rng.choice((calls if form != RECORDS else "calls", rng.choice(_CALLS))),
        made_form=made_form,
        said=rng.choice((answer, rng.choice(_ANSWER))),
        as_text=frozenset(part for part in ("item", "found", "verdict") if rng.random() < 0.07),
        verdict=rng.choice(_VERDICT),
        verdicts=draw_verdicts(rng),
        place=rng.choice(_PLACE),
        around=rng.choice((*_AROUND_PLACE, *[None] * 3)),
        spelling=rng.choice(("snake", "snake", "snake", "camel")),
        flat=rng.random() < 0.12,
    )


def _write(facts: Facts, layout: _Layout) -> Row:
    noted = {layout.notes: _notes(facts.grounds, layout.noted)}
    task: Row = {layout.topic: facts.topic, layout.options: facts.options, **_gold(facts, layout, noted)}
    if layout.where == "beside" or (layout.where == "in_gold" and layout.wrap != "object"):
        task |= noted
    row: Row = task if layout.item is None else {layout.item: text(task) if "item" in layout.as_text else task}
    if layout.where == "top":
        row |= noted
    if layout.where == "metadata":
        row |= {"metadata": {**noted, "split": "test"}}
    if layout.found is not None:
        found = {layout.made: written(facts.done, layout.made_form, layout.keys), layout.said: facts.said}
        row[layout.found] = text(found) if "found" in layout.as_text else found
    verdict = layout.verdicts.write(facts)
    row[layout.verdict] = text(verdict) if "verdict" in layout.as_text else verdict
    place = {layout.place: facts.host}
    row |= place if layout.around is None else {layout.around: place}
    if layout.spelling == "camel":
        row = {_camel(name): _camels(value, facts) for name, value in row.items()}
    return dict(_columns(row)) if layout.flat else row


def _gold(facts: Facts, layout: _Layout, noted: Row) -> Row:
    """What is expected, in the field or the fields that hold it."""
    calls, answer = written(facts.wanted, layout.form, layout.keys), facts.answer
    gold: Row = {}
    if facts.wanted or layout.nothing != "absent":
        gold[layout.calls] = calls if facts.wanted or layout.nothing == "empty" else None
    if answer is not None or layout.nothing == "null":
        gold[layout.answer] = answer
    match layout.wrap:
        case "joined":
            return {f"{layout.gold}_{name}": value for name, value in gold.items()}
        case "typed":
            return {layout.gold: {"type": "exact_match", "value": gold}}
        case "typed_entries":
            return {layout.gold: [{"type": name, "value": value} for name, value in gold.items() if value is not None]}
        case "text":
            return {layout.gold: text(gold)}
    return {layout.gold: gold | noted if layout.where == "in_gold" else gold}


def _notes(grounds: str | None, form: str) -> Any:
    match form, grounds:
        case _, None:
            return None
        case "sentences", str():
            return [grounds]
        case "entries", str():
            return [{"author": "curation", "text": grounds}]
        case "several", str():
            return [{"id": "n1", "body": "Reviewed in the second round."}, {"id": "n2", "body": grounds}]
        case "object", str():
            return {"content": grounds, "by": "curation"}
        case "dated", str():
            return f"Checked by two annotators. {grounds[:1].upper()}{grounds[1:].rstrip('.')}."
    return grounds


def _camels(value: Any, facts: Facts) -> Any:
    """The fields of a writer's own in camel case; names and values of arguments are the tools'."""
    if isinstance(value, dict) and not any(value == given for given in _given(facts)) and value != facts.options:
        return {_camel(name): _camels(inner, facts) for name, inner in value.items()}
    return [_camels(inner, facts) for inner in value] if isinstance(value, list) else value


def _given(facts: Facts) -> Iterator[Row]:
    calls: list[Made] = [*facts.wanted, *(facts.done or ())]
    for tool, given in calls:
        yield given
        yield {tool: given}


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name) if name.isidentifier() else name


def _columns(value: Row, path: str = "") -> Iterator[tuple[str, Any]]:
    """An object as columns, as tables and trackers write it down; lists stay whole."""
    for name, inner in value.items():
        if isinstance(inner, dict) and inner and all(key.isidentifier() for key in inner):
            yield from _columns(inner, f"{path}{name}.")
        else:
            yield f"{path}{name}", inner
