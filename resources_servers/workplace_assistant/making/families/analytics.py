"""Tasks with the site's figures: plots of periods said in words, plots that depend on what the figures say."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call
from resources_servers.workplace_assistant.moments import TODAY, monday
from resources_servers.workplace_assistant.tools.analytics import PLOTS, SOURCES

from .phrases import Period, one_of, past_period

SPOKEN = {
    "total_visits": "total visits",
    "engaged_users": "engaged users",
    "average_session_duration": "the average session duration",
    **{f"visits_{source}": f"visits from the source {source}" for source in SOURCES},
}


def draw(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        period, value, kind = past_period(rng), rng.choice(sorted(SPOKEN)), rng.choice(PLOTS)
        asked = one_of(
            rng,
            f"Make a {kind} plot of {SPOKEN[value]} for {_named(period)}.",
            f"I need {SPOKEN[value]} as a {kind} plot, for {_named(period)}.",
        )
        yield Task(asked, (plot(period, value, kind),), {"analytics": {"created": 1}})


def draw_if_fell(office: Office, rng: Random) -> Iterator[Task | None]:
    """Two neighbouring weeks are compared; sometimes there is nothing to draw."""
    while True:
        later, wanted, words = week(rng.choice((-1, -2, -3, -4))), *rng.choice(MEASURES)
        earlier = before(later)
        now, then = (office.visits_between(one.first, one.last, **wanted) for one in (later, earlier))
        value, kind, otherwise = rng.choice(sorted(SPOKEN)), rng.choice(PLOTS), rng.random() < 0.5
        if now == then:
            yield None
            continue
        other = (
            f"otherwise make a bar plot of total visits for {_named(later)}"
            if otherwise
            else "otherwise leave everything as it is"
        )
        asked = (
            f"If we had fewer {words} {later.when} than in the week before it, make a {kind} plot of {SPOKEN[value]} for that week "
            f"({later.first} to {later.last}); {other}."
        )
        if now < then:
            yield Task(asked, (plot(later, value, kind),), {"analytics": {"created": 1}})
        elif otherwise:
            yield Task(asked, (plot(later, "total_visits", "bar"),), {"analytics": {"created": 1}})
        else:
            yield Task(asked)


def draw_best_source(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        period, kind, most = past_period(rng), rng.choice(PLOTS), rng.random() < 0.5
        counts = {source: office.visits_between(period.first, period.last, source=source) for source in SOURCES}
        ranked = sorted(counts, key=lambda source: counts[source], reverse=most)
        if counts[ranked[0]] == counts[ranked[1]]:
            yield None
            continue
        asked = (
            f"Find out which traffic source brought the {'most' if most else 'fewest'} visits {period.when}, "
            f"and make a {kind} plot of the visits from that source for the same period."
        )
        yield Task(asked, (plot(period, f"visits_{ranked[0]}", kind),), {"analytics": {"created": 1}})


MEASURES: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "visits"),
    ({"engaged": "yes"}, "engaged users"),
    ({"source": "search"}, "visits from the source search"),
    ({"source": "referral"}, "visits from the source referral"),
)


def week(weeks: int) -> Period:
    first = monday(weeks)
    words = {-1: "last week", -2: "the week before last"}.get(weeks, f"the week that began on {first}")
    return Period(first, first + timedelta(days=6), words)


def before(period: Period) -> Period:
    """The seven days before a week."""
    return Period(period.first - timedelta(days=7), period.first - timedelta(days=1), "the week before it")


def plot(period: Period, value: str, kind: str) -> Call:
    last = min(period.last, TODAY)
    return call("analytics_create_plot", time_min=str(period.first), time_max=str(last), value_to_plot=value, plot_type=kind)


def _named(period: Period) -> str:
    return f"the days {period.words}" if period.words.startswith(("from", "between")) else period.words


FAMILIES = (
    Family("analytics_draw", "analytics", 8, draw),
    Family("analytics_draw_if_fell", "analytics", 8, draw_if_fell),
    Family("analytics_draw_best_source", "analytics", 6, draw_best_source),
)
