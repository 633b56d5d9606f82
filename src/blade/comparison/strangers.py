"""Two benchmarks that both count their tasks from 0: equal numbers, and nothing else in common.

An id that only counts says nothing of a task by itself. Where no part of any common task is known in both runs, the id is all that
pairs them, and two harnesses that log the same tasks under other fields look just like two benchmarks. What tells them apart are the
words: of the same task both rows speak (names, figures, codes), whatever the fields are called. So each task's own words are held
against those of its namesake, and against those of the other tasks in random order; and only where namesakes share no more than
strangers do, and the agent or the prompt differs as well, are the runs taken for two benchmarks and nothing is paired.

Of three runs and more each may refute what was believed of two: two benchmarks are not both the baseline's.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
import numpy as np

from blade.comparison.differences import differences
from blade.comparison.judging import Limit
from blade.comparison.letters import BASELINE, letter
from blade.comparison.pairing import Pairing, Side
from blade.runs.run import Run
from blade.sentences import plural
from blade.stats.counts import BoolArray, FloatArray

CODE: Final = "ids_only_count"
MOST_READ: Final = 40
"""Tasks whose words are read."""
FEWEST: Final = 10
"""Tasks below which words that are shared by chance cannot be told from others."""
OWN: Final = 0.25
"""A word that a greater share of a run's tasks has is none of a task's own."""
FEWEST_WORDS: Final = 3
ORDERS: Final = 2_000
ALPHA: Final = 0.005
"""How often two benchmarks may pass for one: of the same tasks nearly all words come again, and the least that the test can say is 1 / (1 + ORDERS)."""
_WORD: Final = re.compile(r"[^\W_]+")

Between = Callable[[int, int], Pairing]
"""The pairing of two runs of several, by their places (0 is the baseline), without a common task where they were told apart."""


def told_apart(a: Run, b: Run, pairing: Pairing) -> Pairing:
    """The pairing, without a common task where the runs are of two benchmarks."""
    if not _by_counted_ids(pairing):
        return pairing
    differing = [change.what for change in differences(a, b, pairing).changed if change.what in ("agent", "prompt")]
    if not differing or not _strangers(a, b, pairing):
        return pairing
    why = (
        f"tasks with equal ids have no more words in common than tasks with other ids, and the {' and the '.join(differing)} "
        f"{'differs' if len(differing) == 1 else 'differ'}: these are two benchmarks, and no task is paired"
    )
    return _refused(pairing, why)


def agreed(pairings: Sequence[Pairing], between: Between) -> list[Pairing]:
    """The baseline's pairings with each further run, in their order, but those that a third run refutes.

    A run that shares nothing but counted ids with the baseline, and was not told apart from it, is believed for want of evidence.
    Another run may hold that evidence.
    """
    return [
        _refused(pairing, why) if _by_counted_ids(pairing) and (why := _refuted(place, pairings, between)) else pairing
        for place, pairing in enumerate(pairings, 1)
    ]


def _refuted(place: int, pairings: Sequence[Pairing], between: Between) -> str:
    """By which other run, as a part of a sentence; empty where none does."""
    for other, theirs in enumerate(pairings, 1):
        if other == place:
            continue
        held = between(min(place, other), max(place, other))
        if _is_apart(held) and theirs.common.any():
            return f"{letter(other)}, which shares tasks with {BASELINE}, is another benchmark than {letter(place)}: no task is paired"
        if _is_apart(theirs) and _mostly_defined(held):
            return f"{letter(other)}, whose tasks are {letter(place)}'s by their definitions, is another benchmark than {BASELINE}: no task is paired"
    return ""


def _refused(pairing: Pairing, why: str) -> Pairing:
    """Without a common task, and with the limit that says why not."""
    ids = plural(int(pairing.common.sum()), "id")
    message = f"the {ids} that stand in both runs only count (0, 1, 2, …), no part of what defines a task is known in both, {why}"
    limits = [limit for limit in pairing.limits if limit.code != "definitions_unknown"]
    return replace(_unpaired(pairing), limits=(*limits, Limit(CODE, message)))


def why_apart(pairing: Pairing) -> str:
    """The reason of the verdict; empty where the runs were not told apart."""
    found = next((limit.message for limit in pairing.limits if limit.code == CODE), "")
    return f"Not comparable: {found}." if found else ""


def _is_apart(pairing: Pairing) -> bool:
    return bool(why_apart(pairing))


def _by_counted_ids(pairing: Pairing) -> bool:
    """Whether nothing but ids that count says which tasks are the same, of enough tasks to tell by their words."""
    common = int(pairing.common.sum())
    only_ids = pairing.paired_by == "id" and not pairing.by_definition and pairing.undefined == common
    return only_ids and common >= FEWEST and all(_counts(pairing, int(key)) for key in np.flatnonzero(pairing.common))


def _mostly_defined(pairing: Pairing) -> bool:
    """Whether more than half of the smaller run's tasks are the other's too, as their definitions say."""
    known = int(pairing.common.sum()) - pairing.undefined
    return 2 * known > min(int(pairing.a.present.sum()), int(pairing.b.present.sum()))


def _counts(pairing: Pairing, key: int) -> bool:
    return (pairing.a.ids[key] or "").isdecimal()


def _strangers(a: Run, b: Run, pairing: Pairing) -> bool:
    """Whether tasks with equal ids share no more of their own words than tasks with other ids."""
    keys = np.flatnonzero(pairing.common)[:MOST_READ]
    ids = [str(pairing.a.ids[key]) for key in keys]
    ours, theirs = _own_words(a, ids), _own_words(b, ids)
    if min(_telling(ours), _telling(theirs)) < FEWEST:
        return False  # rows that say too little show nothing
    shared = np.array([[len(here & there) for there in theirs] for here in ours], dtype=np.float64)
    return _chance(shared) > ALPHA


def _chance(shared: FloatArray) -> float:
    """How often tasks in random order share as much as those with equal ids: a permutation test, with a fixed seed."""
    rng, places = np.random.default_rng(0), np.arange(len(shared))
    seen = shared.trace()
    as_much = sum(bool(shared[places, rng.permutation(places)].sum() >= seen) for _ in range(ORDERS))
    return (1 + as_much) / (1 + ORDERS)


def _own_words(run: Run, ids: Sequence[str]) -> list[set[str]]:
    """The words of one row of each task that few of the others have; its id is no word of it."""
    found = [_words(run, task) - {task} for task in ids]
    times = Counter(word for words in found for word in words)
    return [{word for word in words if times[word] <= max(1.0, OWN * len(ids))} for words in found]


def _telling(tasks: Iterable[set[str]]) -> int:
    return sum(len(words) >= FEWEST_WORDS for words in tasks)


def _words(run: Run, task: str) -> set[str]:
    places = run.places(task)
    try:
        row = msgspec.json.decode(run.text(places[0])) if places else None
    except msgspec.DecodeError:
        row = None
    return {word.casefold() for text in _texts(row) for word in _WORD.findall(text)}


def _texts(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending += one.values()
        elif isinstance(one, list):
            pending += one
        elif isinstance(one, str | int | float) and not isinstance(one, bool):
            yield str(one)


def _unpaired(pairing: Pairing) -> Pairing:
    """Each common key as two: one of A and one of B."""
    keys = [(int(key), side) for key in range(len(pairing.names)) for side in (("a", "b") if pairing.common[key] else ("",))]
    places = np.array([key for key, _ in keys], dtype=np.int64)
    stays = {name: np.array([side in ("", name) for _, side in keys], dtype=np.bool_) for name in ("a", "b")}
    names = tuple(str(pairing.b.ids[key]) if side == "b" else pairing.names[key] for key, side in keys)
    a, b = (_some(of, places, stays[name]) for name, of in (("a", pairing.a), ("b", pairing.b)))
    return replace(pairing, names=names, a=a, b=b, undefined=0)


def _some(side: Side, places: Any, stays: BoolArray) -> Side:
    return replace(
        side,
        ids=tuple(side.ids[place] if stay else None for place, stay in zip(places, stays, strict=True)),
        present=side.present[places] & stays,
        expected=np.where(stays, side.expected[places], 0),
        scored=np.where(stays, side.scored[places], 0),
        total=np.where(stays, side.total[places], 0.0),
        variances=np.where(stays, side.variances[places], np.nan),
    )
