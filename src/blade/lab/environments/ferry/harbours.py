"""Errands about harbours: notices, facilities, and the weather on their boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.draws import swallowed
from blade.lab.environments.ferry.desk import FACILITIES
from blade.lab.environments.ferry.errands import Errand, looked_up, task_of
from blade.lab.environments.ferry.line import Harbour, Line, sea_state
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

NOTICES: Final = {
    "Stow yr. bykes & prams aft of ye funnel - Bjørn": ("Stow your bikes & prams aft of the funnel - Bjørn", "Stow yr. bikes & prams aft of ye funnel - Bjørn"),
    "no swiming off the pier, Capt. Åse & crew sez so": ("No swimming off the pier, Captain Åse & crew say so", "no swimming off the pier, Capt. Åse & crew says so"),
    "last boat leeves 9 pm shrp & waits 4 no 1, Jörg": ("Last boat leaves 9 pm sharp & waits for no one, Jörg", "last boat leaves 9 pm sharp & waits 4 no 1, Jörg"),
    "Gulls bite!! mind chps & pies (René, kiosk)": ("Gulls bite! Mind chips & pies (René, kiosk)", "Gulls bite!! mind chips & pies (René, kiosk)"),
    "toylets shut for repars, use ye café's & say thx": ("Toilets shut for repairs, use the café's & say thanks", "toilets shut for repairs, use ye café's & say thx"),
    "dogs on leeds & kids in hand on ye slip, Møller": ("Dogs on leads & kids in hand on the slip, Møller", "dogs on leads & kids in hand on ye slip, Møller"),
    "lost: 1 lft boot & a böx of bait, see Sören": ("Lost: 1 left boot & a box of bait, see Sören", "lost: 1 lft boot & a box of bait, see Sören"),
    "Quay closed 2 cars whyle Zoë & mates paint it": ("Quay closed to cars while Zoë & mates paint it", "Quay closed 2 cars while Zoë & mates paint it"),
}  # fmt: skip
"""What piermasters write, and what becomes of it when somebody tidies it up."""
KNOTS: Final = {2: 6, 3: 10, 4: 16, 5: 21, 6: 27, 7: 33, 8: 40, 9: 47, 10: 55}
"""The highest wind speed of a force of Beaufort's scale."""
GAPS: Final = ("...", "[...]", "…")


def notice(index: int, line: Line, rng: Random) -> Task:
    """A notice is filed letter for letter, and stays a draft."""
    harbour = rng.choice(line.harbours)
    wording = rng.choice(tuple(NOTICES))
    pinned = rng.random() < 0.15

    def filed(text: str = wording, status: str = "draft") -> Errand:
        change = call("notice_file", changes=True, harbour_id=harbour.id, text=text, status=status, pinned=pinned)
        told = "is filed as a draft" if status == "draft" else "is posted"
        return Errand(looked_up(harbour), (change,), f"the notice for {harbour.name} {told}")

    where = "pinned above the others" if pinned else "not pinned"
    request = rng.choice(
        (
            f"From the piermaster at {harbour.name}, a notice in his very own words: “{wording}” Keep every letter of it, he is fond of his spelling. File it as a draft, {where}; the office wants to see it before anybody posts it.",
            f"New notice for {harbour.name}, to be taken over character for character without any tidying: “{wording}” It is a draft for the time being and must not be posted yet ({where}).",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in NOTICES[wording]], rng),
        "draft_sent_off": scripts([filed(status="posted").but()] * 2, rng),
        "default_spelled_out": scripts([filed().but(decisive=False, language="en")] * 2, rng),
    }
    slip = NOTICES[wording][0]
    why = [f"Draft for {harbour.name}, {where}, as written: {one}" for one in (wording, slip)]
    return task_of(index, "notices", request, filed(), filed(slip), why, faulty, line, rng)


def facilities(index: int, line: Line, rng: Random) -> Task:
    """The facilities on a list are entered, all but for one, and the harbour opens."""
    harbour, namesake = rng.sample(line.harbours, 2)
    chosen = rng.sample(FACILITIES, 9)
    wanted, theirs, excepted, at = chosen[: rng.randint(4, 5)], chosen[5:8], chosen[8], rng.randint(0, 1)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("facilities_replace", changes=True, harbour_id=harbour.id, facilities=list(some)),
            call("status_set", changes=True, harbour_id=harbour.id, status="open"),
        )
        return Errand(looked_up(harbour), changes, f"{harbour.name} has {len(some)} facilities and is open{remark}")

    request = rng.choice(
        (
            f"{harbour.name} opens for the season. Replace its facilities by those in the list below except “{excepted}”, and set its status to open after that.",
            f"Here is what {harbour.name} offers this season, see the list below. Enter it as its facilities but leave out “{excepted}”, then set the status to open.",
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"{number}. {one}" for number, one in enumerate(some, 1)]
        return "\n".join((request, "", f"{name}, facilities:", *lines))

    listed = [*wanted[:at], excepted, *wanted[at:]]
    gap, shown = rng.choice(GAPS), [*wanted[:2], wanted[-1]]
    lines = with_list(harbour.name, listed).splitlines()
    first = 3 + listed.index(wanted[-1])
    elided = "\n".join((*lines[:6], gap, *lines[first:]))
    missing = f" (the list has a gap, {gap}, so only what is shown)"
    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered(listed).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{harbour.name}: {', '.join(one)}; without {excepted}. Then open." for one in (wanted, slip)]
    remark = f" (although the list has the heading {namesake.name})"
    remade: Row = {
        "swapped_attachment": {
            "request": with_list(namesake.name, [*theirs[:at], excepted, *theirs[at:]]),
            "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
        },
        "elided_list": {
            "request": elided,
            "sound": scripts([entered(shown), entered(shown, missing), entered(shown, missing)], rng),
        },
    }
    return task_of(
        index, "facilities", with_list(harbour.name, listed), entered(wanted), entered(slip), why, faulty, line, rng,
        unattached=request, remade=remade,
    )  # fmt: skip


def sea(index: int, line: Line, rng: Random) -> Task:
    """The degree of the sea off a harbour, by the height of its waves."""
    harbour = rng.choice(line.harbours)
    right = sea_state(harbour.wave)

    def put(degree: int) -> Errand:
        change = call("weather_post", changes=True, harbour_id=harbour.id, sea_state=degree)
        reads = (*looked_up(harbour), call("sheet_read", record_id=harbour.id, sheet="waves"))
        return Errand(reads, (change,), f"the board of {harbour.name} shows sea state {degree}")

    others = rng.sample([one for one in range(1, 9) if one != right], 5)
    request = rng.choice(
        (
            f"Please post the sea state for {harbour.name}: the degree of the Douglas scale for the height of the waves that is noted there now.",
            f"The board at {harbour.name} needs the sea state, as a degree of Douglas's scale. Go by the waves noted for it and post it.",
        )
    )
    faulty = {
        "wavering_sea_state": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([put(right).but(decisive=False, sea_state=float(right))] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "sheet_read") for one in (2, 3, 5, 6) if one != right),
    }
    why = [f"Waves off {harbour.name}: {harbour.wave} m, Douglas {one}." for one in (right, others[4])]
    return task_of(index, "sea", request, put(right), put(others[4]), why, faulty, line, rng)


def wind(index: int, line: Line, rng: Random) -> Task:
    """The highest speed of a force of wind goes on a harbour's board."""
    harbour, neighbour = rng.sample(line.harbours, 2)
    force, theirs = rng.sample(tuple(KNOTS)[1:-1], 2)
    words = rng.choice(
        (
            "The forecast for {harbour} is force {force} on the Beaufort scale. Post the wind on its board, in knots: the highest whole number that still belongs to that force.",
            "Force {force} (Beaufort) is expected at {harbour}. Put it on the board there as wind in knots, taking the top speed of that force, a whole number.",
        )
    )

    def put(knots: int, one: Harbour = harbour) -> Errand:
        change = call("weather_post", changes=True, harbour_id=one.id, wind_knots=knots)
        return Errand(looked_up(one), (change,), f"{one.name} is posted with wind up to {knots} knots")

    right, beside = KNOTS[force], KNOTS[force + rng.choice((-1, 1))]
    others = rng.sample([one for one in range(right - 9, right + 10) if one > 1 and one not in KNOTS.values()], 5)
    request, errand = words.format(harbour=harbour.name, force=force), put(right)
    faulty = {
        "force_off_by_one": scripts([put(beside).but()] * 2, rng),
        "wavering_force": scripts([put(one).but() for one in others[:4]], rng),
        "number_spelling": scripts([errand.but(decisive=False, wind_knots=float(right))] * 2, rng),
    }
    why = [f"Force {force} goes up to {one} knots. Board of {harbour.name}." for one in (right, others[4])]
    merged = swallowed(
        "wind", request, errand, words.format(harbour=neighbour.name, force=theirs), put(KNOTS[theirs], neighbour), rng
    )  # fmt: skip
    return task_of(index, "wind", request, errand, put(others[4]), why, faulty, line, rng, remade={"swallowed_row": merged})
