"""The values inside a row by their paths: through objects, short lists of objects, and text that holds JSON.

A list may mix entries of several kinds, as assertions do: a call to be made, an answer to be given, nothing else to be changed. Where one key
tells the kind, the entries of each kind are a place of their own, `expect.type=answer_is` say: one entry as it is, several as a list. Where the
kind is told by which key an entry has, what stands under such a key is a place: `lines.*says`. Two lists side by side, names in one and what each
is given in the other, are a place as well: `tools+arguments`. What assertions say (`assertions`) stands under the text or list that holds them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.runs.definition import BOOKKEEPING
from blade.signals.calls.mutation import words_of
from blade.signals.layout.assertions import RECORDS, VALUES, asserted
from blade.signals.layout.shape import Path

MAX_DEPTH: Final = 5
MAX_NODES: Final = 300
"""Values of one row that are looked at."""
MAX_JSON: Final = 100_000
"""Characters of a text up to which it is tried as JSON."""
MAX_LISTED: Final = 4
"""Entries of a list up to which each is a place of its own."""
MAX_MIXED: Final = 30
"""Entries of a list that may be of several kinds."""
MOST_APART: Final = 6
"""Keys that are tried, and places that a list of several kinds is taken apart into."""
MAX_KEYS: Final = 40
"""Keys of an entry beyond which it is no line of a list."""
_KIND: Final = re.compile(r"[A-Za-z][A-Za-z_:/-]{1,60}")
"""A word that can tell the kind of an entry."""
_NAME: Final = re.compile(r"[A-Za-z_][\w.:/-]{0,120}")
"""The name of something that can be called."""
KIND_KEYS: Final = frozenset(
    ["type", "kind", "assert", "assertion", "assertion_type", "check_type", "matcher", "comparator", "constraint"]
)
"""Names of keys that tell the kind of an entry whatever else stands in it."""
OF_KIND: Final = "="
EACH: Final = "*"
JOINED: Final = "+"
MOST_LISTS: Final = 8
"""Lists of an object that are held side by side."""
RECORDED: Final = frozenset(
    ["pred", "preds", "generated", "generation", "response", "output", "outputs", "completion", "prediction", "observed", "actual", "predicted", "made", "called", "invoked", "picked", "produced", "received", "returned", "seen", "saw", "view", "executed", "performed", "recorded", "submitted", "got", "found", "took", "taken", "parsed", "extracted", "log", "logged", "trace", "candidate", "submission", "attempted", "emitted", "captured", "collected"]
)  # fmt: skip
"""Words in the names of fields that hold what was done or said."""
_GOLD: Final = frozenset(
    [
        "expected",
        "reference",
        "gold",
        "golden",
        "target",
        "ideal",
        "correct",
        "wanted",
        "want",
        "label",
        "true",
        "truth",
        "solution",
        "expectation",
        "oracle",
        "desired",
    ]
)
_WANTED: Final = _GOLD | {"example", "dataset"}
"""Words in the names of fields that hold what should be, and of those that hold what was asked as a whole."""
_ELSEWHERE: Final = BOOKKEEPING - {"reward_components"} | frozenset(
    ["usage", "messages", "trajectory", "tools", "declared_tools", "delegated_response", "judge_response", "judge_responses_create_params", "agent_ref"]
)  # fmt: skip
"""Fields that book a rollout or hold a conversation."""


def opened(value: Any) -> Any:
    """An object or a list that was written down as text, read back; everything else as it is."""
    if not isinstance(value, str) or value[:1] not in ("{", "[") or len(value) > MAX_JSON:
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return value


def nodes(fields: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Every value inside a row with its path, outermost first within each field, objects and lists too."""
    left = MAX_NODES
    for path, value in _nodes(fields, (), 0):
        yield path, value
        left -= 1
        if left <= 0:
            return


def _nodes(holder: Any, path: Path, depth: int) -> Iterator[tuple[Path, Any]]:
    for key, value in _inner(holder):
        if key.startswith("_ng_") or (depth == 0 and key in _ELSEWHERE):
            continue
        value = opened(value)
        yield (*path, key), value
        side_by_side = JOINED in key and isinstance(holder, dict) and key not in holder
        if (
            depth < MAX_DEPTH and isinstance(value, dict | list | str) and not side_by_side
        ):  # the lists themselves are gone through
            yield from _nodes(value, (*path, key), depth + 1)


def _inner(holder: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(holder, dict):
        yield from ((str(key), value) for key, value in holder.items())
        yield from _side_by_side(holder)
    elif isinstance(holder, str) or (isinstance(holder, list) and holder and isinstance(holder[0], str)):
        yield from (asserted(holder) or {}).items()
    elif isinstance(holder, list) and all(isinstance(entry, dict) for entry in holder):
        yield from (asserted(holder) or {}).items()
        if len(holder) <= MAX_LISTED:
            yield from ((str(number), value) for number, value in enumerate(holder))
        key = _told_by(holder)
        for kind in dict.fromkeys(str(entry[key]) for entry in holder) if key is not None else ():
            yield f"{key}{OF_KIND}{kind}", of_kind(holder, str(key), kind)
        for name in _told_apart_by(holder) if key is None else ():
            yield f"{EACH}{name}", under(holder, name)


def _side_by_side(holder: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Lists of names, each with the list of objects beside it whose own name is most like its: `expected_tools` goes with `expected_args`."""
    lists = [key for key, value in holder.items() if isinstance(key, str) and isinstance(value, list) and value][:MOST_LISTS]
    for names in lists if len(lists) > 1 else ():
        pairs = {given: made for given in lists if given != names and (made := joined(holder[names], holder[given]))}
        if pairs:
            given = max(pairs, key=lambda other: len(set(words_of(names)) & set(words_of(other))))
            yield f"{names}{JOINED}{given}", pairs[given]


def joined(names: Any, given: Any) -> list[dict[str, Any]] | None:
    """The entries of two lists side by side: a name from one, an object (or its text) from the other; None where they are no such lists."""
    if not isinstance(names, list) or not isinstance(given, list) or len(names) != len(given) or len(names) > MAX_MIXED:
        return None
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
        return None
    read = [opened(one) for one in given]
    return [{"name": name, "arguments": one} for name, one in zip(names, read, strict=True)] if _objects(read) else None


def _objects(values: list[Any]) -> bool:
    return all(isinstance(value, dict) for value in values)


def _told_by(entries: list[dict[str, Any]]) -> str | None:
    """The first key that tells entries of several kinds apart: it says so, or those of one kind have a key in common that others lack; or all are of one kind."""
    if not 0 < len(entries) <= MAX_MIXED:
        return None
    if any(len(entry) > MAX_KEYS for entry in entries):
        return None
    shapes = [_shape(entry) for entry in entries]
    for key in list(entries[0])[:MOST_APART]:
        kinds: dict[str, list[frozenset[str]]] = defaultdict(list)
        for entry, shape in zip(entries, shapes, strict=True):
            word = entry.get(key)
            if not isinstance(word, str) or not _KIND.fullmatch(word):
                break
            kinds[word].append(shape)
        else:
            common = {frozenset.intersection(*mine) for mine in kinds.values()}
            if len(kinds) == 1 or len(common) > 1 or key in KIND_KEYS:
                return str(key)
    return None


def _told_apart_by(entries: list[dict[str, Any]]) -> list[str]:
    """The keys that some entries have and others have not."""
    if not 1 < len(entries) <= MAX_MIXED:
        return []
    common = set.intersection(*(set(entry) for entry in entries))
    return [str(key) for key in dict.fromkeys(key for entry in entries for key in entry) if key not in common][:MOST_APART]


def under(entries: list[Any], name: str) -> Any:
    """What stands under a key of the entries that have it: the one as it is, several as a list."""
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return None
    found = [entry[name] for entry in entries if name in entry]
    return found[0] if len(found) == 1 else found


def _shape(entry: dict[str, Any]) -> frozenset[str]:
    """The keys of an entry, those of the objects in it, and which hold lists."""
    inner = {f"{key}.{name}" for key, value in entry.items() if isinstance(value, dict) for name in list(value)[:MAX_KEYS]}
    return frozenset(entry) | inner | {f"{key}[]" for key, value in entry.items() if isinstance(value, list)}


def of_kind(entries: list[Any], key: str, kind: str) -> Any:
    """The entries of one kind without what tells it: the one as it is, several as a list; an empty list where all are of other kinds."""
    if not entries or not all(isinstance(entry, dict) and isinstance(entry.get(key), str) for entry in entries):
        return None
    found = [{name: value for name, value in entry.items() if name != key} for entry in entries if entry[key] == kind]
    return found[0] if len(found) == 1 else found


def real(path: Path) -> Path:
    """A path by the names that the row has: without the kinds of entries, their places in a list, and what was read out of a text."""
    made = (RECORDS, VALUES)
    return tuple(
        key for key in path if OF_KIND not in key and not key.startswith(EACH) and not key.isdecimal() and key not in made
    )


def records(path: Path) -> bool:
    """Whether a path is named after what was done or said, and not after what should be: `view.reply` is, `expected_output` is not."""
    words = [set(words_of(key.partition(OF_KIND)[0])) for key in path]
    return any(RECORDED & one for one in words) and not any(_named(_WANTED, key) for key in path)


def wanted(path: Path) -> bool:
    """Whether a path is named after what should be done or said."""
    return any(_named(_GOLD, key) for key in path)


def _named(words: frozenset[str], key: str) -> bool:
    """Whether a key has one of these words, or several of what it says."""
    return any(word in words or word.removesuffix("s") in words for word in words_of(key))


def value_at(fields: Any, path: Path) -> Any:
    """What stands at a path; None where nothing does."""
    value = fields
    for key in path:
        value = opened(value)
        if isinstance(value, dict) and key not in value and JOINED in key:
            names, _, given = key.partition(JOINED)
            value = joined(value.get(names), value.get(given))
        elif isinstance(value, dict):
            value = value.get(key)
        elif key in (RECORDS, VALUES):
            value = (asserted(value) or {}).get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, list) and OF_KIND in key:
            value = of_kind(value, *key.split(OF_KIND, 1))
        elif isinstance(value, list) and key.startswith(EACH):
            value = under(value, key.removeprefix(EACH))
        else:
            return None
    return opened(value)
