"""Responses that were given before, to another request (IR): a cache or a proxy answers, and not the model.

A response has an id of its own. Where rollouts of several tasks with different prompts carry the same id and, word for word, the same output, they were
answered from a store: at most one of them asked for it. A harness that writes one id for everything says nothing, so ids count only where (nearly)
every rollout has its own. Reward-blind in what it learns; findings are on failing rollouts.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

REPLAYED: Final = Pattern(
    "response_replayed",
    "IR",
    "the response has the id and the words of one that another request got: it came from a cache, and not from the model",
    0.9,
    reward_aware=False,
)
PATTERNS: Final = (REPLAYED,)
OWN: Final = 0.5
"""Distinct ids for each rollout from which on an id is a rollout's own."""
MOST: Final = 20_000


def learn_replayed(run: Run) -> dict[str, str]:
    """By rollout: in words, which other tasks got the very same response."""
    if "outputs" not in run.meta["tables"]:
        return {}
    ids, rollouts = run.query("SELECT count(DISTINCT response_id), count(response_id) FROM rollouts WHERE class = 'scored'").rows[
        0
    ]
    if ids == rollouts or ids < OWN * rollouts:
        return {}
    rows = run.query(f"""
        WITH given AS (SELECT r.rollout, r.task, r.prompt_hash, r.response_id, o.output_hash FROM rollouts AS r JOIN outputs AS o USING (rollout)
                       WHERE r.class = 'scored' AND r.response_id IS NOT NULL AND o.output_hash IS NOT NULL),
             shared AS (SELECT response_id, output_hash, list(DISTINCT task ORDER BY task) AS tasks, count(*) AS times FROM given
                        GROUP BY ALL HAVING count(DISTINCT task) > 1 AND count(DISTINCT prompt_hash) > 1)
        SELECT rollout, task, response_id, tasks, times FROM given JOIN shared USING (response_id, output_hash) ORDER BY rollout LIMIT {MOST}""").rows
    return {
        rollout: f"{response} stands in {times} rollouts of {len(tasks)} tasks, task {next(other for other in tasks if other != task)} among them"
        for rollout, task, response, tasks, times in rows
    }


def replayed(view: TaskView, known: Mapping[str, str]) -> Iterator[Finding]:
    for rollout in view.failing:
        if (said := known.get(rollout.rollout)) is not None:
            first = rollout.calls[0] if rollout.calls else None
            yield REPLAYED.found(
                rollout,
                subject="response",
                step=0 if first is None else first.step,
                quote=first.name if first else "",
                detail=said,
            )
