"""What was measured, as an aligned table for the terminal and as `docs/performance.md`."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import installed_bytes

_NOTES = re.compile(r"<!-- notes -->(.*?)<!-- /notes -->", re.DOTALL)
_COLUMNS = ("measurement", "value", "ratio", "target", "result")


@dataclass(frozen=True)
class Line:
    """One measurement: a value, its ratio to what it is measured against, and whether that reaches the target."""

    what: str
    value: str
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
    failure: str = ""

    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}x"
        result = "failed" if self.failure else "" if self.met is None else "met" if self.met else "missed"
        return self.what, self.value, ratio, self.target, result


def table(lines: Sequence[Line]) -> str:
    """Columns padded to their widest cell; a failed command's complaint stands under its line."""
    rows = [_COLUMNS, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    shown = []
    for number, row in enumerate(rows):
        shown.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if number == 0:
            shown.append("  ".join("-" * width for width in widths))
        elif failure := lines[number - 1].failure:
            shown.append(f"    {failure}")
    return "\n".join(shown)


def machine() -> str:
    memory = f"{installed_bytes() / 1e9:.0f} GB RAM"
    return f"{_processor()}, {os.cpu_count()} cores, {memory}, {platform.platform()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    except OSError:
        models = []
    return models[0].partition(":")[2].strip() if models else platform.processor() or "unknown processor"


def kept_notes(text: str) -> str:
    """What people wrote between the markers, which survives a rewrite of the page."""
    found = _NOTES.search(text)
    return found.group(1) if found else "\nNothing noted yet.\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page(lines: Sequence[Line], preamble: str, command: str, notes: str) -> str:
    body = [_markdown_row(_COLUMNS), "|" + "---|" * len(_COLUMNS)]
    body += [_markdown_row(line.cells()) for line in lines]
    failures = [f"- {line.what}: `{line.failure}`" for line in lines if line.failure]
    now = datetime.now(UTC)
    parts = [
        "# Performance",
        f"Measured on {now:%Y-%m-%d} ({machine()}). Written by `{command}`; reproduce it with the same command.",
        preamble,
        "\n".join(body),
        *(["Commands that failed:\n" + "\n".join(failures)] if failures else []),
        "## Notes",
        f"<!-- notes -->{notes}<!-- /notes -->",
    ]
    return "\n\n".join(parts) + "\n"


def write_page(path: Path, lines: Sequence[Line], preamble: str, command: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text() if path.exists() else ""
    path.write_text(page(lines, preamble, command, kept_notes(before)))
