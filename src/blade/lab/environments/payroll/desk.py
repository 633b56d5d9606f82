"""The tools of a payroll office: four lookups and a dozen changes.

They answer in JSON: lookups with the matches or the entries of a section, changes with a transaction, or with an error where they are turned
down. No tool knows groups of occupations, what periods are called, how net pay is grossed up, minor units of currencies, check digits, feasts,
codes of countries, languages or currencies, weeks, weekdays, time zones, or how long a mile is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.draws import is_day
from blade.lab.environments.environment import function
from blade.lab.environments.payroll.files import Employee, Files, Named, Office
from blade.lab.stage.script import Row

EXAMPLE_DAY: Final = "2027-01-04"
"""The day that the schemas of tools give as an example."""
KINDS: Final = ("sick leave", "parental leave", "study leave", "unpaid leave")
SECTIONS: Final = ("pay_history", "overtime", "mileage", "bank_details")
BENEFITS: Final = (
    "meal vouchers", "bus pass", "bicycle lease", "dental cover", "eye tests", "phone contract", "gym card", "child care", "language course",
    "work shoes", "laundry", "parking space",
)  # fmt: skip
FIELDS: Final = ("isco_major_group", "checkup_interval_months")


def _one_of(words: Sequence[str], **more: Any) -> Row:
    return {"type": "string", "enum": list(words), **more}


def _day(description: str) -> Row:
    return {"type": "string", "format": "date", "description": f"{description}, YYYY-MM-DD", "examples": [EXAMPLE_DAY]}


TOOLS = (
    function("find_employee", "Look up an employee by full name.", name="string"),
    function("find_office", "Look up an office abroad by its name.", name="string"),
    function("find_team", "Look up a team at the head office by its name.", name="string"),
    function(
        "open_file",
        "Open a section of an employee's file: hourly pay (in no particular order), overtime not yet paid (hours), mileage claims (miles), or bank details.",
        employee_id="string",
        section=_one_of(SECTIONS),
    ),
    function(
        "record_absence",
        "Record an absence of an employee and who stands in.",
        ("employee_id", "substitute_id", "kind", "first_day"),
        employee_id="string",
        substitute_id={"type": "string", "description": "Employee id of the one who stands in"},
        kind=_one_of(KINDS),
        first_day=_day("First day of the absence"),
        certified={"type": "boolean", "default": False},
    ),
    function(
        "set_reminder",
        "Set a reminder on an employee's file.",
        ("employee_id", "subject", "due_on"),
        employee_id="string",
        subject="string",
        due_on=_day("Day on which it is due"),
        addressee=_one_of(("payroll", "line manager"), default="payroll"),
    ),
    function(
        "close_team",
        "Enter a day on which a team does not work.",
        ("team_id", "day"),
        team_id="string",
        day=_day("Day on which it is closed"),
        paid={"type": "boolean", "default": True},
    ),
    function(
        "pay_one_off",
        "Add a one-off payment to an employee's next payslip.",
        ("employee_id", "currency", "amount_minor"),
        employee_id="string",
        currency={"type": "string", "description": "ISO 4217 code", "pattern": "^[A-Z]{3}$"},
        amount_minor={"type": "number", "description": "Gross amount in the minor unit of the currency by ISO 4217"},
        line=_one_of(("award", "allowance", "correction"), default="award"),
    ),
    function(
        "pay_overtime",
        "Pay out hours of overtime.",
        ("employee_id", "hours"),
        employee_id="string",
        hours={"type": "number", "exclusiveMinimum": 0},
        rate=_one_of(("plain", "with premium"), default="plain"),
    ),
    function("add_journal_note", "Add a note to the journal of an employee.", employee_id="string", text="string"),
    function(
        "file_letter",
        "File a letter to an employee, as a draft or sent.",
        ("employee_id", "text", "status"),
        employee_id="string",
        text="string",
        status=_one_of(("draft", "sent")),
        registered={"type": "boolean", "default": False},
    ),
    function(
        "set_benefits",
        "Set the benefits of a team. They are kept as a set, their order does not matter.",
        team_id="string",
        benefits={"type": "array", "items": _one_of(BENEFITS), "uniqueItems": True},
    ),
    function("set_plan_status", "Set the status of a team's benefit plan.", team_id="string", status=_one_of(("draft", "active", "closed"))),
    function("set_card_field", "Set a figure on an employee's card.", employee_id="string", field=_one_of(FIELDS), value="integer"),
    function("set_hourly_pay", "Set the hourly pay of an employee from today.", employee_id="string", cents={"type": "integer", "minimum": 1}),
    function(
        "plan_posting",
        "Plan the posting of an employee to an office abroad.",
        ("employee_id", "office_id", "country", "language", "starts_on", "distance_km"),
        employee_id="string",
        office_id="string",
        country={"type": "string", "description": "ISO 3166-1 alpha-2 code", "pattern": "^[A-Z]{2}$"},
        language={"type": "string", "description": "ISO 639-1 code of the language of the papers", "pattern": "^[a-z]{2}$"},
        starts_on=_day("First day abroad"),
        distance_km={"type": "number", "exclusiveMinimum": 0},
        housing=_one_of(("own", "company"), default="own"),
    ),
    function(
        "add_dependant",
        "Add somebody whom an employee provides for.",
        ("employee_id", "name", "born_on"),
        employee_id="string",
        name="string",
        born_on={"type": "string", "format": "date", "description": "Date of birth, YYYY-MM-DD"},
        lives_with_employee={"type": "boolean", "default": True},
    ),
    function("set_bank_account", "Set the account that an employee is paid to.", employee_id="string", iban={"type": "string", "description": "IBAN without blanks", "pattern": "^FI[0-9]{16}$"}),
)  # fmt: skip
READS: Final = frozenset(("find_employee", "find_office", "find_team", "open_file"))
WRITES: Final = frozenset(tool["name"] for tool in TOOLS) - READS
OPTIONAL: Final = {
    tool["name"]: tuple(one for one in tool["parameters"]["properties"] if one not in tool["parameters"]["required"]) for tool in TOOLS
}  # fmt: skip
"""The arguments of each tool that can be left out."""
_DAYS: Final = ("first_day", "due_on", "day", "starts_on", "born_on")


def refused(answer: str) -> bool:
    return answer.startswith('{"ok": false')


def _error(code: str, text: str) -> str:
    return json.dumps({"ok": False, "error": {"code": code, "message": text}}, ensure_ascii=False)


class Desk:
    """The tools over the files."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def __call__(self, made: Call) -> str:
        given = made.arguments
        match made.name:
            case "find_employee":
                return self._matches(self.files.employees, given)
            case "find_office":
                return self._matches(self.files.offices, given)
            case "find_team":
                return self._matches(self.files.teams, given)
            case "open_file":
                return self._opened(given.get("employee_id"), given.get("section"))
        return self._changed(made)

    def _matches(self, ones: Sequence[Named], given: Any) -> str:
        return json.dumps({"matches": [_card(one) for one in ones if one.name == given.get("name")]}, ensure_ascii=False)

    def _opened(self, asked: Any, section: Any) -> str:
        found = next((one for one in self.files.employees if one.id == asked), None)
        if found is None:
            return _error("not_found", f"no employee {asked}")
        if section not in SECTIONS:
            return _error("not_found", f"no section {section}")
        return json.dumps({section: _section(found, section)})

    def _changed(self, made: Call) -> str:
        for key, value in made.arguments.items():
            known = self.files.ids.get(key)
            if known is not None and value not in known:
                return _error("not_found", f"{key} {value} does not exist")
            if key in _DAYS and not is_day(value):
                return _error("invalid_argument", f"{key} has to be a date written YYYY-MM-DD")
        return json.dumps({"ok": True, "transaction": dice(*made.key).randrange(100_000, 999_999)})


def _card(one: Named) -> Row:
    """What a lookup shows of a record."""
    match one:
        case Employee():
            return {"employee_id": one.id, "name": one.name, "job": one.job, "joined_on": f"{one.joined}"}
        case Office():
            return {
                "office_id": one.id, "name": one.name, "country": one.country.name, "papers_in": one.country.language,
                "distance_miles": one.miles, "briefing_utc": f"{one.briefing:%Y-%m-%dT%H:%MZ}",
            }  # fmt: skip
    return {"team_id": one.id, "name": one.name}


def _section(one: Employee, section: str) -> Any:
    match section:
        case "pay_history":
            return [{"valid_from": f"{day}", "hourly_eur": f"{cents / 100:.2f}"} for day, cents in one.rates]
        case "overtime":
            return {"hours_not_paid": one.overtime}
        case "mileage":
            return [{"claim": number, "miles": miles} for number, miles in enumerate(one.claims, 1)]
    return {"country": "FI", "national_account": one.account}
