"""Figures about the visits to the company's site, by day, and plots of them. The visits never change; a plot is a record of its own,
and drawing the same plot again replaces it."""

from collections.abc import Iterator
from datetime import timedelta
from statistics import fmean
from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.moments import TODAY, first_day, last_day, parse_day
from resources_servers.workplace_assistant.state import ANALYTICS, Row, Workplace, visits

from .values import choice

SOURCES = ("direct", "search", "referral", "newsletter")
VALUES = ("total_visits", "engaged_users", "average_session_duration", *(f"visits_{source}" for source in SOURCES))
PLOTS = ("bar", "line", "scatter", "histogram")

First = Annotated[str, "First day, as 2025-10-01; from the beginning when left out"]
Last = Annotated[str, "Last day, included; until today when left out"]


class AnalyticsTools:
    @tool
    def analytics_get_visitor_information_by_id(
        self, state: Workplace, visitor_id: Annotated[str, "Id of the visitor, such as vi-0001"]
    ) -> dict[str, Any]:
        """All visits of one visitor: when, from which source, pages seen, seconds, engaged or not."""
        found = [row for row in visits() if row["visitor_id"] == visitor_id.strip()]
        if not found:
            raise ValueError(f"there is no visitor with visitor_id {visitor_id[:60]!r}")
        return {"visits": found}

    @tool
    def analytics_create_plot(
        self,
        state: Workplace,
        time_min: Annotated[str, "First day, as 2025-10-01"],
        time_max: Annotated[str, "Last day, included; today at the latest"],
        value_to_plot: Annotated[str, f"One of {', '.join(VALUES)}"],
        plot_type: Annotated[str, f"One of {', '.join(PLOTS)}"],
    ) -> dict[str, str]:
        """Draw a figure by day as a plot and save it. Gives the plot's file."""
        first, last = parse_day(time_min, "time_min"), parse_day(time_max, "time_max")
        if last < first:
            raise ValueError("time_max lies before time_min")
        if last > TODAY:
            raise ValueError(f"there are no visits after today, {TODAY}")
        value, kind = choice(value_to_plot, "value_to_plot", VALUES), choice(plot_type, "plot_type", PLOTS)
        plot = f"plots/{first}_{last}_{value}_{kind}.png"
        row = {"plot": plot, "time_min": str(first), "time_max": str(last), "value_to_plot": value, "plot_type": kind}
        state.put(ANALYTICS, row)
        return {"plot": plot}

    @tool
    def analytics_total_visits_count(self, state: Workplace, time_min: First = "", time_max: Last = "") -> dict[str, Any]:
        """Number of visits, by day and in total."""
        return _counts(list(_visits(time_min, time_max)))

    @tool
    def analytics_engaged_users_count(self, state: Workplace, time_min: First = "", time_max: Last = "") -> dict[str, Any]:
        """Number of engaged visits (those that led to a click on a product), by day and in total."""
        return _counts([row for row in _visits(time_min, time_max) if row["engaged"] == "yes"])

    @tool
    def analytics_traffic_source_count(
        self,
        state: Workplace,
        time_min: First = "",
        time_max: Last = "",
        traffic_source: Annotated[str, f"One of {', '.join(SOURCES)}; all of them when left out"] = "",
    ) -> dict[str, Any]:
        """Number of visits that came from a source, by day and in total."""
        wanted = (choice(traffic_source, "traffic_source", SOURCES),) if traffic_source.strip() else SOURCES
        return _counts([row for row in _visits(time_min, time_max) if row["source"] in wanted])

    @tool
    def analytics_get_average_session_duration(
        self, state: Workplace, time_min: First = "", time_max: Last = ""
    ) -> dict[str, Any]:
        """Average length of a visit in seconds, by day and over all visits of the period."""
        found = list(_visits(time_min, time_max))
        by_day: dict[str, list[int]] = {}
        for row in found:
            by_day.setdefault(row["visited_at"][:10], []).append(int(row["seconds"]))
        overall = round(fmean(int(row["seconds"]) for row in found), 1) if found else None
        return {"by_day": {day: round(fmean(seconds), 1) for day, seconds in by_day.items()}, "average": overall}


def _visits(time_min: str, time_max: str) -> Iterator[Row]:
    first, last = first_day(time_min, "time_min"), last_day(time_max, "time_max")
    return (row for row in visits() if first <= row["visited_at"][:10] <= last)


def _counts(found: list[Row]) -> dict[str, Any]:
    """By day without gaps between the first and the last day that has any."""
    days = sorted({row["visited_at"][:10] for row in found})
    by_day = dict.fromkeys(_days(days[0], days[-1]) if days else (), 0)
    for row in found:
        by_day[row["visited_at"][:10]] += 1
    return {"by_day": by_day, "total": len(found)}


def _days(first: str, last: str) -> Iterator[str]:
    day = parse_day(first, "first")
    while (shown := day.isoformat()) <= last:
        yield shown
        day += timedelta(days=1)
