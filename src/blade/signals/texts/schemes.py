"""Names of records that follow one scheme: `SKH-26-02695` and `SKH-26-02928`."""

import re
from typing import Any, Final

MIN_ID: Final = 6
"""Characters from which on two names of one scheme are not equal by chance."""

RECORD: Final = re.compile(r"(?=.*\d)[\w.@:/#-]{4,60}")
"""One word with a digit in it, as records are named."""


def of_one_scheme(expected: Any, actual: Any) -> bool:
    """Whether two values name records in one scheme: same length, letters and digits in the same places."""
    one, other = str(expected).strip(), str(actual).strip()
    if isinstance(expected, bool | float) or len(one) < MIN_ID or len(one) != len(other) or one == other:
        return False
    return any(map(str.isdigit, one)) and _scheme(one) == _scheme(other) and not _is_time(one)


def _scheme(text: str) -> str:
    return "".join("9" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in text)


def _is_time(text: str) -> bool:
    return re.match(r"\d{4}-\d{2}|\d{1,2}[:/.]\d{2}", text) is not None
