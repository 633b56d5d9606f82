"""BI: a name of the request was mistyped on its way into a lookup, which found nothing, and the work went on without it.

The request says Ann Lundgren, the lookup asks for Ann Lundgern, and the answer is that there is nobody. The right name stood before the assistant all the time and
was given to no later call. A search that finds the record all the same has put it right, and so has a second try, or a listing in which the right one stands. An s
more or less at the end of a word is its plural or its genitive, and no slip.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.sameness import same
from blade.signals.example import Example, call, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown, sources_of

MIN_NAME: Final = 6
"""Letters of a name from which on one of them more, less or elsewhere makes no other name of it."""
MAX_NONE: Final = 300
"""Characters of an answer up to which it may say nothing but that nothing was found."""
MAX_REQUEST: Final = 20_000
MOST_WORDS: Final = 6
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_ENDING: Final = re.compile(r"s\b", re.IGNORECASE)
_FINE: Final = frozenset(["ok", "success", "succeeded"])
"""Keys under which an answer says that the lookup went well, whatever it found."""
_NONE: Final = re.compile(
    r"\b(?:no|not|none|nothing|nobody|null|zero|0|unknown|empty)\b|not_?found|\bdoes ?n[o'’]t exist\b", re.IGNORECASE
)


@signal(
    "name_misspelt",
    label="BI",
    needs=("call",),
    meaning="a lookup was made with a name of the request in a mistyped form and found nothing, and the right one was never tried",
    causal=False,
    example=Example(
        (call("find_member", '{"members": []}', name="Ann Lundgern"), says("There is no such member.")),
        asked="Please end the membership of Ann Lundgren.",
    ),
)
def name_misspelt(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.own_calls:
        if made.changes or made.output is None or not _found_nothing(made):
            continue
        for path, value in made.leaves:
            right = _meant(rollout, made, value)
            if right is not None and not _put_right(rollout, made, right):
                detail = f"the request has {shown(right)}, and nothing was found under {shown(value)}"
                yield Evidence(made.step, f"{path}={shown(value)}", detail, argument_subject(made.name, path))
                return


def _meant(rollout: Rollout, made: Call, value: Any) -> str | None:
    """The one name of the request that a value is a slip of the pen away from; None where it stood anywhere as it is."""
    if not isinstance(value, str) or len(value) < MIN_NAME or any(map(str.isdigit, value)) or not value[:1].isupper():
        return None
    if any(place.position < made.position for place in sources_of(rollout).places(value)):
        return None
    words = len(_WORD.findall(value))
    near = {name for name in _names(rollout.request[-MAX_REQUEST:], words) if _is_slip(value, name)}
    return near.pop() if len(near) == 1 else None


@lru_cache(maxsize=64)
def _names(request: str, words: int) -> frozenset[str]:
    """The runs of so many words in a request that begin with a capital."""
    if not 0 < words <= MOST_WORDS:
        return frozenset()
    found = list(_WORD.finditer(request))
    runs = (found[at : at + words] for at in range(len(found) - words + 1))
    return frozenset(request[run[0].start() : run[-1].end()] for run in runs if run[0][0][0].isupper())


def _is_slip(given: str, right: str) -> bool:
    """Whether a letter was lost, added or taken for another, or two beside each other changed places."""
    if len(right) < MIN_NAME or abs(len(given) - len(right)) > 1 or _stem(given) == _stem(right):
        return False
    start = next(
        (at for at, (one, other) in enumerate(zip(given, right, strict=False)) if one != other), min(len(given), len(right))
    )
    rest, other = given[start:], right[start:]
    return (
        (
            rest[1:] == other[1:]
            or rest[1:] == other
            or rest == other[1:]
            or (rest[:2] == other[:2][::-1] and rest[2:] == other[2:])
        )
        and not rest[:1].isspace()
        and not other[:1].isspace()
    )


def _stem(name: str) -> str:
    return _ENDING.sub("", name.casefold())


def _found_nothing(made: Call) -> bool:
    if made.error is not None:
        return made.error.kind == "not_found"
    text = "" if made.output is None else made.output.text
    if len(text) > MAX_NONE:
        return False
    if isinstance(made.data, dict | list):
        asked = [value for _, value in made.leaves]
        return all(
            (value is True and path.rpartition(".")[2] in _FINE)
            or (value is not True and value in (None, "", 0))
            or any(same(value, one) for one in asked)
            or _says_none(value)
            for path, value in leaves(made.data)
        )
    return _says_none(text)


def _says_none(value: Any) -> bool:
    return isinstance(value, str) and _NONE.search(value) is not None


def _put_right(rollout: Rollout, made: Call, right: str) -> bool:
    """Whether another call was given the right name, or an answer has it."""
    tried = any(same(value, right) for other in rollout.own_calls if other is not made for _, value in other.leaves)
    return tried or any(place.position > made.position for place in sources_of(rollout).places(right))
