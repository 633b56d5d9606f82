"""All or nothing on disk: files are written beside their place and moved there together, when everything has gone well."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from blade.errors import BladeError


def refuse_directories(*paths: Path) -> None:
    """Nothing can be moved to where a directory stands: say so before anything is read or written."""
    for path in paths:
        if path.is_dir():
            raise BladeError(f"cannot write {path}: it is a directory; nothing was written", hint="name a file")


@contextmanager
def written_together(*paths: Path) -> Iterator[list[BinaryIO]]:
    """Open a file for each path; they appear under their names when the block ends well, and not at all otherwise."""
    refuse_directories(*paths)
    scratch: list[str] = []
    try:
        with ExitStack() as stack:
            files: list[BinaryIO] = []
            for path in paths:
                with _named_after(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".partial", dir=path.parent)
                scratch.append(name)
                files.append(stack.enter_context(os.fdopen(descriptor, "wb", buffering=1 << 20)))
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
        for name, path in zip(scratch, paths, strict=True):
            with _named_after(path):
                os.chmod(name, 0o666 & ~_umask())  # a temporary file is private, a result is not
                os.replace(name, path)
        for folder in {path.parent for path in paths}:
            sync_folder(folder)
    except OSError as error:
        if error.filename is not None:  # reading failed; writing to an open file names none
            raise
        raise _cannot_write(" and ".join(map(str, paths)), error) from error
    finally:
        for name in scratch:
            with suppress(FileNotFoundError):
                os.unlink(name)


def sync_folder(folder: Path) -> None:
    """Names that were made or changed in a folder are on the disk, and not only what stands under them."""
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        with suppress(OSError):  # some file systems cannot, and then need not
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _named_after(path: Path) -> Iterator[None]:
    """A user knows the output, not the temporary file that stands for it."""
    try:
        yield
    except OSError as error:
        raise _cannot_write(str(path), error) from error


def _cannot_write(what: str, error: OSError) -> BladeError:
    return BladeError(f"cannot write {what}: {error.strerror or error}")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
