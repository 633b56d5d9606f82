"""What a diagnosis could not tell, and why."""

from collections.abc import Sequence

from blade.runs.run import Run
from blade.runs.scan import Problem
from blade.untrusted.escapes import one_line


def limits(run: Run, unknown: Sequence[Problem], repeats: int) -> list[str]:
    """The sentences; `unknown` is what a skill names and no row has, `repeats` the most of any task."""
    found = []
    if not run.denominator.scored:
        return ["nothing is scored, so nothing can be said of the model: no modes, causes or buckets"]
    if not run.pass_rule.decides:
        found.append("no pass rule fits these rewards, so no rollout is called failed: give --pass-threshold X")
    models = run.query(
        "SELECT list(DISTINCT model ORDER BY model) FROM rollouts WHERE class = 'scored' AND model IS NOT NULL"
    ).rows[0][0]
    if models and len(models) > 1:
        named = ", ".join(one_line(model, 60) for model in models[:4])
        found.append(f"rows of {len(models)} models ({named}) are taken as repeats of one another: diagnose them one by one")
    if repeats <= 1:
        found.append("one repeat of each task: unreliable knowledge cannot be told from a knowledge gap, nor luck from skill")
    if not run.query("SELECT count(*) FROM expected").rows[0][0]:
        found.append("the rows hold no expected calls, so a wrong action is found only where a tool or a sibling shows it")
    if not run.query("SELECT count(expected) FROM answers").rows[0][0]:
        found.append("the rows hold no expected answer, so the verifier's judgement of answers is not checked")
    found += [f"{one.path}:{one.line}: {one.message}: what the skill says of it holds nowhere" for one in unknown]
    found.append("a cause is an association in these artifacts; only a re-run with the fix settles it")
    return found
