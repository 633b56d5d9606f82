"""What an assertion is about: the names that lead to a value, and which record they name on the way.

A record is named by a key in brackets or with a digit in it (`orders["O-1"]`, `orders.O-1`, `/orders/O-1`), by a condition (`orders[?id=='O-1']`,
`WHERE id = 'O-1'`), or by what is given to a function that looks for it (`added(orders, customer="C-7")`).
"""

import ast
import re
from typing import Any, Final, NamedTuple

import msgspec

from blade.signals.texts.written_python import NO_PYTHON, expression

MAX_SUBJECT: Final = 1_000
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_STEP: Final = re.compile(
    r"""\.?\[\s*(?P<quote>["'])(?P<quoted>.*?)(?P=quote)\s*\]"""
    r"""|\.?\[\s*(?P<index>\d+|\*)\s*\]"""
    r"""|\.?\[\s*\??\(?\s*(?:@\.)?(?P<where>[\w.]+\s*={1,2}\s*[^\]]+?)\)?\s*\]"""
    r"""|\.get\(\s*(?P<got>["'][^"']*["'])\s*\)"""
    r"""|[./](?P<name>[^./\[\]()\s=]+)"""
)
_FUNCTION: Final = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\((?P<given>.*)\)(?P<rest>[./\[].*)?", re.DOTALL)
_SELECT: Final = re.compile(
    r"select\s+(?P<what>.+?)\s+from\s+(?P<table>[\w.\"`]+)(?:\s+where\s+(?P<where>.+?))?(?:\s+limit\s+\d+)?\s*;?",
    re.IGNORECASE | re.DOTALL,
)
_EACH: Final = re.compile(
    r"(?:(?:any|len|sum|next|list|bool)\s*)?[(\[]{1,2}(?P<what>.+?)\s+for\s+(?P<one>\w+)\s+in\s+(?P<all>[^\s()]+?)"
    r"(?:\.values\(\))?(?:\s+if\s+(?P<where>.+?))?[)\]]{1,2}",
    re.DOTALL,
)
"""`any(o["id"] == "O-1" for o in orders)`, `len([o for o in orders if o.id == "O-1"])`."""
_AND: Final = re.compile(r"\s+and\s+|\s*&&\s*|\s*,\s*", re.IGNORECASE)
_CONDITION: Final = re.compile(r"(?:@\.|\w+\.)?(?P<key>\w+)\s*={1,2}\s*(?P<value>.+)", re.DOTALL)
_COUNTING: Final = re.compile(r"count|len|number|exist|has|any|size|added|created|inserted|removed|deleted", re.IGNORECASE)
_LITERALS: Final = {"true": True, "false": False, "null": None, "None": None, "True": True, "False": False, "undefined": None}
_BLANKS: Final = re.compile(r"\s{2,}")
_QUOTED: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`")


class Subject(NamedTuple):
    """The names, and what names the record among them; `counts` says that it asks how many there are, or whether there is one."""

    names: tuple[str, ...]
    named: dict[str, Any]
    counts: bool = False


def masked(text: str) -> str:
    """A text in which what stands in quotes or brackets is blank, so that signs are looked for outside of them."""
    plain = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), text)
    depth, signs = 0, []
    for sign in plain:
        depth -= sign in ")]}"
        signs.append(sign if depth <= 0 else "\0")
        depth += sign in "([{"
    return "".join(signs)


def top_level(text: str, signs: tuple[str, ...]) -> tuple[str, str, str] | None:
    """The parts before and after the first of some signs that stands outside of quotes and brackets; of those at one place the longest."""
    plain = masked(text)
    at = min(((plain.find(sign), -len(sign), sign) for sign in signs if sign in plain), default=None)
    if at is None:
        return None
    return text[: at[0]].strip(), at[2], text[at[0] + len(at[2]) :].strip()


def literal(text: str) -> tuple[bool, Any]:
    """(whether a text is a plain value, that value): JSON, a literal of Python's, or a word of JavaScript's."""
    text = text.strip()
    if text in _LITERALS:
        return True, _LITERALS[text]
    try:
        return True, msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    if text[:1] not in "'\"[{(-0123456789" or len(text) > MAX_SUBJECT:
        return False, None
    try:
        value = ast.literal_eval(expression(text))
    except NO_PYTHON:
        return False, None
    if isinstance(value, complex | bytes) or value is ...:
        return False, None
    return True, sorted(value, key=str) if isinstance(value, set | frozenset) else list(value) if isinstance(
        value, tuple
    ) else value


def subject_of(text: str) -> Subject | None:
    """What a path, a query or a function asks for; None where it is none of them."""
    text = _BLANKS.sub(" ", text.strip())
    if not text or len(text) > MAX_SUBJECT:
        return None
    query = _SELECT.fullmatch(text)
    if query is not None:
        return _of_query(query["what"], query["table"].strip('"`'), query["where"])
    each = _EACH.fullmatch(text)
    if each is not None:
        return _of_each(each["what"], each["one"], each["all"], each["where"])
    function = _FUNCTION.fullmatch(text)
    if function is not None and not function["name"].endswith(".get") and masked(text).count("(") == 1:
        return _of_function(function["name"], function["given"], function["rest"] or "")
    return _of_path(text)


def _of_query(what: str, table: str, where: str | None) -> Subject | None:
    named = _conditions(where or "")
    counts = _COUNTING.match(what.strip()) is not None or what.strip() in ("*", "1")
    column = "count" if counts else what.strip().strip('"`').rpartition(".")[2]
    if named is None or not (counts or _NAME.fullmatch(column)):
        return None
    return Subject((table, column), named, counts)


def _of_each(what: str, one: str, where: str, condition: str | None) -> Subject | None:
    """Records of which one is looked for by what stands in it."""
    holder = _of_path(where)
    mine = re.compile(rf"\b{re.escape(one)}(?:\.get\(|\[|\.)[\"']?(\w+)[\"']?(?:\)|\])?")
    named = _conditions(mine.sub(r"\1", condition or what))
    return None if holder is None or not named else Subject((*holder.names, "any"), {**holder.named, **named}, counts=True)


def _conditions(text: str) -> dict[str, Any] | None:
    """The values that a condition asks for; None where it asks for anything else."""
    found: dict[str, Any] = {}
    plain, start = masked(text), 0
    parts = []
    for sign in _AND.finditer(plain):
        parts.append(text[start : sign.start()])
        start = sign.end()
    for part in (*parts, text[start:]) if text.strip() else ():
        condition = _CONDITION.fullmatch(part.strip().strip("()") if masked(part).count("(") else part.strip())
        if condition is None:
            return None
        known, value = literal(condition["value"])
        if not known:
            value = condition["value"].strip()
            if not re.fullmatch(r"[\w.:@-]+", value):
                return None
        found[condition["key"]] = value
    return found


def _of_function(name: str, given: str, rest: str) -> Subject | None:
    """`added(orders, customer="C-7")`, `count("orders", {"customer": "C-7"})`, `get(orders, "O-1").status`, `len(orders)`."""
    names, named = [name], {}
    left: str | None = given
    while left:
        parts = top_level(left, (",",))
        one, left = (left.strip(), None) if parts is None else (parts[0], parts[2])
        pair = top_level(one, ("==", "="))
        if pair is not None and _NAME.fullmatch(pair[0]):
            known, value = literal(pair[2])
            if not known:
                return None
            named[pair[0]] = value
            continue
        known, value = literal(one)
        if known and isinstance(value, dict):
            named |= value
        elif known and isinstance(value, str) and not _has_digit(value) and _NAME.fullmatch(value):
            names.append(value)
        elif known:
            named["id"] = value
        else:
            inner = _of_path(one)
            if inner is None:
                return None
            names += inner.names
            named |= inner.named
    after = _of_path(rest.lstrip(".")) if rest else Subject((), {})
    if after is None or len(names) + len(after.names) < 2:
        return None
    return Subject((*names, *after.names), {**named, **after.named}, _COUNTING.search(name) is not None and not rest)


def _of_path(text: str) -> Subject | None:
    rest = text.strip().lstrip("$").lstrip("/.") if text[:1] in "$/." else text.strip()
    first = re.match(r"[A-Za-z_][\w$-]*", rest)
    if first is None:
        return None
    names = [first[0]]
    named: dict[str, Any] = {}
    at = first.end()
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None:
            return None
        at = step.end()
        if step["index"] and step["index"] != "*":
            named[f"index{len(named)}"] = int(step["index"])
        key = step["quoted"] or (step["got"] or "")[1:-1] or step["name"]
        if step["where"]:
            found = _conditions(step["where"])
            if found is None:
                return None
            named |= found
        elif key and _names_one(key, step["name"] is None, "id" in named):
            named["id" if "id" not in named else f"id{len(named) + 1}"] = key
        elif key:
            if key in ("length", "count", "size") and at == len(rest) and named:
                return Subject((*names, key), named, counts=True)
            names.append(key)
    return Subject(tuple(names), named)


def _names_one(key: str, bracketed: bool, named: bool) -> bool:
    """Whether a key is a record's own name: it has a digit (`address2` of a record that is named already is a field), or no field is spelled so."""
    if _NAME.fullmatch(key):
        return _has_digit(key) and not named
    return _has_digit(key) or "@" in key or bracketed


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)
