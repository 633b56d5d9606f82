"""What was learned of a run's rows because no name tells it, as the document states it: the field, its meaning, and the tasks that say so."""

from collections.abc import Iterator
from typing import Any, Final

from blade.runs.run import Run
from blade.signals.layout.shape import CallsField, ChecksField, Field, FormField, Layout, StateField, read_layout, written
from blade.untrusted.quotes import clean

MAX_FIELD: Final = 200
_WHY: Final = {
    "expected answer": "the same in all repeats, and what passing rollouts answer",
    "extracted answer": "stands in the message, and is the expected answer where a rollout passes",
    "options": "texts of the prompt, one of which the expected answer names",
    "expected calls": "the same in all repeats, and what passing rollouts do",
    "expected records": "the same in all repeats, and what the changes of passing rollouts make",
    "number of records": "asserted to be as many as the records that are asserted, in all tasks that pass",
    "checks": "all hold where a rollout passes",
    "form of the answer": "stands around the expected answer in the messages of passing rollouts",
    "has to be said": "named so, the same in all repeats, and passing rollouts say it",
    "must not be said": "named so, the same in all repeats, and passing rollouts do not say it",
    "expected value told again": "the same in all repeats, and holds a value that is expected",
    "not compared": "an argument that passing rollouts give and no expected call lists",
}


def learned_fields(run: Run) -> list[dict[str, Any]]:
    """The learned fields, with `tasks` that could tell and `agreeing` that do; tools are told with the other tools."""
    layout = read_layout(run.learned) if run.learned else Layout()
    return [
        {
            "meaning": meaning,
            "field": clean(written(field.path))[:MAX_FIELD],
            "tasks": field.tasks,
            "agreeing": field.agreeing,
            "why": _WHY[meaning] + _detail(field),
        }
        for meaning, field in _fields(layout)
    ]


def _fields(layout: Layout) -> Iterator[tuple[str, Field | CallsField | StateField | ChecksField | FormField]]:
    yield from (("expected answer", field) for field in layout.expected)
    yield from (("extracted answer", field) for field in layout.extracted)
    yield from (("options", field) for field in layout.options)
    yield from (("expected calls", field) for field in layout.calls)
    yield from (("expected records", field) for field in layout.state)
    yield from (("number of records", field) for field in layout.counted)
    yield from (("checks", field) for field in layout.checks)
    yield from (("form of the answer", field) for field in layout.form)
    yield from (("has to be said", field) for field in layout.said)
    yield from (("must not be said", field) for field in layout.unsaid)
    yield from (("expected value told again", field) for field in layout.retold)
    yield from (("not compared", field) for field in layout.free)


def _detail(field: Field | CallsField | StateField | ChecksField | FormField) -> str:
    match field:
        case Field(names=names) if names:
            return f"; it names an option by the {names}"
        case CallsField(name=name, arguments=arguments) if name:
            given = f" and {clean(arguments)[:60]} what it is given" if arguments else ""
            return f"; {clean(name)[:60]} names the tool{given}"
        case StateField(rules=rules):
            return f"; {clean(', '.join(dict.fromkeys(rule.tool for rule in rules if rule.tool)))[:120]} make them"
        case ChecksField(good=good) if good:
            return f"; a check that holds says {clean(', '.join(good))[:80]}"
    return ""
