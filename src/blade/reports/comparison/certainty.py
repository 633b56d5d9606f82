"""Is it real? The difference on the common tasks, how sure it is, and by which rule the verdict was reached."""

from collections.abc import Mapping
from typing import Any

from blade.comparison.letters import second
from blade.comparison.units import Units, p_value, units
from blade.reports.citations import Cite
from blade.reports.wording import bullets, plural, share

TESTS = {
    "exact_mcnemar": "exact McNemar test",
    "exact_sign_flip": "exact sign-flip test",
    "monte_carlo_sign_flip": "sign-flip test by simulation",
    "normal_sign_flip": "sign-flip test by its normal approximation",
}
WITHIN_TASKS = {
    "exact": "permuted within tasks, all ways counted",
    "monte_carlo": "permuted within tasks by simulation",
    "normal": "the normal approximation of permuting within tasks",
}
DETECTABLE = {
    "exact_mcnemar": "exact McNemar power with as many flips as here",
    "paired_t": "the paired t formula with the spread seen here",
}


def is_it_real(pair: Mapping[str, Any], cite: Cite) -> list[str]:
    of, tasks, b = units(pair), pair["tasks"], second(pair)
    if pair["delta"] is None:
        return [f"{no_difference(pair)}, so there is no difference to test."]
    lines = [
        f"On the {plural(tasks['compared'], 'task')} that both runs scored, {b} − A = {of.change(pair['delta'])}; "
        f"{_intervals(pair, of)}.{cite('delta')} "
        f"{b} is better on {share(tasks['better'], tasks['compared'])}, worse on {tasks['worse']:,} and equal on {tasks['equal']:,}.",
        f"The {test_name(pair['test'])} gives {p_value(pair['p_value'])}; it and the interval speak of tasks like these.",
        _on_this_benchmark(pair, of),
        _without_set_aside(pair, of),
        _detectable(pair, of),
        _margin(pair, of),
        _why(pair, of),
        _same_outputs(pair),
    ]
    return [bullets(line for line in lines if line)]


def no_difference(pair: Mapping[str, Any]) -> str:
    """Why there is none on the common tasks, as the beginning of a sentence."""
    if pair["tasks"]["compared"]:
        return "The rewards are too far apart for their differences to be computed"
    return "No task was scored in both runs"


def _intervals(pair: Mapping[str, Any], of: Units) -> str:
    if pair["ci"] is None:
        return "one task has no interval"
    return f"95 % interval {of.span(pair['ci'])}, by resampling the tasks {of.span(pair['ci_bootstrap'])}"


def test_name(test: str | None) -> str:
    return TESTS.get(str(test), f"{str(test).replace('_', ' ')} test") if test else "test"


def _on_this_benchmark(pair: Mapping[str, Any], of: Units) -> str:
    here = pair["on_this_benchmark"]
    if here["p_value"] is None:
        return (
            "Of this very set of tasks nothing more can be said: that needs several tasks with at least two repeats in each run."
        )
    return (
        f"On this very set of tasks, where only the noise of the repeats counts: {of.span(here['ci'])}, "
        f"{p_value(here['p_value'])} ({WITHIN_TASKS[here['test']]})."
    )


def _without_set_aside(pair: Mapping[str, Any], of: Units) -> str:
    aside = pair["without_set_aside"]
    rows_a, rows_b = aside["set_aside_a"], aside["set_aside_b"]
    if not rows_a and not rows_b:
        return "No scored row was ended by infrastructure or by a limit, so nothing is set aside."
    told = f"Without the rows that infrastructure or a limit ended ({rows_a:,} of A, {rows_b:,} of {second(pair)})"
    if aside["delta"] is None:
        return f"{told} no task is left that both runs scored."
    own = f"; by itself {aside['verdict'].replace('_', ' ')}" if aside.get("verdict") else ""
    return (
        f"{told}: {of.change(aside['delta'])}, 95 % interval {of.span(aside['ci'])}, {p_value(aside['p_value'])} "
        f"on {plural(aside['tasks'], 'task')}{own}."
    )


def _detectable(pair: Mapping[str, Any], of: Units) -> str:
    detail = pair["mde_detail"]
    if pair["mde"] is None:
        few = "so few tasks" if detail["method"] == "too_few_tasks" else "runs like these"
        return f"No change at all would probably be found by {few}."
    span = (
        ""
        if None in (detail["low"], detail["high"])
        else f", {of.signed(detail['low']).lstrip('+')} to {of.signed(detail['high']).lstrip('+')} given how well the spread is known"
    )
    how = DETECTABLE.get(detail["method"], detail["method"].replace("_", " "))
    return f"A change of {of.size(pair['mde'])} would be found in 4 of 5 such comparisons{span} ({how})."


def _margin(pair: Mapping[str, Any], of: Units) -> str:
    smallest = pair["smallest_margin"]
    least = (
        "no margin within the scale would make them equivalent"
        if smallest is None
        else f"the smallest margin within which they are equivalent is ±{of.size(smallest)}"
    )
    return f"Equivalence was asked for within ±{of.size(pair['margin'])}; {least}."


def _why(pair: Mapping[str, Any], of: Units) -> str:
    margin = of.size(pair["margin"])
    rule = {
        "improved": "the test has p ≤ .05 and the interval lies above 0",
        "regressed": "the test has p ≤ .05 and the interval lies below 0",
        "equivalent": f"the careful interval lies within ±{margin} and there are enough tasks to say so",
        "inconclusive": _undecided(pair, margin),
        "not_comparable": "the runs have no scored task in common",
    }[pair["verdict"]]
    return f"Why this verdict: {rule}."


def _same_outputs(pair: Mapping[str, Any]) -> str:
    """What the figures above are worth where the second run is no second sample."""
    same = pair.get("same_outputs")
    if same is None:
        return ""
    told = f"{same['same']:,} of {same['rollouts']:,} rollouts have the same output in both runs"
    return (
        f"Tests and intervals take {second(pair)} for a second sample of a system, and here they do not speak of one: {told}. "
        f"What changed is counted and not estimated: {same['changed']:,} verdicts."
    )


def _undecided(pair: Mapping[str, Any], margin: str) -> str:
    if pair["ci"] is None:
        return "one common task says nothing of others, whatever its repeats"
    unsure = "p is above .05" if (pair["p_value"] or 0) > 0.05 else "the interval includes 0"
    return f"{unsure}, so no change is shown; and the interval is not within ±{margin}, so no change is not shown either"
