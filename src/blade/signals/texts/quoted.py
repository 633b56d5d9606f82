"""Messages that quote an earlier one, as mail programs write it: behind signs at the beginning of each line, below what is new."""

import re
from typing import Final

from blade.signals.repeats import once_for_repeats

READ: Final = 20_000
MOST_BARS: Final = 1
"""Bars of a line up to which it is quoted, and no row of a table."""
_QUOTED: Final = re.compile(r"^[ \t]{0,4}[>|]+[ \t]?\S")


@once_for_repeats
def own_and_quoted(text: str) -> tuple[str, str]:
    """What a message says itself, and what it quotes below that; nothing is quoted where the message begins with it, or ends with words of its own."""
    lines = text[:READ].rstrip().splitlines()
    quoted = [number for number, line in enumerate(lines) if _QUOTED.match(line) and line.count("|") <= MOST_BARS]
    if not quoted or quoted[0] == 0 or quoted[-1] != len(lines) - 1:
        return text, ""
    held = frozenset(quoted)
    return (
        "\n".join(line for number, line in enumerate(lines) if number not in held),
        "\n".join(line.lstrip(" \t>|") for number, line in enumerate(lines) if number in held),
    )
