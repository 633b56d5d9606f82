"""Lists of words, and looking for any of them in a text."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache


def words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


@lru_cache(maxsize=2)
def small(text: str) -> str:
    """The text in small letters, each where it stood: one letter of Turkish would grow."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("İ", "I").lower()


def any_of(listed: Iterable[str]) -> re.Pattern[str]:
    """An expression for any of the words, branching on the first letter, for texts in small letters."""
    by_letter: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(set(listed), key=lambda word: (-len(word), word)):
        by_letter[word[0]].append(re.escape(word[1:]))
    return re.compile("|".join(f"{re.escape(letter)}(?:{'|'.join(rests)})" for letter, rests in sorted(by_letter.items())))
