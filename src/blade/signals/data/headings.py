"""DA: a request with the list or the table of another record: it asks for one, and what lies beside it is headed with another of its kind.

That alone may be meant so (copy the list of one to the other); it tells where what was entered is what the request lists, and what is expected
stands nowhere (`diagnosis.patterns.stale_gold`).
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.example import Example, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.lists import BULLETS

READ: Final = 6_000
MAX_HEADING: Final = 80
MIN_ITEMS: Final = 2
MOST_WORDS: Final = 3
"""Words of what a heading lists, or of whose it is; more are a sentence."""
_ITEM: Final = re.compile(rf"\s*(?:{BULLETS}\s|\d{{1,2}}[.)]\s|\|)")
_NAME: Final = r"(?:[A-Z][\w'-]+|[\w-]*\d[\w-]*)"
_NAMED: Final = re.compile(rf"\b(?=(?P<kind>[A-Za-z]{{3,}})\s+(?:no\.? ?|#)?(?P<name>{_NAME}))")
"""Looked ahead for, because a name may be the kind of the next one: `bill Batch Rowan`."""
_FULL_NAME: Final = re.compile(r"(?<![.!?]\s)\b[A-Z][a-z][\w'’-]*(?: [A-Z][a-z][\w'’-]*)+")
"""Two capitalised words and more; the first word of a sentence in the middle of a line has its capital anyway."""
_NUMBERED: Final = re.compile(r"(?<![\w.,:/-])(\d{1,5}[a-z]?) ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+)")
"""An address, or whatever else has its number before a name of two words and more."""
_PARTS: Final = re.compile(r"\s*[,:;|–—(]\s*|\s+(?:-|of|for)\s+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
TWO: Final = 2
"""Parts of a heading: what it lists, and whose that is; the year that it is for is a third one, and neither."""
_CAPITAL: Final = re.compile(r"(?<=[\w,;] )[A-Z][a-z][\w'’-]*(?: [A-Z][a-z][\w'’-]*)*")
"""A name in the middle of a sentence."""
_GENERAL: Final = frozenset(
    [
        "List",
        "Table",
        "Items",
        "Notes",
        "Note",
        "Order",
        "Summary",
        "Details",
        "Shopping",
        "Attachment",
        "Appendix",
        "Steps",
        "Instructions",
        "Data",
        "Options",
        "Explanation",
        "Example",
        "Input",
        "Output",
        "Constraints",
    ]
)
"""Words of headings that say what lies below them, and not whose it is."""
_JOINS: Final = frozenset(
    ["for", "from", "the", "and", "with", "into", "that", "per", "are", "not", "has", "have", "will", "our", "all", "this", "see"]
)


class Headed(NamedTuple):
    heading: str
    name: str
    """What the heading names."""
    asked: str
    """What the request names in its place."""


@signal(
    "material_of_another",
    label="DA",
    needs=("one_turn",),
    meaning="the list below the request is headed with another record than the one that it is asked for; telling only where the gold has nothing of it",
    causal=False,
    example=Example(
        (says("Entered."),),
        asked="Enter the hops of Batch Hazel, see below.\n\nHop bill Batch Rowan\n- Sorachi Ace\n- Premiant\n- Cascade",
    ),
)
def material_of_another(rollout: Rollout) -> Iterator[Evidence]:
    found = None if rollout.has_dialogue else headed_otherwise(rollout.request)
    if found is not None:
        yield Evidence(
            None, found.heading, f"the request is about {found.asked}, and the list below it about {found.name}", "prompt"
        )


@once_for_repeats
def headed_otherwise(request: str) -> Headed | None:
    """The one heading of a request that names another of a kind than the text above it; requests come again with every repeat."""
    lines = request[:READ].splitlines()
    heads = [at for at, line in enumerate(lines) if _is_heading(line) and _items_below(lines, at) >= MIN_ITEMS]
    if len(heads) != 1:
        return None
    heading, above = lines[heads[0]], "\n".join(lines[: heads[0]])
    for found in _NAMED.finditer(heading):
        kind, name = found["kind"], found["name"]
        if kind.lower() in _JOINS or name in above:
            continue
        others = {other["name"] for other in _NAMED.finditer(above) if other["kind"].lower() == kind.lower()}
        if len(others) == 1 and not any(other in heading for other in others):
            return Headed(heading.strip(), f"{kind} {name}", f"{kind} {next(iter(others))}")
    return _by_number(heading, above) or _by_full_name(heading, above) or _by_parts(heading, above)


def _by_number(heading: str, above: str) -> Headed | None:
    """A heading with one number before a name, where the text above has another before the same name: `67 Plum Terrace`, `11 Plum Terrace`."""
    named, asked = (list(dict.fromkeys(_NUMBERED.findall(text))) for text in (heading, above))
    if len(named) != 1 or len(asked) != 1 or named[0][0] == asked[0][0] or named[0][1] != asked[0][1]:
        return None
    return Headed(heading.strip(), " ".join(named[0]), " ".join(asked[0]))


def _by_full_name(heading: str, above: str) -> Headed | None:
    """A heading with the one full name of something, where the text above has the one of something else: `Parson's Croft - mixture`."""
    names, asked = (list(dict.fromkeys(_FULL_NAME.findall(text))) for text in (heading, above))
    if (
        len(names) != 1
        or len(asked) != 1
        or set(_own_words(names[0], asked[0])) & {*asked[0].split(), *_GENERAL}
        or names[0] in above
        or asked[0] in heading
    ):
        return None
    return Headed(heading.strip(), names[0], asked[0])


def _by_parts(heading: str, above: str) -> Headed | None:
    """A heading of two parts, of which the text above has the one (what it lists) and no word of the other (whose it is): `Tags, Sorbus aucuparia, 2026:`."""
    parts = [part for part in _PARTS.split(heading.strip().rstrip(":)")) if part.strip()]
    parts = [part for part in parts if not _YEAR.fullmatch(part)] if len(parts) > TWO else parts
    asked = list(dict.fromkeys(_CAPITAL.findall(above)))
    if len(parts) != TWO or len(asked) != 1 or asked[0] in heading:
        return None
    known = {word.removesuffix("s") for word in _words(above)}
    listed = [bool(words) and words <= known for words in ({word.removesuffix("s") for word in _words(part)} for part in parts)]
    if listed.count(True) != 1 or any(len(part.split()) > MOST_WORDS for part in parts):
        return None
    name = parts[listed.index(False)].strip()
    words = {word.removesuffix("s") for word in _words(name)}
    if not words or words & known or set(name.split()) & _GENERAL or not re.match(r"[A-Z]|\S*\d", name):
        return None
    return Headed(heading.strip(), name, asked[0])


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]{3,}", text.lower())


def _own_words(name: str, other: str) -> list[str]:
    """The words of a name; without the last where both have it, of the same number of words: it says what they are (`Heron Suite`, `Meadow Suite`)."""
    words, theirs = name.split(), other.split()
    return words[:-1] if len(words) == len(theirs) and words[-1] == theirs[-1] and words[-1] not in _GENERAL else words


def _is_heading(line: str) -> bool:
    text = line.strip()
    return bool(text) and len(text) <= MAX_HEADING and not text.endswith((".", "?", "!", ",")) and _ITEM.match(line) is None


def _items_below(lines: list[str], at: int) -> int:
    """The items of a list right below a line."""
    count = 0
    for line in lines[at + 1 :]:
        if not _ITEM.match(line):
            return count
        count += 1
    return count
