"""Tools of which neither name nor description nor schema tells whether they change something: what their answers in the sample say.

The same votes as `learned` takes over the whole run for the report, counted here before the scan, so that calls are compared by them. Beside
them: a tool that passing rollouts of several tasks call although their tasks list the calls they expect, and never this one, does no harm
and is a lookup, unless its answers acknowledge something.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import ToolKind
from blade.signals.learned import ACKNOWLEDGES, Votes, learn
from blade.signals.matcher import find_errors
from blade.signals.mutation import READ, UNKNOWN, hands_over

_ACKNOWLEDGES = re.compile(ACKNOWLEDGES)
MAX_READ = 2_000
MOST_CALLS = 200
"""Calls of one tool that are looked at."""
MIN_HARMLESS = 3
"""Tasks in which a passing rollout makes a call that no task expects, from which on its tool is a lookup."""


def learn_tools(rows: Sequence[Sampled]) -> tuple[ToolKind, ...]:
    calls: dict[str, int] = defaultdict(int)
    errors: dict[str, int] = defaultdict(int)
    acknowledged: dict[str, int] = defaultdict(int)
    alike: dict[str, int] = defaultdict(int)
    otherwise: dict[str, int] = defaultdict(int)
    harmless: dict[str, set[str]] = defaultdict(set)
    wanted: set[str] = set()
    for row in rows:
        listed = row.rollout.expectation.names if row.rollout.expectation is not None else frozenset()
        wanted |= listed
        answers: dict[tuple[str, str], set[str]] = defaultdict(set)
        times: dict[tuple[str, str], int] = defaultdict(int)
        for name, given, output in row.calls:
            if not name or output is None or row.rollout.mutation_of(name).kind != UNKNOWN or calls[name] >= MOST_CALLS:
                continue
            text = output.text[:MAX_READ]
            calls[name] += 1
            if any(error.decides for error in find_errors(text)):
                errors[name] += 1
                continue
            if row.passed and row.rollout.expectation is not None and name not in listed:
                harmless[name].add(row.task)
            acknowledged[name] += _ACKNOWLEDGES.search(text) is not None
            answers[name, repr(given)].add(text)
            times[name, repr(given)] += 1
        for asked, texts in answers.items():
            if times[asked] > 1:
                alike[asked[0]] += len(texts) == 1
                otherwise[asked[0]] += len(texts) > 1
    votes = [
        Votes(name, UNKNOWN, calls[name], errors[name], acknowledged[name], alike[name], otherwise[name])
        for name in sorted(calls)
    ]
    found = {name: ToolKind(name, kind.kind, kind.reason) for name, kind in learn(votes).items() if kind.kind != UNKNOWN}
    for name, tasks in harmless.items():
        if (
            name not in found
            and name not in wanted
            and not acknowledged[name]
            and len(tasks) >= MIN_HARMLESS
            and not hands_over(name)
        ):
            found[name] = ToolKind(name, READ, f"passing rollouts of {len(tasks)} tasks call it and no task expects it")
    return tuple(found[name] for name in sorted(found))
