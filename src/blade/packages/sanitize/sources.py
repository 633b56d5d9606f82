"""Which files are sanitized, what each of them is, and the name that its copy gets.

A name can give away as much as a text (`alice_rollouts.jsonl`), so private names in it are replaced too. What is neither text nor
a known archive of text is not copied: nobody can say what is in it. A link is followed only to what was given: what lies elsewhere
was not meant to be shared.
"""

import bz2
import gzip
import lzma
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast

import zstandard

from blade.errors import UsageError
from blade.packages.sanitize.pseudonyms import Pseudonyms
from blade.runs.artifacts import sidecar_kind, uncompressed_name
from blade.runs.sources import compression, first_bytes, text_chunks
from blade.runs.spool import DamagedArchive
from blade.untrusted.detection import KnownNames, find_sensitive
from blade.untrusted.limits import max_line_bytes

LINES: Final = (".jsonl", ".ndjson", ".jsonlines")
SKIPPED_FOLDERS: Final = frozenset({".git", "__pycache__", ".venv", "node_modules"})
_MARKER: Final = re.compile(r"\[redacted ([a-z_]+):([0-9a-f]+)\]")


@dataclass(frozen=True)
class Chosen:
    """The files to sanitize, and the names of those that are not copied: no text, or links that lead out of what was given."""

    files: list["Source"]
    no_text: list[str]
    links: list[str]


@dataclass(frozen=True)
class Source:
    """One file: where it lies, what it is (`rows`, `json`, `text`), and where its copy goes below the output folder."""

    path: Path
    form: str
    sidecar: str | None
    name: str

    @property
    def size(self) -> int:
        return self.path.stat().st_size


def sources(given: Sequence[Path], out: Path, names: KnownNames, pseudonyms: Pseudonyms) -> Chosen:
    """Every file below what was given, each once."""
    found: dict[str, Source] = {}
    no_text: list[str] = []
    links: list[str] = []
    roots = [path.resolve() for path in given]
    for path, relative in _files(given, out.resolve()):
        name = clean_name(relative, names, pseudonyms)
        if not _below(_real(path), roots):
            links.append(name)
            continue
        if not path.is_file():
            continue  # a link to nothing, or to a folder whose files are here already
        form = _form(path)
        if form is None:
            no_text.append(name)
            continue
        if name in found:
            raise UsageError(f"{found[name].path} and {path} would both be written to {name}", hint="sanitize them one at a time")
        found[name] = Source(path, form, sidecar_kind(path), name)
    if not found and links:
        raise UsageError(
            f"{links[0]} is a link that leads out of what was given, and nothing else is there", hint="give its target"
        )
    if not found:
        raise UsageError(
            "there is no file to sanitize", hint="give rollouts (.jsonl), sidecars, reports, or a folder that holds them"
        )
    return Chosen(list(found.values()), no_text, links)


def _real(path: Path) -> Path:
    """Where it leads; a link that leads to itself is its own end."""
    return Path(os.path.realpath(path))


def _below(path: Path, roots: Sequence[Path]) -> bool:
    return any(root == path or root in path.parents for root in roots)


def _files(given: Iterable[Path], out: Path) -> Iterator[tuple[Path, str]]:
    for path in given:
        if path.is_dir():
            if path.resolve() == out or out in path.resolve().parents:
                raise UsageError(f"{path} is the output folder itself", hint="write to another one with --out")
            for file in sorted(path.rglob("*")):
                inside = file.relative_to(path)
                if (
                    (file.is_file() or file.is_symlink())
                    and out not in _real(file).parents
                    and not SKIPPED_FOLDERS.intersection(inside.parts)
                ):
                    yield file, str(inside)
        elif path.is_file():
            yield path, path.name
        else:
            raise UsageError(
                f"{path} does not exist" if not path.exists() else f"{path} is not a file", hint="give files or folders"
            )


def _form(path: Path) -> str | None:
    name = uncompressed_name(path).lower()
    if name.endswith(LINES):
        return "rows"
    head = first_bytes(path, 8_192)
    if b"\0" in head or (path.stat().st_size and not head):
        return None
    try:
        head[: len(head) - 4 if len(head) > 8 else None].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 8:
            return None
    return "json" if name.endswith(".json") else "text"


def clean_name(name: str, names: KnownNames, pseudonyms: Pseudonyms) -> str:
    """A file's name without what is private, in characters that every file system takes."""
    parts: list[str] = []
    done = 0
    for kind, start, end in find_sensitive(name, names):
        parts += (name[done:start], _MARKER.sub(r"redacted-\1-\2", pseudonyms.marker(kind, name[start:end])))
        done = end
    return "".join((*parts, name[done:]))


def lines_of(path: Path) -> Iterator[bytes]:
    """A file's lines with their ends, decompressed; a line over the limit is refused, because what is not read cannot be judged."""
    most, rest, number = max_line_bytes(), b"", 0
    try:
        for chunk in text_chunks(path):
            *whole, rest = (rest + chunk).split(b"\n") if rest else chunk.split(b"\n")
            for line in whole:
                number += 1
                yield line + b"\n"
            if len(rest) > most:
                raise UsageError("the line is too long to be read", path=path, line=number + 1, hint="raise BLADE_MAX_LINE_MB")
    except DamagedArchive as error:
        raise UsageError(f"the archive is damaged: {error}", path=path) from None
    if rest:
        yield rest


def open_like(path: Path, target: Path) -> IO[bytes]:
    """A file to write to, compressed as the original is."""
    kind = compression(path)
    if kind == "gzip":
        return cast(IO[bytes], gzip.GzipFile(target, "wb", compresslevel=6, mtime=0))
    if kind == "bzip2":
        return cast(IO[bytes], bz2.BZ2File(target, "wb"))
    if kind == "xz":
        return cast(IO[bytes], lzma.LZMAFile(target, "wb"))
    return cast(IO[bytes], zstandard.open(target, "wb")) if kind == "zstd" else target.open("wb")
