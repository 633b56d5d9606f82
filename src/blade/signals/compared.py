"""What a verifier compared, as it wrote it down beside its verdict: what it found, and what it wanted.

Read by shape: two plain values in one object, one named after what is expected and one after what was there (`expected` and `actual`, `reference_outputs` and
`outputs`, `want` and `got`), where the object, or the entry of a list that holds it, has a verdict. Verifiers also compare field by field; so it is the
answer only where the row has one such pair, and what was found is said in the rollout's own words (or nothing was found).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from blade.runs.definition import BOOKKEEPING
from blade.signals.checks import holds_verdict
from blade.signals.layout.texts import folded, plain_text
from blade.signals.mutation import words_of

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
_PARTS: Final = frozenset(["field", "argument", "column", "parameter", "attribute", "path", "arg", "param"])
_NAMES: Final = ("key", "name", "metric", "id", "check", "evaluator", "type")
"""Keys of an entry that names a part of the work, and keys that hold the name of a check."""
_ELSEWHERE: Final = BOOKKEEPING | frozenset(["usage", "messages", "trajectory", "tools", "agent_ref", "response"])


class Compared(NamedTuple):
    wanted_at: str
    wanted: Any
    found_at: str
    found: Any


def compared_answer(fields: dict[str, Any], said: str) -> Compared | None:
    """The one pair of plain values that the row's verifier held against each other, where what it found is said, or nothing."""
    pairs = [pair for pair in _pairs(fields, "", 0, False) if not _parts(pair)]
    if len(pairs) != 1:
        return None
    found = plain_text(pairs[0].found)
    return pairs[0] if found is None or folded(found) in folded(said) else None


def _pairs(value: Any, path: str, depth: int, judged: bool) -> Iterator[Compared]:
    if isinstance(value, list):
        for number, entry in enumerate(value[:MAX_ENTRIES] if path else ()):
            if isinstance(entry, dict) and not _of_part(entry):
                yield from _pairs(entry, f"{path}{number}.", depth, False)
    elif isinstance(value, dict):
        judged = judged or (bool(path) and _judged(value))
        if judged and (pair := _pair(value, path)) is not None:
            yield pair
        for key, held in list(value.items())[:MAX_KEYS] if depth < MAX_DEPTH else ():
            if isinstance(held, dict | list) and held and not (not path and (key in _ELSEWHERE or key.startswith("_ng_"))):
                yield from _pairs(held, f"{path}{key}.", depth + 1, judged and isinstance(held, dict))


def _of_part(entry: dict[str, Any]) -> bool:
    """Whether an entry says that it compares a part of the work."""
    named = [entry[key] for key in _NAMES if isinstance(entry.get(key), str)]
    return bool(_PARTS & entry.keys()) or any(_OF_PARTS & set(words_of(name)) for name in named)


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
    return bool(words & _OF_PARTS)
