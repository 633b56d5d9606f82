"""What a failure mode does to the score, in words: how often it is there, its lift within tasks, the gain of fixing it.

A lift is a difference within tasks, so the tasks' difficulty cancels and reverse causation does not; a gain is therefore always
"at most about". Where no task has both kinds of repeats there is no lift and no estimate, and the sentence says so instead of
leaving it out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from blade.comparison.units import POINTS, Units
from blade.reports.citations import Cite, Document
from blade.reports.wording import count, plural, points, share
from blade.untrusted.escapes import one_line

Mode = Mapping[str, Any]


def mode_names(document: Document) -> dict[str, str]:
    """What the report calls the modes: M1, M2, … in the order of the document."""
    return {mode["id"]: f"M{position}" for position, mode in enumerate(document.get("modes") or (), 1)}


def intervention_titles(document: Document) -> list[str]:
    """The interventions' titles in their order; where several are called alike, with the title of what each is for."""
    found = document.get("interventions") or []
    titles = {mode["id"]: mode["title"] for mode in document.get("modes") or ()}
    times = Counter(item["title"] for item in found)
    told = []
    for item in found:
        about = next((titles[mode] for mode in item.get("modes") or () if mode in titles), None)
        told.append(f"{item['title']} ({about})" if times[item["title"]] > 1 and about else item["title"])
    return told


def weak_checks(document: Document) -> list[Mapping[str, Any]]:
    """The health checks that fail or warn, failures first; without those that only sum up others."""
    checks = (document.get("health") or {}).get("checks") or ()
    poor = [check for check in checks if check["status"] in ("fail", "warn") and not check["message"].startswith("judged by ")]
    return sorted(poor, key=lambda check: check["status"] != "fail")


def undecided(document: Document) -> str:
    """The health checks that the artifacts cannot decide, in a few words; empty where there are none."""
    codes = (document.get("health") or {}).get("undecided") or ()
    return f"{plural(len(codes), 'check')} undecided: {', '.join(code.replace('_', ' ') for code in codes)}" if codes else ""


def passes_outside(document: Document) -> str:
    """The passes that the funnel does not count, and the stage that each skipped first; without a pass rule the scored rollouts that
    it lost before. Empty where there are none."""
    funnel, counts = document.get("funnel") or (), document["denominator"]
    number, passed = funnel[-1].get("outside") if funnel else 0, counts.get("passed")
    if number and passed is None:
        return f"{number:,} of {plural(counts['scored'], 'scored rollout')}, lost at an earlier stage and scored all the same"
    if not number or not passed:
        return ""
    skipped = [(stage["passes_lost"], stage["stage"]) for stage in funnel if stage.get("passes_lost")]
    named = "; ".join(f"{lost:,} without “{one_line(stage, 60)}”" for lost, stage in skipped)
    return f"{number:,} of {passed:,} passes{f': {named}' if named else ' skipped a stage'}"


def frequency(document: Document, mode: Mode, cite: Cite) -> str:
    """In how many failed and passing rollouts, in how many tasks."""
    identity = mode["id"]
    failed, total = mode.get("failed_rollouts"), mode.get("failed_total") or document["denominator"].get("failed")
    if failed is None:
        told = f"It is in {plural(mode['rollouts'], 'rollout')} of {plural(mode['tasks'], 'task')}."
        return told + cite(f"mode.{identity}.counts")
    passing, passed = mode.get("passed_rollouts"), document["denominator"].get("passed")
    among = ""
    if passing is not None and passed:
        rest = "not in the passing one" if passed == 1 else f"in none of the {passed:,} passing ones"
        among = f" and in {share(passing, passed, 'passing ones')}" if passing else f" and {rest}"
    cited = cite(f"mode.{identity}.counts")
    return f"It is in {share(failed, total, 'failed rollouts')}{among}, over {plural(mode['tasks'], 'task')}.{cited}"


def lift(mode: Mode, cite: Cite, *, once: bool = False) -> str:
    """How a rollout that shows it fares against a repeat of the same task that does not; `once`: no task of the run has repeats, which
    is said once and for all modes."""
    value, ci = mode.get("lift"), mode.get("lift_ci")
    cited = cite(f"mode.{mode['id']}.lift")
    rests = "what it rests on is that the calls differ from the expected ones"
    if value is None and once:
        return f"{rests[:1].upper()}{rests[1:]}." if _backed(mode) else ""
    if value is None:
        said = "No task has scored repeats both with and without it, so its effect cannot be told from the tasks' difficulty"
        return f"{said}; {rests}." if _backed(mode) else f"{said}."
    figure = f"{points(value)} points{_certainty(mode)}"
    if value <= 0 and mode.get("passed_rollouts") == 0:
        said = f"Where only some repeats of a task show it, the others fail as well: lift {figure}; it is not all that is wrong there."
    elif value <= 0:
        said = f"Within a task, repeats that show it do no worse than the others: lift {figure}; it goes with hard tasks rather than making them fail."
    else:
        said = f"Within a task, a repeat that shows it passes less often than one that does not, by {figure}."
        if ci is None or ci[0] <= 0:
            doubt = "The interval includes no effect" if _useful(ci) else "So few tasks do not rule out chance"
            said += f" {doubt}; {rests}." if _backed(mode) else f" {doubt}, so it may be a symptom."
    return said + cited


def _certainty(mode: Mode) -> str:
    """How well a lift is known: its tasks, its interval, its test. An interval as wide as the scale says only that tasks are few."""
    ci, p, tasks = mode.get("lift_ci"), mode.get("p_adjusted"), mode.get("lift_tasks")
    over = "" if tasks is None else f"over the {plural(tasks, 'task')} with both kinds of repeats"
    span = _useful(ci)
    if span is not None:
        known = [over, f"95 % interval {points(span[0])} to {points(span[1])}"]
    else:
        known = [over, "no interval" if ci is None else "too few for a useful interval"]
    if p is not None:
        known.append(f"adjusted p {'below 0.001' if p < 0.001 else f'{p:.3f}'}")
    return f" ({', '.join(part for part in known if part)})"


def _useful(ci: Sequence[float] | None) -> Sequence[float] | None:
    return None if ci is None or ci[1] - ci[0] >= 1.0 else ci


def _backed(mode: Mode) -> bool:
    """Whether the mode stands without a lift: its calls differ from the expected ones."""
    return bool(mode.get("backed"))


def gain(
    found: Mapping[str, Any] | None, cited: str, *, subject: str = "Fixing it", explain: bool = False, of: Units = POINTS
) -> str:
    """What fixing it could add to the score; `explain` says why a bound is no estimate."""
    if not found or (found.get("estimate") is None and found.get("upper") is None):
        return f"What {subject[:1].lower()}{subject[1:]} would gain cannot be estimated from this run."
    estimate, upper, ci = found.get("estimate"), found.get("upper"), found.get("ci")
    if estimate is None:
        why = ": too few tasks have repeats with and without it for an estimate" if explain else ", no estimate"
        return f"{subject} could add at most {of.size(found['upper'])} (a bound{why}).{cited}"
    ceiling = "" if upper is None else f"; no more than {of.bare(upper)} in any case"
    if estimate <= 0:
        return f"{subject} promises no gain: estimate {of.change(estimate)}{_span(ci, of)}{ceiling}.{cited}"
    doubt = "; the interval includes no gain" if ci is not None and ci[0] <= 0 else ""
    return f"{subject} could add at most about {of.size(estimate)}{_span(ci, of, ceiling + doubt)}.{cited}"


def _span(ci: Any, of: Units, more: str = "") -> str:
    said = "" if ci is None else f"95 % interval {of.bare(ci[0])} to {of.bare(ci[1])}"
    inside = (said + more) if said else more.removeprefix("; ")
    return f" ({inside})" if inside else ""


def short_lift(mode: Mode) -> str:
    """The lift in a table cell, with its interval, or with its number of tasks where that says more."""
    value, ci, tasks = mode.get("lift"), _useful(mode.get("lift_ci")), mode.get("lift_tasks")
    if value is None:
        return "–"
    if ci is not None and ci[0] < ci[1]:
        return f"{points(value)} [{points(ci[0])}, {points(ci[1])}]"
    return points(value) if tasks is None else f"{points(value)} ({plural(tasks, 'task')})"


def short_gain(found: Mapping[str, Any] | None) -> str:
    """The gain in a table cell: the estimate with its interval, else the bound."""
    if not found:
        return "–"
    estimate, upper, ci = found.get("estimate"), found.get("upper"), found.get("ci")
    if estimate is None:
        return "–" if upper is None else f"≤ {points(upper)}"
    return f"~{points(estimate)}" if ci is None else f"~{points(estimate)} [{points(ci[0])}, {points(ci[1])}]"


def short_failed(document: Document, mode: Mode) -> str:
    failed = mode.get("failed_rollouts", mode.get("rollouts"))
    return f"{count(failed)} of {count(mode.get('failed_total') or document['denominator'].get('failed'))}"
