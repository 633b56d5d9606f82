"""How the report puts numbers, names and other people's words into a sentence.

There are three kinds of text. Our own words are Markdown as they stand. What a rollout or a file holds (`shown`, `name`, `quoted`)
is escaped, on one line and bounded, so that it can end neither its quote nor its table cell. Sentences of the diagnosis
(`sentence`) are our words around a rollout's: they are escaped like the rollout's, and identifiers in them are set as code.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from blade.sentences import capital as capital
from blade.sentences import plural as plural
from blade.signals.labels import NAMES
from blade.untrusted.escapes import one_line, safe_markdown

QUOTE: Final = 180
SENTENCE: Final = 900
NAME: Final = 120

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./](?:[A-Za-z0-9_.:/=+@#%,()\- ]*[A-Za-z0-9_)])?")
_CODE: Final = re.compile(
    rf"""
      \\`(?P<code>{_PLAIN.pattern})\\`                     # set as code by the diagnosis, and escaped since
    | (?<![\w\\`&/.:"'-])                                   # or an identifier that stands alone
      (?P<identifier>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\.[A-Za-z][A-Za-z0-9_]*)*)
      (?![\w`\\"'])
    """.replace(r"\- ]", r"\-\ ]").replace("@#%", r"@\#%"),
    re.VERBOSE,
)
_CURLY: Final = str.maketrans({"“": '"', "”": '"'})


def shown(text: object, limit: int = NAME) -> str:
    """Words that are not ours, inside a sentence or a table cell."""
    return safe_markdown(one_line(str(text), limit))


def inside(text: object, limit: int = NAME) -> str:
    """The same where something of ours stands before it on the line: `1.` begins no list there, and needs no escape."""
    return safe_markdown(f"x {one_line(str(text), limit)}").removeprefix("x").lstrip(" ")


def name(text: object, limit: int = NAME) -> str:
    """A tool, an argument, a field, a value: set as code where its characters are plain, escaped where they are not."""
    line = one_line(str(text), limit)
    return f"`{line}`" if _PLAIN.fullmatch(line) else safe_markdown(line)


def quoted(text: object, limit: int = QUOTE) -> str:
    """A short quote. Curly quotation marks inside become straight, so that only we can close it."""
    return f"“{inside(str(text).translate(_CURLY), limit)}”"


def sentence(text: object, limit: int = SENTENCE) -> str:
    """A sentence of the diagnosis, with a capital and a full stop."""
    found = clause(text, limit)
    return f"{capital(found)}{'' if not found or found[-1] in '?!…' else '.'}"


def clause(text: object, limit: int = SENTENCE) -> str:
    """A sentence of the diagnosis as a part of one of ours: without its full stop."""
    return _CODE.sub(lambda found: f"`{found['code'] or found['identifier']}`", shown(text, limit)).rstrip(". ")


def unmarked(text: object) -> str:
    """The same for a terminal: without the marks that set code."""
    return str(text).replace("`", "")


def words(code: object) -> str:
    """A code in words: `lookup_skipped` is lookup skipped."""
    return shown(str(code).replace("_", " "))


def label(code: object) -> str:
    """`BI` is BI (behaviour); a mixed label names both."""
    known = [NAMES[part] for part in str(code).split("+") if part in NAMES]
    return f"{shown(code)} ({' and '.join(known)})" if known else shown(code)


def count(number: Any) -> str:
    return "unknown" if number is None else f"{number:,}"


def percent(rate: float | None) -> str:
    return "unknown" if rate is None else f"{100 * rate:.1f} %"


def points(rate: float) -> str:
    return f"{100 * rate:.1f}"


def number(value: Any, digits: int = 3) -> str:
    """A figure on its own scale."""
    if value is None:
        return "unknown"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if 1_000 <= abs(value) < 1e15 else f"{value:.{digits}g}"


def share(part: int | None, whole: int | None, what: str = "") -> str:
    """`37 of 116 failed rollouts (31.9 %)`: a share never stands without what it is a share of."""
    told = f"{count(part)} of {count(whole)}{f' {what}' if what else ''}"
    return told if part is None or not whole else f"{told} ({percent(part / whole)})"


def interval(ci: Sequence[float] | None, *, of: Any = percent) -> str:
    return "no interval" if ci is None else f"[{of(ci[0])}, {of(ci[1])}]"


def scored_repeats(repeats: Mapping[str, Any], unscored: int) -> str:
    """How often tasks were scored, and how many never: `4 scored repeats each`."""
    low, high = repeats["min"], repeats["max"]
    if not high:
        return "nothing scored"
    each = (
        f"{count(low)} scored repeat{'' if low == 1 else 's'}" if low == high else f"{count(low)} to {count(high)} scored repeats"
    )
    return f"{count(unscored)} without a score, the others with {each} each" if unscored else f"{each} each"


def joined(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def listed(items: Iterable[object], most: int, *, of: int | None = None) -> str:
    """Ids, the first few by name and the rest by number; `of` is how many there are where `items` are not all."""
    given = [shown(item, 60) for item in items]
    total = max(of or 0, len(given))
    if total <= most and total == len(given):
        return joined(given)
    return f"{', '.join(given[:most])} and {total - min(most, len(given)):,} more"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A table of cells that are Markdown already; `align` has an `r` for each column of figures."""
    rules = [("---:" if align[position : position + 1] == "r" else "---") for position in range(len(head))]
    lines = [head, rules, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def place(rollout: object, step: int | None) -> str:
    return shown(rollout) if step is None else f"{shown(rollout)} step {step}"
