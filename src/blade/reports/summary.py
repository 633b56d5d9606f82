"""The summary that fits one screen: what a reader of a terminal needs before deciding to read the report.

It is data; the command draws it. Every text is one line of at most `width` characters, except checks and interventions, which may take two.
Text is plain (no Markdown) and may hold words of rollouts: whoever draws it cleans it.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from blade.reports.citations import Document
from blade.reports.effects import (
    intervention_titles,
    passes_outside,
    short_failed,
    short_gain,
    short_lift,
    undecided,
    weak_checks,
)
from blade.reports.failures import short_lines
from blade.reports.task_story import by_importance
from blade.reports.wording import percent, plural, points, scored_repeats, unmarked
from blade.untrusted.escapes import one_line

TOP_MODES = 5
TOP_INTERVENTIONS = 3
TOP_CHECKS = 2
MOST_STAGES = 6


@dataclass(frozen=True)
class Stage:
    name: str
    count: int
    share: float | None
    lost: int | None


@dataclass(frozen=True)
class ModeRow:
    label: str
    title: str
    failed: str
    lift: str
    gain: str


@dataclass(frozen=True)
class Summary:
    title: str
    what: str
    verdict: str
    undecided: str
    """The checks that the artifacts cannot decide, in a few words."""
    checks: tuple[tuple[str, str], ...]
    """Status and message of the worst checks."""
    numbers: tuple[tuple[str, str], ...]
    funnel: tuple[Stage, ...]
    outside: str
    """Passes that the funnel does not count, in a few words."""
    modes: tuple[ModeRow, ...]
    more_modes: int
    interventions: tuple[tuple[str, ...], ...]
    """Each as its lines."""
    notes: tuple[tuple[str, str], ...]
    failures: tuple[tuple[str, str], ...] = ()
    """Attempts that failed: how many, then the largest classes."""


def summary(document: Document, *, width: int = 100, written: Sequence[str] = ()) -> Summary:
    """`written` are the files of the report, where there is one."""
    modes = document.get("modes") or []
    health = document.get("health") or {}
    interventions = list(zip(intervention_titles(document), document.get("interventions") or (), strict=True))[:TOP_INTERVENTIONS]
    return Summary(
        title=one_line(str(document["run"]["path"]), width),
        what=one_line(_what(document), width),
        verdict=health.get("verdict") or "unknown",
        undecided=undecided(document),
        checks=tuple(
            (check["status"], one_line(_check(check), 2 * (width - 16))) for check in weak_checks(document)[:TOP_CHECKS]
        ),
        numbers=tuple((label, one_line(text, width - 14)) for label, text in _numbers(document, width - 14)),
        funnel=_funnel(document),
        outside=one_line(passes_outside(document), width - 14),
        modes=tuple(
            ModeRow(
                mode["label"],
                one_line(unmarked(mode["title"]), width),
                short_failed(document, mode),
                short_lift(mode),
                short_gain(mode.get("gain")),
            )
            for mode in modes[:TOP_MODES]
        ),
        more_modes=max(len(modes) - TOP_MODES, 0),
        interventions=tuple(_intervention(title, item, width - 5) for title, item in interventions),
        notes=tuple((label, one_line(text, width - 14)) for label, text in _notes(document, written)),
        failures=tuple((label, one_line(text, width - 14)) for label, text in short_lines(document)),
    )


def _what(document: Document) -> str:
    each = scored_repeats(document["repeats"], document["headline"]["buckets"]["missing"])
    identity = document["identity"]
    ids = " by the hash of the prompt" if identity["inferred"] and not identity["task_field"] else ""
    return f"{plural(document['task_count'], 'task')}{ids}, {each}, {plural(document['denominator']['scored'], 'scored rollout')}"


def _check(check: Mapping[str, Any]) -> str:
    return f"{check['code'].replace('_', ' ')}: {check['message']}"


def _numbers(document: Document, room: int) -> list[tuple[str, str]]:
    metrics, counts, buckets = document["metrics"], document["denominator"], document["headline"]["buckets"]
    first = metrics["pass_at_1"]
    if not counts["scored"]:
        return [
            (
                "scored",
                f"0 of {counts['expected']:,} expected rollouts: {counts['errored']:,} errored, {counts['missing']:,} missing",
            )
        ]
    if first["value"] is None:
        value = metrics["mean_reward"]["value"]
        shown = "unknown: the sum of the rewards is beyond all range" if value is None else f"{value:.4g}"
        return [("mean reward", shown), ("pass@1", "no pass rule fits these rewards: give --pass-threshold X")]
    spread = f" [{percent(first['ci'][0])}, {percent(first['ci'][1])}] 95 %" if first["ci"] else " (no interval from one task)"
    last = next(reversed(metrics["pass_at_k"]), "1")
    retried = ""
    if last != "1":
        at, hat = metrics["pass_at_k"][last]["value"], metrics["pass_hat_k"][last]["value"]
        told = metrics["pass_at_k"][last].get("tasks")
        some = "" if told in (None, len(document.get("tasks") or ())) else f" (of {plural(told, 'task')})"
        retried = f" · pass@{last} {percent(at)} · pass^{last} {percent(hat)}{some}"
    once = percent(first["value"]) + spread
    lines = [("pass@1", once + retried)]
    if len(once + retried) > room:  # on a line of its own, with what it is a share of
        lines = [("pass@1", once), (f"pass@{last}", retried.removeprefix(f" · pass@{last} "))]
    gone = counts["errored"] + counts["missing"]
    lost = f"; {gone:,} of {counts['expected']:,} expected have no score" if gone else ""
    lines.append(("failed", f"{counts['failed']:,} of {counts['scored']:,} scored rollouts{lost}"))
    missing = f", {buckets['missing']:,} missing" if buckets["missing"] else ""
    if (document["repeats"]["max"] or 0) < 2:
        lines.append(("tasks", f"{buckets['always']:,} pass, {buckets['never']:,} fail{missing}; each was tried once"))
    else:
        told = f"{buckets['always']:,} always pass, {buckets['sometimes']:,} sometimes, {buckets['never']:,} never{missing}"
        lines.append(("tasks", told))
    return lines


def _funnel(document: Document) -> tuple[Stage, ...]:
    """All stages where they fit, else the first, the last, and those between that lose most."""
    stages = [
        Stage(one_line(stage["stage"], 40), stage["count"], stage.get("share"), stage.get("lost"))
        for stage in document.get("funnel") or ()
    ]
    if len(stages) <= MOST_STAGES:
        return tuple(stages)
    between = sorted(range(1, len(stages) - 1), key=lambda position: (-(stages[position].lost or 0), position))
    kept = sorted((0, *between[: MOST_STAGES - 2], len(stages) - 1))
    shown = [stages[position] for position in kept]
    return (shown[0], *(replace(stage, lost=before.count - stage.count) for before, stage in pairwise(shown)))


def _intervention(title: str, item: Mapping[str, Any], width: int) -> tuple[str, ...]:
    found = item.get("gain") or {}
    estimate, upper, ci = found.get("estimate"), found.get("upper"), found.get("ci")
    worth = ""
    if estimate is not None:
        span = f" [{points(ci[0])}, {points(ci[1])}]" if ci else ""
        worth = f", at most about {points(estimate)} points{span}" if estimate > 0 else ", no gain to be expected"
    elif upper is not None:
        worth = f", at most {points(upper)} points"
    text = f"{unmarked(title)} ({item['family']}{worth})"
    return tuple(textwrap.wrap(one_line(text, 2 * width), width, max_lines=2, placeholder=" …"))


def _against(document: Document) -> Iterator[tuple[str, str]]:
    """What became of each run that this one was held against: the verdict, and by how much this run is better or worse."""
    for found in document.get("against") or ():
        (pair,) = found["pairs"]
        times, digits, unit = (100, 1, "points") if found.get("metric") == "pass_at_1" else (1, 4, "reward")
        moved = "" if pair.get("delta") is None else f": {times * pair['delta']:+.{digits}f} {unit}"
        span = (
            " [{:+.{d}f}, {:+.{d}f}]".format(*(times * end for end in pair["ci"]), d=digits) if moved and pair.get("ci") else ""
        )
        common = f" on {plural(pair['tasks']['common'], 'common task')}" if moved else ""
        yield "against", f"{pair['verdict'].replace('_', ' ')}{moved}{span}{common}, baseline {PurePath(str(pair['a'])).name}"


def _notes(document: Document, written: Sequence[str]) -> list[tuple[str, str]]:
    failed, notes = document["denominator"].get("failed"), list(_against(document))
    luck = document.get("luck") or []
    if luck:
        rollouts = list(dict.fromkeys(item["rollout"] for item in luck))
        named = ", ".join(rollouts[:4]) + (", …" if len(rollouts) > 4 else "")
        notes.append(("luck", f"{len(rollouts):,} of {document['denominator'].get('passed') or 0:,} passing rollouts: {named}"))
    number = (document.get("unexplained") or {}).get("rollouts")
    if failed and number is not None:
        notes.append(("unexplained", f"{number:,} of {failed:,} failed rollouts {'is' if number == 1 else 'are'} in no mode"))
    failing = [task for task in document.get("tasks") or () if task.get("cause")]
    mixed = [task for task in failing if task["bucket"] == "sometimes"]
    worst = next(iter(by_importance(document, mixed or failing)), None)
    ways = [", ".join(written) if written else "the report: blade diagnose … --out DIR"]
    if worst is not None:
        ways.append(f"one task: blade diagnose … --task {worst['task']}")
    notes.append(("read on", " · ".join(ways)))
    return notes
