"""Errands about what is printed and played: texts of programme booklets, title pages, and parts for the pit."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.environments.theatre.errands import Errand, looked_up, set_field, task_of
from blade.lab.environments.theatre.house import FIFTHS, LANGUAGES, RISES, House, key_of, signature
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

TEXTS: Final = {
    "Whoo goes theer? (Zoë & ye Ghoste, exeunt)": (
        "Who goes there? (Zoë & the Ghost, exeunt)",
        "Whoo goes theer? (Zoë and ye Ghoste, exeunt)",
    ),
    "wiv fanks 2 Mr. Müller & his dawg (RIP)": (
        "With thanks to Mr Müller & his dog (RIP)",
        "wiv thanks to Mr. Müller & his dawg (RIP)",
    ),
    "The Devill & Père Noël: a farce in ij acts?": (
        "The Devil & Père Noël: a farce in two acts?",
        "The Devill & Père Noël: a farce in two acts?",
    ),
    "Alack!! sed Åse & wept [curtain]": ("Alack!! said Åse & wept [curtain]", "Alack!! sed Åse and wept [curtain]"),
    "songes + daunces by Señor Nuñez & bros.": (
        "Songs + dances by Señor Nuñez & brothers",
        "songes + daunces by Señor Nuñez & brothers",
    ),
    "mind ye trapp dore (sgd. Jørgen & Cie.)": (
        "Mind the trap door (signed Jørgen & Cie.)",
        "mind ye trap door (sgd. Jørgen & Cie.)",
    ),
    "2 b or nott 2 b? Désirée & co. r back": (
        "To be or not to be? Désirée & co. are back",
        "2 b or not 2 b? Désirée & co. r back",
    ),
    "By Royall comand (Kgl. Böhm. Hof) & c.": (
        "By Royal command (Kgl. Böhm. Hof) & c.",
        "By Royall command (Kgl. Böhm. Hof) & c.",
    ),
}  # fmt: skip
"""What old playbills and scribbled notes say, and what becomes of it when somebody tidies it up."""
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMERALS: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"),
    (4, "IV"), (1, "I"),
)  # fmt: skip


def roman(number: int) -> str:
    text = ""
    for worth, sign in _NUMERALS:
        text += number // worth * sign
        number %= worth
    return text


def programme(index: int, house: House, rng: Random) -> Task:
    """A text is filed letter for letter and stays a draft, and the sheets of the booklet are counted."""
    show, text = rng.choice(house.productions), rng.choice(tuple(TEXTS))
    sheets, halves = show.pages // 4, show.pages // 2

    def filed(words: str = text, number: int = sheets) -> Errand:
        changes = (
            call("Programme__file_text", changes=True, production_id=show.id, text=words, state="draft"),
            set_field(show, "sheets", number),
        )
        return Errand(
            looked_up(show), changes, f"the text for {show.name} is filed as a draft, and the booklet takes {number} sheets"
        )

    request = rng.choice(
        (
            f"Two things for the programme booklet of {show.name}. File this line exactly as it stands on the old playbill, spelling and all, as a draft only, for the dramaturg still has to see it: “{text}” Then set how many sheets of paper go into one booklet; it is folded in the middle and stapled, and the pages are on record.",
            f"Booklet of {show.name}: please file the line “{text}” letter for letter, with nothing corrected, and keep it a draft, it is not to be released yet. After that set the number of sheets for one copy, from the pages on record; the sheets are folded once and stapled through the fold.",
        )
    )
    others = [one for off in rng.sample((-3, -2, -1, 1, 2, 3, 4), 7) if (one := sheets + off) not in (halves, 0)]
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in TEXTS[text]], rng),
        "default_spelled_out": scripts([filed().but(decisive=False, with_picture=False)] * 2, rng),
        "wrong_rule": scripts([filed(number=halves).but(1)] * 2, rng),
        "number_spelling": scripts([filed().but(1, decisive=False, value=float(sheets))] * 2, rng),
    }
    slip = others[0]
    why = [
        f"As on the playbill: {text} (draft). {show.pages} pages, four to a folded sheet, are {one} sheets"
        for one in (sheets, slip)
    ]
    return task_of(index, "booklets", request, filed(), filed(number=slip), why, faulty, house, rng)


def imprint(index: int, house: House, rng: Random) -> Task:
    """A title page: the year in Roman numerals, the weekday of the first performance, the code of a language."""
    show = rng.choice(house.productions)
    code, country = LANGUAGES[show.surtitles]
    year, weekday = show.premiere.year, f"{show.premiere:%A}"

    def put(numerals: str = roman(year), day: str = weekday, language: str = code) -> Errand:
        changes = (
            set_field(show, "imprint_year", numerals),
            set_field(show, "premiere_weekday", day),
            set_field(show, "surtitle_language", language),
        )
        return Errand(looked_up(show), changes, f"the title page of {show.name} has {numerals}, {day} and {language}")

    offs = [one for one in rng.sample((-40, -20, -10, -4, -2, -1, 1, 5, 10, 20), 10) if year + one < 2030]
    wrong_days = rng.sample([one for one in _WEEKDAYS if one != weekday], 4)
    slip = rng.choice([one for one, _ in LANGUAGES.values() if one not in (code, country)])
    faulty = {
        "wavering_numerals": scripts([put(roman(year + off)).but() for off in offs[:4]], rng),
        "wavering_weekday": scripts([put(day=one).but(1) for one in wrong_days], rng),
        "country_for_language": scripts([put(language=country).but(2)] * 2, rng),
        "skipped_lookup": tuple(
            put(roman(one), day, "en").unread(rng, "Repertoire__find_production")
            for one, day in ((2015, "Saturday"), (1989, "Friday"), (2001, "Thursday"))
            if one != year
        ),
    }
    request = rng.choice(
        (
            f"Title page of {show.name} ({show.id}): it lacks the imprint_year, which is the year of the first performance in Roman numerals, the premiere_weekday, the day of the week it fell on, and the surtitle_language by its two-letter ISO 639-1 code. Please set all three.",
            f"For the title page of {show.name}, {show.id}, please set three fields: imprint_year (when it was first performed, as Roman numerals), premiere_weekday (on which weekday that was) and surtitle_language (ISO 639-1, two letters).",
        )
    )
    why = [
        f"First performed on {show.premiere.day} {show.premiere:%B} {year}, a {weekday}: {roman(year)}. Surtitles in {show.surtitles}: {one}"
        for one in (code, slip)
    ]
    turned = replace(put(), changes=put().changes[::-1]).script(rng)
    return task_of(index, "title pages", request, put(), put(language=slip), why, faulty, house, rng, ways=(turned,))


def parts(index: int, house: House, rng: Random) -> Task:
    """A part for a transposing instrument: the signature of the finale as it sounds, and the key that the part is written in."""
    show, instrument = rng.choice(house.productions), rng.choice(tuple(RISES))
    sounding, rise = show.fifths, RISES[instrument]
    written, downwards = key_of(sounding + rise), key_of(sounding - rise)

    def put(accidentals: str = signature(sounding), key: str = written) -> Errand:
        changes = (set_field(show, "finale_signature", accidentals), set_field(show, "part_key", key))
        return Errand(
            looked_up(show), changes, f"the finale of {show.name} has {accidentals} and the {instrument} part is in {key}"
        )

    wrong = [one for fifths in range(-5, 6) if fifths and (one := signature(fifths)) != signature(sounding)]
    keys = [one for one in map(key_of, range(-6, 6)) if one not in (written, downwards, key_of(sounding))]
    slip = rng.choice(keys)
    request = rng.choice(
        (
            f'We need the {instrument} part for the finale of {show.name} ({show.id}). First set finale_signature, the accidentals of the key in which it sounds (a figure and the word sharps or flats, in the singular for one), then part_key, the key that the player has to have on the page so that it sounds right (such as "{FIFTHS[4]} major").',
            f'For the copyist: set the finale_signature of {show.name}, {show.id}, from the key it sounds in (a figure and the word flats or sharps, in the singular for one), and then the part_key for the {instrument}, that is the key in which this part is notated (in the form "{FIFTHS[4]} major").',
        )
    )
    faulty = {
        "wavering_key_signature": scripts([put(one).but() for one in rng.sample(wrong, 4)], rng),
        "transposed_downwards": scripts([put(key=downwards).but(1)] * 2, rng),
        "skipped_lookup": tuple(
            put(signature(one), key_of(one + rise)).unread(rng, "Repertoire__find_production")
            for one in (-3, -2, 1, 2)
            if one != sounding
        ),
    }
    why = [
        f"The finale sounds in {key_of(sounding)} ({signature(sounding)}); for {instrument} that is written in {one}"
        for one in (written, slip)
    ]
    return task_of(index, "parts", request, put(), put(key=slip), why, faulty, house, rng)
