"""The facts of a run by name, from the document of its diagnosis, which is computed from the run and never from a report."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from blade.claims.reading.facts import RUN, RunFacts, named
from blade.runs.quoting import identifier
from blade.runs.run import Run

Document = Mapping[str, Any]


def run_facts(run: Run, document: Document) -> RunFacts:
    facts = RunFacts(run, document)
    assert facts.names  # ids and outcomes by the rule of now: a comparison may have the run judged by another one later
    for enter in (_counts, _metrics, _usage, _buckets, _causes, _tools, _modes, _stages, _slices, _tasks, _rollouts):
        enter(facts, document)
    return facts


def _counts(facts: RunFacts, document: Document) -> None:
    found = document["denominator"]
    for measure in ("lines", "rows", "scored", "expected", "passed", "failed", "errored", "missing", "duplicate", "malformed"):
        facts.add(RUN, measure, found.get(measure))
    facts.add(RUN, "errored", found["errored_rows"])
    facts.add(RUN, "rollouts", found["scored"], found["expected"], found["rows"], found["attempts"])
    facts.add(RUN, "tasks", document["task_count"], sum(task.scored > 0 for task in facts.tasks.values()), len(facts.tasks))
    repeats = document["repeats"]
    facts.add(RUN, "repeats", repeats.get("mode"), repeats.get("max"), repeats.get("min"))
    if document.get("unexplained"):
        facts.add(RUN, "unexplained", document["unexplained"].get("rollouts"))
    if found.get("passed") is not None and found["scored"]:
        facts.add(RUN, "passed_share", found["passed"] / found["scored"])
        facts.add(RUN, "failed_share", found["failed"] / found["scored"])


def _metrics(facts: RunFacts, document: Document) -> None:
    metrics = document["metrics"]
    for measure in ("pass_at_1", "mean_reward"):
        facts.add(RUN, measure, metrics[measure]["value"])
        for bound, value in zip(("low", "high"), metrics[measure].get("ci") or (), strict=False):
            facts.add(RUN, f"{measure}_{bound}", value)
    for measure in ("pass_at_k", "pass_hat_k"):
        for k, found in (metrics.get(measure) or {}).items():
            facts.add(RUN, f"{measure[:-1]}{k}", found["value"])
            facts.add(RUN, f"{measure[:-1]}{k}_tasks", found["tasks"])
    for measure in ("consistency", "coverage", "retry_value", "oracle", "icc", "mde", "missing_as_failed", "completed_only"):
        facts.add(RUN, measure, metrics.get(measure))
    facts.add(RUN, "pass_at_1", *facts.measures[RUN]["passed_share"])  # many average over rollouts where we average over tasks
    facts.add(RUN, "rate", *facts.measures[RUN]["pass_at_1"])


def _usage(facts: RunFacts, document: Document) -> None:
    for what, found in (document["metrics"].get("usage") or {}).items():
        for measure in ("mean", "total", "rollouts"):
            facts.add(what.replace("_", " "), measure, found.get(measure))


def _buckets(facts: RunFacts, document: Document) -> None:
    lost: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for task in facts.tasks.values():
        if task.bucket is not None:
            sizes[task.bucket] += 1
            lost[task.bucket] += task.scored - (task.passed or 0)
    for bucket in ("always", "sometimes", "never", "missing") if sizes else ():
        for name in (bucket, f"{bucket} pass", f"{bucket}-pass", f"{bucket} passes", f"{bucket} passing"):
            facts.add(name, "tasks", sizes[bucket])
            facts.add(name, "failed", lost[bucket])
            facts.add(name, "share", sizes[bucket] / max(len(facts.tasks), 1))


def _causes(facts: RunFacts, document: Document) -> None:
    held: dict[str, Counter[str]] = {}
    for task in document.get("tasks") or ():
        if task.get("cause"):
            counts = held.setdefault(task["cause"]["label"], Counter())
            counts["tasks"] += 1
            counts[task["bucket"]] += 1
            counts["failed"] += task["n"] - (task["passed"] or 0)
    for label, counts in held.items():
        for measure in ("tasks", "sometimes", "never", "failed"):
            facts.add(f"label {label}", measure, counts[measure])


def _slices(facts: RunFacts, document: Document) -> None:
    slices = document.get("slices") or ()
    times = Counter(named(item["value"]) for item in slices)
    for item in slices:
        names = [f"{item['by']} = {item['value']}", f"{item['by']}: {item['value']}", f"{item['by']}={item['value']}"]
        plain = named(item["value"])
        if times[plain] == 1 and plain.replace(" ", "").isalpha() and len(plain) > 2 and plain not in facts.measures:
            names.append(plain)  # a word that can mean nothing else here
        scored, passed = _slice_rows(facts, item["by"], item["value"])
        for name in names:
            facts.add(name, "tasks", item["tasks"])
            facts.add(name, "rate", item["pass_at_1"], passed / scored if passed is not None and scored else None)
            facts.add(name, "rollouts", scored)
            facts.add(name, "passed", passed)
            facts.add(name, "failed", None if passed is None or scored is None else scored - passed)
            facts.add(name, "mean_reward", item.get("mean_reward"))
            facts.add(name, "p", item.get("p_adjusted"))
            for bound, value in zip(("low", "high"), item.get("ci") or (), strict=False):
                facts.add(name, f"rate_{bound}", value)


def _slice_rows(facts: RunFacts, field: str, value: object) -> tuple[int | None, int | None]:
    """Scored and passed rollouts of a slice, where it is a column of the rows."""
    columns = {row[0] for row in facts.run.query("DESCRIBE rollouts").rows}
    if field not in columns or not facts.run.pass_rule.decides:
        return None, None
    found = facts.run.query(
        f"""SELECT count(*), count(*) FILTER ({facts.run.passes}) FROM rollouts
            WHERE class = 'scored' AND CAST({identifier(field)} AS VARCHAR) = $1""",
        (str(value),),
    ).rows[0]
    return (int(found[0]), int(found[1])) if found[0] else (None, None)


def _stages(facts: RunFacts, document: Document) -> None:
    for stage in document.get("funnel") or ():
        facts.add(f"stage {stage['stage']}", "rollouts", stage["count"])
        facts.add(f"stage {stage['stage']}", "share", stage.get("share"))
        facts.add(f"stage {stage['stage']}", "lost", stage.get("lost"))


def _tools(facts: RunFacts, document: Document) -> None:
    for tool in document.get("tools") or ():
        facts.add(tool["name"], "calls", tool.get("calls"))
        facts.add(tool["name"], "errors", tool.get("errors"))


def _modes(facts: RunFacts, document: Document) -> None:
    for mode in document.get("modes") or ():
        for name in (mode["title"], mode["id"]):
            facts.add(name, "failed", mode["failed_rollouts"])
            facts.add(name, "passed", mode["passed_rollouts"])
            facts.add(name, "tasks", mode["tasks"])
            facts.add(name, "rollouts", mode["rollouts"], mode["failed_rollouts"])
            facts.add(name, "share_of_loss", mode.get("share_of_loss"))
            facts.add(name, "lift", mode.get("lift"))
            facts.add(name, "lift_tasks", mode.get("lift_tasks"))
            facts.add(name, "p", mode.get("p_adjusted"))
            gain = mode.get("gain") or {}
            facts.add(name, "gain", gain.get("estimate"), gain.get("upper"), gain.get("lower"))


def _tasks(facts: RunFacts, document: Document) -> None:
    means = {task["task"]: task.get("mean_reward") for task in document.get("tasks") or ()}
    for (name, task), expected in zip(facts.tasks.items(), facts.run.outcomes.expected, strict=True):
        entity = f"task {name}"
        facts.add(entity, "repeats", task.scored, int(expected))
        facts.add(entity, "mean_reward", means.get(name))
        if task.passed is not None:
            facts.add(entity, "passed", task.passed)
            facts.add(entity, "failed", task.scored - task.passed)
            facts.add(entity, "rate", task.passed / task.scored if task.scored else None)


def _rollouts(facts: RunFacts, document: Document) -> None:
    columns = "reward, steps, tool_calls, input_tokens, output_tokens, total_tokens, reasoning_tokens"
    for rollout, *values in facts.run.query(f"SELECT rollout, {columns} FROM rollouts WHERE class = 'scored'").rows:
        for measure, value in zip(columns.split(", "), values, strict=True):
            facts.add(f"rollout {rollout}", measure, value)
