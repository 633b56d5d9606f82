"""Gold in another form than the run's gold (DA): an amount below zero, a day written otherwise.

The expected values of one argument have one form in all tasks that pass (amounts above zero, days as `2026-06-19`). Where one task expects the very
value that all its repeats give, written in another form (`-98.3`, `19/06/2026`), and none passes, somebody has spoiled its gold. Another value is
another matter, whatever its form. Letters count as letters whatever their case, because a text may be written in either. Reward-aware: found where
no repeat passes.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.arguments import EXPECTS, wrong_value
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run
from blade.sentences import plural
from blade.signals.calls.arguments import leaves
from blade.signals.signal import argument_subject
from blade.signals.texts.origins import shown

OTHER_FORM: Final = Pattern(
    "gold_other_form",
    "DA",
    "the expected value is what all repeats give, in another form than that of all tasks that pass, and none passes",
    0.8,
)
PATTERNS: Final = (OTHER_FORM,)
MOST_CALLS: Final = 5_000
MAX_FORM: Final = 40
"""Characters of a value beyond which it is prose, which has no form."""
PROSE: Final = "words"
_NUMBER: Final = re.compile(r"(-?)\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Usual(NamedTuple):
    """The form that all tasks that pass expect of an argument."""

    form: str
    example: str
    tasks: int


Forms = Mapping[str, Usual]
"""By `tool.argument`."""


def learn_value_forms(run: Run) -> Forms:
    if "expected" not in run.meta["tables"] or not run.pass_rule.decides:
        return {}
    rows = run.query(f"""
        SELECT DISTINCT task, name, arguments FROM expected
        SEMI JOIN (SELECT DISTINCT task FROM rollouts WHERE class = 'scored' AND {run.passes}) AS t USING (task)
        WHERE class = 'scored' ORDER BY task, name, arguments LIMIT {MOST_CALLS}""").rows
    forms: dict[str, set[str]] = defaultdict(set)
    tasks: dict[str, set[str]] = defaultdict(set)
    examples: dict[str, str] = {}
    for task, name, arguments in rows:
        for path, value in leaves(_read(arguments)):
            subject = argument_subject(name, path)
            forms[subject].add(form(shown(value)))
            tasks[subject].add(task)
            examples.setdefault(subject, shown(value))
    return {
        subject: Usual(next(iter(found)), examples[subject], len(tasks[subject]))
        for subject, found in forms.items()
        if len(found) == 1 and found != {PROSE}
    }


def _read(arguments: str) -> object:
    try:
        return msgspec.json.decode(arguments)
    except msgspec.DecodeError:
        return {}


def form(value: str) -> str:
    """What a value looks like: runs of letters and of digits as one sign each, `9-9-9` for a day; a number by its sign."""
    text = value.strip()
    number = _NUMBER.fullmatch(text)
    if number is not None:
        return f"{number[1]}9"
    if len(text) > MAX_FORM or " " in text:
        return PROSE
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))


def _content(value: str) -> list[str]:
    """The letters and digits of a value in any order, which writing it otherwise does not change."""
    return sorted(filter(str.isalnum, value.lower()))


def gold_in_other_form(view: TaskView, usual: Forms) -> Iterator[Finding]:
    if view.passing or len(view.failing) < 2:
        return
    differing = [
        {
            signal.subject: (signal, told[1])
            for signal in rollout.signals
            if signal.code == "action_wrong_argument" and (told := EXPECTS.search(signal.detail)) is not None
        }
        for rollout in view.failing
    ]
    for subject, (_, expected) in differing[0].items():
        known = usual.get(subject)
        if known is None or form(expected) == known.form:
            continue
        held = [other.get(subject) for other in differing]
        given = [wrong_value(one[0]) for one in held if one is not None]
        if len(given) < len(held) or any(form(value) != known.form for value in given):
            continue
        if any(_content(value) != _content(expected) for value in given):
            continue
        for rollout, one in zip(view.failing, held, strict=True):
            assert one is not None
            said = f"{subject} is expected as {expected}, and in {plural(known.tasks, 'task', 'tasks')} that pass in the form of {known.example}; all {len(held)} repeats keep to that form"
            yield OTHER_FORM.found(rollout, subject=subject, step=one[0].step, quote=one[0].quote, detail=said)
        return
