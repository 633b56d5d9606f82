"""The tools of a conservatory, named in capitals by the programme that offers them (`ROSTER_FIND_PUPIL`).

Answers are lines of `key=value`, one for each record; a change is answered with a receipt, what is turned down with `level=error`. No tool
knows key signatures, transpositions, terms of protection, time zones or where a composer was at home.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.conservatory.roll import COMPOSERS, DEPARTMENTS, TEST_PARTS, Roll
from blade.lab.environments.environment import function
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2026-12-01"
"""The day that the schema of a tool gives as an example."""


def _text(description: str, **more: Any) -> Row:
    return {"type": "string", "description": description, **more}


_PUPIL, _TEACHER, _SCORE = (
    _text("Resource name of the pupil"),
    _text("Resource name of the teacher"),
    _text("Resource name of the score"),
)
_EUROS, _NAME = {"type": "number", "description": "Euros", "minimum": 0}, _text("Full name")
TOOLS = (
    function("ROSTER_FIND_PUPIL", "Find a pupil.", full_name=_NAME),
    function("ROSTER_FIND_TEACHER", "Find a teacher.", full_name=_NAME),
    function("ROSTER_LIST_DEPARTMENT", "Teachers of a department, with the hours they teach each week.", department=_text("", enum=list(DEPARTMENTS))),
    function("TIMETABLE_LIST_LESSONS", "Weekly lessons of a pupil.", pupil=_PUPIL),
    function("STORE_LIST_LOANS", "Instruments lent to a pupil, with the weight of each in its case (lb).", pupil=_PUPIL),
    function("LIBRARY_FIND_SCORE", "Find an album in the score library.", title=_text("Title")),
    function("STAGE_FIND_ENSEMBLE", "Find an ensemble.", ensemble_name=_text("Name")),
    function("STAGE_FIND_CONCERT", "Find a concert, with its beginning (UTC).", concert_name=_text("Name")),
    function(
        "TIMETABLE_BOOK_TRIAL",
        "Book a trial lesson.",
        ("pupil", "teacher", "day"),
        pupil=_PUPIL,
        teacher=_TEACHER,
        day=_text(f"Day of the lesson, for example {EXAMPLE_DAY}", format="date"),
        minutes={"type": "integer", "description": "Length; 30 unless given", "enum": [30, 45, 60], "default": 30},
    ),
    function("TIMETABLE_END_LESSON", "Take a weekly lesson out of the timetable.", lesson=_text("Resource name of the lesson")),
    function("BILLING_ADD_CHARGE", "Charge a pupil.", pupil=_PUPIL, reason=_text("What it is for"), euros=_EUROS),
    function(
        "BILLING_PAY_BACK",
        "Pay money back to a pupil.",
        ("pupil", "reason", "euros"),
        pupil=_PUPIL,
        reason=_text("What it was paid for"),
        euros=_EUROS,
        by=_text("How; transfer unless given", enum=["transfer", "cash", "voucher"], default="transfer"),
    ),
    function(
        "TESTS_SET_PARTS",
        "Set the parts of a pupil's test. They form a set: the order in which they are given has no meaning.",
        pupil=_PUPIL,
        parts={"type": "array", "items": {"type": "string", "enum": list(TEST_PARTS)}, "uniqueItems": True},
    ),
    function("TESTS_SET_STATE", "Set the state of a pupil's test.", pupil=_PUPIL, state=_text("", enum=["draft", "open", "closed"])),
    function("STAGE_SET_COACH", "Make a teacher the coach of an ensemble.", ensemble=_text("Resource name of the ensemble"), teacher=_TEACHER),
    function("LIBRARY_SET_SIGNATURE", "Enter the key signature of an album's first piece.", score=_SCORE, signature=_text('Such as "2 flats", "1 sharp" or "none"')),
    function("LIBRARY_ADD_PART", "Enter a part for an instrument.", score=_SCORE, instrument=_text("Instrument"), written_key=_text('Key in which the part is written, such as "A flat major"')),
    function("LIBRARY_SET_FREE_FROM", "Enter the first calendar year in which an album may be copied freely.", score=_SCORE, year="integer"),
)  # fmt: skip
READS: Final = frozenset(tool["name"] for tool in TOOLS if "_FIND_" in tool["name"] or "_LIST_" in tool["name"])
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
_IDS: Final = ("pupil", "teacher", "lesson", "score", "ensemble")


def refused(answer: str) -> bool:
    return answer.startswith("level=error")


class Desk:
    """The tools over the conservatory's roll."""

    def __init__(self, roll: Roll) -> None:
        self.roll = roll

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        (asked,) = made.arguments.values()
        return "\n".join(map(_line, self._found(made.name, asked))) or _line({"level": "warn", "matches": 0, "query": asked})

    def _found(self, name: str, asked: object) -> list[Row]:
        roll = self.roll
        match name:
            case "ROSTER_FIND_PUPIL":
                return [
                    {"pupil": one.id, "full_name": one.name, "first_day": one.since} for one in roll.pupils if one.name == asked
                ]
            case "ROSTER_FIND_TEACHER":
                return [
                    {"teacher": one.id, "full_name": one.name, "department": one.department}
                    for one in roll.teachers
                    if one.name == asked
                ]
            case "ROSTER_LIST_DEPARTMENT":
                return [
                    {"teacher": one.id, "full_name": one.name, "weekly_hours": one.hours}
                    for one in roll.teachers
                    if one.department == asked
                ]
            case "TIMETABLE_LIST_LESSONS":
                return [{"lesson": one.id, "subject": one.subject} for one in roll.lessons_of(asked)]
            case "STORE_LIST_LOANS":
                return [{"item": one.item, "case_lb": one.pounds} for one in roll.loans_of(asked)]
            case "LIBRARY_FIND_SCORE":
                return [
                    {"score": one.id, "title": one.title, "composer": one.composer, "composer_died": COMPOSERS[one.composer][0],
                     "first_piece_sounds_in": one.key}
                    for one in roll.albums
                    if one.title == asked
                ]  # fmt: skip
            case "STAGE_FIND_ENSEMBLE":
                return [{"ensemble": one.id, "ensemble_name": one.name} for one in roll.ensembles if one.name == asked]
            case "STAGE_FIND_CONCERT":
                return [
                    {"concert": one.id, "concert_name": one.name, "begins": f"{one.starts:%Y-%m-%dT%H:%MZ}"}
                    for one in roll.concerts
                    if one.name == asked
                ]
        return []

    def _changed(self, made: Call) -> str:
        given = made.arguments
        for key in _IDS:
            if key in given and not (given[key] in self.roll.ids and str(given[key]).startswith(key)):
                return _turned_down(f"no such {key}: {given[key]}")
        if "day" in given and not _is_day(given["day"]):
            return _turned_down(f"day must be a date: {given['day']}")
        return _line({"level": "info", "saved": "yes", "receipt": f"{dice(*made.key).randrange(16**6):06x}"})


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def _turned_down(why: str) -> str:
    return _line({"level": "error", "saved": "no", "why": why})


def _line(fields: Row) -> str:
    return " ".join(f"{key}={_shown(value)}" for key, value in fields.items())


def _shown(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if " " in text else text
