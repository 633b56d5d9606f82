"""Can this score be trusted? Checks of the data, the infrastructure, the verifier and the noise, before anyone blames the model.

Each check has a value, the thresholds it was held against, its denominator and evidence, and one of four statuses; `unknown` is a
fair answer. The seeds' six criteria for a benchmark (task fit, verifier fidelity, model compatibility, harness fit, variance,
reproducibility) are answered from the artifacts as far as they go. A check never moves the booked score: where rollouts are
suspected, the figure with them and the figure without them stand side by side.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from blade.diagnosis.check import MOST_EVIDENCE, Check, quoted, share, shown_by, undecided
from blade.diagnosis.failed_attempts import LATE, failed_attempts, unscored_words
from blade.diagnosis.findings import Finding
from blade.diagnosis.metrics import metrics
from blade.diagnosis.verifier_checks import NOTHING_MADE, verifier_checks
from blade.runs.run import Run
from blade.sentences import plural
from blade.untrusted.redaction import redact

SCHEMA = "blade.health/1"
LOW, HIGH = 0.02, 0.98
"""Pass rates from which on a run says little, at either end."""
LEAST_CALLS, LEAST_CALLERS = 5, 3
"""Calls and rollouts that make them, from which on it says something that none was answered without an error."""
INFRASTRUCTURE = "rollout IN (SELECT rollout FROM signals WHERE label = 'IR' AND class = 'scored')"

LOST = "SELECT rollout, NULL, state FROM plan WHERE state <> 'scored' ORDER BY task, repeat LIMIT 5"
LOST_BY_FAILURE = """
    SELECT rollout, NULL, coalesce(any_value(p.state) || ', ' || max_by(f.failure || ': ' || f.message, (f.path, f."offset")), any_value(p.state))
    FROM plan AS p LEFT JOIN failures AS f USING (rollout) WHERE p.state <> 'scored'
    GROUP BY rollout ORDER BY any_value(p.task), any_value(p.repeat) LIMIT 5"""
"""Rollouts without a score, with the last failure of each."""


@dataclass(frozen=True)
class Health:
    verdict: str  # healthy, suspect, unhealthy
    checks: tuple[Check, ...]


def health(run: Run, against_verifier: Sequence[Finding]) -> Health:
    """All checks of a run that was opened for a diagnosis, with what the diagnosis found against the verifier."""
    numbers = metrics(run)
    checks = [*_counting(run), *_trajectories(run), *verifier_checks(run, against_verifier), *_noise(run, numbers), *_tasks(run)]
    checks += _criteria(run, {check.code: check for check in checks})
    statuses = {check.status for check in checks}
    verdict = "unhealthy" if "fail" in statuses else "suspect" if "warn" in statuses else "healthy"
    return Health(verdict, tuple(checks))


def as_json(run: Run, found: Health) -> dict[str, Any]:
    """The contract's keys, and the checks that the artifacts cannot decide: a run can be healthy only as far as they go."""
    checks = [asdict(check) for check in found.checks]
    return {
        "schema": SCHEMA,
        "run": run.artifacts.spec,
        "verdict": found.verdict,
        "undecided": undecided(checks),
        "checks": checks,
    }


def _counting(run: Run) -> Iterator[Check]:
    counts = run.denominator
    yield share("malformed_lines", counts.malformed, counts.lines, "lines could not be read", warn=0.0, fail=0.01)
    again = counts.duplicate + counts.conflicting
    more = "; the first of each counts, but whoever averages the file counts them twice" if again else ""
    yield share("duplicates", again, counts.rows, "rows repeat a key", warn=0.0, fail=0.01, more=more)
    yield from _coverage(run)
    unexpected = "; they are in the file but not in the plan, and not in the score" if counts.unexpected else ""
    yield share("unexpected", counts.unexpected, counts.rows, "rows were not planned", warn=0.0, fail=0.05, more=unexpected)


def _coverage(run: Run) -> Iterator[Check]:
    """Whether what was planned has a score, and which failures stood in the way."""
    counts, failed = run.denominator, failed_attempts(run)
    lacking = counts.errored + counts.missing
    if counts.expected_source == "observed" and not lacking:
        yield Check(
            "coverage",
            "unknown",
            None,
            {"warn": 0.01, "fail": 0.05},
            counts.expected,
            "no plan says what was to be run, so nothing can be missed",
        )
    else:
        states = f" ({counts.errored:,} errored, {counts.missing:,} missing)" if lacking else ""
        why = unscored_words(failed)
        lost = shown_by(run, LOST if failed is None else LOST_BY_FAILURE)
        yield share(
            "coverage",
            lacking,
            counts.expected,
            "expected rollouts have no score",
            warn=0.01,
            fail=0.05,
            evidence=lost,
            more=f"{states}: {why}" if why else states,
        )
    if failed is not None:
        yield share(
            "verifier_retries",
            failed["scored_after_verifier_failure"],
            counts.scored,
            "scored rollouts were scored only after an attempt that failed in the verifier",
            warn=0.0,
            fail=0.10,
            evidence=shown_by(
                run, f"SELECT rollout, NULL, failure || ': ' || message {LATE} ORDER BY task, repeat, path, \"offset\" LIMIT 5"
            ),
        )


def _trajectories(run: Run) -> Iterator[Check]:
    scored = run.denominator.scored
    yield _infrastructure(run)
    truncated = run.query("SELECT count(*) FROM rollouts WHERE class = 'scored' AND incomplete IS NOT NULL").rows[0][0]
    cut = shown_by(
        run,
        "SELECT rollout, NULL, 'incomplete: ' || incomplete FROM rollouts WHERE class = 'scored' AND incomplete IS NOT NULL LIMIT 5",
    )
    yield share("truncation", truncated, scored, "scored rollouts were cut off", warn=0.02, fail=0.10, evidence=cut)
    masked = "class = 'scored' AND code = 'sample_masked'"
    told = shown_by(run, f"SELECT rollout, NULL, quote FROM signals WHERE {masked} LIMIT 5")
    counted = run.query(f"SELECT count(DISTINCT rollout) FROM signals WHERE {masked}").rows[0][0]
    if counted:
        said = "scored rollouts are masked by their own rows, and count all the same"
        yield share("masked_samples", counted, scored, said, warn=0.0, fail=0.05, evidence=told)
    empty = f"class = 'scored' AND {NOTHING_MADE} AND NOT {INFRASTRUCTURE}"
    silent = run.query(f"SELECT count(*) FROM rollouts WHERE {empty}").rows[0][0]
    seen = shown_by(run, f"SELECT rollout, NULL, 'no message with words and no tool call' FROM rollouts WHERE {empty} LIMIT 5")
    yield share(
        "empty_output",
        silent,
        scored,
        "scored rollouts hold neither a message with words nor a tool call nor a product",
        warn=0.01,
        fail=0.05,
        evidence=seen,
    )
    yield from _tool_answers(run)


def _infrastructure(run: Run) -> Check:
    """How many rollouts an infrastructure failure may have cost: whoever passed all the same got over it."""
    decides = run.pass_rule.decides
    passes = f"count(*) FILTER ({run.passes})" if decides else "0"
    found, passed = run.query(f"SELECT count(*), {passes} FROM rollouts WHERE class = 'scored' AND {INFRASTRUCTURE}").rows[0]
    scored = run.denominator.scored
    evidence = shown_by(
        run,
        f"""SELECT rollout, min_by(step, coalesce(step, 1e9)), min_by(code || ': ' || quote, coalesce(step, 1e9)) FROM signals
           WHERE label = 'IR' AND class = 'scored' GROUP BY rollout
           ORDER BY bool_or(rollout IN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes if decides else "false"})),
                    try_cast(min(task) AS BIGINT) NULLS LAST, min(task), min(repeat) LIMIT 5""",
    )
    got_over = f"; {passed:,} of them passed, {found - passed:,} of {scored:,} count" if passed else ""
    what, more = "scored rollouts show an infrastructure failure", f"{got_over}{_without(run)}"
    shown = share("infrastructure", found, scored, what, warn=0.01, fail=0.05, evidence=evidence, more=more)
    counted = share("infrastructure", found - passed, scored, what, warn=0.01, fail=0.05)
    return replace(shown, value=counted.value, status=counted.status)


def _tool_answers(run: Run) -> Iterator[Check]:
    """Whether any tool ever answered; said only where none did."""
    answered = "class = 'scored' AND output_step IS NOT NULL"
    rollouts, calls, errors = run.query(
        f"SELECT count(DISTINCT rollout), count(*), count(error_class) FROM calls WHERE {answered}"
    ).rows[0]
    if calls >= LEAST_CALLS and rollouts >= LEAST_CALLERS and errors == calls:
        seen = shown_by(
            run, f"SELECT rollout, output_step, name || ': ' || output FROM calls WHERE {answered} ORDER BY rollout, step LIMIT 5"
        )
        message = f"all {calls:,} tool calls of the run were answered with an error: look whether the tools were there at all"
        yield Check("tool_answers", "warn", 1.0, {"warn": 0.99}, calls, message, seen)


def _without(run: Run) -> str:
    """The booked score beside the score of the rollouts without an infrastructure failure: both are means over tasks."""
    value = run.passes if run.pass_rule.decides else "reward"
    scored = f"SELECT avg(CAST({value} AS DOUBLE)) AS mean, count(*) AS n FROM rollouts WHERE class = 'scored'"
    means = "SELECT avg(mean), count(*), coalesce(sum(n), 0)::BIGINT"
    both, rest = (
        run.query(f"{means} FROM ({scored}{which} GROUP BY task)").rows[0] for which in ("", f" AND NOT {INFRASTRUCTURE}")
    )
    if both[2] == rest[2]:
        return ""
    mean, tasks, rollouts = both
    booked = f"{_figure(mean)} (mean of {plural(tasks, 'task')}, {plural(rollouts, 'rollout')})"
    mean, tasks, rollouts = rest
    left = f"without them {_figure(mean)} ({plural(tasks, 'task')}, {rollouts:,})" if rollouts else "nothing is left without them"
    return f"; booked score {booked}, {left}"


def _figure(mean: float) -> str:
    return f"{mean:.4f}" if math.isfinite(mean) else "unknown"


def _noise(run: Run, numbers: dict[str, Any]) -> Iterator[Check]:
    tasks = len(run.outcomes.tasks)
    value = numbers["pass_at_1"]["value"]
    if value is None:
        yield Check("saturation", "unknown", None, None, tasks, "no pass rate without a pass rule and a scored rollout")
    else:
        status = "warn" if value >= HIGH or value <= LOW else "ok"
        room = _room(value)
        yield Check("saturation", status, value, {"low": LOW, "high": HIGH}, tasks, f"pass@1 is {100 * value:.1f} %: {room}")
    mde = numbers["mde"]
    if mde is None:
        yield Check("noise", "unknown", None, {"warn": 0.05}, tasks, "too few tasks to say what change could be detected")
    else:
        unit = f"{100 * mde:.1f} points" if value is not None else f"{mde:.3g} reward"
        method = numbers["mde_detail"]["method"].replace("_", " ").replace("mcnemar", "McNemar")
        message = f"a second run like this would find a change of {unit} in 4 of 5 cases ({method})"
        yield Check("noise", "warn" if mde > 0.05 else "ok", mde, {"warn": 0.05}, tasks, message)


def _room(rate: float) -> str:
    """What a pass rate leaves to be seen."""
    if rate == 0:
        return "no pass to set beside the failures, and nothing that could get worse"
    if rate == 1:
        return "no failure to learn from, and nothing that could get better"
    if rate <= LOW:
        return "hardly a pass to set beside the failures, and little that could get worse"
    if rate >= HIGH:
        return "hardly a failure to learn from, and little that could get better"
    return "there is room for a difference in both directions"


def _tasks(run: Run) -> Iterator[Check]:
    shared = run.query("""
        SELECT prompt_hash, list(DISTINCT task ORDER BY task), min(rollout) FROM rollouts
        WHERE prompt_hash IS NOT NULL AND class <> 'duplicate' GROUP BY prompt_hash
        HAVING count(DISTINCT task) > 1 AND max(user_turns) = 0 ORDER BY min(rollout)""").rows
    tasks = {task for _, listed, _ in shared for task in listed}
    seen = [
        quoted(rollout, None, f"the same prompt under the tasks {', '.join(listed[:4])}")
        for _, listed, rollout in shared[:MOST_EVIDENCE]
    ]
    yield share(
        "shared_prompts",
        len(tasks),
        len(run.outcomes.tasks),
        "tasks share their prompt with another",
        warn=0.0,
        fail=0.10,
        evidence=seen,
    )
    odd = [
        problem
        for problem in run.problems
        if problem.code in ("definition_varies", "same_id_different_prompts", "id_collision", "several_agents")
    ]
    message = "; ".join(redact(problem.message) for problem in odd) or "every id means one task"
    yield Check("task_ids", "warn" if odd else "ok", float(len(odd)), {"warn": 0}, len(run.outcomes.tasks), message)
    stale = [item for item in run.inventory if item.state in ("stale", "unreadable")]
    named = "; ".join(f"{item.path}: {item.note}" for item in stale) or "no sidecar contradicts the rows"
    yield Check("sidecars", "warn" if stale else "ok", float(len(stale)), {"warn": 0}, len(run.inventory), named)


def _criteria(run: Run, checks: dict[str, Check]) -> Iterator[Check]:
    """The six criteria for a benchmark, each from the checks that bear on it."""
    yield Check(
        "task_fit", "unknown", None, None, None, "whether the tasks are those you care about cannot be decided from the artifacts"
    )
    yield _from(
        "verifier_fidelity", checks, ("suspicious_passes", "verifier_consistency", "wrong_verdicts"), "the verifier's own traces"
    )
    yield _from("model_compatibility", checks, ("truncation", "empty_output"), "cut-off and empty outputs")
    exhausted = "class = 'scored' AND code IN ('steps_exhausted', 'stopped_for_errors', 'ended_as_error', 'context_overflow')"
    yield share(
        "harness_fit",
        run.query(f"SELECT count(DISTINCT rollout) FROM signals WHERE {exhausted}").rows[0][0],
        run.denominator.scored,
        "scored rollouts ran out of steps or context, or were stopped by the harness",
        warn=0.05,
        fail=0.20,
        evidence=shown_by(run, f"SELECT rollout, step, quote FROM signals WHERE {exhausted} ORDER BY rollout, step LIMIT 5"),
    )
    yield _from("variance", checks, ("noise", "saturation"), "noise and saturation")
    known = {name: value for name, value in run.provenance.items() if name != "source" and value not in (None, {})}
    lacking = [name for name in ("model", "agent", "verifier", "dataset", "prompt", "sampling") if name not in known]
    message = f"unknown: {', '.join(lacking)}" if lacking else "model, agent, verifier, dataset, prompt and sampling are known"
    yield Check("reproducibility", "unknown" if lacking else "ok", 1 - len(lacking) / 6, None, 6, message)


def _from(code: str, checks: dict[str, Check], parts: tuple[str, ...], what: str) -> Check:
    statuses = [checks[part].status for part in parts]
    status = next((name for name in ("fail", "warn", "unknown") if name in statuses), "ok")
    named = ", ".join(f"{part.replace('_', ' ')} {checks[part].status}" for part in parts)
    return Check(code, status, None, None, None, f"judged by {what}: {named}", sums_up=parts)
