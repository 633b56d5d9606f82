"""Can this score be trusted? Checks of the data, the infrastructure, the verifier and the noise, before anyone blames the model.

Each check has a value, the thresholds it was held against, its denominator and evidence, and one of four statuses; `unknown` is a
fair answer. The seeds' six criteria for a benchmark (task fit, verifier fidelity, model compatibility, harness fit, variance,
reproducibility) are answered from the artifacts as far as they go. A check never moves the booked score: where rollouts are
suspected, the figure with them and the figure without them stand side by side.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from blade.diagnosis.findings import evidence
from blade.diagnosis.metrics import metrics
from blade.runs.run import Run
from blade.untrusted.quotes import clean
from blade.untrusted.redaction import redact

SCHEMA = "blade.health/1"
MOST_EVIDENCE = 5
INFRASTRUCTURE = "rollout IN (SELECT rollout FROM signals WHERE label = 'IR' AND class = 'scored')"
ANSWER_COLUMNS = ("extracted_answer", "predicted_answer", "model_answer", "parsed_answer", "prediction")


@dataclass(frozen=True)
class Check:
    """One question to the artifacts. `threshold` is where it warns and where it fails."""

    code: str
    status: str  # ok, warn, fail, unknown
    value: float | None
    threshold: dict[str, float] | None
    denominator: int | None
    message: str
    evidence: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Health:
    verdict: str  # healthy, suspect, unhealthy
    checks: tuple[Check, ...]


def health(run: Run) -> Health:
    """All checks of a run that was opened with the signals extractor."""
    numbers = metrics(run)
    checks = [*_counting(run), *_trajectories(run), *_verifier(run), *_noise(run, numbers), *_tasks(run)]
    checks += _criteria(run, {check.code: check for check in checks})
    statuses = {check.status for check in checks}
    verdict = "unhealthy" if "fail" in statuses else "suspect" if "warn" in statuses else "healthy"
    return Health(verdict, tuple(checks))


def as_json(run: Run, found: Health) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": run.artifacts.spec,
        "verdict": found.verdict,
        "checks": [asdict(check) for check in found.checks],
    }


def _share(
    code: str,
    part: int,
    whole: int,
    what: str,
    *,
    warn: float,
    fail: float,
    evidence: list[dict[str, Any]] | None = None,
    more: str = "",
) -> Check:
    """A share that should be small: ok up to `warn`, a warning up to `fail`."""
    value = part / whole if whole else None
    status = "unknown" if value is None else "fail" if value > fail else "warn" if value > warn else "ok"
    shown = "nothing to count" if value is None else f"{part:,} of {whole:,} {what} ({100 * value:.1f} %)"
    return Check(code, status, value, {"warn": warn, "fail": fail}, whole, shown + more, evidence or [])


def _counting(run: Run) -> Iterator[Check]:
    counts = run.denominator
    yield _share("malformed_lines", counts.malformed, counts.lines, "lines could not be read", warn=0.0, fail=0.01)
    again = counts.duplicate + counts.conflicting
    more = "; the first of each counts, but whoever averages the file counts them twice" if again else ""
    yield _share("duplicates", again, counts.rows, "rows repeat a key", warn=0.0, fail=0.01, more=more)
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
        lost = _rollouts(run, "SELECT rollout, NULL, state FROM plan WHERE state <> 'scored' ORDER BY task, repeat LIMIT 5")
        yield _share(
            "coverage",
            lacking,
            counts.expected,
            "expected rollouts have no score",
            warn=0.01,
            fail=0.05,
            evidence=lost,
            more=states,
        )
    unexpected = "; they are in the file but not in the plan, and not in the score" if counts.unexpected else ""
    yield _share("unexpected", counts.unexpected, counts.rows, "rows were not planned", warn=0.0, fail=0.05, more=unexpected)


def _trajectories(run: Run) -> Iterator[Check]:
    scored = run.denominator.scored
    found = run.query("""
        SELECT count(DISTINCT rollout) FROM rollouts JOIN signals USING (rollout)
        WHERE signals.label = 'IR' AND rollouts.class = 'scored' AND signals.class = 'scored'""").rows[0][0]
    evidence = _rollouts(
        run,
        """SELECT rollout, min_by(step, coalesce(step, 1e9)), min_by(code || ': ' || quote, coalesce(step, 1e9)) FROM signals
           WHERE label = 'IR' AND class = 'scored' GROUP BY rollout
           ORDER BY try_cast(min(task) AS BIGINT) NULLS LAST, min(task), min(repeat) LIMIT 5""",
    )
    yield _share(
        "infrastructure",
        found,
        scored,
        "scored rollouts show an infrastructure failure",
        warn=0.01,
        fail=0.05,
        evidence=evidence,
        more=_without(run),
    )
    truncated = run.query("SELECT count(*) FROM rollouts WHERE class = 'scored' AND incomplete IS NOT NULL").rows[0][0]
    cut = _rollouts(
        run,
        "SELECT rollout, NULL, 'incomplete: ' || incomplete FROM rollouts WHERE class = 'scored' AND incomplete IS NOT NULL LIMIT 5",
    )
    yield _share("truncation", truncated, scored, "scored rollouts were cut off", warn=0.02, fail=0.10, evidence=cut)
    empty = f"class = 'scored' AND messages - user_turns = 0 AND tool_calls = 0 AND NOT {INFRASTRUCTURE}"
    silent = run.query(f"SELECT count(*) FROM rollouts WHERE {empty}").rows[0][0]
    seen = _rollouts(run, f"SELECT rollout, NULL, 'no message and no tool call' FROM rollouts WHERE {empty} LIMIT 5")
    yield _share(
        "empty_output",
        silent,
        scored,
        "scored rollouts hold neither a message nor a tool call",
        warn=0.01,
        fail=0.05,
        evidence=seen,
    )


def _without(run: Run) -> str:
    """The booked score beside the score of the rollouts without an infrastructure failure."""
    hit = INFRASTRUCTURE
    value = run.passes if run.pass_rule.decides else "reward"
    both, rest, n_both, n_rest = run.query(f"""
        SELECT (SELECT avg(m) FROM (SELECT avg(CAST({value} AS DOUBLE)) AS m FROM rollouts WHERE class = 'scored' GROUP BY task)),
               (SELECT avg(m) FROM (SELECT avg(CAST({value} AS DOUBLE)) AS m FROM rollouts WHERE class = 'scored' AND NOT {hit} GROUP BY task)),
               (SELECT count(*) FROM rollouts WHERE class = 'scored'), (SELECT count(*) FROM rollouts WHERE class = 'scored' AND NOT {hit})""").rows[
        0
    ]
    if n_both == n_rest or both is None:
        return ""
    left = "nothing is left without them" if rest is None else f"without them {rest:.4f} over {n_rest:,} rollouts"
    return f"; booked score {both:.4f} over {n_both:,} rollouts, {left}"


def _verifier(run: Run) -> Iterator[Check]:
    if run.pass_rule.decides:
        odd = f"class = 'scored' AND {run.passes} AND ((messages - user_turns = 0 AND tool_calls = 0) OR error IS NOT NULL)"
        passed = run.denominator.passed or 0
        count = run.query(f"SELECT count(*) FROM rollouts WHERE {odd}").rows[0][0]
        seen = _rollouts(
            run, f"SELECT rollout, NULL, coalesce(error, 'passed without any output') FROM rollouts WHERE {odd} LIMIT 5"
        )
        yield _share(
            "suspicious_passes", count, passed, "passes have no output or ended in an error", warn=0.0, fail=0.01, evidence=seen
        )
    else:
        yield Check("suspicious_passes", "unknown", None, None, None, "no pass rule fits these rewards: give --pass-threshold X")
    columns = {row[0] for row in run.query("DESCRIBE rollouts").rows}
    answer = next((name for name in ANSWER_COLUMNS if name in columns), None)
    if answer is None:
        yield Check(
            "verifier_consistency", "unknown", None, None, None, "the rows hold no extracted answer to compare the rewards of"
        )
        return
    groups = run.query(f"""
        SELECT task, CAST("{answer}" AS VARCHAR) AS answer, count(DISTINCT reward) AS rewards, count(*) AS n, min(rollout) AS rollout
        FROM rollouts WHERE class = 'scored' AND "{answer}" IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY 1, 2""").rows
    split = [group for group in groups if group[2] > 1]
    seen = [
        _evidence(group[4], None, f"{group[3]} rollouts answer {group[1]!r} and get {group[2]} different rewards")
        for group in split[:MOST_EVIDENCE]
    ]
    yield _share(
        "verifier_consistency",
        len(split),
        len(groups),
        f"repeated answers ({answer}) got different rewards",
        warn=0.0,
        fail=0.02,
        evidence=seen,
    )


def _noise(run: Run, numbers: dict[str, Any]) -> Iterator[Check]:
    tasks = len(run.outcomes.tasks)
    value = numbers["pass_at_1"]["value"]
    if value is None:
        yield Check("saturation", "unknown", None, None, tasks, "no pass rate without a pass rule and a scored rollout")
    else:
        status = "warn" if value >= 0.98 or value <= 0.02 else "ok"
        room = (
            "little room is left to see a difference" if status == "warn" else "there is room for a difference in both directions"
        )
        yield Check("saturation", status, value, {"low": 0.02, "high": 0.98}, tasks, f"pass@1 is {100 * value:.1f} %: {room}")
    mde = numbers["mde"]
    if mde is None:
        yield Check("noise", "unknown", None, {"warn": 0.05}, tasks, "too few tasks to say what change could be detected")
    else:
        unit = f"{100 * mde:.1f} points" if value is not None else f"{mde:.3g} reward"
        message = f"a second run like this would find a change of {unit} in 4 of 5 cases ({numbers['mde_detail']['method'].replace('_', ' ')})"
        yield Check("noise", "warn" if mde > 0.05 else "ok", mde, {"warn": 0.05}, tasks, message)


def _tasks(run: Run) -> Iterator[Check]:
    shared = run.query("""
        SELECT prompt_hash, list(DISTINCT task ORDER BY task), min(rollout) FROM rollouts
        WHERE prompt_hash IS NOT NULL AND class <> 'duplicate' GROUP BY prompt_hash
        HAVING count(DISTINCT task) > 1 AND max(user_turns) = 0 ORDER BY min(rollout)""").rows
    tasks = {task for _, listed, _ in shared for task in listed}
    seen = [
        _evidence(rollout, None, f"the same prompt under the tasks {', '.join(listed[:4])}")
        for _, listed, rollout in shared[:MOST_EVIDENCE]
    ]
    yield _share(
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
    yield _from("verifier_fidelity", checks, ("suspicious_passes", "verifier_consistency"), "the verifier's own traces")
    yield _from("model_compatibility", checks, ("truncation", "empty_output"), "cut-off and empty outputs")
    exhausted = "class = 'scored' AND code IN ('steps_exhausted', 'stopped_for_errors', 'context_overflow')"
    yield _share(
        "harness_fit",
        run.query(f"SELECT count(DISTINCT rollout) FROM signals WHERE {exhausted}").rows[0][0],
        run.denominator.scored,
        "scored rollouts ran out of steps or context, or were stopped by the harness",
        warn=0.05,
        fail=0.20,
        evidence=_rollouts(run, f"SELECT rollout, step, quote FROM signals WHERE {exhausted} ORDER BY rollout, step LIMIT 5"),
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
    return Check(code, status, None, None, None, f"judged by {what}: {named}")


def _rollouts(run: Run, query: str) -> list[dict[str, Any]]:
    return [_evidence(*row) for row in run.query(query).rows]


def _evidence(rollout: str, step: int | None, quote: str | None) -> dict[str, Any]:
    return evidence(rollout, step, clean(quote or ""))
