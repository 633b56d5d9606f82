"""The funnel: how far the planned rollouts came, stage by stage.

A rollout counts for a stage only if it reached all stages before it, so the counts never rise, and planned = the sum of what each
stage lost + what the last one kept. Each count comes with the query that gives it.

The generic stages are chosen by what the run holds. Those about the work itself (called a tool, changed something, made the expected
changes, gave an answer) are asked only where nearly all passes went through them: a stage that passes skip is no step on the way. A
skill's own stages stand between `produced output` and `scored` instead. What met a stage's condition but had been lost before it is
told as `outside`; passes outside are worth a look, they skipped what the others had to do (`passes_lost` says where).

A rollout that has only failed attempts counts by what the failures sidecar keeps of its response. Where the verifier failed on it, the
work was done and no table shows how: it goes through the stages of the work and is lost at `graded`, which stands in such runs only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.skill import Skill, condition, facts_of
from blade.runs.failed_attempts import UNGRADED, WITH_OUTPUT
from blade.runs.run import Run

NEARLY_ALL: Final = 0.99
"""Passes that must have gone through a stage of the work for it to be one."""
ATTEMPT: Final = """(SELECT * FROM rollouts WHERE class IN ('scored', 'errored') QUALIFY row_number()
    OVER (PARTITION BY rollout ORDER BY class DESC, path, "offset") = 1)"""
"""The row of each rollout: the scored one, else an errored one."""
ATTEMPT_OR_FAILURE: Final = f"""(SELECT * FROM (SELECT *, false AS ungraded FROM rollouts WHERE class IN ('scored', 'errored')
    UNION ALL BY NAME SELECT * EXCLUDE (failure, message), 'failed' AS class, {UNGRADED} AS ungraded FROM failures WHERE {WITH_OUTPUT})
    QUALIFY row_number() OVER (PARTITION BY rollout
        ORDER BY list_position(['scored', 'errored', 'failed'], class), ungraded DESC, path, "offset" DESC) = 1)"""
"""The same, else a failed attempt that produced output: one that the verifier failed on, else the last."""
CORE_ACTION: Final = "attempted the core action"
OUT_OF_ROOM: Final = (*CUT_OFF, "stopped_for_errors", "no_final_answer")


@dataclass(frozen=True)
class Checkpoint:
    """A stage and its own condition, over `p` (the plan) and `r` (the rollout's row, NULL where there is none)."""

    stage: str
    meaning: str
    condition: str


def funnel(run: Run, skill: Skill | None = None) -> list[dict[str, Any]]:
    """Each stage with its count, share of the planned, loss, what met it outside the funnel, the passes that skipped it first, and the
    query of the count."""
    found: list[dict[str, Any]] = []
    steps = stages(run, skill)
    attempts = attempts_of(run)
    counts = _counts(run, steps, attempts)
    planned = before = counts[0][0]
    for number, (step, (count, alone, skipped)) in enumerate(zip(steps, counts, strict=True)):
        found.append(
            {
                "stage": step.stage,
                "count": count,
                "share": count / planned if planned else None,
                "lost": before - count,
                "outside": alone - count,
                "passes_lost": skipped if run.pass_rule.decides else None,
                "meaning": step.meaning,
                "query": count_query(steps[: number + 1], attempts),
            }
        )
        before = count
    return found


def attempts_of(run: Run) -> str:
    """The query of `r`: failed attempts stand in it only where one produced output and its rollout has no row."""
    lost = f"SELECT 1 FROM failures JOIN (SELECT rollout FROM plan WHERE state <> 'scored') USING (rollout) WHERE {WITH_OUTPUT}"
    return ATTEMPT_OR_FAILURE if run.query(f"SELECT EXISTS ({lost})").rows[0][0] else ATTEMPT


def _counts(run: Run, steps: list[Checkpoint], attempts: str) -> list[tuple[int, int, int]]:
    """For each step, the rollouts that meet it and all before it, those that meet it, and those that meet the last step (the passes)
    but are lost here; in one pass over the plan."""
    met = ", ".join(f"coalesce(({step.condition}), false) AS met{number}" for number, step in enumerate(steps))
    reached = [" AND ".join(f"met{earlier}" for earlier in range(number + 1)) for number in range(len(steps))]
    columns = ", ".join(
        f"count(*) FILTER ({all_met}), count(*) FILTER (met{number}), "
        f"count(*) FILTER ({before} AND NOT met{number} AND met{len(steps) - 1})"
        for number, (before, all_met) in enumerate(zip(["true", *reached], reached, strict=False))
    )
    row = run.query(f"SELECT {columns} FROM (SELECT {met} FROM plan AS p LEFT JOIN {attempts} AS r USING (rollout))").rows[0]
    return list(zip(map(int, row[0::3]), map(int, row[1::3]), map(int, row[2::3]), strict=True))


def count_query(steps: list[Checkpoint], attempts: str = ATTEMPT) -> str:
    """SQL that counts the planned rollouts that meet the conditions of all these steps."""
    where = " AND ".join(f"({step.condition})" for step in steps if step.condition != "true")
    joined = f" LEFT JOIN {attempts} AS r USING (rollout) WHERE {where}" if where else ""
    return f"SELECT count(*) FROM plan AS p{joined}"


def stages(run: Run, skill: Skill | None = None) -> list[Checkpoint]:
    """The stages of this run, in order; the last is `passed`, or `scored` where no rule says what passes."""
    made = [
        Checkpoint("planned", "rollouts that the run was to make", "true"),
        Checkpoint("started", "an attempt is recorded, whatever came of it", "p.attempts > 0"),
        Checkpoint(
            "produced output", "a message of the assistant with words, a tool call or a product beside them", _produced(run)
        ),
    ]
    if skill is not None and skill.stages:
        facts = facts_of(run)
        work = [Checkpoint(stage.name, stage.meaning, condition(stage.when, facts)) for stage in skill.stages]
    else:
        work = list(_work(run))
    made += work if attempts_of(run) == ATTEMPT else map(_with_failures, work)
    if _verifier_failed(run):
        made.append(Checkpoint("graded", "the verifier did not fail on it", "r.class IN ('scored', 'errored')"))
    made.append(Checkpoint("scored", "the verifier gave a reward", "r.class = 'scored'"))
    if run.pass_rule.decides:
        made.append(Checkpoint("passed", run.pass_rule.words, f"r.class = 'scored' AND {run.passes}"))
    return made


def _produced(run: Run) -> str:
    """Whether anything was made, counted by items where no table tells what they hold."""
    items = "(r.messages - r.user_turns > 0 OR r.tool_calls > 0)"
    if not {"outputs", "signals"} <= set(run.meta["tables"]):
        return items
    known, empty = _exists("outputs", "true"), _exists("signals", "x.code = 'empty_completion'")
    return f"CASE WHEN {known} THEN {_exists('outputs', 'x.output_hash IS NOT NULL')} AND NOT {empty} ELSE {items} END"


def _with_failures(step: Checkpoint) -> Checkpoint:
    """A stage of the work for rollouts with failed attempts too: no table shows what these did, except how many calls they made.

    Those that did not get as far as the verifier are lost where the work ends.
    """
    if step.stage == "called a tool":
        return step
    if step.stage == CORE_ACTION:
        return replace(step, condition=f"r.class = 'failed' OR ({step.condition})")
    return replace(step, condition=f"r.ungraded OR (r.class <> 'failed' AND ({step.condition}))")


def _verifier_failed(run: Run) -> bool:
    failed = f"SELECT 1 FROM failures JOIN (SELECT rollout FROM plan) USING (rollout) WHERE {UNGRADED}"
    return bool(run.query(f"SELECT EXISTS ({failed})").rows[0][0])


def _work(run: Run) -> Iterator[Checkpoint]:
    """The stages of the work that the run's passes went through."""
    tables = [name for name in run.meta["tables"] if name != "expected" or _any(run, "expected", "mutation = 'change'")]
    for step in (*_core_action(tables), _finished(tables), *_outcome(tables)):
        if step.stage == "finished" or _nearly_all_passes(run, step):
            yield step


def _core_action(tables: list[str]) -> Iterator[Checkpoint]:
    """The most telling of the actions that the tables show; a later one implies the earlier ones."""
    yield Checkpoint("called a tool", "at least one tool call", "r.tool_calls > 0")
    if "expected" in tables:
        wanted = _exists("expected", "x.mutation = 'change'")
        tried = _exists("expected", "x.mutation = 'change' AND x.outcome <> 'missing'")
        yield Checkpoint(
            CORE_ACTION,
            "a call of a tool that the task expects to change something (where it expects one)",
            f"NOT {wanted} OR {tried}",
        )
    elif "calls" in tables:
        yield Checkpoint(CORE_ACTION, "a call of a tool that changes something", _exists("calls", "x.mutation = 'change'"))


def _finished(tables: list[str]) -> Checkpoint:
    ended = "r.error IS NULL AND r.incomplete IS NULL"
    if "signals" in tables:
        codes = ", ".join(f"'{code}'" for code in OUT_OF_ROOM)
        return Checkpoint(
            "finished",
            "not ended by an error, a limit or the last step",
            f"{ended} AND NOT {_exists('signals', f'x.code IN ({codes})')}",
        )
    return Checkpoint("finished", "not ended by an error, a limit or the last step", f"{ended} AND r.last_step <> 'tool_output'")


def _outcome(tables: list[str]) -> Iterator[Checkpoint]:
    if "answers" in tables:
        yield Checkpoint("gave an answer", "the verifier extracted an answer", _exists("answers", "x.extracted IS NOT NULL"))
    if "expected" in tables:
        lacking = _exists("expected", "x.mutation = 'change' AND x.outcome <> 'made'")
        yield Checkpoint("made the expected changes", "every state-changing call that the task expects", f"NOT {lacking}")


def _exists(table: str, where: str) -> str:
    return f"EXISTS (SELECT 1 FROM {table} AS x WHERE x.rollout = r.rollout AND x.class = r.class AND {where})"


def _any(run: Run, table: str, where: str) -> bool:
    return bool(run.query(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE class = 'scored' AND {where})").rows[0][0])


def _nearly_all_passes(run: Run, step: Checkpoint) -> bool:
    """Whether a step is on the way to a pass: nearly all passes meet it. Where nothing passed, whether any scored rollout does."""
    passed = run.passes if run.pass_rule.decides else "true"
    met, passes, any_met = run.query(f"""
        SELECT count(*) FILTER ({passed} AND coalesce({step.condition}, false)), count(*) FILTER ({passed}),
               count(*) FILTER (coalesce({step.condition}, false))
        FROM rollouts AS r WHERE r.class = 'scored'""").rows[0]
    return bool(any_met) and met >= NEARLY_ALL * passes
