"""How much of a hostile input we are willing to hold, decode or print.

Each bound protects one thing: memory, the decoder's stack, the width of a table, or the reader's patience. What a bound cuts
off is counted and said, never dropped in silence.
"""

import os
from collections.abc import Mapping
from typing import Final

from blade.errors import UsageError

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""Memory: the longest row that is read; a longer one is skipped and counted. `max_line_bytes()` knows the override."""

MAX_LINE_VARIABLE: Final = "BLADE_MAX_LINE_MB"
"""Environment variable that overrides `MAX_LINE_BYTES`, in MiB."""

MAX_JSON_DEPTH: Final = 1_000
"""The stack: how many levels a row may nest, about; a deeper one is counted as a problem. Measured from where the scan stands."""

MAX_TEXT_FIELD: Final = 1_000
"""The facts tables: characters kept of a text field. The whole text stays in the artifact and is read back by offset."""

MAX_NESTED_FIELD_BYTES: Final = 2_000
"""The facts tables: bytes kept of a nested value, as JSON. A larger one is left in the artifact."""

MAX_COLUMNS: Final = 300
"""The facts tables: columns made from a run's own fields, so that rows with random keys cannot widen the table without end."""

MAX_COLUMN_NAME: Final = 200
"""The facts tables: characters in a column name taken from a row's key."""

MAX_PROBLEMS: Final = 1_000
"""Memory and patience: problems kept with their details. Further ones are only counted."""

MAX_QUOTE: Final = 300
"""Patience: characters of a rollout quoted as evidence."""

_MOST_MEBIBYTES: Final = 4_096


def max_line_bytes(environ: Mapping[str, str] | None = None) -> int:
    """The longest line to read, in bytes: `BLADE_MAX_LINE_MB` if it is set, else `MAX_LINE_BYTES`."""
    setting = (os.environ if environ is None else environ).get(MAX_LINE_VARIABLE, "").strip()
    if not setting:
        return MAX_LINE_BYTES
    # The length check comes first: Python refuses to read very long integers with an error of its own.
    mebibytes = int(setting) if setting.isascii() and setting.isdigit() and len(setting) <= 9 else 0
    if not 1 <= mebibytes <= _MOST_MEBIBYTES:
        raise UsageError(
            f"{MAX_LINE_VARIABLE} is {setting[:40]!r}, which is not a whole number of MiB between 1 and {_MOST_MEBIBYTES}",
            hint=f"set it to a number such as {MAX_LINE_BYTES // 2**20}, or unset it",
        )
    return mebibytes * 1024 * 1024
