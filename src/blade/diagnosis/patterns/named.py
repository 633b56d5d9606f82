"""The records that a call names, by an id or by a full name; a date, a time or an amount names none."""

import re
from collections.abc import Iterable
from typing import Final

from blade.diagnosis.patterns.conduct import leaf_values

MIN_NAMED: Final = 4
"""Characters of a value, with a digit, from which on it names a record."""
FULL_NAME: Final = re.compile(r"[A-Z][\w'’-]+(?: [\w'’-]+){1,4}")
PROPER_NAME: Final = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){1,3}")
"""The same where each word has a capital, for places in which any words may stand."""
MOMENT: Final = re.compile(r"\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:[T ].*)?")


def asked_for(arguments: str) -> list[str]:
    """The values of a call that name what it is about."""
    return [
        value
        for _, value in leaf_values(arguments)
        if len(value) >= MIN_NAMED
        and (any(map(str.isdigit, value)) or FULL_NAME.fullmatch(value))
        and not MOMENT.fullmatch(value)
    ]


def ids_in(calls: Iterable[str]) -> set[str]:
    """The ids that the arguments of some calls hold: one word of letters and figures each."""
    return {value for arguments in calls for value in asked_for(arguments) if any(map(str.isalpha, value)) and " " not in value}
