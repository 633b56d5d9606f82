"""Calls as people write them down: a name and what it is given, in one line of text or one short list.

Besides `book(seat="12A")` there are `book {"seat": "12A"}`, `book: {…}`, `book({seat: "12A"})`, `book --seat 12A`, `book seat=12A`, and
`["book", "12A"]`, whose values come in the order of the tool's own arguments. Any prose can look like one of them, so they are read only
where the name is a tool of the run, which whoever asks has to see to.
"""

import html
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.signals.layout.paths import joined, opened
from blade.signals.wanted.counted_keys import numbered
from blade.signals.wanted.expectation import ExpectedCall, entries_of, written_call

MAX_TEXT: Final = 4_000
MAX_YAML: Final = 4_000
_YAML: Final = re.compile(r"\s*- \w[\w .-]*:(?:[ \t]+\S[^\n]*)?\n[ \t]+\w")
_LISTED: Final = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+")
_NAME: Final = r"[A-Za-z_][\w.:/-]{0,120}?"
_OBJECT: Final = re.compile(rf"({_NAME})\s*(?::|=>|->|<-|=|\()?\s*(\{{.*\}})\s*\)?", re.DOTALL)
_ASSERTED: Final = re.compile(
    rf"(?:assert|expect|verify|should)\w*\b[\s.]*(?:\w*call\w*)?\s*\(\s*[\"']?(?P<name>{_NAME})[\"']?\s*(?:\)(?:\.\w+)*\(|,|\))(?P<given>.*?)\)?\s*",
    re.DOTALL | re.IGNORECASE,
)
"""A call inside what is said of it: `expect(book).toHaveBeenCalledWith({…})`, `assert called('book', seat='12A')`."""
_ELEMENT: Final = re.compile(
    rf"<(?P<tag>{_NAME})(?P<own>(?:\s+[\w:-]+=\"[^\"]*\")*)\s*(?:/>|>(?P<inside>.*)</(?P=tag)>)", re.DOTALL
)
_INNER: Final = re.compile(r"<(?P<tag>[\w:-]+)(?:\s+(?:name|key|id)=\"(?P<key>[^\"]*)\")?\s*>(?P<value>[^<]*)</(?P=tag)>")
_ATTRIBUTE: Final = re.compile(r"([\w:-]+)=\"([^\"]*)\"")
_NAMING: Final = ("tool", "name", "op", "function", "action", "call", "method")
_BARE_KEY: Final = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")
_OPTIONS: Final = re.compile(rf"({_NAME})\s+(--[A-Za-z].*)", re.DOTALL)
_OPTION: Final = re.compile(r"(?:^|\s)--([A-Za-z][\w-]*)(?:=|\s+|$)")
_PAIRS: Final = re.compile(rf"({_NAME})(?:\s*\((?P<inside>.*)\)|(?:\s+|:\s+)(?P<after>.*))", re.DOTALL)
_EQUALS: Final = re.compile(r"(?:^|[,;\s])\s*([A-Za-z_][\w.]*)\s*=\s*")
_COLON: Final = re.compile(r"(?:^|[,;])\s*([A-Za-z_][\w.]*)\s*:\s*")
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_LITERALS: Final = {"True": True, "False": False, "None": None}


def call_entries(value: Any) -> Iterator[Any]:
    """The single calls of a value: entries of lists, of keys that count and of lists side by side, lines of a text; a list that begins with a plain word stays whole."""
    value = opened(value)
    if isinstance(value, str) and (listed := _as_yaml(value)) is not None:
        yield from listed
    elif isinstance(value, str):
        yield from (opened(line.strip()) for line in value[: 50 * MAX_TEXT].splitlines() if line.strip())
    elif isinstance(value, list) and value and all(map(_by_place, value)):
        yield from value
    elif isinstance(value, dict) and (listed := side_by_side(value) or numbered(value)):
        yield from entries_of(listed)
    else:
        yield from entries_of(value)


def side_by_side(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Calls whose tools stand in one list and whose arguments in another, `{"tools": ["book"], "arguments": [{"seat": "12A"}]}`; empty where it is none."""
    lists = [inner for inner in value.values() if isinstance(inner, list)]
    return (joined(*lists) or joined(*lists[::-1]) or []) if len(lists) == 2 else []


def _as_yaml(text: str) -> list[Any] | None:
    """A list of objects that is written down as YAML, several lines each; None where it is none. What refers to other parts is not read."""
    if len(text) > MAX_YAML or not _YAML.match(text) or any(sign in text for sign in ("&", "*", "!", "<<")):
        return None
    import yaml

    try:
        value = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 (it makes nothing but texts, lists and objects)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return None
    listed = isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value)
    return [_typed(entry) for entry in value] if listed else None


def _typed(value: Any) -> Any:
    """What YAML holds as text, as the values that are written there."""
    if isinstance(value, dict):
        return {str(key): _typed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    return _value(value) if isinstance(value, str) else value


def _by_place(entry: Any) -> bool:
    return (
        isinstance(entry, list)
        and len(entry) > 1
        and isinstance(entry[0], str)
        and re.fullmatch(_NAME, entry[0]) is not None
        and not (len(entry) == 2 and isinstance(entry[1], dict))
    )


def noted_call(entry: Any) -> ExpectedCall | None:
    """A call in one of the notations; None where it is none of them."""
    if isinstance(entry, list) and _by_place(entry):
        return ExpectedCall(entry[0], {f"arg{number}": value for number, value in enumerate(entry[1:])})
    if not isinstance(entry, str) or len(entry) > MAX_TEXT:
        return None
    text = _LISTED.sub("", entry, count=1).strip().rstrip(";").strip()
    return (
        _as_element(text)
        or _asserted(text)
        or written_call(text)
        or _with_object(text)
        or _with_options(text)
        or _with_pairs(text)
    )


def _asserted(text: str) -> ExpectedCall | None:
    found = _ASSERTED.fullmatch(text)
    inner = f"{found['name']}({found['given']})" if found is not None else ""
    call = written_call(inner) or _with_object(inner) or _with_pairs(inner)
    whole = call.arguments.get("arg0") if call is not None and len(call.arguments) == 1 else None
    return ExpectedCall(call.name, whole) if call is not None and isinstance(whole, dict) else call


def _as_element(text: str) -> ExpectedCall | None:
    """A call as an element: named by its tag or by an attribute, its arguments as inner elements or as attributes."""
    found = _ELEMENT.fullmatch(text) if text[:1] == "<" else None
    if found is None:
        return None
    own = dict(_ATTRIBUTE.findall(found["own"]))
    naming = next((key for key in _NAMING if key in own), None)
    name = found["tag"] if naming is None else own.pop(naming)
    inner = {
        one["key"] or one["tag"]: _value(html.unescape(one["value"]).strip()) for one in _INNER.finditer(found["inside"] or "")
    }
    return ExpectedCall(name, {key: _value(html.unescape(value)) for key, value in own.items()} | inner)


def _with_object(text: str) -> ExpectedCall | None:
    found = _OBJECT.fullmatch(text)
    for written in (found[2], _BARE_KEY.sub(r'\1"\2":', found[2])) if found else ():
        given = opened(written)
        if found and isinstance(given, dict):
            return ExpectedCall(found[1], given)
    return None


def _with_options(text: str) -> ExpectedCall | None:
    found = _OPTIONS.fullmatch(text)
    given = _split(_OPTION, found[2]) if found else None
    return (
        ExpectedCall(found[1], {key.replace("-", "_"): _value(value or "true") for key, value in given.items()})
        if found and given
        else None
    )


def _with_pairs(text: str) -> ExpectedCall | None:
    found = _PAIRS.fullmatch(text)
    if found is None:
        return None
    body = (found["after"] if found["inside"] is None else found["inside"]).strip()
    given = _split(_EQUALS, body) or _split(_COLON, body)
    return ExpectedCall(found[1], {key: _value(value.rstrip(",;").strip()) for key, value in given.items()}) if given else None


def _split(key: re.Pattern[str], text: str) -> dict[str, str] | None:
    """Keys with the text up to the next one; what stands in quotes holds no key. None where the text does not begin with one."""
    plain = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), text)
    keys = list(key.finditer(plain))
    if not keys or plain[: keys[0].start()].strip():
        return None
    ends = [found.start() for found in keys[1:]] + [len(text)]
    return {found[1]: text[found.end() : end].strip() for found, end in zip(keys, ends, strict=True)}


def _value(text: str) -> Any:
    """A value as it is written: JSON, the same in single quotes, a word of Python's, or plain words."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    if text in _LITERALS:
        return _LITERALS[text]
    listed = text[:1] in ("[", "{") and '"' not in text
    try:
        return msgspec.json.decode(text.replace("'", '"') if listed else text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text
