"""What else moved between the runs: failure modes gained and lost, slices, and what the runs used."""

from collections.abc import Mapping, Sequence
from typing import Any

from blade.comparison.letters import second
from blade.comparison.units import Units, p_value, units
from blade.reports.wording import clause, count, name, number, plural, shown, table

MOST_MODES = 10
MOST_SLICES = 10
CLEAR = 0.05
SMALL = 0.05
"""Changes of what was used below this share are not worth a line on a screen."""
MEASURES = {
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    "reasoning_tokens": "reasoning tokens",
    "total_tokens": "tokens",
    "steps": "steps",
    "tool_calls": "tool calls",
    "latency_ms": "latency in ms",
    "cost": "cost",
}


def modes(pair: Mapping[str, Any]) -> list[str]:
    """Shares of the rollouts of the common tasks that fail with a mode, before and after."""
    moved = moved_modes(pair)
    if not pair["modes"]:
        return ["Neither diagnosis names a failure mode on the common tasks."]
    if not moved:
        return [f"None of {plural(len(pair['modes']), 'failure mode')} is more or less frequent in {second(pair)}."]
    clear = [mode for mode in moved if is_clear(mode)]
    said = (
        f"{len(clear)} of {plural(len(pair['modes']), 'failure mode')} changed by more than chance after correction for their number "
        "(Benjamini–Hochberg). A share is the mean over the common tasks of the rollouts that fail with the mode; modes overlap."
    )
    rows = [
        (
            "gained" if mode["delta"] > 0 else "lost",
            shown(mode["label"]),
            clause(mode["mode"], 160),
            f"{mode['a_rollouts']:,} in {plural(mode['a_tasks'], 'task')}",
            f"{mode['b_rollouts']:,} in {plural(mode['b_tasks'], 'task')}",
            Units(rate=True).signed(mode["delta"]),
            Units(rate=True).span(mode["ci"]),
            "–" if mode["p_adjusted"] is None else p_value(mode["p_adjusted"]).removeprefix("p = ").removeprefix("p "),
        )
        for mode in moved[:MOST_MODES]
    ]
    head = ("", "label", "failure mode", "failed rollouts of A", f"of {second(pair)}", "points", "95 % interval", "adjusted p")
    more = [f"{len(moved) - MOST_MODES} more in comparison.json."] if len(moved) > MOST_MODES else []
    return [said, table(head, rows, "   rrrrr"), *more]


def moved_modes(pair: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Those whose share differs: clear ones first, then by size."""
    moved = [mode for mode in pair["modes"] if mode["delta"]]
    return sorted(moved, key=lambda mode: (not is_clear(mode), -abs(mode["delta"])))


def is_clear(found: Mapping[str, Any]) -> bool:
    return found["p_adjusted"] is not None and found["p_adjusted"] <= CLEAR


def slices(pair: Mapping[str, Any]) -> list[str]:
    found = pair["slices"]
    if not found:
        return ["No field divides the common tasks in a way that both runs agree on."]
    of = units(pair)
    clear = [slice_ for slice_ in found if is_clear(slice_)]
    said = (
        f"{len(clear)} of {plural(pair['slice_tests'], 'slice')} tested changed by more than chance after correction for their number (Holm)."
        if pair["slice_tests"]
        else "The slices are too small to be tested."
    )
    rows = [
        (
            f"{name(slice_['by'])} = {name(slice_['value'], 60)}",
            count(slice_["tasks"]),
            of.score(slice_["a"]),
            of.score(slice_["b"]),
            of.signed(slice_["delta"]),
            of.span(slice_["ci"]),
            "–" if slice_["p_adjusted"] is None else p_value(slice_["p_adjusted"]).removeprefix("p = ").removeprefix("p "),
        )
        for slice_ in found[:MOST_SLICES]
    ]
    head = ("slice", "tasks", "A", second(pair), of.unit, "95 % interval", "adjusted p")
    more = [f"{len(found) - MOST_SLICES} more in comparison.json."] if len(found) > MOST_SLICES else []
    return [said, table(head, rows, " rrrrrr"), *more]


def usage(pair: Mapping[str, Any]) -> list[str]:
    """Means per rollout on the common tasks that report them in both runs."""
    found = used(pair)
    if not found:
        return ["Neither tokens nor steps nor times are reported by both runs."]
    rows = [
        (
            MEASURES.get(measure, shown(measure.replace("_", " "))),
            number(float(of["a"])),
            number(float(of["b"])),
            "–" if of["ratio"] is None else f"×{of['ratio']:.2f}",
            "no interval" if of["ci"] is None else f"{_signed(of['ci'][0])} to {_signed(of['ci'][1])}",
            count(of["tasks"]),
        )
        for measure, of in found
    ]
    silent = [MEASURES[measure] for measure in MEASURES if pair["usage"].get(measure) is None]
    quiet = [f"Not reported by both: {', '.join(silent)}."] if silent else []
    return [
        table(("per rollout", "A", second(pair), "ratio", "95 % interval of the difference", "tasks"), rows, " rrrrr"),
        *quiet,
    ]


def used(pair: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The measures that both runs report and that are not nothing in both."""
    return [(measure, of) for measure, of in pair["usage"].items() if of is not None and (of["a"] or of["b"])]


def used_in_short(pair: Mapping[str, Any], most: int = 4) -> str:
    """The measures of a rollout that changed most, in a line."""
    found = [
        (measure, of)
        for measure, of in used(pair)
        if measure != "total_tokens" and of["ratio"] is not None and abs(of["ratio"] - 1) >= SMALL and _sure(of["ci"])
    ]
    found.sort(key=lambda one: -abs(float(one[1]["ratio"]) - 1.0))
    shown_first: Sequence[tuple[str, Mapping[str, Any]]] = found[:most]
    return " · ".join(
        f"{MEASURES.get(measure, measure)} {number(float(of['a']))} → {number(float(of['b']))} (×{of['ratio']:.2f})"
        for measure, of in shown_first
    )


def _sure(ci: Sequence[float] | None) -> bool:
    return ci is not None and (ci[0] > 0 or ci[1] < 0)


def _signed(value: float) -> str:
    text = number(float(value))
    return text.replace("-", "−") if value < 0 else f"+{text}"
