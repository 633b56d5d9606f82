"""Expectations written as assertions: lines of a test, of a query language or of paths, each about a record, a figure or what is said.

`assert orders["O-1"].status == "shipped"`, `expect(db.orders["O-1"].status).toBe("shipped")`, `SELECT status FROM orders WHERE id = 'O-1' =>
'shipped'`, `{"path": "orders.O-1.status", "equals": "shipped"}` and `assert added(orders, customer="C-7") == 1` all say what should stand
in which record; `assert reply == "29"` says what is to be answered. A text or list of such lines is read as the records that it names, one
for each line under the names that lead to it, and as plain values. What they mean is learned from passing rollouts like that of any field.
"""

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from blade.signals.layout.asserted_subjects import MAX_SUBJECT, Subject, literal, masked, subject_of, top_level

MAX_TEXT: Final = 8_000
MAX_LINES: Final = 60
MAX_ALIASES: Final = 20
MIN_SHARE: Final = 0.5
"""Share of the lines of a text that have to assert something."""
RECORDS: Final = "?records"
VALUES: Final = "?values"
UNREAD: Final = "(unread)"
"""Where a line stands of which only that it asserts something is known."""
ABSENT: Final = "(absent)"
_BEGINS: Final = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?(?:(?:self\.|t\.|await\s+)?(?:assert|expect|verify|require|ensure|should|check)\w*\b|select\s)"
    r"|\s*[$/]?[A-Za-z_][\w$./-]*(?:\[[^\]\n]*\]|[./][\w$-]+)[\w$./\[\]\"'=?@-]*\s*(?:={1,3}|eq|equals|is)\s",
    re.IGNORECASE,
)
"""How a line begins that asserts something: with a word that says so, or with a path and a sign of equality."""
_AROUND: Final = re.compile(
    r"\s*(?:#|//|--|\"\"\"|'''|def |class |import |from |return|with |describe|it\(|test\(|[})\];]+$|pass$)"
)
"""Lines of code around assertions."""
_KEYWORD: Final = re.compile(
    r"(?:[-*•]\s+|\d{1,3}[.)]\s+)?(?:assert|expect|verify|require|ensure|check|should)(?:\s+that)?\b[:\s]\s*(?![=!])",
    re.IGNORECASE,
)
_EQUAL_OF_TWO: Final = re.compile(
    r"(?:self\.|t\.)?(?:assert|expect|verify|require|check)\w*?(?:\.|_)?(?:strict_?|deep_?)*equals?s?\w*\((?P<both>.*)\)",
    re.IGNORECASE,
)
"""`assertEqual(left, right)`, `assert.equal(left, right)`."""
_FLUENT: Final = re.compile(
    r"(?:expect|assert_?that|verify)\((?P<left>.*)\)(?P<negated>\.not|\.is_not)?\.(?:to\.)?(?P<verb>\w+(?:\.\w+)*)\((?P<right>.*)\)",
    re.IGNORECASE,
)
"""`expect(left).toBe(right)`, `assert_that(left).is_equal_to(right)`."""
_HOLDING: Final = re.compile(r"contain|include|match", re.IGNORECASE)
_SAME: Final = re.compile(r"equal|\bbe\b|tobe|\beql?\b|strict", re.IGNORECASE)
_RESULT: Final = re.compile(
    r"(?P<query>select\s.*\S)\s*(?:=>|->|={1,3}|\breturns?\b|\bis\b)\s*(?P<value>[^=].*)", re.IGNORECASE | re.DOTALL
)
"""A query and what it should give; the last sign of equality is the one between them."""
_ALIAS: Final = re.compile(
    r"(?:(?:const|let|var)\s+)?(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*(?P<path>[A-Za-z_$][\w$.\[\]\"'/-]*)\s*;?"
)
"""`order = db["orders"]["O-1"]`, of which the assertions after it speak."""
_BLANKS: Final = re.compile(r"[ \t]{2,}")
_BARE: Final = re.compile(r"\w[\w:@-]*")
_OPERATORS: Final = (
    "===",
    "==",
    "!==",
    "!=",
    ">=",
    "<=",
    "=>",
    "->",
    "~=",
    " not in ",
    " in ",
    " contains ",
    " includes ",
    " equals ",
    " eq ",
    " is ",
    "=",
    ">",
    "<",
    ": ",
)
_EQUALITY: Final = frozenset(["===", "==", "=", "=>", "->", "equals", "eq", "is", ":", ""])
_CONTAINS: Final = frozenset(["contains", "includes"])
_PATH_KEYS: Final = (
    "path",
    "jsonpath",
    "json_path",
    "field",
    "selector",
    "query",
    "sql",
    "expr",
    "expression",
    "left",
    "target",
    "lhs",
    "actual",
)
_VALUE_KEYS: Final = ("value", "equals", "eq", "expected", "right", "rhs", "is", "to_equal", "should_be", "result", "contains")
_OP_KEYS: Final = ("op", "operator", "comparator", "comparison", "cmp", "check", "assert", "type", "matcher")
_EQUAL_WORDS: Final = frozenset(
    ["", "==", "===", "=", "eq", "equal", "equals", "is", "exact", "toBe", "toEqual", "value", "exact_match"]
)


HOLDS: Final = "(holds)"
"""Where what is one of several stands, so that two of them are no contradiction."""


class Asserted(NamedTuple):
    """One line: what it is about, the value that should stand there, and whether it is one of several, or to be absent."""

    subject: Subject
    value: Any
    holds: bool = False
    absent: bool = False


def asserted(value: Any) -> dict[str, Any] | None:
    """What a text or list of assertions says, as records by the names that lead to them and as plain values; None where it is none.

    Where it says nothing of records and nothing of a figure that is zero, it says nothing of what should (not) be done.
    """
    if isinstance(value, str):
        return _of_text(value) if (len(value) <= MAX_TEXT and _BEGINS.match(value)) or _in_code(value) else None
    if not isinstance(value, list) or not 0 < len(value) <= MAX_LINES:
        return None
    if all(isinstance(line, str) for line in value):
        if sum(map(len, value)) > MAX_TEXT:
            return None
        return _of_text("\n".join(value)) if all(_BEGINS.match(line) for line in value) else None
    if all(isinstance(entry, dict) for entry in value):
        lines = [_of_object(entry) for entry in value]
        told = [line for line in lines if line is not None]
        return _laid_out(told, unread=False) if len(told) == len(lines) else None
    return None


def _in_code(text: str) -> bool:
    """Whether a text begins as code does in which assertions may stand."""
    return len(text) <= MAX_TEXT and text[:4] in ("def ", "impo", "from", "test", "it('", 'it("') and "assert" in text


@lru_cache(maxsize=512)
def _of_text(text: str) -> dict[str, Any] | None:
    lines = [_BLANKS.sub(" ", line.strip()) for line in text.splitlines() if line.strip() and not _AROUND.match(line)]
    told = [line for line in lines if _BEGINS.match(line)]
    if not told or len(told) > MAX_LINES or len(told) < MIN_SHARE * len(lines):
        return None
    found: list[Asserted] = []
    aliases: dict[str, str] = {}
    unread = False
    for line in lines:
        alias = None if line in told else _ALIAS.fullmatch(line)
        if alias is not None:
            path = _spelled_out(alias["path"], aliases)
            if len(path) > MAX_SUBJECT or len(aliases) >= MAX_ALIASES:
                return None
            aliases[alias["name"]] = path
            continue
        read = _of_line(_spelled_out(line, aliases) if aliases else line)
        unread = unread or read is None
        found += () if read is None else (read,)
    return _laid_out(found, unread) if found else None


def _spelled_out(line: str, aliases: dict[str, str]) -> str:
    """A line with what its own names stand for."""
    plain = masked(line)
    for name, path in aliases.items():
        for mention in reversed(list(re.finditer(rf"(?<![\w.\"'])\b{name}\b(?=[.\[])", plain))):
            line = line[: mention.start()] + path + line[mention.end() :]
        plain = masked(line)
    return line


def _laid_out(lines: list[Asserted], unread: bool) -> dict[str, Any]:
    records: dict[str, Any] = {}
    values: dict[str, Any] = {}
    nothing = False
    for line in lines:
        names, named, _ = line.subject
        if not named:
            key = ".".join(names)
            nothing = nothing or (not line.holds and not line.value and line.value is not None and line.value != "")
            if line.holds:
                values.setdefault(f"{key} contains", []).append(line.value)
            elif not line.absent:
                values[key] = line.value
        else:
            mark = (ABSENT,) if line.absent else (HOLDS,) if line.holds else ()
            _add(records, (*names, *mark), _record(line))
    if unread:
        records[UNREAD] = [{UNREAD: True}]
    found = {RECORDS: records} if records or nothing else {}
    return found | {VALUES: values} if values else found


def _record(line: Asserted) -> dict[str, Any]:
    names, named, counts = line.subject
    counted = counts and isinstance(line.value, int)
    return dict(named) if line.absent or counted or line.value is None else {**named, names[-1]: line.value}


def _add(holder: dict[str, Any], names: tuple[str, ...], record: dict[str, Any]) -> None:
    for name in names[:-1]:
        inner = holder.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        holder = inner
    mine = holder.setdefault(names[-1], [])
    if isinstance(mine, list):
        mine.append(record)


def _of_line(line: str) -> Asserted | None:
    """One line as what it says; None where it says something that is no equality of a record or a value."""
    line = line.rstrip(";").strip()
    both = _EQUAL_OF_TWO.fullmatch(line)
    if both is not None:
        parts = top_level(both["both"], (",",))
        return None if parts is None else _compared(parts[0], "==", top_level(parts[2], (",",)) or (parts[2],))
    fluent = _FLUENT.fullmatch(line)
    if fluent is not None:
        verb = fluent["verb"]
        told = "contains" if _HOLDING.search(verb) else "==" if _SAME.search(verb) else ""
        return _compared(fluent["left"], told, (fluent["right"],)) if told and not fluent["negated"] else None
    told, line = line, _KEYWORD.sub("", line, count=1)
    if line[:7].lower() == "select ":
        query = _RESULT.fullmatch(line)
        if query is not None and subject_of(query["query"]) is not None:
            return _compared(query["query"], "==", (query["value"],))
        return _compared(line, "==", ("true",))
    said = top_level(line, (", ",))
    if said is not None and said[2].lstrip()[:1] in ("'", '"', "f"):  # the message of an assertion
        line = said[0]
    parts = top_level(line, _OPERATORS)
    if parts is None:
        absent = line.startswith("not ")
        subject = subject_of(line.removeprefix("not "))
        value = None if absent or line.endswith(")") else True
        return Asserted(subject, value, absent=absent) if subject is not None and subject.named else None
    bare = (
        line == told and _BARE.fullmatch(parts[2]) is not None and not literal(parts[2])[0]
    )  # only where no language wants quotes
    return _compared(parts[0], parts[1].strip(), (f'"{parts[2]}"' if bare else parts[2],))


def _compared(left: str, sign: str, right: tuple[str, ...]) -> Asserted | None:
    """`left` and `right` as they are compared; what is looked for may stand on either side."""
    if sign in ("in", "not in"):
        known, item = literal(left)
        subject = subject_of(right[0])
        if not known or subject is None:
            return None
        if sign == "not in" or subject.named or _is_name(item):
            placed = Subject(subject.names, {**subject.named, "id": item})
            return Asserted(placed, None, absent=sign == "not in") if _is_name(item) else None
        return Asserted(subject, item, holds=True)
    known, value = literal(right[0])
    subject = subject_of(left)
    if not known or subject is None:
        known, value = literal(left)
        subject = subject_of(right[0])
    if not known or subject is None or (sign not in _EQUALITY and sign not in _CONTAINS):
        return None
    absent = value is None or (subject.counts and bool(subject.named) and value in (0, False))
    return Asserted(subject, value, holds=sign in _CONTAINS, absent=absent)


def _is_name(item: Any) -> bool:
    """Whether something is the name of a record, and no words to be said."""
    return isinstance(item, str) and " " not in item and any(letter.isdigit() for letter in item)


def _of_object(entry: dict[str, Any]) -> Asserted | None:
    path = next((entry[key] for key in _PATH_KEYS if isinstance(entry.get(key), str)), None)
    value = next((key for key in _VALUE_KEYS if key in entry), None)
    sign = next((entry[key] for key in _OP_KEYS if isinstance(entry.get(key), str)), "")
    if path is None or value is None or sign not in _EQUAL_WORDS | _CONTAINS:
        return None
    subject = subject_of(path)
    if subject is None or (not subject.named and len(subject.names) < 2):
        return None
    return Asserted(subject, entry[value], holds=value == "contains" or sign in _CONTAINS, absent=entry[value] is None)
