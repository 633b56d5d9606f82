"""Files that somebody else may have written, read whole and within bounds."""

from pathlib import Path

from blade.errors import UsageError


def read_at_most(path: Path, most: int) -> bytes:
    """The file's bytes, at most one more than `most`, so that the caller can tell that it is too large; UsageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path=path) from None
