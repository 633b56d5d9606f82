"""Which entries a word finds: a part of the name, the domain or the description, or something nearly like one of their words."""

import re
from difflib import SequenceMatcher

from blade.gym.catalog.entry import Entry

NEAR_ENOUGH = 0.70
_TOKENS = re.compile(r"[\s_-]+")


def matches(entry: Entry, query: str) -> bool:
    wanted = query.strip().casefold()
    fields = [text.casefold() for text in (entry.name, entry.domain, entry.description) if text]
    if any(wanted in text for text in fields):
        return True
    return any(_near(wanted, candidate) for text in fields for candidate in (text, *_TOKENS.split(text)))


def _near(wanted: str, candidate: str) -> bool:
    compared = SequenceMatcher(None, wanted, candidate)
    return (
        compared.real_quick_ratio() >= NEAR_ENOUGH and compared.quick_ratio() >= NEAR_ENOUGH and compared.ratio() >= NEAR_ENOUGH
    )
