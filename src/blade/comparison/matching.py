"""Which task of A is which task of B.

By id, as long as ids mean the same task in both runs. Where equal ids name different tasks, or no id is shared, and the definitions
are one-to-one for nearly all tasks, the runs hold the same tasks under other ids (a shuffled dataset, another index): then they are
matched by definition. Single tasks that stand under another id (shards whose ids collided) are matched likewise, where their
definition holds the task's own words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from blade.comparison.definitions import Parts, RunWide, Twin, find_run_wide, redefined_parts
from blade.runs.identity import NEARLY_ALL
from blade.runs.settle import SHARED_PARTS

FEW: Final = 0.5
OWN_WORDS: Final = frozenset({"user", "task", "task_hash", "question", "problem", "problem_statement"})
"""Parts that hardly two tasks share; a gold answer may be the same in many."""


@dataclass(frozen=True)
class Defined:
    """The tasks of one run: id, hash of the definition, its parts as JSON, and whether a simulated user speaks in it."""

    ids: Sequence[str]
    hashes: Sequence[str | None]
    texts: Sequence[str | None]
    dialogue: Sequence[bool]

    @cached_property
    def parts(self) -> list[Parts]:
        """Read when somebody asks: tasks with equal hashes need not be."""
        decode = msgspec.json.Decoder(Parts).decode
        return [decode(text) if text else {} for text in self.texts]


@dataclass(frozen=True)
class Matching:
    """Pairs of places in A and B, those that are the same task and those that only share the id."""

    paired_by: str  # id, definition
    same: list[tuple[int, int]]
    redefined: list[tuple[int, int, list[str]]]
    run_wide: RunWide
    equal_ids: int
    by_definition: int
    """Of the same tasks, those that were recognised by their definition and not by their id."""
    undefined: int
    """Of the same tasks, those of which nothing of their own is known in both runs: only the id says that they are one."""


def match(a: Defined, b: Defined) -> Matching:
    place_in_b = {task: place for place, task in enumerate(b.ids)}
    by_id = [(place, place_in_b[task]) for place, task in enumerate(a.ids) if task in place_in_b]
    same, redefined, run_wide = _told_apart(a, b, by_id)
    fewer = min(len(a.ids), len(b.ids))
    trusted = sum(1 for pair in same if _known(a, b, pair))
    if len(same) < FEW * fewer or (redefined and trusted < FEW * len(by_id)):
        moved = _by_definition(a, b, range(len(a.ids)), range(len(b.ids)))
        if moved is not None and len(moved) >= NEARLY_ALL * fewer and len(moved) > len(same):
            harness = find_run_wide([_twin(a, b, pair) for pair in moved])
            return Matching("definition", moved, [], harness, len(by_id), len(moved), 0)
    elsewhere = [pair for pair in _leftovers(a, b, same) if not redefined_parts(_twin(a, b, pair), run_wide)]
    taken_a, taken_b = {pair[0] for pair in elsewhere}, {pair[1] for pair in elsewhere}
    redefined = [found for found in redefined if found[0] not in taken_a and found[1] not in taken_b]
    undefined = sum(1 for pair in same if not _known(a, b, pair))
    return Matching("id", same + elsewhere, redefined, run_wide, len(by_id), len(elsewhere), undefined)


def _told_apart(
    a: Defined, b: Defined, by_id: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int, list[str]]], RunWide]:
    """Equal ids: those that mean the same task, those that do not, and what changed for the whole run."""
    if not any(_unlike(a, b, pair) for pair in by_id):
        return by_id, [], RunWide()
    twins = [_twin(a, b, pair) for pair in by_id]
    run_wide = find_run_wide(twins)
    same: list[tuple[int, int]] = []
    redefined: list[tuple[int, int, list[str]]] = []
    for pair, twin in zip(by_id, twins, strict=True):
        differing = redefined_parts(twin, run_wide) if _unlike(a, b, pair) else []
        if differing:
            redefined.append((*pair, differing))
        else:
            same.append(pair)
    return same, redefined, run_wide


def _twin(a: Defined, b: Defined, pair: tuple[int, int]) -> Twin:
    first, second = pair
    return Twin(a.parts[first], b.parts[second], a.dialogue[first] or b.dialogue[second])


def _unlike(a: Defined, b: Defined, pair: tuple[int, int]) -> bool:
    return a.hashes[pair[0]] is None or a.hashes[pair[0]] != b.hashes[pair[1]]


def _known(a: Defined, b: Defined, pair: tuple[int, int]) -> bool:
    """Whether both runs know a part of the task that is its own."""
    return bool((a.parts[pair[0]].keys() & b.parts[pair[1]].keys()) - SHARED_PARTS)


def _leftovers(a: Defined, b: Defined, same: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Tasks that found no partner under their id, by the words that define them."""
    done_a, done_b = {pair[0] for pair in same}, {pair[1] for pair in same}
    rest_a = [place for place in range(len(a.ids)) if place not in done_a]
    rest_b = [place for place in range(len(b.ids)) if place not in done_b]
    return _by_definition(a, b, rest_a, rest_b, needs=OWN_WORDS, one_to_one=0.0) or []


def _by_definition(
    a: Defined,
    b: Defined,
    among_a: Sequence[int],
    among_b: Sequence[int],
    needs: frozenset[str] | None = None,
    one_to_one: float = NEARLY_ALL,
) -> list[tuple[int, int]] | None:
    """The pairs whose definitions are equal and stand once in each run; None where too many stand more than once.

    The user's turn counts where nobody plays the user; where it does not lead to a match (a new template around the same tasks), the
    other parts are tried alone, and last of all the system prompt, which may hold the task.
    """
    if not among_a or not among_b:
        return None
    names = _usual_parts(a, among_a) & _usual_parts(b, among_b)
    played = any(a.dialogue[place] for place in among_a) or any(b.dialogue[place] for place in among_b)
    own = names - SHARED_PARTS
    beside = own - {"user"}
    tries = [beside if played and beside else own, beside, names & {"system"} if not own else frozenset()]
    best: list[tuple[int, int]] | None = None
    for chosen in dict.fromkeys(tries):
        if not chosen or (needs is not None and not chosen & needs):
            continue
        keys_a, keys_b = _keys(a, among_a, chosen), _keys(b, among_b, chosen)
        if min(len(keys_a) / len(among_a), len(keys_b) / len(among_b)) < one_to_one:
            continue
        found = [(place, keys_b[key]) for key, place in keys_a.items() if key in keys_b]
        if best is None or len(found) > len(best):
            best = found
    return best


def _usual_parts(run: Defined, among: Sequence[int]) -> frozenset[str]:
    counts = Counter(name for place in among for name in run.parts[place])
    return frozenset(name for name, count in counts.items() if count >= NEARLY_ALL * len(among))


def _keys(run: Defined, among: Sequence[int], names: frozenset[str]) -> dict[tuple[str, ...], int]:
    """Where each definition stands that stands once."""
    ordered = sorted(names)
    found: dict[tuple[str, ...], list[int]] = {}
    for place in among:
        parts = run.parts[place]
        if names <= parts.keys():
            found.setdefault(tuple(parts[name] for name in ordered), []).append(place)
    return {key: places[0] for key, places in found.items() if len(places) == 1}
