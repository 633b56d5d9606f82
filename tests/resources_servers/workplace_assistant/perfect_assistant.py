"""An assistant that understands every request and has nothing but the tools: what it does must be what is expected.

It reads the sentences with patterns, looks people up in the directory, filters in the query, and turns every page. It shares no code
with the generator, so agreement means that a request says enough and that the tools can do it.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from resources_servers.workplace_assistant.state import Workplace

from .playing import Row, item, server

NOW = datetime(2025, 10, 14, 10, 30)
TODAY = NOW.date()
MONTHS = ("September", "October", "November")
DAY = r"(?:\w+day, \d+ \w+|\d{4}-\d\d-\d\d)"
PERIOD = rf"(?:from|between) (?P<first>{DAY}) (?:to|and) (?P<last>{DAY})"
WHO = r"[A-Z]\w+(?: [A-Z]\w+)?(?: from [A-Z]\w+)?"
WEEK = r"(?P<week>last week|in the week before last|in the week that began on \S+)"
MEASURE = r"(?P<measure>engaged users|visits from the source \w+|visits)"
CRM, PM = "customer_relationship_manager", "project_management"


class Unclear(Exception):
    """The request does not say who is meant."""


class Assistant:
    def __init__(self) -> None:
        self.state = Workplace()
        self.calls: list[Row] = []

    def use(self, tool: str, /, **arguments: Any) -> Any:
        self.calls.append(item(tool, arguments))
        return server().use(self.state, tool, arguments)

    def search(self, name: str, **filters: Any) -> list[Row]:
        """All results, page by page."""
        found: list[Row] = []
        page = 1
        while True:
            answer = self.use(name, **filters, page=page, page_size=4)
            found += next(value for key, value in answer.items() if key != "pagination")
            if page >= answer["pagination"]["total_pages"]:
                return found
            page += 1

    def address(self, who: str) -> str:
        name, _, team = who.partition(" from ")
        people = self.use("company_directory_find_email_address", name=name)["people"]
        fitting = [person for person in people if team in ("", person["team"])]
        if len(fitting) != 1:
            raise Unclear(who)
        return str(fitting[0]["email"])

    def lead(self, team: str) -> str:
        people = self.use("company_directory_find_email_address", name=team)["people"]
        return str(next(person["email"] for person in people if person["title"] == f"{team} lead"))

    def received(self, who: str, **filters: Any) -> list[Row]:
        sender = self.address(who)
        mails = self.search("email_search_emails", query=sender, **filters)
        return [mail for mail in mails if mail["correspondent"] == sender and mail["folder"] == "inbox"]

    def free(self, day: date, minutes: int) -> str:
        events = self.search("calendar_search_events", time_min=str(day), time_max=str(day))
        taken = [
            (begin := datetime.fromisoformat(event["event_start"]), begin + timedelta(minutes=int(event["duration"])))
            for event in events
        ]
        start = datetime(day.year, day.month, day.day, 9)
        while any(start < end and begin < start + timedelta(minutes=minutes) for begin, end in taken):
            start += timedelta(minutes=30)
        assert start + timedelta(minutes=minutes) <= start.replace(hour=17, minute=30)
        return start.isoformat()

    def fell(self, measure: str, week: str) -> bool:
        first, last = week_of(week)
        days = timedelta(days=7)
        return self.count(measure, first, last) < self.count(measure, first - days, last - days)

    def count(self, measure: str, first: date, last: date) -> int:
        period = {"time_min": str(first), "time_max": str(last)}
        if measure == "engaged users":
            return int(self.use("analytics_engaged_users_count", **period)["total"])
        if measure == "visits":
            return int(self.use("analytics_total_visits_count", **period)["total"])
        return int(self.use("analytics_traffic_source_count", **period, traffic_source=measure.split()[-1])["total"])

    def update_all(self, tool: str, key: str, rows: list[Row], field: str, value: str) -> None:
        for row in rows:
            self.use(tool, **{key: row[key]}, field=field, new_value=value)

    def overdue(self, email: str) -> list[Row]:
        late = self.search(f"{PM}_search_tasks", assigned_to_email=email, due_date_max=str(TODAY - timedelta(days=1)))
        return [row for row in late if row["list_name"] != "Done"]


def day_of(text: str) -> date:
    if text[0].isdigit():
        return date.fromisoformat(text)
    weekday, number, month = text.replace(",", "").split()
    found = date(2025, 9 + MONTHS.index(month) if month in MONTHS else 8, int(number))
    assert f"{found:%A}" == weekday
    return found


def week_of(words: str) -> tuple[date, date]:
    monday = TODAY - timedelta(days=TODAY.weekday())
    if words == "last week":
        first = monday - timedelta(weeks=1)
    elif words.endswith("the week before last"):
        first = monday - timedelta(weeks=2)
    else:
        first = date.fromisoformat(words.split()[-1])
    return first, first + timedelta(days=6)


def period_of(words: str) -> tuple[date, date]:
    if found := re.search(PERIOD, words):
        return day_of(found["first"]), day_of(found["last"])
    if found := re.search(r"last (\d+) days", words):
        return TODAY - timedelta(days=int(found[1])), TODAY
    if found := re.search(rf"since ({DAY})", words):
        return day_of(found[1]), TODAY
    if "September" in words:
        return date(2025, 9, 1), date(2025, 9, 30)
    return week_of(words)


def value_of(words: str) -> str:
    if words.startswith("visits from the source"):
        return f"visits_{words.split()[-1]}"
    return words.removeprefix("the ").replace(" ", "_")


Solve = Callable[[Assistant, dict[str, str]], Any]
SOLUTIONS: list[tuple[str, Solve]] = []


def on(*patterns: str) -> Callable[[Solve], Solve]:
    def remember(solve: Solve) -> Solve:
        SOLUTIONS.extend((pattern, solve) for pattern in patterns)
        return solve

    return remember


def do(request: str) -> list[Row]:
    """The calls that the request leads to; none that change anything when it is unclear who is meant."""
    for pattern, solve in SOLUTIONS:
        if found := re.fullmatch(pattern, request):
            assistant = Assistant()
            try:
                solve(assistant, found.groupdict())
            except Unclear:
                return [call for call in assistant.calls if "find" in call["name"]]
            return assistant.calls
    raise AssertionError(f"not understood: {request}")
