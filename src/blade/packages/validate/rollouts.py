"""D2: at least two runs that were scored, and that can be compared: the same tasks, as often, every row with a reward, none twice."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from blade.comparison.pairing import pair
from blade.errors import BladeError
from blade.packages.check import Check, Phase, failed, passed
from blade.packages.runs import PackageRuns
from blade.runs.facts import ID_FIELDS
from blade.runs.run import Run
from blade.stats import modal_repeats
from blade.untrusted.escapes import one_line

LEAST_RUNS: Final = 2
MOST_NAMED: Final = 5
MOST_LOST: Final = 0.05
"""The share of the planned rollouts that may be without a score."""
_PHASE: Final[Phase] = "rollouts"


def check_rollouts(runs: PackageRuns) -> Iterator[Check]:
    files, folder = runs.package.rollouts(), runs.package.rollouts_folder
    if not files:
        fix = "copy comparable rollout files into rollouts/: <model>_rollouts.jsonl"
        yield failed("rollouts.present", _PHASE, "D2 rollouts missing: no .jsonl file", folder, fix)
    readable = {}
    for path in files:
        try:
            readable[path] = runs.run(path)
        except BladeError as error:
            fix = error.hint or "replace it by the rollout file of an evaluation"
            yield failed("rollouts.readable", _PHASE, f"D2 rollouts unreadable: {error.message}", path, fix, error.line)
    scored = {path: run for path, run in readable.items() if run.denominator.scored}
    yield _enough(folder, len(scored), len(files))
    for path, run in readable.items():
        if not run.denominator.rows and not run.denominator.malformed:
            fix = "replace it by the rollout file of an evaluation, or take it out"
            yield failed("rollouts.rows", _PHASE, "the file is empty: it has no row", path, fix)
            continue
        yield _task_id(path, run)
        yield _rewards(path, run)
        yield _once(path, run)
        yield _lines(path, run)
        yield _even(path, run)
    yield from _comparable(scored)


def _enough(folder: Path, scored: int, files: int) -> Check:
    title = "At least two scored rollout files"
    said = f"{title}: {scored} of {files} {'has' if files == 1 else 'have'} a reward or score"
    if scored >= LEAST_RUNS:
        return passed("rollouts.scored", _PHASE, said, folder)
    return failed("rollouts.scored", _PHASE, said, folder, "add another comparable model or agent run")


def _task_id(path: Path, run: Run) -> Check:
    """By the contract's fixed order of fields, whatever order the rows have them in."""
    field, inferred = run.meta["identity"]["task_field"], run.meta["identity"]["inferred"]
    if field is not None and not inferred:
        return passed("rollouts.task_id", _PHASE, f"task id field present: {field}", path)
    without = f"none of {', '.join(ID_FIELDS)} is on nearly all rows"
    fix = "preserve _ng_task_index, task_id, or an equivalent field"
    return failed("rollouts.task_id", _PHASE, f"task id field present: no, {without}", path, fix)


def _rewards(path: Path, run: Run) -> Check:
    counts, field = run.denominator, run.meta["reward_field"]
    if counts.rows and not counts.errored_rows:
        return passed("rollouts.rewards", _PHASE, f"a reward on every row: {counts.rows:,} of {counts.rows:,} ({field})", path)
    lines = _lines_of(run, "errored")
    message = f"a reward on every row: missing or not finite on {counts.errored_rows:,} of {counts.rows:,}"
    fix = f"score these rows again, or move them to <stem>_failures.jsonl{_listed_lines(lines)}"
    return failed("rollouts.rewards", _PHASE, message, path, fix, lines[0] if lines else None)


def _once(path: Path, run: Run) -> Check:
    counts = run.denominator
    twice = counts.duplicate + counts.conflicting
    if not twice:
        return passed("rollouts.duplicates", _PHASE, "no rollout stands there twice", path)
    lines = _lines_of(run, "duplicate", "conflicting")
    said = f"{counts.duplicate:,} duplicate and {counts.conflicting:,} conflicting rows"
    fix = f"keep one row for each task and repeat{_listed_lines(lines)}"
    return failed("rollouts.duplicates", _PHASE, f"a rollout stands there twice: {said}", path, fix, lines[0] if lines else None)


def _lines(path: Path, run: Run) -> Check:
    if not run.denominator.malformed:
        return passed("rollouts.lines", _PHASE, "every line is a row", path)
    bad = next((problem for problem in run.problems if problem.line is not None), None)
    message = f"every line is a row: {run.denominator.malformed:,} are damaged"
    return failed(
        "rollouts.lines", _PHASE, message, path, "copy the file again, or take the damaged lines out", bad.line if bad else None
    )


def _lines_of(run: Run, *classes: str) -> list[int]:
    listed = ", ".join(f"'{name}'" for name in classes)
    return [int(row[0]) for row in run.query(f"SELECT line FROM rollouts WHERE class IN ({listed}) ORDER BY line LIMIT 20").rows]


def _listed_lines(lines: list[int]) -> str:
    more = ", …" if len(lines) > MOST_NAMED else ""
    return f" (line {', '.join(str(line) for line in lines[:MOST_NAMED])}{more})" if lines else ""


def _comparable(scored: Mapping[Path, Run]) -> Iterator[Check]:
    """Each run against the one before it."""
    for (first, a), (path, b) in pairwise(scored.items()):
        yield _same_tasks(first, a, path, b)
        yield _same_repeats(first, a, path, b)


def _same_tasks(first: Path, a: Run, path: Path, b: Run) -> Check:
    rules = a.pass_rule, b.pass_rule
    pairing = pair(a, b)
    a.judge_by(rules[0])  # pairing judges both by one rule; each keeps its own for what comes after
    b.judge_by(rules[1])
    counts = pairing.counts
    title = f"the same tasks as {first.name}"
    if not (counts["only_a"] or counts["only_b"] or counts["redefined"]):
        return passed("rollouts.same_tasks", _PHASE, f"{title}: {counts['common']:,} in common", path)
    here, there = pairing.a.present, pairing.b.present
    apart = [name for name, one, other in zip(pairing.names, here, there, strict=True) if bool(one) != bool(other)]
    said = f"{counts['common']:,} in common, {counts['only_a']:,} only there, {counts['only_b']:,} only here"
    if counts["redefined"]:
        said += f", {counts['redefined']:,} with the same id and another definition"
    named = ", ".join(one_line(name, 40) for name in dict.fromkeys(apart[:MOST_NAMED]))
    fix = f"run both on one task set (tasks {named}{', …' if len(apart) > MOST_NAMED else ''})"
    return failed("rollouts.same_tasks", _PHASE, f"{title}: {said}", path, fix)


def _same_repeats(first: Path, a: Run, path: Path, b: Run) -> Check:
    ours, theirs = _repeats(b), _repeats(a)
    title = f"as many repeats as {first.name}"
    if ours == theirs:
        return passed("rollouts.same_repeats", _PHASE, f"{title}: {ours} planned for each task", path)
    fix = "collect the same number of repeats with both"
    return failed("rollouts.same_repeats", _PHASE, f"{title}: {ours} here, {theirs} there", path, fix)


def _even(path: Path, run: Run) -> Check:
    """A few rows that got lost are no harm where the plan of the run says so; without a plan, nobody could tell."""
    repeats, counts = _repeats(run), run.denominator
    odd = [task for task, planned in zip(run.outcomes.tasks, run.outcomes.expected, strict=True) if int(planned) != repeats]
    if odd:
        named = ", ".join(one_line(task, 40) for task in odd[:MOST_NAMED]) + (", …" if len(odd) > MOST_NAMED else "")
        message = f"the same number of repeats for every task: not {repeats} for {len(odd):,} (task {named})"
        fix = "add the missing rows, or the materialized inputs that say which were planned"
        return failed("rollouts.repeats", _PHASE, message, path, fix)
    lost = counts.missing + counts.errored
    said = f"{lost:,} of {counts.expected:,} planned rollouts have no score"
    if lost > MOST_LOST * counts.expected:
        message = f"{said}: {lost / counts.expected:.1%}, and at most {MOST_LOST:.0%} may be lost"
        fix = "collect and score the missing rollouts (gym eval run --resume goes on with a run)"
        return failed("rollouts.repeats", _PHASE, message, path, fix)
    said = f"; {said}" if lost else ""
    return passed("rollouts.repeats", _PHASE, f"the same number of repeats for every task: {repeats}{said}", path)


def _repeats(run: Run) -> int:
    """What most tasks were planned with."""
    return modal_repeats([int(count) for count in run.outcomes.expected if count > 0]) or 0
