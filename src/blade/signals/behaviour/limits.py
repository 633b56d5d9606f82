"""BI: more words, characters or lines than the request allows. What is counted is what was asked for: a text given to a state-changing
call where the rollout makes one, else the final message; a limit of which neither can be meant is passed over.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.cues import cues, may_say

MIN_LIMIT: Final = 3
MAX_LIMIT: Final = 5_000
MIN_TEXT: Final = 20
"""Characters from which on a text given to a call is a piece of writing."""
_LIMIT: Final = re.compile(
    r"\b(?:at most|no more than|not more than|maximum(?: of)?|max\.?|up to|within|not exceed(?:ing)?|limit(?:ed)? (?:of|to)|in|under|fewer than|less than|below)\s+"
    r"(\d{1,3}(?:,\d{3})+|\d{1,5})[ -](words?|characters?|chars|lines|sentences)\b(?:[^.!?\n]{0,20}\b(or less|or fewer|at most|maximum|max)\b)?",
    re.IGNORECASE,
)
_UNITS: Final = cues("word words character characters chars line lines sentences")
_STRICT: Final = re.compile(
    r"^(?:at most|no more|not more|max|up to|within|not exceed|limit|under|fewer|less|below)", re.IGNORECASE
)
_BELOW: Final = re.compile(r"^(?:under|fewer|less|below)", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[.!?](?:\s|$)")


@signal(
    "limit_exceeded",
    label="BI",
    meaning="what was written is longer than the request allows",
    causal=False,
    example=Example(
        (says("The gate is closed today because of the storm."),), asked="Why is the gate closed? Answer in at most 5 words."
    ),
)
def limit_exceeded(rollout: Rollout) -> Iterator[Evidence]:
    found = _limit(rollout.request)
    if found is None:
        return
    most, unit = int(found[1].replace(",", "")) - (_BELOW.match(found[0]) is not None), found[2].lower()
    if not MIN_LIMIT <= most <= MAX_LIMIT:
        return
    written = _written(rollout)
    if written is None:
        return
    step, text = written
    count = _count(text, unit)
    if count > most:
        yield Evidence(step, text[-160:], f"{count} {unit}, and the request says {' '.join(found[0].split())}", unit)


@once_for_repeats
def _limit(request: str) -> re.Match[str] | None:
    """The one limit that a request sets; None where it sets none or several."""
    if not may_say(request, _UNITS):
        return None
    limits = [found for found in _LIMIT.finditer(request) if _STRICT.match(found[0]) or found[3]]
    return limits[0] if len(limits) == 1 else None


def _written(rollout: Rollout) -> tuple[int, str] | None:
    """The last piece of writing that was given to a state-changing call; the closing message where no change was made."""
    changes = [made for made in rollout.own_calls if made.changes and made.error is None]
    for made in reversed(changes):
        texts = [value for _, value in made.leaves if isinstance(value, str) and len(value) >= MIN_TEXT and " " in value.strip()]
        if texts:
            return made.step, max(texts, key=len)
    closing = rollout.closing
    return None if changes or closing is None else (closing.step, closing.text)


def _count(text: str, unit: str) -> int:
    if unit.startswith("word"):
        return len(text.split())
    if unit.startswith("char"):
        return len(text.strip())
    if unit.startswith("line"):
        return len([line for line in text.splitlines() if line.strip()])
    return len(_SENTENCE.findall(text.strip()))
