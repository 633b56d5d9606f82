"""A file's clean copy: rows line by line, documents whole. Memory is bounded by the largest row."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blade.errors import UsageError
from blade.packages.sanitize.sources import Source, lines_of, open_like
from blade.packages.sanitize.values import Cleaner
from blade.packages.sanitize.withholding import Clearance
from blade.runs.sources import text_chunks
from blade.untrusted.limits import max_line_bytes

ROWS: Final = (None, "materialized_inputs", "failures", "attempts")
"""Files of rows as they were evaluated; the other sidecars are summaries over them."""


@dataclass
class Written:
    lines: int = 0
    rows: int = 0
    changed: int = 0


@dataclass
class Writer:
    cleaner: Cleaner
    clearance: Clearance | None = None

    def write(self, source: Source, target: Path, advance: Callable[[int], None]) -> Written:
        target.parent.mkdir(parents=True, exist_ok=True)
        self.cleaner.ledger.file = source.name
        return self._rows(source, target, advance) if source.form == "rows" else self._document(source, target, advance)

    def _rows(self, source: Source, target: Path, advance: Callable[[int], None]) -> Written:
        written = Written()
        with open_like(source.path, target) as file:
            for line in lines_of(source.path):
                written.lines += 1
                self.cleaner.ledger.line = written.lines
                clean = self.row(line, source)
                written.rows += bool(line.strip())
                written.changed += clean != line
                file.write(clean)
                self.cleaner.ledger.close_line()
                advance(len(line))
        return written

    def row(self, line: bytes, source: Source) -> bytes:
        """One line; what is no JSON is cleaned as the text it is."""
        bare = line.strip()
        if not bare:
            return line
        end = line[len(line.rstrip(b"\r\n")) :]
        try:
            row, twice = read_json(bare)
        except (ValueError, RecursionError):
            text = line.decode("utf-8", "surrogateescape")
            return self.cleaner.text(text, "$").encode("utf-8", "surrogateescape")
        clean = self._shared(row, source.sidecar)
        if clean is row and not twice:
            return line
        return _encoded(clean, bare) + end

    def _shared(self, row: Any, sidecar: str | None) -> Any:
        if self.clearance is not None and isinstance(row, dict):
            cleared = self.clearance.row(row) if sidecar in ROWS else self.clearance.summary(row)
            row = row if cleared == row else cleared
        return self.cleaner.row(row)

    def _document(self, source: Source, target: Path, advance: Callable[[int], None]) -> Written:
        content = _whole(source.path)
        text = content.decode("utf-8", "surrogateescape")
        ledger = self.cleaner.ledger
        clean = self._json(text, source) if source.form == "json" else None
        if clean is None:
            clean = self._text(text)
        ledger.close_line()
        with open_like(source.path, target) as file:
            file.write(clean.encode("utf-8", "surrogateescape"))
        advance(len(content))
        lines = text.count("\n") + (not text.endswith("\n"))
        return Written(lines, 0, int(clean != text))

    def _json(self, text: str, source: Source) -> str | None:
        self.cleaner.ledger.line = 1
        try:
            document, twice = read_json(text.encode("utf-8", "surrogateescape"))
        except (ValueError, RecursionError):
            return None
        shared = document
        if self.clearance is not None and source.sidecar in ("aggregate_metrics", "agent_metrics", "reward_profile"):
            cleared = self.clearance.summary(document)
            shared = document if cleared == document else cleared
        clean = self.cleaner.row(shared)
        if clean is document and not twice:
            return text
        lines = "\n" in text.strip()
        return json.dumps(clean, ensure_ascii=text.isascii(), indent=2 if lines else None) + ("\n" if text.endswith("\n") else "")

    def _text(self, text: str) -> str:
        """Prose and configuration, searched as one text because keys and records run over several lines."""
        return LineCounting(self.cleaner, text).clean()


class LineCounting:
    """Cleans a document whole and notes each finding on the line where it stands."""

    def __init__(self, cleaner: Cleaner, text: str) -> None:
        self.cleaner, self.text = cleaner, text

    def clean(self) -> str:
        """Paragraph by paragraph where a text is long: no secret runs over an empty line, but a block of key material."""
        ledger = self.cleaner.ledger
        parts: list[str] = []
        line = 1
        for piece in _pieces(self.text):
            ledger.line = line
            parts.append(self.cleaner.text(piece, "text"))
            ledger.close_line()
            line += piece.count("\n")
        return "".join(parts)


def _pieces(text: str) -> list[str]:
    """Single lines, except that a block that begins on one line and ends on another stays together."""
    pieces: list[str] = []
    held: list[str] = []
    for line in text.splitlines(keepends=True):
        held.append(line)
        joined_before = len(held) > 1
        if _goes_on(held[0], line, joined_before) and len(held) < 500:
            continue
        pieces.append("".join(held))
        held = []
    return [*pieces, "".join(held)] if held else pieces


def _goes_on(first: str, line: str, joined: bool) -> bool:
    """Whether the next line belongs to this one: key blocks, values on a line of their own, broken tokens."""
    if "BEGIN " in first and "KEY" in first:
        return not ("END " in line and "KEY" in line)
    if first.startswith("PuTTY-User-Key-File"):
        return not line.startswith("Private-MAC")
    return not joined and line.rstrip().endswith((":", "=", "|", "\\", ">"))


def read_json(content: bytes) -> tuple[Any, bool]:
    """The value, and whether some object in it has a key twice: only one of them is seen by any reader."""
    twice = False

    def pairs(listed: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        made = dict(listed)
        twice = twice or len(made) != len(listed)
        return made

    return json.loads(content, object_pairs_hook=pairs), twice


def _encoded(value: Any, original: bytes) -> bytes:
    """As JSON in the style of the original: its spacing, and its way with other alphabets."""
    separators = (", ", ": ") if b'": ' in original[:200] else (",", ":")
    if not original.isascii():
        try:
            return json.dumps(value, ensure_ascii=False, separators=separators).encode()
        except UnicodeEncodeError:
            pass  # a lone surrogate can only be written as an escape
    return json.dumps(value, separators=separators).encode()


def _whole(path: Path) -> bytes:
    most, parts, size = max_line_bytes(), [], 0
    for chunk in text_chunks(path):
        size += len(chunk)
        if size > most:
            raise UsageError("the document is too large to be read whole", path=path, hint="raise BLADE_MAX_LINE_MB")
        parts.append(chunk)
    return b"".join(parts)
