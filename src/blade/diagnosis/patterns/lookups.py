"""Skipped lookups (BI): what passing repeats look up before they decide, and failing repeats of the same task do not.

Two things are asked. *Within a task*: which lookup separates its passing from its failing repeats? With four repeats many things
do so by chance. *Over all tasks*: does having made the lookup go with passing within tasks? Difficulty cancels there, and an exact test
over all mixed tasks says how far chance would go (`learn_lookups`; Benjamini–Hochberg over the lookups of the run).

The findings here are reward-aware: they exist on failing rollouts only. What is reward-blind is `decided_without`: SQL over
`rollouts` for "a rollout of a task in which the lookup is made at all, that decided without it", true of passing and failing rollouts
alike, which is what a lift and a gain may be computed from.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import (
    COMMAND_WORD,
    END,
    ENDING_TOOL,
    SHELL_ARGUMENTS,
    Lookup,
    decision_step,
    guessed,
    is_lookup,
    lookups,
    short,
)
from blade.diagnosis.patterns.exact import Table, mantel_haenszel, stratified_p
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import RolloutView, TaskView, batches, once
from blade.runs.quoting import literal
from blade.runs.run import Run
from blade.stats import benjamini_hochberg

SKIPPED_LOOKUP: Final = Pattern(
    "skipped_lookup", "BI", "decided without a lookup that (nearly) all passing repeats of the task make before they decide", 0.6
)
FILTERED_IN_REASONING: Final = Pattern(
    "filtered_in_reasoning",
    "BI",
    "asked without the filter that passing repeats give in the query, so the choice was left to its own reading",
    0.6,
)
RESOLVED: Final = Pattern(
    "lookup_skipped",
    "BI",
    "a wrong or guessed value that a read tool would have given: the tool is known from other repeats of the task",
    0.7,
    reward_aware=False,
)
PATTERNS: Final = (SKIPPED_LOOKUP, FILTERED_IN_REASONING, RESOLVED)

NEARLY_ALL: Final = 0.75
RARELY: Final = 0.25
SIGNIFICANT: Final = 0.05
MOST_TESTED: Final = 400
"""Kinds of lookup that are tested over the run, the most frequent ones; a shell knows no end of commands."""
BATCH_ROLLOUTS: Final = 5_000
"""Rollouts whose kinds of lookup are counted at once; each has many."""
MOST_NAMED: Final = 3
"""Lookups named for one task; where more separate its repeats, that is said."""

_WRONG_CHANGE: Final = ("action_wrong_argument", "action_extra")
_FILTERS: Final = re.compile(
    r"(?:^|_)(?:min|max|from|to|before|after|since|until|start|end|date|dates|day|range|filter|where|status|type|category|"
    r"limit|order|sort|between|greater|less|gte|lte|than)(?:_|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class RunLookup:
    """One kind of lookup over all tasks with passing and failing repeats that differ in it."""

    lookup: Lookup
    tasks: int
    counts: Table
    """passing with it, passing, failing with it, failing: summed over these tasks."""
    lift: float
    """Pass rate with the lookup less the rate without, within tasks (Mantel–Haenszel)."""
    p_adjusted: float

    @property
    def confirmed(self) -> bool:
        return self.lift > 0 and self.p_adjusted <= SIGNIFICANT


def _decided(calls: str = "calls") -> str:
    return f"""SELECT rollout, max(step) AS decided FROM {calls}
    WHERE class = 'scored' AND mutation = 'change' AND error_class IS NULL GROUP BY rollout"""


_ASKED: Final = f"""c.class = 'scored' AND mutation <> 'change' AND error_class IS NULL AND name <> '' AND step < coalesce(decided, {END})
    AND (output_step IS NULL OR answered) AND (mutation = 'read' OR NOT regexp_matches(name, '{ENDING_TOOL}'))"""
_OBJECT: Final = "CASE WHEN json_valid(arguments) THEN arguments ELSE '{}' END"
_SHELL_TEXT: Final = "coalesce(" + ", ".join(
    [f"CASE json_type({_OBJECT}, '$.{key}') WHEN 'VARCHAR' THEN json_extract_string({_OBJECT}, '$.{key}') END" for key in SHELL_ARGUMENTS]
    + ["''"]
) + ")"  # fmt: skip


def _filled(key: str) -> str:
    """SQL that is true where an argument was given and is not empty; its place is a JSON pointer (RFC 6901), which takes any name."""
    return f"""json_extract_string({_OBJECT}, '/' || replace(replace({key}, '~', '~0'), '/', '~1')) NOT IN ('', '[]', '{{}}')"""


_WORDS: Final = f"regexp_extract_all({_SHELL_TEXT}, {literal('(?m)' + COMMAND_WORD)}, 1)"


def _kinds(calls: str = "calls") -> str:
    """SQL for every kind of lookup that a rollout made before it decided, in a table of calls or a part of it."""
    return f"""
    SELECT DISTINCT rollout, task, name AS tool, unnest(list_prepend('', CASE
        WHEN mutation = 'read' THEN list_transform(
            list_filter(json_keys({_OBJECT}), lambda k: NOT contains(k, '"') AND {_filled("k")}), lambda k: '.' || k)
        ELSE list_transform({_WORDS}, lambda w: ': ' || w) END)) AS part
    FROM {calls} AS c LEFT JOIN ({_decided(calls)}) AS d USING (rollout) WHERE {_ASKED}"""


def made_before_decision(lookup: Lookup) -> str:
    """SQL for the (rollout, task) that made a lookup before they decided; the same as `conduct.lookups` says of a view."""
    which = f"name = {literal(lookup.tool)}"
    if lookup.part.startswith("."):
        which += f" AND mutation = 'read' AND {_filled(literal(lookup.part[1:]))}"
    elif lookup.part:
        which += f" AND mutation <> 'read' AND list_contains({_WORDS}, {literal(lookup.part[2:])})"
    return (
        f"SELECT DISTINCT rollout, task FROM calls AS c LEFT JOIN ({_decided()}) AS d USING (rollout) WHERE {_ASKED} AND {which}"
    )


def decided_without(lookup: Lookup) -> str:
    """Reward-blind membership as SQL over `rollouts`: those that decided without a lookup that is made in their task."""
    made = made_before_decision(lookup)
    return (
        f"class = 'scored' AND task IN (SELECT task FROM ({made}) AS made) "
        f"AND rollout NOT IN (SELECT rollout FROM ({made}) AS made)"
    )


def decided_without_any(kinds: Sequence[Lookup]) -> str:
    """The same for one of several lookups, whichever: the calls are gone through once, however many there are."""
    tools = ", ".join(literal(tool) for tool in sorted({kind.tool for kind in kinds}))
    listed = ", ".join(f"({literal(kind.tool)}, {literal(kind.part)})" for kind in sorted(set(kinds)))
    return (
        f"rollout IN (WITH made AS (SELECT * FROM ({_kinds()} AND name IN ({tools})) WHERE (tool, part) IN ({listed})) "
        "SELECT rollout FROM (SELECT rollout, task FROM rollouts WHERE class = 'scored') "
        "JOIN (SELECT DISTINCT task, tool, part FROM made) USING (task) ANTI JOIN made USING (rollout, tool, part))"
    )


def learn_lookups(run: Run) -> dict[Lookup, RunLookup]:
    """Every kind of lookup in which the repeats of mixed tasks differ, with its lift within tasks. Counted in the database."""
    if not run.pass_rule.decides or "calls" not in run.meta["tables"]:
        return {}
    tables: dict[Lookup, Counter[Table]] = {}
    for batch in batches(run, BATCH_ROLLOUTS):
        for tool, part, with_passing, passing, with_failing, failing, tasks in _tables(run, batch):
            tables.setdefault(Lookup(tool, part), Counter())[with_passing, passing, with_failing, failing] += tasks
    tables = {kind: counts for kind, counts in tables.items() if not kind.part or counts != tables.get(Lookup(kind.tool))}
    frequent = sorted(sorted(tables, key=lambda kind: (-sum(tables[kind].values()), kind))[:MOST_TESTED])
    if not frequent:
        return {}
    adjusted = benjamini_hochberg([stratified_p(tables[kind]) for kind in frequent])
    return {kind: _run_lookup(kind, tables[kind], float(p)) for kind, p in zip(frequent, adjusted, strict=True)}


def _tables(run: Run, tasks: list[str]) -> list[tuple[Any, ...]]:
    """How many of these tasks have which table of each kind of lookup, where their repeats differ in it."""
    return run.query(
        f"""
        WITH outcome AS (SELECT rollout, task, {run.passes} AS passed FROM rollouts WHERE class = 'scored' AND task IN (SELECT unnest($1))),
        mixed AS (SELECT task, count(*) FILTER (passed) AS p, count(*) FILTER (NOT passed) AS f FROM outcome GROUP BY task HAVING p > 0 AND f > 0),
        kinds AS ({_kinds(run.stretch("calls", tasks))} AND task IN (SELECT task FROM mixed)),
        counted AS (SELECT tool, part, task, count(*) FILTER (passed) AS pw, count(*) FILTER (NOT passed) AS fw
                    FROM kinds JOIN outcome USING (rollout, task) GROUP BY ALL)
        SELECT tool, part, pw, p, fw, f, count(*) AS tasks FROM counted JOIN mixed USING (task)
        WHERE pw + fw < p + f GROUP BY ALL""",
        (tasks,),
    ).rows


def _run_lookup(lookup: Lookup, tables: Mapping[Table, int], p_adjusted: float) -> RunLookup:
    summed = [sum(table[column] * tasks for table, tasks in tables.items()) for column in range(4)]
    counts = (summed[0], summed[1], summed[2], summed[3])
    return RunLookup(lookup, sum(tables.values()), counts, mantel_haenszel(tables) or 0.0, p_adjusted)


UNREAD: Final = 0.7
"""The weight where a repeat asked nothing at all and every passing one asked this."""


@dataclass(frozen=True)
class Separation:
    """A lookup that passing repeats of a task make and failing ones do not, with the steps at which it was made."""

    lookup: Lookup
    passing_steps: Mapping[str, int]
    counts: Table
    learned: RunLookup | None

    @property
    def complete(self) -> bool:
        with_passing, passing, with_failing, _ = self.counts
        return with_passing == passing and with_failing == 0

    @property
    def weight(self) -> float:
        """Complete separation and support from other tasks raise it; one passing or one failing repeat is little."""
        base = 0.4 if self.complete else 0.2
        support = 0.0 if self.learned is None else 0.3 if self.learned.confirmed else 0.05 if self.learned.lift > 0 else -0.1
        few = -0.1 if self.learned is not None and self.learned.confirmed else -0.15
        return max(0.1, base + support + (0.1 if min(self.counts[1], self.counts[3]) > 1 else few))


def separations(view: TaskView, learned: Mapping[Lookup, RunLookup]) -> list[Separation]:
    """The lookups that (nearly) all passing and hardly any failing repeats of a task make, best first.

    A tool outranks its own arguments (which separate whenever it does), support from other tasks outranks what is seen here only.
    """
    if not view.passing or not view.failing:
        return []
    made = {rollout.rollout: _looked(rollout) for rollout in view.rollouts}
    found: list[Separation] = []
    passed, failed = (Counter(chain.from_iterable([made[one.rollout] for one in side])) for side in (view.passing, view.failing))
    for kind in passed:  # what no passing repeat made, nearly all of them did not make
        counts = passed[kind], failed[kind]
        if counts[0] < NEARLY_ALL * len(view.passing) or counts[1] > RARELY * len(view.failing):
            continue
        steps = {rollout.rollout: made[rollout.rollout][kind] for rollout in view.passing if kind in made[rollout.rollout]}
        table = (counts[0], len(view.passing), counts[1], len(view.failing))
        found.append(Separation(kind, steps, table, learned.get(kind)))
    tools = {each.lookup.tool for each in found if not each.lookup.part and each.complete}
    found = [each for each in found if not each.lookup.part or each.lookup.tool not in tools]
    return sorted(
        found, key=lambda each: (not each.complete, -each.weight, min(each.passing_steps.values(), default=0), each.lookup)
    )


@once
def _looked(rollout: RolloutView) -> dict[Lookup, int]:
    """The lookups before the decision, and what a shell ran at any time: whoever tests after the last edit has looked, too."""
    found = lookups(rollout)
    if decision_step(rollout) == END:  # nothing comes later
        return found
    late = lookups(rollout, before=END)
    shells = {kind.tool for kind in late if kind.part.startswith(": ")}
    return found | {kind: step for kind, step in late.items() if kind.tool in shells and kind not in found}


def skipped_lookups(view: TaskView, separating: Sequence[Separation]) -> Iterator[Finding]:
    """For each failing repeat, the lookups it lacks that set the passing ones apart (`separations`). Reward-aware."""
    made = {rollout.rollout: _looked(rollout) for rollout in view.failing} if separating else {}
    for rollout in view.failing if separating else ():
        lacking = [each for each in separating if each.lookup not in made[rollout.rollout]]
        for each in lacking[:MOST_NAMED]:
            yield _finding(rollout, each, len(lacking))


def _finding(rollout: RolloutView, found: Separation, rivals: int) -> Finding:
    first = min(found.passing_steps, key=lambda name: (found.passing_steps[name], name))
    argument = found.lookup.part[1:] if found.lookup.part.startswith(".") else ""
    pattern = FILTERED_IN_REASONING if argument and _FILTERS.search(argument) else SKIPPED_LOOKUP
    changed = max((call.step for call in rollout.changes if call.error_class is None), default=None)
    asked = next((call for call in rollout.calls if call.name == found.lookup.tool and is_lookup(call)), None)
    unfiltered = asked if pattern is FILTERED_IN_REASONING else None
    weight = found.weight if rivals <= MOST_NAMED else found.weight * 0.7
    if found.complete and not rollout.calls:
        weight = max(weight, UNREAD)
    wrong = _went_wrong(rollout, changed)
    return pattern.found(
        rollout,
        subject=str(found.lookup),
        step=unfiltered.step if unfiltered is not None else wrong,
        quote=short(unfiltered)
        if unfiltered is not None
        else f"no {found.lookup} before " + ("its end" if changed is None or wrong is None else f"step {min(wrong, changed)}"),
        detail=_why(found, first, rivals),
        weight=round(weight, 3),
    )


def _went_wrong(rollout: RolloutView, changed: int | None) -> int | None:
    """The step at which a lookup is missed: the first change that differs from the expected ones, else the last change, or call, or the answer."""
    steps = [signal.step for signal in rollout.signals if signal.code in _WRONG_CHANGE and signal.step is not None]
    last = rollout.calls[-1].step if rollout.calls else next((row.final_step for row in rollout.answers), None)
    return min(steps, default=changed if changed is not None else last)


def _why(found: Separation, first: str, rivals: int) -> str:
    with_passing, passing, with_failing, failing = found.counts
    steps = ", ".join(f"{name} step {step}" for name, step in sorted(found.passing_steps.items())[:4])
    said = f"made by {with_passing} of {passing} passing repeats ({steps}) and {with_failing} of {failing} failing ones"
    if found.learned is not None and found.learned.tasks > 1:
        strength = "confirmed" if found.learned.confirmed else "not confirmed"
        said += (
            f"; over {found.learned.tasks} mixed tasks the pass rate is {100 * found.learned.lift:+.0f} points with it "
            f"({strength}, adjusted p = {found.learned.p_adjusted:.3f})"
        )
    if rivals > 1:
        said += f"; {rivals - 1} other lookup{'s' * (rivals > 2)} set the repeats apart as well"
    return said


def learn_given(run: Run) -> dict[str, tuple[tuple[str, str], ...]]:
    """By task with a failing rollout: the arguments of its expected calls with the tool that gave their value most often."""
    if "given" not in run.meta["tables"] or not run.pass_rule.decides:
        return {}
    rows = run.query(f"""
        SELECT task, argument, tool FROM given
        SEMI JOIN (SELECT DISTINCT task FROM rollouts WHERE class = 'scored' AND NOT {run.passes}) AS failing USING (task)
        WHERE class = 'scored' AND tool <> '' GROUP BY task, argument, tool
        QUALIFY row_number() OVER (PARTITION BY task, argument ORDER BY count(DISTINCT rollout) DESC, tool) = 1 ORDER BY task, argument""").rows
    found: dict[str, list[tuple[str, str]]] = {}
    for task, argument, tool in rows:
        found.setdefault(task, []).append((argument, tool))
    return {task: tuple(pairs) for task, pairs in found.items()}


def resolved_lookups(view: TaskView, given: tuple[tuple[str, str], ...]) -> Iterator[Finding]:
    """Skipped lookups whose tool the rollout itself could not name, with the tool that told other repeats the value. Reward-blind."""
    tools = dict(given)
    for rollout in view.rollouts:
        for signal in rollout.signals:
            if signal.code == RESOLVED.code and not signal.subject:
                tool = tools.get(signal.detail.partition(":")[0])
                if tool is None:
                    continue
                asked = any(call.name == tool and call.step < (signal.step or 0) for call in rollout.calls)
                blind = guessed(rollout, signal.detail.partition(":")[0], signal.step)
                who = "other repeats had it" if len(view.rollouts) > 1 else "elsewhere in the run it comes"
                how = f"{who} from {tool}" + (", which was called with other arguments here" if asked else "")
                yield RESOLVED.found(
                    rollout,
                    subject=tool,
                    step=signal.step,
                    quote=signal.quote,
                    detail=f"{signal.detail}; {how}",
                    weight=0.4 if asked and not blind else None,
                )
