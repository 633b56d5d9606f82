"""The verifier's own parts (TI): checks read one by one, rewards that contradict them, tasks nobody passes among tasks everybody does.

A check that fails for everyone may be a hard check or a broken one. What speaks for broken: it fails over many tasks while the checks
beside it pass, and it alone is what the reward fails for; its message speaks of its own means rather than of the values it compared
(the signal `check_broken`). Whether a check binds the reward at all is learned from the run: many
verifiers list checks that are only informative (`learn_checks`).

All findings here are reward-aware.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from blade.diagnosis.findings import Finding, evidence
from blade.diagnosis.patterns.conduct import breakdown
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.results import mismatched
from blade.diagnosis.views import CheckRow, RolloutView, TaskView
from blade.runs.quoting import identifier
from blade.runs.run import Run
from blade.sentences import plural

FAILS_FOR_ALL: Final = Pattern(
    "check_fails_for_all", "TI", "one check of the verifier fails for (nearly) everyone while the checks beside it pass", 0.8
)
CONTRADICTS: Final = Pattern(
    "reward_contradicts_checks",
    "TI",
    "all checks pass and the reward fails, or a check that binds fails and the reward passes",
    0.85,
)
LONELY_NEVER: Final = Pattern(
    "never_passes_in_passing_slice", "TI", "no repeat ever passes, while nearly all other tasks of its slice do", 0.2
)
LONELY_MISMATCHED: Final = 0.1
"""The weight where a rollout differs from the expected calls: then that is what fails it."""
PATTERNS: Final = (FAILS_FOR_ALL, CONTRADICTS, LONELY_NEVER)

NEARLY_ALL: Final = 0.95
NOT_BINDING: Final = 0.05
"""Share of passing rollouts that fail some check of a field from which on that field does not bind the reward."""
MIN_PASSING: Final = 20
"""Passing rollouts with checks in a field from which on it can be said to bind."""
INCOMPLETE: Final = 0.3
"""Share of failing rollouts among those with every check passed from which on the checks are not all that the reward looks at."""
VALUES_COMPARED: Final = 0.3
"""The weight of a task's one failing check whose message compares values: it ran, and judged what it was given."""
_COMPARES: Final = re.compile(
    r"AssertionError|\bassert\b|\bexpected\b|\bgot\b|\bmismatch|\bdiffers?\b|!=|\bnot equal\b|\bshould (?:be|have)\b",
    re.IGNORECASE,
)
MIN_TASKS: Final = 5
MIN_SLICE: Final = 8
PASSING_SLICE: Final = 0.9
MOST_SLICE_FIELDS: Final = 20
MOST_LISTED: Final = 100

Name = tuple[str, str]
"""A check: its field and its own name."""


@dataclass(frozen=True)
class CheckRule:
    """What the run says about its checks."""

    binding: frozenset[str] = frozenset()
    """Fields whose checks (nearly) no passing rollout fails."""
    complete: bool = True
    """Whether the reward follows from the checks: rollouts that pass all of them mostly pass."""
    broken: Mapping[Name, tuple[int, int, int]] = field(default_factory=dict)
    """Checks that fail for everyone over several tasks: failing rollouts, rollouts, tasks."""


def learn_checks(run: Run) -> CheckRule:
    if "checks" not in run.meta["tables"] or not run.pass_rule.decides:
        return CheckRule()
    judged = f"""SELECT c.rollout, c.task, c.field, c.name, c.passed AS ok, r.passed FROM checks AS c
        JOIN (SELECT rollout, {run.passes} AS passed FROM rollouts WHERE class = 'scored') AS r USING (rollout)
        WHERE c.class = 'scored' AND c.passed IS NOT NULL"""
    rows = run.query(f"""
        WITH judged AS ({judged}), alone AS (SELECT rollout, count(*) FILTER (NOT ok) AS bad, count(*) AS n FROM judged GROUP BY rollout)
        SELECT field, name, count(*), count(DISTINCT task), count(*) FILTER (NOT ok), count(*) FILTER (NOT ok AND bad = 1 AND n > 1)
        FROM judged JOIN alone USING (rollout) GROUP BY field, name ORDER BY field, name""").rows
    broken = {
        (where, name): (bad, count, tasks)
        for where, name, count, tasks, bad, sole in rows
        if tasks >= MIN_TASKS and bad >= NEARLY_ALL * count and sole >= 0.5 * bad
    }
    fields = run.query(f"""
        SELECT field, count(*), count(*) FILTER (NOT ok) FROM (SELECT field, rollout, bool_and(ok) AS ok FROM ({judged}) AS judged WHERE passed GROUP BY ALL)
        GROUP BY field ORDER BY field""").rows
    binding = frozenset(where for where, passing, bad in fields if passing >= MIN_PASSING and bad <= NOT_BINDING * passing)
    full, failing = run.query(f"""
        SELECT count(*), count(*) FILTER (NOT passed) FROM (SELECT rollout, any_value(passed) AS passed FROM ({judged}) AS judged
        GROUP BY rollout HAVING bool_and(ok))""").rows[0]
    return CheckRule(binding, not full or failing < INCOMPLETE * full or full < 5, broken)


def _judged(rollout: RolloutView) -> list[CheckRow]:
    return [check for check in rollout.checks if check.passed is not None]


def failing_checks(view: TaskView, rule: CheckRule) -> Iterator[Finding]:
    """Checks that fail for everyone: over the run, or within the task while their siblings pass."""
    sole: dict[Name, list[RolloutView]] = {}
    for rollout in view.failing:
        bad = [check for check in _judged(rollout) if not check.passed]
        for check in bad:
            known = rule.broken.get((check.field, check.name))
            if known is not None:
                yield FAILS_FOR_ALL.found(
                    rollout,
                    subject=_subject(check),
                    quote=f"{check.name}: {check.detail}" if check.detail else check.name,
                    detail=f"fails in {known[0]} of {known[1]} rollouts of {known[2]} tasks while the checks beside it pass",
                )
        if len(bad) == 1 and len(_judged(rollout)) > 1 and (bad[0].field, bad[0].name) not in rule.broken:
            sole.setdefault((bad[0].field, bad[0].name), []).append(rollout)
    if view.passing or len(view.rollouts) < 2:
        return
    for (where, name), rollouts in sole.items():
        if len(rollouts) == len(view.rollouts):
            for rollout in rollouts:
                if mismatched(rollout) or breakdown(rollout) is not None:
                    continue  # what the check found wrong is known
                check = next(check for check in rollout.checks if (check.field, check.name) == (where, name))
                yield FAILS_FOR_ALL.found(
                    rollout,
                    subject=_subject(check),
                    quote=f"{check.name}: {check.detail}" if check.detail else check.name,
                    detail=f"the only check that fails, in all {len(rollouts)} repeats; {len(_judged(rollout)) - 1} others pass. "
                    "A hard check looks the same: compare it with the task",
                    weight=VALUES_COMPARED if _COMPARES.search(check.detail) else 0.4 if len(rollouts) > 2 else 0.35,
                )


def contradictions(view: TaskView, rule: CheckRule) -> Iterator[Finding]:
    """A reward against the verifier's own checks. On passing rollouts too: a pass that a binding check refuses."""
    for rollout in view.rollouts:
        judged = _judged(rollout)
        if not judged or rollout.passed is None:
            continue
        bad = [check for check in judged if not check.passed]
        if not bad and not rollout.passed and not mismatched(rollout):  # checks of what is expected do not see what is extra
            names = ", ".join(check.name for check in judged[:4])
            yield CONTRADICTS.found(
                rollout,
                subject=judged[0].field,
                quote=f"{names}: passed; reward {rollout.reward:g}",
                detail=f"all {len(judged)} checks pass and the reward is {rollout.reward:g}"
                + ("" if rule.complete else "; other rollouts of the run do the same, so the checks may not be all it looks at"),
                weight=CONTRADICTS.weight if rule.complete else 0.2,
            )
        bound = [check for check in bad if check.field in rule.binding]
        if bound and rollout.passed:
            yield CONTRADICTS.found(
                rollout,
                subject=_subject(bound[0]),
                quote=f"{bound[0].name}: failed; reward {rollout.reward:g}",
                detail=f"passes although {bound[0].name} fails, which other passing rollouts do not",
            )


def _subject(check: CheckRow) -> str:
    return f"{check.field}.{check.name}" if check.field and check.name != check.field else check.name or check.field


@dataclass(frozen=True)
class Slice:
    """A slice in which nearly every task passes, and the pass rate of its tasks."""

    by: str
    value: str
    tasks: int
    rate: float


def learn_lonely(run: Run) -> dict[str, Slice]:
    """Tasks that never pass although their slice (or the whole run) nearly always does, with the slice that says so."""
    if not run.pass_rule.decides:
        return {}
    found: dict[str, Slice] = {}
    for by, column in [("the run", "'all'"), *_slice_columns(run)]:
        rows = run.query(f"""
            WITH task AS (SELECT task, CAST(any_value({column}) AS VARCHAR) AS value, avg(CAST({run.passes} AS INTEGER)) AS rate, count(*) AS n
                          FROM rollouts WHERE class = 'scored' GROUP BY task HAVING count(DISTINCT {column}) = 1)
            SELECT t.task, t.value, s.tasks, s.rate FROM task AS t
            JOIN (SELECT value, count(*) AS tasks, avg(rate) AS rate FROM task GROUP BY value) AS s USING (value)
            WHERE t.rate = 0 AND t.n > 1 AND s.tasks >= {MIN_SLICE} AND s.rate >= {PASSING_SLICE} ORDER BY t.task""").rows
        for task, value, tasks, rate in rows:
            if task not in found or rate > found[task].rate:
                found[task] = Slice(by, value, tasks, rate)
    return found


def _slice_columns(run: Run) -> list[tuple[str, str]]:
    """The rows' own fields with few values; which of them are constant within a task is left to the query."""
    from blade.runs.facts import FIXED_COLUMNS

    known = {*FIXED_COLUMNS, "rollout", "task", "repeat", "class", "path"}
    columns = [
        row[0]
        for row in run.query("DESCRIBE rollouts").rows
        if row[0] not in known and row[1] in ("VARCHAR", "BIGINT", "BOOLEAN")
    ]
    if not columns:
        return []
    counts = run.query(
        "SELECT "
        + ", ".join(f"approx_count_distinct({identifier(column)})" for column in columns)
        + " FROM rollouts WHERE class = 'scored'"
    ).rows[0]
    few = [column for column, count in zip(columns, counts, strict=True) if 2 <= count <= 40]
    return [(column, identifier(column)) for column in few[:MOST_SLICE_FIELDS]]


def lonely(view: TaskView, slices: Mapping[str, Slice]) -> Iterator[Finding]:
    """A task that never passes in a slice that does: weak, and only worth a look where nothing else explains it."""
    where = slices.get(view.task)
    if where is None or view.passing:
        return
    part = "the run" if where.by == "the run" else f"{where.by} = {where.value}"
    for rollout in view.failing:
        differs = any(signal.code.startswith("action_") for signal in rollout.signals)
        yield LONELY_NEVER.found(
            rollout,
            weight=LONELY_MISMATCHED if differs else None,
            subject="" if where.by == "the run" else where.by,
            quote=f"0 of {len(view.rollouts)} pass; {part} passes {100 * where.rate:.0f} %",
            detail=f"the {where.tasks} tasks of {part} pass {100 * where.rate:.0f} % of the time",
        )


MESSAGES: Final = {
    "correct_answer_rejected": "answers that equal the expected one were scored as failing",
    "equal_answer_other_reward": "equal answers to one task got different rewards",
    "answer_not_extracted": "the expected answer was stated, and the verifier extracted none",
    "pass_without_work": "passes without an output, or with a refusal or an error as output",
    "check_fails_for_all": "a check fails for everyone while the checks beside it pass",
    "reward_contradicts_checks": "the reward contradicts the verifier's own checks",
    "never_passes_in_passing_slice": "tasks that never pass in a slice that nearly always does",
    "check_broken": "a check fails for want of its own means",
    "equal_work_other_reward": "equal work on one task got different rewards",
    "equal_alternative": "the request left a value open, and another one than the expected was scored as failing",
    "equal_tool": "the expected change was made with a tool that does the same, and scored as failing",
    "expected_work_rejected": "what the task expects was done, nothing else, and it was scored as failing",
    "verifier_error": "the verifier reports an error of its own",
    "judge_failed": "the judge failed",
}


WEAK: Final = 0.4
"""Findings of less weight are worth a look and accuse nobody."""
ABOUT_VERIFIER: Final = frozenset(MESSAGES)
"""The codes that speak against a verifier."""


def verifier_health(findings: Iterable[Finding], scored: int) -> list[dict[str, Any]]:
    """The contract's `verifier_health`: what speaks against the verifier, by code and subject, the most rollouts first.

    `findings` are those of all tasks; signals about the verifier (`verifier_error`, `judge_failed`) count where they are given as
    findings. Lists of rollouts are cut at a hundred, the counts in the message are whole.
    """
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.code in MESSAGES:
            grouped.setdefault((finding.code, finding.subject if finding.code == FAILS_FOR_ALL.code else ""), []).append(finding)
    entries = []
    for (code, subject), members in grouped.items():
        rollouts = list(dict.fromkeys(member.rollout for member in members))
        tasks = list(dict.fromkeys(member.task for member in members))
        about = f" ({subject})" if subject else ""
        doubt = "; weak evidence" if max(member.weight for member in members) < WEAK else ""
        best = sorted(members, key=lambda member: -member.weight)[:3]
        entries.append(
            {
                "code": code,
                "tasks": tasks[:MOST_LISTED],
                "rollouts": rollouts[:MOST_LISTED],
                "rollout_count": len(rollouts),
                "message": f"{MESSAGES[code]}{about}: {len(rollouts):,} of {scored:,} scored rollouts in {plural(len(tasks), 'task')}{doubt}",
                "evidence": [evidence(member.rollout, member.step, member.quote) | {"detail": member.detail} for member in best],
            }
        )
    return sorted(entries, key=lambda entry: (-entry["rollout_count"], entry["code"], entry["message"]))
