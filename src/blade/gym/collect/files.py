"""All or nothing on disk: files are written beside their place and moved there together, when everything has gone well."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from blade.errors import BladeError


@contextmanager
def written_together(*paths: Path) -> Iterator[list[BinaryIO]]:
    """Open a file for each path; they appear under their names when the block ends well, and not at all otherwise."""
    scratch: list[str] = []
    try:
        with ExitStack() as stack:
            files: list[BinaryIO] = []
            for path in paths:
                path.parent.mkdir(parents=True, exist_ok=True)
                descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".partial", dir=path.parent)
                scratch.append(name)
                files.append(stack.enter_context(os.fdopen(descriptor, "wb", buffering=1 << 20)))
            yield files
        for name, path in zip(scratch, paths, strict=True):
            os.chmod(name, 0o666 & ~_umask())  # a temporary file is private, a result is not
            os.replace(name, path)
    except OSError as error:
        raise BladeError(f"cannot write {paths[0].parent}: {error.strerror or error}", path=error.filename) from error
    finally:
        for name in scratch:
            with suppress(FileNotFoundError):
                os.unlink(name)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
