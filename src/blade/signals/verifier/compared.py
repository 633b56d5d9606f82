"""What a verifier compared, as it wrote it down beside its verdict: what it found, and what it wanted.

Read by shape: two plain values in one object, one named after what is expected and one after what was there (`expected` and `actual`, `reference_outputs` and
`outputs`, `want` and `got`), where the object, or the entry of a list that holds it, has a verdict. Verifiers also compare field by field; so it is the
answer only where the row has one such pair, and what was found is said in the rollout's own words (or nothing was found). One that it found in order, or one
of form, says nothing about why a row failed.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from blade.runs.definition import BOOKKEEPING
from blade.signals.calls.mutation import words_of
from blade.signals.layout.texts import folded, plain_text
from blade.signals.repeats import once_for_names
from blade.signals.wanted.checks import holds_verdict, verdict

MAX_DEPTH: Final = 4
MAX_ENTRIES: Final = 30
MAX_KEYS: Final = 40
MAX_TEXT: Final = 500
_WANTED: Final = frozenset(["expected", "reference", "gold", "golden", "wanted", "want", "ideal", "target", "truth", "correct"])
_FOUND: Final = frozenset(
    ["actual", "observed", "got", "received", "found", "given", "predicted", "prediction", "output", "outputs", "response", "answered", "produced", "returned", "submitted", "extracted", "parsed"]
)  # fmt: skip
_OF_PARTS: Final = frozenset(
    ["tool", "tools", "call", "calls", "action", "actions", "function", "argument", "arguments", "args", "field", "column", "key", "path", "param", "parameter", "count", "number", "length", "steps"]
)  # fmt: skip
"""Words that say that a part of the work was compared, or how much of it there is."""
_OF_FORM: Final = frozenset(
    ["form", "format", "formatting", "schema", "syntax", "style", "language", "lang", "turn", "turns", "length", "token", "tokens", "words", "characters", "chars", "lines", "size", "latency", "cost"]
)  # fmt: skip
"""Words that say that the form or the size of the work was compared, wherever they stand in its place."""
_PARTS: Final = frozenset(["field", "argument", "column", "parameter", "attribute", "path", "arg", "param"])
"""Keys of an entry that names a part of the work."""
_NAMES: Final = ("key", "name", "metric", "id", "check", "evaluator", "type")
"""Keys that hold the name of a check."""
_BAD: Final = frozenset(["fail", "failed", "failure", "invalid", "violation", "incorrect", "mismatch", "wrong"])
"""Words in names of verdicts that are bad where they hold."""
_ELSEWHERE: Final = BOOKKEEPING | frozenset(["usage", "messages", "trajectory", "tools", "agent_ref", "response"])


class Compared(NamedTuple):
    wanted_at: str
    wanted: Any
    found_at: str
    found: Any


def compared_answer(fields: dict[str, Any], said: str) -> Compared | None:
    """The one pair of plain values that the row's verifier held against each other, where what it found is said, or nothing."""
    if not _may_hold_pair(fields):
        return None
    pairs = [(pair, passed) for pair, passed in _pairs(fields, "", 0, False, False) if not _parts(pair)]
    if len(pairs) != 1 or pairs[0][1]:
        return None
    pair = pairs[0][0]
    found = plain_text(pair.found)
    return pair if found is None or _says(folded(said), folded(found)) else None


def _says(said: str, found: str) -> bool:
    """Whether a text holds another as words, and as no part of a number."""
    return bool(found) and re.search(rf"(?<![\w-])(?<!\d[.,]){re.escape(found)}(?!\w)(?![.,]\d)", said) is not None


def _may_hold_pair(fields: dict[str, Any]) -> bool:
    """Whether any object of a row has both sides of a pair by its keys: in most rows none has, which is seen without looking for verdicts."""
    left = [(held, 1) for key, held in islice(fields.items(), MAX_KEYS) if isinstance(held, (dict, list)) and not _elsewhere(key)]
    for value, depth in left:  # which grows as it is gone through
        if isinstance(value, list):
            left += [(entry, depth) for entry in value[:MAX_ENTRIES] if isinstance(entry, dict)]
        elif _has_both_sides(value):
            return True
        elif depth < MAX_DEPTH:
            left += [(held, depth + 1) for held in islice(value.values(), MAX_KEYS) if isinstance(held, (dict, list))]
    return False


@once_for_names
def _has_both_sides(names: tuple[str, ...]) -> bool:
    return {"wanted", "found"} <= {_side(name) for name in names[:MAX_KEYS]}


def _elsewhere(key: str) -> bool:
    return key in _ELSEWHERE or key.startswith("_ng_")


def _pairs(value: Any, path: str, depth: int, judged: bool, passed: bool) -> Iterator[tuple[Compared, bool]]:
    """The pairs of a row, each with whether the verdict on it says that it was found in order."""
    if isinstance(value, list):
        for number, entry in enumerate(value[:MAX_ENTRIES] if path else ()):
            if isinstance(entry, dict) and not _of_part(entry):
                yield from _pairs(entry, f"{path}{number}.", depth, False, False)
    elif isinstance(value, dict):
        if path and _judged(value):
            judged, passed = True, _passed(value)
        if judged and (pair := _pair(value, path)) is not None and not _of_part(value):
            yield pair, passed
        for key, held in list(value.items())[:MAX_KEYS] if depth < MAX_DEPTH else ():
            if isinstance(held, dict | list) and held and (path or not _elsewhere(key)):
                yield from _pairs(held, f"{path}{key}.", depth + 1, judged and isinstance(held, dict), passed)


def _of_part(entry: dict[str, Any]) -> bool:
    """Whether an object says that it compares a part of the work, or its form."""
    named = [entry[key] for key in _NAMES if isinstance(entry.get(key), str)]
    return bool(_PARTS & entry.keys()) or any((_OF_PARTS | _OF_FORM) & set(words_of(name)) for name in named)


def _passed(holder: dict[str, Any]) -> bool:
    """Whether an object that holds a pair says that it was found in order: in a row that failed something else was not."""
    told = [
        (name, read[1])
        for name, value in holder.items()
        if isinstance(value, bool | int | float)
        and (isinstance(value, bool) or _side(name) is None)
        and holds_verdict({name: value})
        and (read := verdict(value)) is not None
    ]
    return bool(told) and all(good is not bool(_BAD & set(words_of(name))) and good is not None for name, good in told)


def _judged(holder: dict[str, Any]) -> bool:
    return holds_verdict(holder, [key for key, value in holder.items() if not isinstance(value, bool) and _side(key) is not None])


def _pair(holder: dict[str, Any], path: str) -> Compared | None:
    sides: dict[str, list[str]] = {"wanted": [], "found": []}
    for key, value in list(holder.items())[:MAX_KEYS]:
        if (side := _side(key)) is not None and _plain(value):
            sides[side].append(key)
    if len(sides["wanted"]) != 1 or len(sides["found"]) != 1:
        return None
    wanted, found = sides["wanted"][0], sides["found"][0]
    if plain_text(holder[wanted]) is None:
        return None
    return Compared(f"{path}{wanted}", holder[wanted], f"{path}{found}", holder[found])


def _plain(value: Any) -> bool:
    if isinstance(value, bool | dict | list):
        return False
    if isinstance(value, int):
        return value.bit_length() <= 3 * MAX_TEXT  # no text of it is made: one of thousands of digits has none
    return value is None or len(str(value)) <= MAX_TEXT


@lru_cache(maxsize=4096)
def _side(key: str) -> str | None:
    """Whether a key names what was wanted, or what was found; both words in one name (`expected_output`) mean the first."""
    words = set(words_of(key))
    if words & _WANTED:
        return "wanted"
    return "found" if words & _FOUND else None


def _parts(pair: Compared) -> bool:
    words = {word for at in (pair.wanted_at, pair.found_at) for key in at.split(".")[-1:] for word in words_of(key)}
    return bool(words & _OF_PARTS) or bool(_OF_FORM & set(words_of(pair.wanted_at)) | _OF_FORM & set(words_of(pair.found_at)))
