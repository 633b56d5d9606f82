"""Errands that take knowledge of mountains: walking times, the cold that wind brings, and where it puts the snow."""

from __future__ import annotations

from random import Random

from blade.lab.environments.rescue.board import ASPECTS, Board, Mast, opposite, wind_chill
from blade.lab.environments.rescue.errands import Errand, task_of
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call


def _read(mast: Mast) -> Script:
    return (call("get_v1_masts", mast_name=mast.name),)


def walk(index: int, board: Board, rng: Random) -> Task:
    """A walking time by the rule of Naismith (1892) in its metric form: 5 km an hour, and a minute for each 10 m of ascent."""
    route = rng.choice(board.routes)
    right, slow = (pace * route.half_km + route.ascent // 10 for pace in (6, 7.5))

    def entered(minutes: float) -> Errand:
        change = call("put_v1_routes_time", changes=True, route=route.id, minutes=round(minutes))
        return Errand(
            (call("get_v1_routes", route_name=route.name),),
            (change,),
            f"{round(minutes)} minutes are planned for the {route.name}",
        )

    others = [right + off for off in rng.sample((-44, -31, -24, -17, -12, 9, 14, 22, 27, 35), 5)]
    guesses = [one for one in (150, 180, 240, 300) if one != right]
    request = rng.choice(
        (
            f"Enter the walking time of the {route.name} ({route.id}) by Naismith's rule in its metric form, in minutes and without breaks.",
            f"The {route.name} ({route.id}) still lacks its planned time. Work it out with the metric version of Naismith's rule and record the minutes.",
        )
    )
    faulty = {
        "wrong_rule": scripts([entered(slow).but()] * 2, rng),
        "wavering_argument": scripts([entered(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(entered(one).unread(rng, "get_v1_routes") for one in guesses),
    }
    why = [f"{route.name}: {route.km:g} km with {route.ascent} m of ascent take {one:g} min" for one in (right, others[4])]
    return task_of(index, "walk", request, entered(right), entered(others[4]), why, faulty, board, rng)


def felt(index: int, board: Board, rng: Random) -> Task:
    """The wind chill at a mast, where it does not lie between two whole degrees."""
    clear = [one for one in board.masts if abs(wind_chill(one.celsius, one.kmh) % 1 - 0.5) > 0.08]
    mast = rng.choice(clear)
    right = round(wind_chill(mast.celsius, mast.kmh))

    def entered(celsius: int) -> Errand:
        change = call("put_v1_masts_felt", changes=True, mast=mast.id, celsius=celsius)
        return Errand(_read(mast), (change,), f"the {mast.name} shows {celsius} degrees as felt")

    others = [right + off for off in rng.sample((-7, -5, -4, -3, -2, 2, 3, 4, 5, 6), 5)]
    request = rng.choice(
        (
            f"What does it feel like at the {mast.name} ({mast.id})? Enter the wind chill for the last readings, by the index in use since 2001, in whole degrees Celsius.",
            f"Record the felt temperature at the {mast.name} ({mast.id}): the 2001 wind chill index for what the mast shows, rounded to a whole degree Celsius.",
        )
    )  # fmt: skip
    guesses = [one for one in (-8, -12, -18, -25) if one != right]
    faulty = {
        "wavering_wind_chill": scripts([entered(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(entered(one).unread(rng, "get_v1_masts") for one in guesses),
    }
    why = [f"{mast.name}: {mast.celsius} C with {mast.kmh} km/h of wind feel like {one} C" for one in (right, others[4])]
    return task_of(index, "felt temperature", request, entered(right), entered(others[4]), why, faulty, board, rng)


def lee(index: int, board: Board, rng: Random) -> Task:
    """The slopes that the wind loads with snow lie on the side to which it blows."""
    mast = rng.choice(board.masts)
    right = opposite(mast.wind)
    beside = rng.choice([one for one in ASPECTS if one not in (right, mast.wind)])

    def closed(aspect: str) -> Errand:
        change = call("post_v1_closures", changes=True, mast=mast.id, aspect=aspect)
        return Errand(_read(mast), (change,), f"slopes that face {aspect} are closed around the {mast.name}")

    request = rng.choice(
        (
            f"Fresh drifts around the {mast.name}. Close the slopes in the lee of the wind that it measures.",
            f"Going by the wind at the {mast.name}, close the aspect on which snow is drifting in, the lee slopes.",
        )
    )
    faulty = {"lee_as_windward": scripts([closed(mast.wind).but()] * 2, rng)}
    why = [f"Wind from the {mast.wind} at the {mast.name}: the lee slopes face {one}" for one in (right, beside)]
    return task_of(index, "closure", request, closed(right), closed(beside), why, faulty, board, rng)
