"""What was found and where: file, line, place in the row, kind and count, and never the thing itself."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from blade.untrusted.detection import category

MOST_LISTED: Final = 20_000
"""Findings listed one by one for each category; further ones are only counted, so that memory stays bounded."""
WITHHELD: Final = "withheld"


@dataclass
class Ledger:
    """The findings of one call. They are noted line by line, and a line counts only when it is `closed`."""

    file: str = ""
    line: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    by_file: dict[str, Counter[str]] = field(default_factory=dict)
    listed: list[dict[str, Any]] = field(default_factory=list)
    not_listed: Counter[str] = field(default_factory=Counter)
    _open: Counter[tuple[str, str]] = field(default_factory=Counter)
    _room: Counter[str] = field(default_factory=Counter)

    def note(self, path: str, kind: str) -> None:
        self._open[path, kind] += 1

    def close_line(self) -> None:
        for (path, kind), count in self._open.items():
            group = category_of(kind)
            self.totals[kind] += count
            self.by_file.setdefault(self.file, Counter())[kind] += count
            if self._room[group] >= MOST_LISTED:
                self.not_listed[group] += count
                continue
            self._room[group] += 1
            entry = {"file": self.file, "line": self.line, "path": path, "kind": kind, "category": group, "count": count}
            self.listed.append(entry)
        self._open.clear()

    def counts(self, kinds: Counter[str] | None = None) -> dict[str, int]:
        """Findings by category, all four of them."""
        groups: Counter[str] = Counter(credential=0, personal=0, endpoint=0, withheld=0)
        for kind, count in (self.totals if kinds is None else kinds).items():
            groups[category_of(kind)] += count
        return dict(groups)


def category_of(kind: str) -> str:
    return WITHHELD if kind == WITHHELD else category(kind)
