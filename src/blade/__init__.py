"""BLADE: which tasks failed, why, is the change real, and what to fix next.

`blade.open_run(path)` opens a run; everything else hangs on the `Run` it gives.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blade.runs.run import Run, open_run

__version__ = "0.1.0"
__all__ = ["Run", "__version__", "open_run"]


def __getattr__(name: str) -> Any:
    """Import the library when it is first used, so that `blade --help` answers at once."""
    if name in ("Run", "open_run"):
        from blade.runs import run

        return getattr(run, name)
    raise AttributeError(f"module 'blade' has no attribute {name!r}")
