"""What it is made of: the terms that sum to the difference of the booked scores, and what their numbers take for granted."""

from collections.abc import Iterator, Mapping
from typing import Any

from blade.comparison.letters import second
from blade.comparison.units import Units, units
from blade.reports.citations import Cite
from blade.reports.comparison.opening import TERMS
from blade.reports.wording import bullets, capital, count, name, plural, table

BAR = 10
MEANINGS = {
    "task_set": "tasks that only one run was to run",
    "missing": "tasks that both were to run and only one scored",
    "infrastructure": "rows that infrastructure ended, against kept rows of the same task and run",
    "verifier": "one output, two rewards",
    "truncation": "rows that a limit ended, against kept rows of the same task and run",
    "change": "what the runs did differently on the common tasks",
    "remainder": "tasks of which neither run has a kept row",
}


def made_of(pair: Mapping[str, Any], cite: Cite) -> list[str]:
    of, total = units(pair), pair["waterfall_total"]
    terms = pair["waterfall"]
    if total is None:
        unscored = None in (pair["a_value"], pair["b_value"])
        why = "One of the runs has no scored row" if unscored else "The difference of the scores cannot be computed"
        return [f"{why}, so there is no difference to divide."]
    if any((term["detail"] or {}).get("no_common_task") for term in terms):
        return [f"The runs share no scored task: all of {of.change(total)} is a difference of the task sets."]
    widest = max((abs(term["delta"]) for term in terms), default=0.0)
    rows = [_row(term, pair, widest) for term in terms]
    rows.append(
        ("**sum**", f"**{of.signed(total)}**", "", "", "", "", f"{of.score(pair['a_value'])} → {of.score(pair['b_value'])}")
    )
    head = ("part", of.unit, "95 % interval", "", "tasks", "rollouts", "what it is")
    said = f"The parts sum exactly to the difference of the booked scores.{cite('waterfall')}"
    return [said, table(head, rows, " rr rr"), bullets(limits(pair))]


def _row(term: Mapping[str, Any], pair: Mapping[str, Any], widest: float) -> tuple[str, ...]:
    detail, of = term["detail"] or {}, units(pair)
    label = TERMS[term["term"]] + (f", {name(detail['by'])} = {name(detail['slice'], 60)}" if "slice" in detail else "")
    meaning = MEANINGS[term["term"]] + _sides(detail, pair)
    if detail.get("none_found"):
        return label, "0", "–", "", "0", "0", f"none found: {meaning}"
    at_most = "at most " if detail.get("at_most") and seen(term, of) else ""
    spread = "no interval" if term["ci"] is None else of.span(term["ci"])
    bar = signed_bar(term["delta"], widest, empty="·")
    return label, at_most + of.signed(term["delta"]), spread, bar, count(term["tasks"]), count(term["rollouts"]), meaning


def _sides(detail: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    if not detail.get("rollouts_a") and not detail.get("rollouts_b"):
        return ""
    return f" ({detail['rollouts_a']:,} of A, {detail['rollouts_b']:,} of {second(pair)})"


def signed_bar(value: float, widest: float, half: int = BAR, full: str = "█", middle: str = "│", empty: str = " ") -> str:
    """A bar to the left or to the right of its middle; equal lengths for equal values."""
    length = round(half * min(abs(value) / widest, 1.0)) if widest else 0
    filled, rest = full * length, empty * (half - length)
    return f"{rest}{filled}{middle}{empty * half}" if value < 0 else f"{empty * half}{middle}{filled}{rest}"


def limits(pair: Mapping[str, Any]) -> Iterator[str]:
    """What the numbers of these very terms take for granted; nothing about terms that are not there."""
    terms = {term["term"]: term for term in pair["waterfall"]}
    aside = [terms[part] for part in ("infrastructure", "truncation") if part in terms and terms[part]["rollouts"]]
    if aside:
        yield "Rows set aside are assumed to score like the kept rows of the same task and run."
    if filled := max((term["detail"].get("filled_tasks", 0) for term in aside), default=0):
        yield (
            f"Of up to {plural(filled, 'task')} one run has no kept row left; these are filled with the mean change of the others, so the "
            "split between that part and the change rests on the other tasks."
        )
    if "truncation" in terms and seen(terms["truncation"], units(pair)):
        yield _truncation(pair)
    verifier = (terms.get("verifier") or {}).get("detail") or {}
    if verifier.get("outputs"):
        yield (
            f"The verifier is checked on outputs that recur in both runs or were graded again: {verifier.get('matched', 0):,} of "
            f"{verifier['outputs']:,} kept outputs; a change of the verifier on the others sits in the change."
        )
    few = [TERMS[term["term"]] for term in pair["waterfall"] if (term["detail"] or {}).get("few_tasks")]
    if few:
        named = " and ".join(dict.fromkeys(few))
        yield f"{capital(named)}: fewer than 5 affected tasks, so the interval says little."
    yield "Noise is no part of the sum: it is the interval of the change."


def seen(term: Mapping[str, Any], of: Units) -> bool:
    """Whether a term is more than nothing as it is printed: of nothing there is no “at most”."""
    return of.signed(term["delta"]).strip("0.") != ""


def _truncation(pair: Mapping[str, Any]) -> str:
    over = "Truncation is “at most”: where failing rollouts run into a limit more often, it is overstated."
    if any(change["what"] == "limits" for change in pair["changed"]):
        return f"{over} The limits of the two runs differ."
    if "limits" in pair["unknown"]:
        return f"{over} Whether both runs had the same limit is not known; if they had, being cut off is behaviour, and belongs to the change."
    return f"{over} Both runs had the same limits, so being cut off is behaviour: count it to the change."
