"""What the tools share: values that people type, checked and tidied, and pages of results.

What a tool stores is trimmed and in one form, so that `9:00` with or without seconds, or a name with a space too many, is the same
record. What it refuses, it refuses with a sentence that says what it takes.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from resources_servers.workplace_assistant.moments import parse_day, parse_moment, stored
from resources_servers.workplace_assistant.state import Row, people

LONGEST_TEXT = 20_000
LARGEST_PAGE = 25
ADDRESS = re.compile(r"[^@\s,;<>]{1,80}@[^@\s,;<>]+\.[^@\s,;<>.]{2,24}")

Page = Annotated[int, "Which page of the results, from 1"]
PageSize = Annotated[int, f"Results per page, at most {LARGEST_PAGE}"]


def text(value: str, name: str, *, needed: bool = True) -> str:
    """Trimmed text that can be stored and sent."""
    tidy = value.strip()
    if needed and not tidy:
        raise ValueError(f"{name} must not be empty")
    if len(tidy) > LONGEST_TEXT:
        raise ValueError(f"{name} is longer than {LONGEST_TEXT} characters")
    if any("\ud800" <= letter <= "\udfff" or letter == "\0" for letter in tidy):
        raise ValueError(f"{name} holds characters that cannot be stored")
    return tidy


def address(value: str, name: str) -> str:
    """A well-formed email address, in lower case. Whether someone reads mail there is not known here."""
    tidy = text(value, name).lower()
    if len(tidy) > 200 or not ADDRESS.fullmatch(tidy):
        raise ValueError(f"{name} must be an email address, not {value[:60]!r}")
    return tidy


def colleague(value: str, name: str) -> str:
    """The address of somebody in the company directory."""
    tidy = address(value, name)
    if not any(person["email"] == tidy for person in people()):
        raise ValueError(f"{name}: nobody in the company has the address {tidy[:60]!r}; look it up in the company directory")
    return tidy


def choice(value: str, name: str, choices: Sequence[str]) -> str:
    if value.strip() not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value[:60]!r}")
    return value.strip()


def day(value: str, name: str) -> str:
    return parse_day(value, name).isoformat()


def moment(value: str, name: str) -> str:
    return stored(parse_moment(value, name))


def minutes(value: str | int, name: str) -> str:
    try:
        length = int(value)
    except ValueError:
        raise ValueError(f"{name} must be a number of minutes, not {str(value)[:60]!r}") from None
    if not 5 <= length <= 600:
        raise ValueError(f"{name} must be between 5 and 600 minutes")
    return str(length)


def known(field: str, fields: Iterable[str]) -> str:
    """The name of a field that may be asked for or set."""
    return choice(field, "field", tuple(fields))


def answer(row: Row, field: str) -> Row:
    """A whole record, or one field of it."""
    if not field.strip():
        return row
    return {known(field, row): row[field.strip()]}


def has(row: Row, column: str, part: str) -> bool:
    return part.strip().lower() in row[column].lower()


def mentions(row: Row, columns: Iterable[str], query: str) -> bool:
    """Whether every word of the query occurs somewhere in the columns."""
    looked_at = " ".join(row[column] for column in columns).lower()
    return all(word in looked_at for word in query.lower().split())


def page_of(name: str, rows: Sequence[Row], page: int, page_size: int) -> dict[str, Any]:
    """One page of the results, and how many there are in all."""
    if page < 1:
        raise ValueError("page starts at 1")
    if not 1 <= page_size <= LARGEST_PAGE:
        raise ValueError(f"page_size must be between 1 and {LARGEST_PAGE}")
    start = (page - 1) * page_size
    pages = -(-len(rows) // page_size)
    shown = list(rows[start : start + page_size]) if page <= pages else []
    return {name: shown, "pagination": {"total": len(rows), "page": page, "page_size": page_size, "total_pages": pages}}
