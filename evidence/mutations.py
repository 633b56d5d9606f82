"""How many single changes of a report does `blade verify` find? `python -m evidence.mutations [--count 1000] [--seed 1]`.

A run is made by the lab and diagnosed; then one number, id, label or quotation of the Markdown is changed at a time, and the report
is read again with nothing but the run beside it. A change counts as found when a finding stands on its line. Three ways are measured:
the *reader* alone, as it reads anybody's report; the *command*, which also diagnoses the run again where the report says that it is one
of ours; and the command with the *sidecar*.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

SORTS = ("number", "id", "label", "quote")
_FENCE = re.compile(r"^\s*```")
_NUMBER = re.compile(r"(?<![\w:.\-/#])\d[\d,]*(?:\.\d+)?(?![\w:/-]|\.\d)")
_ROLLOUT = re.compile(r"(?<![\w:.\-])\d+:\d+(?![\w:])")
_TASK = re.compile(r"(?<=[Tt]ask )\d+\b|(?<=[Tt]asks )\d+\b(?= and|,)")
_LABEL = re.compile(r"\b(?:KG|UK|BI|TI|IR|DA)\b")
_QUOTE = re.compile(r"(?<=“)[^“”]+(?=”)")
_CODE = re.compile(r"`[^`]*`")
_SECTION = re.compile(r"^#+ \d+\.")


@dataclass(frozen=True)
class Mutation:
    sort: str
    line: int
    start: int
    before: str
    after: str

    def apply(self, text: str) -> str:
        lines = text.split("\n")
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.after + line[self.start + len(self.before) :]
        return "\n".join(lines)


def places(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Everything that can be changed: its sort, line, place on the line, and words. Code and commands are left alone."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        taken = [found.span() for found in (*_CODE.finditer(line), *_SECTION.finditer(line))]
        for sort, pattern in (("quote", _QUOTE), ("id", _ROLLOUT), ("id", _TASK), ("label", _LABEL), ("number", _NUMBER)):
            for found in pattern.finditer(line):
                if not any(found.start() < end and start < found.end() for start, end in taken):
                    taken.append(found.span())
                    yield sort, number, found.start(), found[0]


def change(sort: str, before: str, rng: Random, ids: list[str]) -> str:
    """Something else of the same sort: another digit, another id (half of them of the run, half not), another label, another word."""
    if sort == "number":
        return _another_number(before, rng)
    if sort == "id":
        known = [name for name in ids if (":" in name) == (":" in before) and name != before]
        return rng.choice(known) if rng.random() < 0.5 else _unknown(before, rng)
    if sort == "label":
        return rng.choice([label for label in ("KG", "UK", "BI", "TI", "IR", "DA") if label != before])
    words = list(re.finditer(r"\w+", before))
    word = rng.choice(words)
    other = _another_number(word[0], rng) if word[0].isdecimal() else rng.choice(("granite", "seven", "violet", "harbour"))
    return before[: word.start()] + other + before[word.end() :]


def _unknown(before: str, rng: Random) -> str:
    task, colon, repeat = before.partition(":")
    return f"{rng.randint(400, 900)}{colon}{repeat}" if rng.random() < 0.5 or not colon else f"{task}:{rng.randint(7, 30)}"


def _another_number(before: str, rng: Random) -> str:
    digits = [place for place, letter in enumerate(before) if letter.isdecimal()]
    place = rng.choice(digits)
    first = place == digits[0] and len(digits) > 1
    other = rng.choice([digit for digit in "0123456789" if digit != before[place] and not (first and digit == "0")])
    return before[:place] + other + before[place + 1 :]


def mutations(text: str, count: int, seed: int, ids: list[str]) -> Iterator[Mutation]:
    """Single changes, the sorts in equal parts as far as the report has them."""
    rng = Random(seed)
    by_sort: dict[str, list[tuple[str, int, int, str]]] = {sort: [] for sort in SORTS}
    for place in places(text):
        by_sort[place[0]].append(place)
    for turn in range(count):
        sort = SORTS[turn % len(SORTS)]
        if by_sort[sort]:
            _, line, start, before = rng.choice(by_sort[sort])
            yield Mutation(sort, line, start, before, change(sort, before, rng, ids))


def measure(
    text: str, made: list[Mutation], finding_lines: Callable[[str], set[int]]
) -> tuple[Counter[str], Counter[str], list[Mutation]]:
    """How many were tried and found, by sort, and those that were not."""
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed = []
    for mutation in made:
        tried[mutation.sort] += 1
        if mutation.line in finding_lines(mutation.apply(text)):
            found[mutation.sort] += 1
        else:
            missed.append(mutation)
    return tried, found, missed
