"""Errands in the score library that take knowledge of music and of its law: signatures, parts, and years."""

from __future__ import annotations

from random import Random
from typing import Final

from blade.lab.environments.conservatory.errands import Errand, task_of
from blade.lab.environments.conservatory.roll import COMPOSERS, KEYS, RISES, Album, Roll, signature, transposed
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

PROTECTED: Final = 70
"""Years after the author's death; the term runs to the end of the calendar year (directive 2006/116/EC, articles 1 and 8)."""


def _found(album: Album) -> Script:
    return (call("LIBRARY_FIND_SCORE", title=album.title),)


def signed(index: int, roll: Roll, rng: Random) -> Task:
    """The signature of a key that has one."""
    album = rng.choice([one for one in roll.albums if signature(one.key) != "none"])
    right = signature(album.key)
    others = rng.sample([signature(one) for one in KEYS if one != album.key], 5)

    def entered(text: str) -> Errand:
        change = call("LIBRARY_SET_SIGNATURE", changes=True, score=album.id, signature=text)
        return Errand(_found(album), (change,), f"the signature for {album.title} is entered as {text}")

    request = rng.choice(
        (
            f"The catalogue lacks the key signature for the first piece of {album.title}. Enter it.",
            f"Please add to {album.title} which signature its first piece has, going by the key in the catalogue.",
        )
    )
    why = [f"{album.title}: {album.key}, so {one}" for one in (right, others[4])]
    faulty = {"wavering_key_signature": scripts([entered(one).but() for one in others[:4]], rng)}
    return task_of(index, "signature", request, entered(right), entered(others[4]), why, faulty, roll, rng)


def part(index: int, roll: Roll, rng: Random) -> Task:
    """The written key of a part for an instrument that does not sound as written."""
    album, instrument = rng.choice(roll.albums), rng.choice(tuple(RISES))
    rise = RISES[instrument]

    def entered(key: str) -> Errand:
        change = call("LIBRARY_ADD_PART", changes=True, score=album.id, instrument=instrument, written_key=key)
        return Errand(_found(album), (change,), f"{album.title} has a part for {instrument} in {key}")

    right, below = transposed(album.key, rise), transposed(album.key, -rise)
    request = rng.choice(
        (
            f'We had the first piece of {album.title} copied for "{instrument}", to be played along at sounding pitch. Enter that part with the key it is written in.',
            f'Enter a part for "{instrument}" of the first piece in {album.title}. It must sound in the key that the catalogue has, so give the key to be written for the player.',
        )
    )  # fmt: skip
    why = [f"{album.title} sounds in {album.key}; for {instrument} that is written in {one}" for one in (right, album.key)]
    faulty = {"transposed_downwards": scripts([entered(below).but()] * 2, rng)}
    return task_of(index, "part", request, entered(right), entered(album.key), why, faulty, roll, rng)


def freed(index: int, roll: Roll, rng: Random) -> Task:
    """The first year in which a composer's works are free."""
    album = rng.choice(roll.albums)
    died, _ = COMPOSERS[album.composer]
    right = died + PROTECTED + 1

    def entered(year: int) -> Errand:
        change = call("LIBRARY_SET_FREE_FROM", changes=True, score=album.id, year=year)
        return Errand(_found(album), (change,), f"{album.title} is free from {year} on")

    others = [right + off for off in rng.sample((-25, -20, -11, -3, 2, 4, 9, 19, 24), 5)]
    request = rng.choice(
        (
            f"Enter for {album.title} ({{}}) the first calendar year in which we may copy it freely, by the term of protection in the European Union.",
            f"By EU copyright, what is the first full year in which the works in {album.title} ({{}}) are no longer protected? Enter it in the library.",
        )
    ).format(album.id)  # fmt: skip
    guesses = [one for one in (2030, 2035, 2040, 2050) if one != right]
    faulty = {
        "wrong_rule": scripts([entered(right - 1).but()] * 2, rng),
        "wavering_argument": scripts([entered(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(entered(one).unread(rng, "LIBRARY_FIND_SCORE") for one in guesses),
    }
    why = [f"{album.composer} died in {died}; free from 1 January {one}" for one in (right, others[4])]
    return task_of(index, "copyright", request, entered(right), entered(others[4]), why, faulty, roll, rng)
