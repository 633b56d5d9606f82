"""The comparison of two runs on one screen, as data; the command draws it.

Texts are plain (no Markdown) and may hold words of rollouts: whoever draws them cleans and cuts them.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blade.comparison.units import Units, chance, p_value, units
from blade.reports.citations import Document
from blade.reports.comparison.certainty import test_name
from blade.reports.comparison.movers import directed, rates, short_parting
from blade.reports.comparison.next_steps import outcomes_in_short
from blade.reports.comparison.opening import TERMS, VERDICTS, differs_in_short, short_reason
from blade.reports.comparison.shifts import is_clear, moved_modes, used_in_short
from blade.reports.comparison.waterfall import seen
from blade.reports.wording import plural, unmarked

TOP_MOVERS = 3
TOP_MODES = 4
TOP_SLICES = 3
TOP_STEPS = 3


@dataclass(frozen=True)
class TermRow:
    name: str
    delta: float
    figure: str
    ci: str
    rollouts: str
    note: str


@dataclass(frozen=True)
class Mover:
    gained: bool
    task: str
    rates: str
    chance: str
    why: str


@dataclass(frozen=True)
class ModeShift:
    figure: str
    rollouts: str
    label: str
    title: str
    clear: bool


@dataclass(frozen=True)
class Screen:
    title: str
    runs: tuple[tuple[str, str, str], ...]
    """Letter, path, size."""
    verdict: str
    reason: str
    facts: tuple[tuple[str, str], ...]
    terms: tuple[TermRow, ...]
    unit: str
    none_found: str
    total: str
    movers: tuple[Mover, ...]
    moved: str
    modes: tuple[ModeShift, ...]
    slices: tuple[str, ...]
    steps: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]


def screen(document: Document, written: Sequence[str] = ()) -> Screen:
    """Of a document with a single pair; `written` are the files of the report, where there is one."""
    (pair,) = document["pairs"]
    of = units(pair)
    terms, none_found = _terms(pair, of)
    return Screen(
        title="Skills evaluation" if pair["kind"] == "skills" else "Comparison",
        runs=tuple((letter, str(pair[letter.lower()]), size(one)) for letter, one in zip("AB", document["runs"], strict=True)),
        verdict=pair["verdict"],
        reason=short_reason(pair),
        facts=tuple(_facts(pair, of)),
        terms=terms,
        unit=of.unit,
        none_found=none_found,
        total="" if pair["waterfall_total"] is None else of.signed(pair["waterfall_total"]),
        movers=tuple(_movers(pair, of)),
        moved=_moved(pair),
        modes=tuple(_mode(mode) for mode in moved_modes(pair)[:TOP_MODES]),
        slices=tuple(_slice(one, of) for one in pair["slices"] if is_clear(one))[:TOP_SLICES],
        steps=tuple(step_line(item, of) for item in pair["interventions"][:TOP_STEPS]),
        notes=tuple(_notes(pair, written)),
    )


def size(inspected: Document) -> str:
    """`115 tasks × 4`."""
    low, high = inspected["repeats"]["min"], inspected["repeats"]["max"]
    each = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{plural(inspected['task_count'], 'task')} × {each}"
        if high
        else f"{plural(inspected['task_count'], 'task')}, nothing scored"
    )


def verdict_words(verdict: str) -> str:
    return VERDICTS[verdict].upper()


def _facts(pair: Mapping[str, Any], of: Units) -> list[tuple[str, str]]:
    tasks = pair["tasks"]
    facts = [("differs in", differs_in_short(pair))]
    total = pair["waterfall_total"]
    booked = f"{of.score(pair['a_value'])} → {of.score(pair['b_value'])}"
    facts.append((of.what, booked if total is None else f"{booked}, booked: {of.change(total)}"))
    if pair["delta"] is None:
        return facts
    moved = f"{tasks['better']:,} up, {tasks['worse']:,} down, {tasks['equal']:,} equal"
    facts.append(
        (
            "common tasks",
            f"{of.change(pair['delta'])} {of.brackets(pair['ci'])}, {p_value(pair['p_value'])} "
            f"({test_name(pair['test']).removesuffix(' test')}); {moved}",
        )
    )
    aside = pair["without_set_aside"]
    if (aside["set_aside_a"] or aside["set_aside_b"]) and aside["delta"] is not None:
        facts.append(
            (
                "without cut-off",
                f"{of.change(aside['delta'])} {of.brackets(aside['ci'])}, {p_value(aside['p_value'])} on {plural(aside['tasks'], 'task')}; "
                f"set aside: {plural(aside['set_aside_a'], 'row')} of A, {aside['set_aside_b']:,} of B",
            )
        )
    return facts


def _terms(pair: Mapping[str, Any], of: Units) -> tuple[tuple[TermRow, ...], str]:
    """The terms with an affected rollout, and the names of the others."""
    rows, none = [], []
    for term in pair["waterfall"]:
        detail = term["detail"] or {}
        label = f"change, {detail['slice']}" if "slice" in detail else TERMS[term["term"]]
        if not term["rollouts"]:
            if term["term"] == "verifier" and detail.get("outputs"):
                label += f" ({detail.get('matched', 0):,} of {detail['outputs']:,} outputs recur)"
            none.append(label)
            continue
        told = (("at_most", "at most"), ("few_tasks", "few tasks"))
        notes = [word for key, word in told if detail.get(key) and (key != "at_most" or seen(term, of))]
        rows.append(
            TermRow(
                label,
                term["delta"],
                of.signed(term["delta"]),
                of.brackets(term["ci"]),
                f"{term['rollouts']:,} in {plural(term['tasks'], 'task')}",
                ", ".join(notes),
            )
        )
    return tuple(rows), ", ".join(none)


def _movers(pair: Mapping[str, Any], of: Units) -> list[Mover]:
    found = []
    for better in (True, False):
        for flip in _various(directed(pair["flips"], better=better)):
            both = f"{short_rate(flip, 'a', of)} → {short_rate(flip, 'b', of)}"
            found.append(Mover(better, str(flip["task"]), both, chance(flip["probability_b_better"]), short_parting(flip, pair)))
    return found


def _various(flips: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The surest few, of as many causes as there are: ten tasks that one outage ended are told by one of them."""
    first: dict[Any, Mapping[str, Any]] = {}
    for flip in flips:
        first.setdefault((flip["cause"] or {}).get("code"), flip)
    told = [*first.values(), *(flip for flip in flips if flip not in first.values())][:TOP_MOVERS]
    return [flip for flip in flips if flip in told]


def short_rate(flip: Mapping[str, Any], side: str, of: Units) -> str:
    return rates(flip, side, of).replace(" of ", "/") if of.rate else of.score(flip[f"{side}_rate"])


def _moved(pair: Mapping[str, Any]) -> str:
    tasks = pair["tasks"]
    if not pair["flips"]:
        return ""
    return (
        f"{tasks['better']:,} gained, {tasks['worse']:,} lost of {tasks['compared']:,}; P = chance that B is better at the task"
    )


def _mode(mode: Mapping[str, Any]) -> ModeShift:
    return ModeShift(
        Units(rate=True).signed(mode["delta"]),
        f"{mode['a_rollouts']:,} → {mode['b_rollouts']:,}",
        str(mode["label"]),
        unmarked(mode["mode"]),
        is_clear(mode),
    )


def _slice(one: Mapping[str, Any], of: Units) -> str:
    return f"{one['by']} = {one['value']}: {of.change(one['delta'])} {of.brackets(one['ci'])} on {plural(one['tasks'], 'task')}, adjusted {p_value(one['p_adjusted'])}"


def step_line(item: Mapping[str, Any], of: Units) -> str:
    upper = (item.get("gain") or {}).get("upper")
    worth = f", in B at most {of.size(upper)}" if upper is not None else ""
    return f"{unmarked(item['title'])} ({item['family']}{worth})"


def _notes(pair: Mapping[str, Any], written: Sequence[str]) -> list[tuple[str, str]]:
    notes = []
    if used := used_in_short(pair):
        notes.append(("used", f"per rollout: {used}"))
    if pair["predictions"]:
        notes.append(("predictions", f"{len(pair['predictions'])} in the ledger: {outcomes_in_short(pair)}"))
    named = {limit["code"] for limit in pair["limits"]}
    if limits := [limit["message"] for limit in pair["limits"]]:
        notes.append(("limit" if len(named) == 1 else "limits", "; ".join(limits)))
    ways = [", ".join(written) if written else "the report: blade compare … --out DIR"]
    if pair["flips"]:
        lost = directed(pair["flips"], better=False)
        side, flip = ("b", lost[0]) if lost else ("a", pair["flips"][0])
        ways.append(f"one task: blade diagnose {side.upper()} --task {shlex.quote(str(flip[f'{side}_task']))}")
    if pair["verdict"] == "inconclusive" and pair["delta"] is not None and pair.get("same_outputs") is None:
        ways.append("what would settle it: blade plan A B --detect 2")
    notes.append(("read on", " · ".join(ways)))
    return notes
