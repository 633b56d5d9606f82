"""How soon freed memory goes back to the system, in processes that are ours.

DuckDB's allocator keeps what a query has freed for ten seconds, and the C library a store of its own for every thread: quick for who asks
again at once, but a diagnosis asks a hundred different questions, and what they leave behind would be most of its memory.
"""

import os
import sys
from typing import Final

FIRST_READ: Final = "DUCKDB_JE_MALLOC_CONF"
"""Read when DuckDB is loaded, here or in a process that we start."""
M_ARENA_MAX: Final = -8


def keep_little() -> None:
    """Let DuckDB give back what it frees; to be said before it is imported."""
    os.environ.setdefault(FIRST_READ, "dirty_decay_ms:0,muzzy_decay_ms:0")


def share_one_store() -> None:
    """Let all threads take memory from one store, where the C library is the one that can; to be said before there are many."""
    if sys.platform != "linux":
        return
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
