"""What goes wrong around the travel desk's agents: the words of its broken portal, and the ways in which its dataset breaks."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.desk import dice
from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["browser_crashed"] = (
    "playwright._impl._errors.TargetClosedError: {tool}: Target page, context or browser has been closed",
    "selenium.common.exceptions.WebDriverException: Message: disconnected: not connected to DevTools (session info: chrome=126.0)",
    "playwright._impl._errors.Error: Page.goto: Page crashed (portal view for {tool})",
    "pyppeteer.errors.BrowserError: Browser closed unexpectedly (worker {host})",
)
troubles.STOPS["browser_crashed"] = (
    "The browser behind {tool} has crashed and does not come back. The request is not done.",
    "I can't reach the portal: its browser window closed on both tries. I have to stop here.",
    "{tool} fails because the browser session is gone. Please run this again later.",
)

_VOLATILE: Final = ("orders.modified_at", "audit_log.written_at", "receipts.number")
"""Columns of the portal that are other in every rollout."""


def volatile(request: str, rng: Random) -> str:
    """What a comparison says that took such a column for a part of the result; what it expects is the same for all who are asked this."""
    recorded = dice("recorded", request)
    column = recorded.choice(_VOLATILE)
    if column == "receipts.number":
        expected, found = (str(one.randrange(10**7, 10**8)) for one in (recorded, rng))
    else:
        expected, found = _time("2026-02-20", recorded), _time("2026-09-14", rng)
    return f"{column}: expected {expected}, found {found}; all other columns equal"


def _time(day: str, rng: Random) -> str:
    return f"{day}T{rng.randint(10, 18)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}Z"


def spoilt_golds(gold: Row, annotated: date, days_from_today: int | None, dated: bool) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `days_from_today` is what the request counts from the day on which it is read, `dated` says that it has a day written out.
    """
    calls = gold["oracle"]["api_calls"]
    made: dict[str, Row] = {}
    if len(calls) > 1:
        made["gold_missing_step"] = with_oracle(gold, api_calls=calls[:-1])
    moved = calls[0]["parameters"].get("departure")
    if moved and dated and int(moved[8:10]) <= 12 and moved[8:10] != moved[5:7]:
        made["day_month_swapped"] = _departing(gold, f"{moved[:4]}-{moved[8:10]}-{moved[5:7]}{moved[10:]}")
    if moved and days_from_today is not None:
        then = (annotated + timedelta(days=days_from_today)).isoformat()
        made["aged_gold"] = {
            **_departing(gold, then + moved[10:]), "reference_note": gold["reference_note"].replace(moved[:10], then)
        }  # fmt: skip
    return made


def _departing(gold: Row, departure: str) -> Row:
    first, *rest = gold["oracle"]["api_calls"]
    return with_oracle(gold, api_calls=[{**first, "parameters": {**first["parameters"], "departure": departure}}, *rest])


def with_oracle(gold: Row, **fields: object) -> Row:
    return {**gold, "oracle": {**gold["oracle"], **fields}}
