"""Who drove it: moves between buckets beside what chance does, and the tasks that moved, each with where the runs part."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from blade.comparison.letters import called, second
from blade.comparison.units import Units, chance, units
from blade.reports.citations import Cite
from blade.reports.task_story import quoted_evidence
from blade.reports.wording import bullets, capital, clause, inside, label, listed, place, plural, table, unmarked
from blade.signals.labels import PLUMBING
from blade.stats.transitions import BUCKETS

MOST_TOLD = 6
MOST_NAMED = 30
_NEXT: Final = re.compile(r"\. ([a-z])(?=[a-z]*[ ,:;.])")


def buckets(pair: Mapping[str, Any], cite: Cite) -> list[str]:
    """Moves observed, each beside the number that two runs of one system would show."""
    found = pair["buckets"]
    if found["observed"] is None:
        return ["Without a pass rule there are no buckets to move between."]
    observed, expected = found["observed"], found["expected_if_nothing_changed"]
    tasks = sum(observed[before][after] for before in BUCKETS for after in BUCKETS)
    if not tasks:
        return []
    equal = found["observed_at_equal_repeats"]
    rows = [
        (f"A {before}", *(f"{observed[before][after]:,} ({expected[before][after]:.1f})" for after in BUCKETS))
        for before in BUCKETS
    ]
    up, down = _moves(equal, upward=True), _moves(equal, upward=False)
    by_chance = _moves(expected, upward=True)
    note = "" if equal == observed else " Where the runs have other numbers of repeats, moves are counted at the smaller one."
    said = (
        f"Of {plural(tasks, 'task')}, {up:.3g} moved to a better bucket and {down:.3g} to a worse one; two runs of one and the same system "
        f"would show about {by_chance:.3g} each way.{cite('buckets')}{note}"
    )
    head = ("observed (expected if nothing changed)", *(f"{second(pair)} {after}" for after in BUCKETS))
    return [said, table(head, rows, " rrr")]


def _moves(moves: Mapping[str, Mapping[str, float]], *, upward: bool) -> float:
    order = {bucket: rank for rank, bucket in enumerate(BUCKETS)}
    return float(
        sum(
            number
            for before, row in moves.items()
            for after, number in row.items()
            if (order[after] < order[before] if upward else order[after] > order[before])
        )
    )


def flips(pair: Mapping[str, Any], cite: Cite) -> list[str]:
    """The tasks that moved, gained and lost apart, the surest first."""
    moved, b = pair["flips"], second(pair)
    if not moved:
        return ["No task that both runs scored moved."]
    blocks = []
    for better, word in ((True, "Gained"), (False, "Lost")):
        here = directed(moved, better=better)
        if not here:
            blocks.append(f"**{word}:** no task.")
            continue
        of_all = pair["tasks"]["better" if better else "worse"]
        told, rest = here[:MOST_TOLD], [flip["task"] for flip in here[MOST_TOLD:]]
        failing = "A" if better else b
        blocks.append(
            f"**{word}: {plural(of_all, 'task')}** of {pair['tasks']['compared']:,}, the surest first. "
            f"Causes in the diagnosis of {failing}: {causes(here)}."
        )
        blocks.append(bullets(_told(flip, pair, cite) for flip in told))
        if rest:
            blocks.append(f"Further: {listed(rest, MOST_NAMED, of=of_all - len(told))}.")
    if all(max(flip["a_rollouts"], flip["b_rollouts"]) < 2 for flip in moved):
        blocks.append(
            f"With one repeat of each task a flip is weak evidence: P is the chance that {b} is better at the task, shrunken towards what the "
            "whole run shows, and no single task is tested."
        )
    else:
        blocks.append(
            f"P is the chance that {b} is better at the task, from shrunken rates; tasks are ranked by it and never tested one by one."
        )
    return blocks


def directed(moved: Sequence[Mapping[str, Any]], *, better: bool) -> list[Mapping[str, Any]]:
    return [flip for flip in moved if (flip["b_rate"] > flip["a_rate"]) is better]


def rates(flip: Mapping[str, Any], side: str, of: Units) -> str:
    """`3 of 4`, or the mean reward with the number of its rollouts."""
    rate, tried = flip[f"{side}_rate"], flip[f"{side}_rollouts"]
    return f"{round(rate * tried):,} of {tried:,}" if of.rate else f"{of.score(rate)} over {plural(tried, 'rollout')}"


def _told(flip: Mapping[str, Any], pair: Mapping[str, Any], cite: Cite) -> str:
    task, of = flip["task"], units(pair)
    cited = cite(f"task.{task}.a", f"task.{task}.b")
    both = f"A {rates(flip, 'a', of)}, {second(pair)} {rates(flip, 'b', of)}"
    about = f"{both}; P = {chance(flip['probability_b_better'])}{_cause(flip, pair)}"
    return f"**Task {inside(task, 60)}** ({about}).{cited} {_parting(flip, pair)}".rstrip()


def _cause(flip: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    cause = flip["cause"]
    if not cause or cause["label"] == "unknown":
        return ""
    return f"; cause in {called(cause['run'], pair)}: {label(cause['label'])}"


def _parting(flip: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """Where the passing rollout of one run and the failing one of the other part, with the words that show it."""
    found, cause = flip["divergence"], flip["cause"]
    if blames_plumbing(flip) or found is None:
        known = cause and cause.get("why") and cause["label"] != "unknown"
        return (
            f"In {called(cause['run'], pair)}: {_sentence(cause['why'], flip, pair)}"
            if known
            else "Why cannot be told from the trajectories."
        )
    sides = "; ".join(f"{side} {_side(found, side, pair)}" for side in ("passing", "failing"))
    note = f" ({clause(found['note'], 200)})" if found.get("note") else ""
    weak = " A weak difference" if found.get("strength") == "weak" else ""
    return f"{_sentence(found['summary'], flip, pair)} {capital(sides)}.{weak}{note if weak else ''}{'.' if weak else ''}"


def _side(found: Mapping[str, Any], side: str, pair: Mapping[str, Any]) -> str:
    """A rollout of the divergence with its step and what it shows there."""
    at, step = found[side], found[f"step_{side}"]
    code = found["code"] if side == "failing" else None  # the passing side made the call that the failing one did not
    seen = [quoted_evidence(item, code, 120) for item in found["evidence"] if _at(item) == (at["run"], at["rollout"], step)]
    return f"{called(at['run'], pair)} {place(at['rollout'], step)}{f' {seen[0]}' if seen else ''}"


def _at(item: Mapping[str, Any]) -> tuple[Any, ...]:
    return item["run"], item["rollout"], item["step"]


def blames_plumbing(flip: Mapping[str, Any]) -> bool:
    """Whether the failing side's own diagnosis blames data, infrastructure or verifier: what it did then is a symptom."""
    return bool(flip["cause"]) and flip["cause"]["label"] in PLUMBING


def told_of(text: object, flip: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """A sentence about rollouts of both runs, with the runs' letters as the report writes them."""
    said = str(text)
    for side in ("a", "b"):
        said = said.replace(f"{side} {flip[f'{side}_task']}:", f"{called(side, pair)} {flip[f'{side}_task']}:")
    return _NEXT.sub(lambda word: f". {word[1].upper()}", said)


def _sentence(text: object, flip: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    return f"{capital(clause(told_of(text, flip, pair), 500))}."


def causes(moved: Sequence[Mapping[str, Any]]) -> str:
    """What the failing side's own diagnosis says of the tasks, counted."""
    counts = Counter(flip["cause"]["label"] if flip["cause"] else "unknown" for flip in moved)
    return ", ".join(f"{number:,} {code if code == 'unknown' else label(code)}" for code, number in counts.most_common())


def short_parting(flip: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    """For a terminal: the difference in a few words, or the cause."""
    found = flip["divergence"]
    if found is not None and not blames_plumbing(flip):
        return unmarked(told_of(found["summary"], flip, pair)).partition(". ")[0]
    cause = flip["cause"]
    return "" if not cause or cause["label"] == "unknown" else unmarked(cause.get("why") or "").rstrip(".")
