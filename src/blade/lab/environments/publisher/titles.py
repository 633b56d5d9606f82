"""Errands about what a book is: language, class, keywords, and letters that are written about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.draws import swallowed
from blade.lab.environments.publisher.desk import KEYWORDS
from blade.lab.environments.publisher.errands import Errand, looked_up, task_of
from blade.lab.environments.publisher.list import LANGUAGES, SUBJECTS, Book, House
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

LETTERS: Final = {
    "Pls hold ye plates of Zoë's book, more 2 come": (
        "Please hold the plates of Zoë's book, more to come.",
        "Please hold ye plates of Zoë's book, more to come",
    ),
    "the grey on p. 41 is tooo dark, Mr. Müller says": (
        "The grey on page 41 is too dark, Mr Müller says.",
        "the grey on p. 41 is too dark, Mr. Müller says",
    ),
    "no glue on the spine til friday, s.v.p. René": (
        "No glue on the spine until Friday, please. René",
        "no glue on the spine till Friday, s.v.p. René",
    ),
    "we r short of 3 sigs, chck w/ Jørgen": ("We are short of 3 signatures, check with Jørgen.", "we are short of 3 sigs, check w/ Jørgen"),
    "thx for ye fine binding, Désirée & all of us": (
        "Thanks for the fine binding, Désirée and all of us",
        "Thanks for ye fine binding, Désirée & all of us",
    ),
    "cover proof not as agreed - red, not bordeux! Söhnke": (
        "Cover proof not as agreed: red, not bordeaux! Söhnke",
        "cover proof not as agreed - red, not bordeaux! Söhnke",
    ),
    "2nd run to go b4 the 1st, Ms Nuñez knows why": (
        "Second run to go before the first, Ms Nuñez knows why.",
        "2nd run to go before the 1st, Ms Nuñez knows why",
    ),
    "mind the rnning heads, ch. iiij & v (Åse)": ("Mind the running heads, chapters 4 and 5 (Åse)", "mind the running heads, ch. iv & v (Åse)"),
}  # fmt: skip
"""What the managing editor scribbles, and what becomes of it when somebody tidies it up."""


def language(index: int, house: House, rng: Random) -> Task:
    """The code of an edition's language."""
    book, neighbour = rng.sample(house.books, 2)
    words = rng.choice(
        (
            "The metadata of {book} ({isbn}) still lack the language. Set its two-letter ISO code, please.",
            "Please set the language of {book}, ISBN {isbn}, by its two-letter code (ISO 639-1).",
        )
    )

    def put(code: str, one: Book = book) -> Errand:
        change = call("set_language_code", changes=True, isbn=one.id, language=code)
        return Errand(looked_up(one), (change,), f"{one.name} is marked as {code}")

    right, country = LANGUAGES[book.language]
    guesses = [one for one in ("en", "fr", "de", "es") if one != right]
    request, errand = words.format(book=book.name, isbn=book.id), put(right)
    faulty = {
        "country_for_language": scripts([put(country).but()] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "find_book") for one in guesses),
    }
    slip = rng.choice([one for one, _ in LANGUAGES.values() if one not in (right, country)])
    why = [f"{book.name} is in {book.language}, ISO 639-1: {one}" for one in (right, slip)]
    merged = swallowed(
        "languages", request, errand, words.format(book=neighbour.name, isbn=neighbour.id),
        put(LANGUAGES[neighbour.language][0], neighbour), rng,
    )  # fmt: skip
    return task_of(index, "languages", request, errand, put(slip), why, faulty, house, rng, remade={"swallowed_row": merged})


def shelving(index: int, house: House, rng: Random) -> Task:
    """The class of a book's subject in libraries."""
    book = rng.choice(house.books)
    right = SUBJECTS[book.subject]

    def put(number: int) -> Errand:
        change = call("set_dewey_class", changes=True, isbn=book.id, dewey=number)
        return Errand(looked_up(book), (change,), f"{book.name} goes under {number}")

    others = rng.sample([one for one in range(right - 90, right + 100, 10) if 100 < one < 1_000 and one != right], 5)
    request = rng.choice(
        (
            f"Libraries want to know where {book.name} ({book.id}) goes. Set the Dewey class of its subject, in three digits that end in 0.",
            f"Please set the Dewey class of {book.name}, ISBN {book.id}: the division (a multiple of ten) that its subject belongs to.",
        )
    )
    guesses = [one for one in (810, 820, 830) if one != right]
    faulty = {
        "wavering_dewey_class": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "find_book") for one in guesses),
    }
    why = [f"{book.name} is on {book.subject}, Dewey {one}" for one in (right, others[4])]
    return task_of(index, "shelving", request, put(right), put(others[4]), why, faulty, house, rng)


def keywords(index: int, house: House, rng: Random) -> Task:
    """The keywords on a list are set, all but for one, and the book moves on."""
    book, namesake = rng.sample(house.books, 2)
    chosen = rng.sample(KEYWORDS, 8)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[4:7], chosen[7], rng.randint(0, 3)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("set_keywords", changes=True, isbn=book.id, keywords=list(some)),
            call("set_stage", changes=True, isbn=book.id, stage="ready for press"),
        )
        return Errand(looked_up(book), changes, f"{book.name} has {len(some)} keywords and is ready for press{remark}")

    request = rng.choice(
        (
            f'Please give {book.name} the keywords from the list below, all except "{excepted}". After that, set its stage to "ready for press".',
            f'The keywords for {book.name} are in the list below; set them, but without "{excepted}", and then move the book to "ready for press".',
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"- {one}" for one in (*some[:at], excepted, *some[at:])]
        return "\n".join((request, "", f"Keywords for {name}", *lines))

    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered([*wanted[:at], excepted, *wanted[at:]]).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{book.name}: {', '.join(one)}, without {excepted}; ready for press" for one in (wanted, slip)]
    remark = f" (mind that the list is headed {namesake.name})"
    mixed_up: Row = {
        "request": with_list(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "keywords", with_list(book.name, wanted), entered(wanted), entered(slip), why, faulty, house, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip


def letter(index: int, house: House, rng: Random) -> Task:
    """A letter is filed word for word as somebody scribbled it, and stays a draft."""
    printer = rng.choice(house.printers)
    wording = rng.choice(tuple(LETTERS))

    def filed(text: str = wording, status: str = "draft") -> Errand:
        change = call("write_letter", changes=True, printer_id=printer.id, text=text, status=status)
        told = "is a draft in the files" if status == "draft" else "has gone out"
        return Errand(looked_up(printer), (change,), f"the letter to {printer.name} {told}")

    request = rng.choice(
        (
            f"A letter to {printer.name}, word for word and letter for letter as the managing editor scribbled it, odd spelling and all. File it as a draft only, it must not go out before she has seen it again: “{wording}”",
            f"Please put this letter to {printer.name} on file, exactly as it stands, nothing put right or written out. It stays a draft for now, since the managing editor will send it herself next week: “{wording}”",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in LETTERS[wording]], rng),
        "draft_sent_off": scripts([filed(status="sent").but()] * 2, rng),
        "default_spelled_out": scripts([filed().but(decisive=False, on_letterhead=True)] * 2, rng),
    }
    slip = LETTERS[wording][0]
    why = [f"Draft to {printer.name}, as scribbled: {one}" for one in (wording, slip)]
    return task_of(index, "letters", request, filed(), filed(slip), why, faulty, house, rng)
