"""Files that are complete or not there: written beside their place and moved into it."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from blade.errors import UsageError


def refuse_to_replace(inputs: Iterable[Path], outputs: Iterable[Path]) -> None:
    """UsageError where a file to write is one that is read, by whatever name or link."""
    read = [path for path in inputs if path.exists()]
    for output in outputs:
        if output.exists() and (one := next((path for path in read if path.samefile(output)), None)):
            raise UsageError(f"{output} would replace the input {one}", hint="write to another file")


def write_whole(path: Path, text: str) -> None:
    """Replace the file by one with this text; what stood there stays until the new one is complete."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """The files of a report, by name; the folder is made where it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_whole(folder / name, text)
    return [folder / name for name in files]
