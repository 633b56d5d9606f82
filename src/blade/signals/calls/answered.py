"""What a tool answered, as data: JSON, JSON within the envelope of a tool protocol, an object on each line, the same as Python or XML writes it, or a text
of `key: value` lines, items, `key=value` pairs and columns.

Texts are read as far as they are plainly laid out; what is not is no data. One object comes back as a dictionary, several as a list of them.
"""

import ast
import html
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec

from blade.signals.texts.written_python import NO_PYTHON, expression

T = TypeVar("T")
MAX_READ: Final = 60_000
MAX_LINES: Final = 400
MIN_COLUMNS: Final = 2
MAX_PAIRS: Final = 2_000
"""Characters of a line up to which it is read as a record of pairs."""
_ENTRY: Final = re.compile(r"(?P<key>[A-Za-z][\w .()#/-]{0,40}?)\s*(?::\s|:$|=)\s*(?P<value>.*)")
_PAIR: Final = re.compile(
    r"""(?<![\w.-])(?P<key>[A-Za-z_][\w.-]{0,60})=(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'=,;]*)(?=\s|$)"""
)
_HEADER: Final = re.compile(r"[A-Za-z_][\w ]{0,40}(?:[;\t,] ?[A-Za-z_][\w ]{0,40}){1,40}")
_ITEM: Final = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s+")
_SEPARATED: Final = re.compile(r"[,;]\s+(?=[A-Za-z][\w ]{0,30}(?::\s|=))")
_DIVIDES: Final = re.compile(r"[-=_*~#]{3,}")
_RULE: Final = re.compile(r"[\s|:+=-]+")
MAX_ENVELOPES: Final = 3
_COLUMNS: Final = ("columns", "column_names", "fields", "header", "headers", "schema", "names")
_ROWS: Final = ("data", "rows", "values", "records", "items")
_ELEMENT: Final = re.compile(r"<(?P<tag>[A-Za-z][\w.:-]{0,60})(?:\s[^<>]*)?(?:/>|>(?P<inside>[^<]*|.*?)</(?P=tag)>)", re.DOTALL)
MAX_ELEMENTS: Final = 3_000
"""Characters of a text of elements."""
_OBJECT: Final = re.compile(r"\s*[A-Za-z_][\w.]{0,80}\(\s*[A-Za-z_]\w{0,80}\s*=")
"""How an object of a class begins, as Python prints it."""
_PART_TYPES: Final = ("text", "output_text", "input_text")


def answer_data(text: str) -> Any:
    """The objects and lists of an answer, or None where it is laid out as neither."""
    if len(text) > MAX_READ:
        return None
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return _tabular(_opened(msgspec.json.decode(text)))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return _on_each_line(text) or _literal(text)
    if text.lstrip()[:1] == "<":
        return _elements(text)
    found = _literal(text) if _OBJECT.match(text) is not None and text.rstrip()[-1:] == ")" else None
    return _laid_out(text) if found is None else found


def records_in(data: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of an answer, outermost first, within envelopes and lists too."""
    if isinstance(data, dict):
        yield data
    if depth <= MAX_ENVELOPES and isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data[:MAX_LINES]:
            yield from records_in(inner, depth + 1)


def _on_each_line(text: str) -> list[Any] | None:
    """Objects of JSON, one on each line."""
    try:
        found = [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if len(found) > 1 and all(isinstance(one, dict) for one in found) else None


def _literal(text: str) -> Any:
    """Objects and lists as Python writes them, those of classes too: `[Person(id='P-7', name='Ann')]`."""
    try:
        found = _plain(expression(text))
    except NO_PYTHON:
        return None
    return found if isinstance(found, dict | list) else None


def _plain(node: ast.expr) -> Any:
    """What an expression stands for, where it only writes a value down: nothing is called, an object of a class is its fields."""
    match node:
        case ast.List(elts) | ast.Tuple(elts) | ast.Set(elts):
            return [_plain(inner) for inner in elts]
        case ast.Dict(keys, values):
            return {_plain(_given(key)): _plain(value) for key, value in zip(keys, values, strict=True)}
        case ast.Call(_, [], keywords) if keywords:
            return {_given(one.arg): _plain(one.value) for one in keywords}
        case ast.Call(_, [ast.Constant(value)], []):
            return value  # Decimal('12.50'), UUID('…')
        case ast.Call() | ast.Attribute() | ast.Name():
            return ast.unparse(node)
    return ast.literal_eval(node)


def _given(part: T | None) -> T:
    """A part of an expression that unpacks nothing (`**more` has no key)."""
    if part is None:
        raise ValueError("what is unpacked is no value that was written down")
    return part


def _elements(text: str, depth: int = 0) -> Any:
    """What an element holds, by the tags in it: an object, or a list where tags come again; None where it holds a text alone, or other text stands beside it."""
    inside = text.strip()
    found = (
        list(_ELEMENT.finditer(inside)) if depth <= MAX_ENVELOPES and len(inside) <= MAX_ELEMENTS and inside[-1:] == ">" else []
    )
    if not found or _ELEMENT.sub("", inside).strip():
        return None
    values = [(one["tag"], _value(one["inside"] or "", depth)) for one in found]
    if len(values) == 1 and not isinstance(values[0][1], str):
        return values[0][1]
    if len(values) == 1 and depth == 0:
        return None
    tags = dict.fromkeys(tag for tag, _ in values)
    if len(tags) == 1 < len(values):
        return [value for _, value in values]
    return dict(values) if len(tags) == len(values) else None


def _value(inside: str, depth: int) -> Any:
    inner = _elements(inside, depth + 1) if "<" in inside else None
    return html.unescape(inside).strip() if inner is None else inner


def _tabular(value: Any, depth: int = 0) -> Any:
    """A table of columns and rows (`{"columns": […], "data": [[…]]}`, as data frames and databases write it) as records, within an envelope too."""
    if not isinstance(value, dict) or depth > MAX_ENVELOPES:
        return value
    names = next((value[key] for key in _COLUMNS if isinstance(value.get(key), list)), None)
    rows = next((value[key] for key in _ROWS if isinstance(value.get(key), list)), None)
    if names is not None and rows is not None and (records := _records(names, rows)) is not None:
        return records
    if (records := _by_column(value)) is not None:
        return records
    inner = {key: _tabular(held, depth + 1) for key, held in value.items() if isinstance(held, dict)}
    return {**value, **inner} if any(inner[key] is not value[key] for key in inner) else value


def _by_column(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """A table that lists the cells of each column under its name (`{"id": [7, 8], "name": ["Ann", "Bo"]}`) as records; None where it is none."""
    columns = list(value.values())
    if len(columns) < MIN_COLUMNS or not all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
        return None
    if not columns[0] or any(isinstance(cell, dict | list) for column in columns for cell in column):
        return None
    return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _records(names: list[Any], rows: list[Any]) -> list[dict[str, Any]] | None:
    told = (name.get("name") if isinstance(name, dict) else name for name in names)
    titles = [title for title in told if isinstance(title, str)]
    if len(titles) < len(names) or not all(isinstance(row, list) and len(row) == len(titles) for row in rows):
        return None
    return [dict(zip(titles, row, strict=True)) for row in rows]


def _opened(value: Any) -> Any:
    """What the envelope of a tool protocol holds; anything else as it is."""
    text = part_text(value)
    inner = None if text is None else answer_data(text)
    return value if inner is None else inner


def part_text(value: Any) -> str | None:
    """The text in the envelope of a tool protocol: a list of parts with a type and a text, perhaps as the `content` of an object; None where it is none."""
    parts = value.get("content") if isinstance(value, dict) and isinstance(value.get("content"), list) else value
    if not isinstance(parts, list) or not parts:
        return None
    if not all(
        isinstance(part, dict) and part.get("type") in _PART_TYPES and isinstance(part.get("text"), str) for part in parts
    ):
        return None
    return "\n".join(part["text"] for part in parts)


def _laid_out(text: str) -> Any:
    lines = [line.rstrip() for line in text.splitlines()[:MAX_LINES]]
    if (listed := _delimited(lines)) is not None:
        return listed
    if ":" not in text and "=" not in text and "|" not in text:
        return None
    rows = [line for line in lines if "|" in line] if "|" in text else ()
    if len(rows) >= 2 and len(rows) >= len([line for line in lines if line]) - 1:
        return _table(rows)
    if "=" in text and all("=" in line for line in lines if line.strip()):
        paired = [_pairs(line) for line in lines if line.strip()]
        if paired and all(paired):
            return paired[0] if len(paired) == 1 else paired
    found: list[dict[str, str]] = [{}]
    for line in lines:
        inner = line.lstrip()
        first = inner[:1]  # tells what a line cannot be, before an expression is asked
        if not first or (first in "-=_*~#" and _DIVIDES.fullmatch(inner)):
            found.append({})
            continue
        item = _ITEM.match(inner) if first in "-*•" or first.isdigit() else None
        if item is not None:
            found.append({})
            inner = inner[item.end() :]
        if ":" in inner or "=" in inner:
            for part in _SEPARATED.split(inner) if "," in inner or ";" in inner else (inner,):
                entry = _ENTRY.fullmatch(part.strip()) if ":" in part or "=" in part else None
                if entry is not None and entry["value"]:
                    found[-1].setdefault(entry["key"].strip(), entry["value"].strip().strip("\"'"))
    records = [record for record in found if record]
    if not records:
        return None
    return records[0] if len(records) == 1 else records


def _delimited(lines: Sequence[str]) -> list[dict[str, str]] | None:
    """Rows below a line that names their columns, with semicolons, tabs or commas between the cells; lines that begin with # are remarks."""
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    between = next((sign for sign in (";", "\t", ",") if rows and sign in rows[0]), None)
    if between is None or len(rows) < MIN_COLUMNS or not _HEADER.fullmatch(rows[0]):
        return None
    names = [name.strip() for name in rows[0].split(between)]
    cells = [[cell.strip().strip('"') for cell in row.split(between)] for row in rows[1:]]
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in cells):
        return None
    return [dict(zip(names, row, strict=True)) for row in cells]


def _pairs(line: str) -> dict[str, str] | None:
    """A record in one line, `id=C-7 name="Ann Lee" since=2024`; None where anything else stands in it."""
    if len(line) > MAX_PAIRS:
        return None
    pairs = list(_PAIR.finditer(line))
    if len(pairs) < MIN_COLUMNS or _PAIR.sub("", line).strip():
        return None
    return {pair["key"]: pair["value"].strip("\"'") for pair in pairs}


def _table(rows: Sequence[str]) -> list[dict[str, str]] | None:
    """The rows of a table by the names of its columns: a first row of words alone names them, else they are numbered."""
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows if not _RULE.fullmatch(row)]
    width = len(cells[0]) if cells else 0
    if width < MIN_COLUMNS or any(len(row) != width for row in cells):
        return None
    named = len(cells) > 1 and not any(any(letter.isdigit() for letter in cell) or not cell for cell in cells[0])
    names = cells[0] if named and len(set(cells[0])) == width else [f"column {number}" for number in range(1, width + 1)]
    return [dict(zip(names, row, strict=True)) for row in (cells[1:] if names is cells[0] else cells)]
