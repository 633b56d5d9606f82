"""What to do next about a difference: first what makes it comparable, then what the second run does worse, then more rollouts.

Each entry has the contract's keys of an intervention. A gain is told only where B's own diagnosis has one; what a term of the
waterfall is worth stands with the term.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from blade.comparison.letters import called, second
from blade.comparison.units import units
from blade.sentences import plural

MOST_MODES: Final = 3
SMALL: Final = 0.05
"""Of the largest term: what is smaller is not worth a step of its own."""
NO_GAIN: Final = {"lower": None, "estimate": None, "upper": None, "ci": None}


def advice(pair: Mapping[str, Any], diagnosis: Mapping[str, Any], plan: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """For a pair whose other keys are computed; `diagnosis` is the second run's, `plan` the repeats that its verdict lacks."""
    return _ranked([*_comparable(pair), *_worse(pair, diagnosis), *_more(pair, plan)])


def advice_on_verifier(pair: Mapping[str, Any], steps: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """For a pair with the same outputs: about the verifier, and about tasks that one run lacks. A mode that grew is no behaviour there."""
    of_tasks = [term for term in pair["waterfall"] if term["term"] in ("task_set", "missing")]
    settled = {"cause": {"assignable": True}, "waterfall": of_tasks}
    about = (_entry("verifier", step["title"], step["detail"], step["command"]) for step in steps)
    return _ranked([*about, *_comparable({**pair, **settled})])


def _ranked(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": f"n{rank}", "rank": rank} | entry for rank, entry in enumerate(found, 1)]


def _entry(family: str, title: str, detail: str, command: str | None = None, **more: Any) -> dict[str, Any]:
    repeats = more.pop("repeats", None)
    return {
        "family": family,
        "title": title,
        "detail": detail,
        "modes": [],
        "gain": NO_GAIN,
        "confidence": None,
        "confirm": {"command": command, "repeats": repeats},
        "evidence": [],
    } | more


def _comparable(pair: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands between the two scores and is not the change, the largest term first."""
    least = SMALL * max((abs(term["delta"]) for term in pair["waterfall"]), default=0.0)
    terms = {term["term"]: term for term in pair["waterfall"] if term["rollouts"] and abs(term["delta"]) > least}
    by_size = sorted((term for name, term in terms.items() if name in _MEND), key=lambda term: -abs(term["delta"]))
    for term in by_size:
        if term["term"] == "truncation" and not _limits_may_differ(pair):
            continue  # one limit in both runs: being cut off is behaviour
        family, title, detail = _MEND[term["term"]]
        yield _entry(
            family,
            title.format(**term, whose=_whose(term["detail"] or {}, pair)),
            f"{detail} It moves the booked difference by {units(pair).change(term['delta'])} over {plural(term['tasks'], 'task')}.",
        )
    redefined = pair["tasks"]["redefined"]
    if redefined:
        names = ", ".join(one["task"] for one in pair["redefined"][:5])
        yield _entry(
            "data",
            f"Run both sides on one definition of the {redefined} redefined task{'s' * (redefined > 1)}",
            f"Equal ids mean different tasks ({names}{', …' if redefined > 5 else ''}); they are left out of the comparison.",
        )
    if not pair["cause"]["assignable"] and pair["verdict"] in ("improved", "regressed"):
        yield _entry("harness", "Find out what made the difference", pair["cause"]["sentence"])


def _whose(detail: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """` of A`, where all affected rollouts are one run's."""
    sides = [side for side in "ab" if detail.get(f"rollouts_{side}")]
    return f" of {called(sides[0], pair)}" if len(sides) == 1 else ""


def _limits_may_differ(pair: Mapping[str, Any]) -> bool:
    return "limits" in pair["unknown"] or any(change["what"] == "limits" for change in pair["changed"])


_MEND: Final[dict[str, tuple[str, str, str]]] = {
    "infrastructure": (
        "infrastructure",
        "Run the {rollouts} rollouts{whose} again that infrastructure ended",
        "They ended in an outage and were scored all the same.",
    ),
    "missing": (
        "infrastructure",
        "Complete the rollouts that are missing in one run",
        "Tasks that only one run scored cannot be compared.",
    ),
    "verifier": (
        "verifier",
        "Grade both runs with one verifier",
        "Equal outputs got different rewards, so part of the difference is the verifier's.",
    ),
    "truncation": (
        "harness",
        "Give both runs the same limits of tokens and steps",
        "Rollouts were cut off at a limit; at most this much of the difference is its doing.",
    ),
    "task_set": (
        "data",
        "Run both sides on the same tasks",
        "Tasks that only one run was to run move its booked score.",
    ),
}


def _worse(pair: Mapping[str, Any], diagnosis: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The second run's own interventions for the failure modes that grew."""
    more = [mode for mode in pair["modes"] if mode["delta"] > 0]
    counted_alike = [mode for mode in more if mode["counted"] == "signal"]
    grown = {(mode["code"], mode["subject"]): mode for mode in counted_alike or more}
    known = {mode["id"]: grown.get((mode["code"], mode["subject"])) for mode in diagnosis["modes"]}
    about = [(one, [mode for id in one["modes"] if (mode := known.get(id)) is not None]) for one in diagnosis["interventions"]]
    for one, modes in sorted((pair for pair in about if pair[1]), key=_growth)[:MOST_MODES]:
        most = max(modes, key=lambda mode: mode["delta"])
        grew = f"{most['mode']}: {plural(most['a_rollouts'], 'failed rollout')} in A, {most['b_rollouts']} in {second(pair)}."
        kept = {name: one[name] for name in ("family", "title", "modes", "gain", "confidence", "evidence", "confirm")}
        yield kept | {"detail": f"{grew} {one['detail']}"}


def _growth(found: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]) -> float:
    return -max(float(mode["delta"]) for mode in found[1])


def _more(pair: Mapping[str, Any], plan: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
    if pair["verdict"] != "inconclusive" or plan is None:
        return
    yield _entry("harness", plan["title"], plan["detail"], plan["command"], repeats=plan["repeats"])
