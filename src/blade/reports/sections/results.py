"""Aggregate results, workflow funnel and task outcome buckets: the numbers before their reasons."""

from collections import Counter
from typing import Any

from blade.reports.citations import Cite, Document
from blade.reports.effects import passes_outside, weak_checks
from blade.reports.failures import failures_table
from blade.reports.wording import (
    bullets,
    capital,
    clause,
    count,
    interval,
    label,
    listed,
    name,
    number,
    percent,
    place,
    plural,
    points,
    quoted,
    sentence,
    share,
    shown,
    table,
    words,
)
from blade.signals.labels import LABELS

MOST_SLICES = 10
MOST_VERIFIER_FINDINGS = 8
MOST_IDS = 30
BAR = 24
OUTSIDE = 400
FROM_FAILURES = ("coverage", "verifier_retries")
"""Checks whose evidence is no quotation of a rollout, but what a failed attempt left behind."""
BUCKETS = ("always", "sometimes", "never", "missing")


def aggregate_results(document: Document, cite: Cite) -> list[str]:
    rows = [*_rates(document, cite), *_shape(document, cite)]
    blocks = [table(("metric", "value", "95 % interval", "over"), rows)]
    if usage := document["metrics"].get("usage"):
        cells = [
            (shown(what.replace("_", " ")), *(_figure(found[key]) for key in ("mean", "total")), count(found["rollouts"]))
            for what, found in usage.items()
        ]
        blocks.append(table(("usage", "mean", "total", "rollouts that report it"), cells, " rrr"))
    return [*blocks, *_trust(document), *failures_table(document, cite), *_verifier(document), *_slices(document)]


def _figure(value: float | None) -> str:
    return number(None if value is None else float(value))


def _rates(document: Document, cite: Cite) -> list[tuple[str, str, str, str]]:
    metrics = document["metrics"]
    first, mean = metrics["pass_at_1"], metrics["mean_reward"]
    rows = []
    if first["value"] is not None:
        over = plural(first["tasks"], "task")
        rows.append(("pass@1" + cite("pass_at_1"), percent(first["value"]), interval(first["ci"]), over))
        last = list(metrics["pass_at_k"])
        for k in [k for k in dict.fromkeys(("2", "4", "8", *last[-1:])) if k in metrics["pass_at_k"] and k != "1"]:
            at, hat = metrics["pass_at_k"][k], metrics["pass_hat_k"][k]
            over = f"{plural(at['tasks'], 'task')} with {k} repeats"
            rows.append((f"pass@{k}, some of {k} pass" + cite(f"pass_at_{k}"), percent(at["value"]), "–", over))
            rows.append((f"pass^{k}, all {k} pass" + cite(f"pass_hat_{k}"), percent(hat["value"]), "–", over))
    if mean["value"] is not None:
        spread = interval(mean["ci"], of="{:.4g}".format)
        rows.append(("mean reward" + cite("mean_reward"), number(mean["value"], 4), spread, plural(first["tasks"], "task")))
    return rows


def _shape(document: Document, cite: Cite) -> list[tuple[str, str, str, str]]:
    metrics, counts = document["metrics"], document["denominator"]
    tasks = plural(metrics["pass_at_1"]["tasks"], "task")
    rows = []
    for key, what in (("consistency", "tasks that always pass"), ("oracle", "tasks with at least one pass")):
        if metrics.get(key) is not None and counts.get("failed") is not None:
            rows.append((what + cite(key), percent(metrics[key]), "–", tasks))
    if metrics.get("retry_value") is not None and (document["repeats"]["max"] or 0) > 1:
        most = str(document["repeats"]["mode"])
        tried = metrics["pass_at_k"].get(most)
        over = f"{plural(tried['tasks'], 'task')} with {most} repeats" if tried else tasks
        what = f"what retrying adds (pass@{most} − pass@1)"
        rows.append((what + cite("retry_value"), f"{points(metrics['retry_value'])} points", "–", over))
    if metrics.get("coverage") is not None:
        rows.append(("coverage" + cite("coverage"), share(counts["scored"], counts["expected"]), "–", "expected rollouts"))
    if counts["expected"] > counts["scored"] and metrics.get("bounds"):
        low, high = metrics["bounds"]
        expected = plural(document["task_count"], "task")
        known = f"{percent(metrics['missing_as_failed'])} with the unscored as failed"
        rows.append(("bounds of the score" + cite("bounds"), f"{percent(low)} to {percent(high)}; {known}", "–", expected))
    if metrics.get("icc") is not None:
        rows.append(("share of the variance between tasks (ICC)" + cite("icc"), number(metrics["icc"], 2), "–", tasks))
    if metrics.get("mde") is not None:
        unit = f"{points(metrics['mde'])} points" if counts.get("failed") is not None else f"{metrics['mde']:.3g} reward"
        rows.append(("smallest change a second run like this would find in 4 of 5 cases" + cite("mde"), unit, "–", tasks))
    return rows


def _trust(document: Document) -> list[str]:
    checks = weak_checks(document)
    if not checks:
        return []
    lines = []
    for check in checks:
        told = _as_it_is if check["code"] in FROM_FAILURES and document.get("failed_attempts") else quoted
        seen = "; ".join(f"{place(item['rollout'], item['step'])} {told(item['quote'], 90)}" for item in check["evidence"][:2])
        lines.append(f"{words(check['code'])}, {check['status']}: {clause(check['message'], 300)}{f'. {seen}' if seen else ''}.")
    return ["### What the health checks found", bullets(lines)]


def _as_it_is(text: str, most: int) -> str:
    return f"({shown(text, most)})"


def _verifier(document: Document) -> list[str]:
    found = document.get("verifier_health") or []
    if not found:
        return []
    lines = []
    for item in found[:MOST_VERIFIER_FINDINGS]:
        where = f" Tasks {listed(item['tasks'], 10)}." if item.get("tasks") else ""
        seen = " ".join(f"{place(e['rollout'], e['step'])}: {quoted(e['quote'], 120)}." for e in (item.get("evidence") or [])[:2])
        lines.append(f"**{capital(words(item['code']))}.** {sentence(item['message'], 400)}{where} {seen}".rstrip())
    more = len(found) - MOST_VERIFIER_FINDINGS
    return ["### The verifier", bullets(lines), *([f"{more} more in diagnosis.json."] if more > 0 else [])]


def _slices(document: Document) -> list[str]:
    slices = document.get("slices") or []
    if not slices:
        return []
    clear = [item for item in slices if item.get("p_adjusted") is not None and item["p_adjusted"] < 0.05]
    head = ("slice", "tasks", "pass@1", "95 % interval", "adjusted p")
    shown_first = sorted(slices, key=lambda item: (item.get("p_adjusted") is None, item.get("p_adjusted") or 0))[:MOST_SLICES]
    rows = [
        (
            f"{name(item['by'])} = {name(item['value'], 60)}",
            count(item["tasks"]),
            percent(item["pass_at_1"]),
            interval(item.get("ci")),
            "–" if item.get("p_adjusted") is None else f"{item['p_adjusted']:.3f}",
        )
        for item in shown_first
    ]
    said = (
        f"{len(clear)} of {plural(len(slices), 'slice')} differ from the rest of the run after correction for their number."
        if clear
        else f"None of {plural(len(slices), 'slice')} tried differs from the rest of the run after correction for their number."
    )
    more = f" The {MOST_SLICES} clearest:" if len(slices) > MOST_SLICES else ""
    return ["### Slices", said + more, table(head, rows, " rr r")]


def workflow_funnel(document: Document, cite: Cite) -> list[str]:
    funnel = document.get("funnel") or []
    if not funnel:
        return ["No stages could be counted in these rollouts."]
    start = funnel[0]["count"]
    rows = [
        (
            shown(stage["stage"]) + cite(f"funnel.{stage['stage']}"),
            count(stage["count"]),
            f"{percent(stage['share'])} of {start:,}" if stage.get("share") is not None else "–",
            count(stage["lost"]) if stage.get("lost") else "–",
            "█" * round(BAR * stage["share"]) if stage.get("share") else "",
            clause(stage.get("meaning") or "", 120),
        )
        for stage in funnel
    ]
    blocks = [table(("stage", "rollouts", "share", "lost here", "", "counted when"), rows, " rrr")]
    losses = [(stage["lost"], position) for position, stage in enumerate(funnel) if stage.get("lost")]
    if not losses:
        return [*blocks, "No rollout is lost between these stages."]
    worst, at = max(losses, key=lambda loss: (loss[0], -loss[1]))
    here, before = funnel[at], funnel[at - 1] if at else funnel[at]
    total = sum(lost for lost, _ in losses)
    cited = cite("funnel." + before["stage"], "funnel." + here["stage"])
    said = (
        f"The largest loss is between “{shown(before['stage'])}” and “{shown(here['stage'])}”: {share(worst, before['count'], 'rollouts')} "
        f"that got as far do not get further, out of {total:,} lost at all stages.{cited}"
    )
    last = funnel[-1]
    if last.get("lost") and len(funnel) > 2 and last is not here:
        held = funnel[-2]["count"]
        said += (
            f" {share(last['lost'], held, 'rollouts')} went through every stage and still failed: "
            "their reason lies in how they did it, not in how far they came."
        )
    if outside := passes_outside(document):
        said += f" Outside the funnel: {shown(outside, OUTSIDE)}."
    return [*blocks, said]


def outcome_buckets(document: Document, cite: Cite) -> list[str]:
    buckets = document.get("buckets") or {}
    if not document["denominator"]["scored"]:
        return ["Nothing is scored, so there are no buckets."]
    if document["denominator"].get("failed") is None or buckets.get("always") is None:
        return ["Without a pass rule there are no buckets: give `--pass-threshold X`."]
    failures: Counter[str] = Counter()
    for task in document.get("tasks") or ():
        failures[task["bucket"]] += task["n"] - (task["passed"] or 0)
    total, failed = document["task_count"], document["denominator"]["failed"]
    rows = []
    for bucket in BUCKETS:
        tasks = buckets.get(bucket) or []
        if tasks or bucket != "missing":
            lost = share(failures[bucket], failed) if failures[bucket] else "–"
            rows.append((bucket + cite(f"bucket.{bucket}"), share(len(tasks), total), lost, listed(tasks, MOST_IDS) or "–"))
    blocks = [table(("bucket", "tasks", "of the failed rollouts", "which"), rows)]
    if (document["repeats"]["max"] or 0) < 2:
        blocks.append("With one scored repeat per task, always and never mean once: more repeats would move tasks to sometimes.")
    elif failed and failures["sometimes"]:
        blocks.append(
            f"Tasks that sometimes pass hold {share(failures['sometimes'], failed, 'failed rollouts')}: "
            "in those the model has shown that it can."
        )
    return [*blocks, *_causes(document, cite)]


def _causes(document: Document, cite: Cite) -> list[str]:
    held: dict[str, list[dict[str, Any]]] = {}
    for task in document.get("tasks") or ():
        if task.get("cause"):
            held.setdefault(task["cause"]["label"], []).append(task)
    if not held:
        return []
    order = [*LABELS, *sorted(set(held) - set(LABELS) - {"unknown"}), "unknown"]
    rows = []
    for which in (which for which in order if which in held):
        tasks = held[which]
        rows.append(
            (
                ("unknown: the evidence does not suffice" if which == "unknown" else label(which)),
                count(sum(task["bucket"] == "sometimes" for task in tasks)),
                count(sum(task["bucket"] == "never" for task in tasks)),
                count(sum(task["n"] - (task["passed"] or 0) for task in tasks)),
                listed([task["task"] for task in tasks], MOST_IDS),
            )
        )
    head = ("primary cause", "sometimes-pass tasks", "never-pass tasks", "failed rollouts in them", "which")
    return ["### Causes of the tasks that fail", table(head, rows, " rrr")]
