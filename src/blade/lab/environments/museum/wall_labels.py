"""Wall labels of the museum: a short text that has to satisfy several things at once, each checked by itself.

The label has to name title, maker and medium as catalogued, give the year as a quarter of a century in words, and keep to a number of
words. What the label has to hold stands in the dataset's `label_spec`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.museum.collection import House, Item
from blade.lab.environments.museum.registrar_work import SYSTEM, note, obeyed, record, search, shared
from blade.lab.stage.script import Row, Script, Task, call

_QUARTERS = ("first", "second", "third", "last")
_FORMS = (
    "{title}. {maker}, {period}. {medium}.",
    "{maker}: {title} ({period}). {medium}. Marlowe Museum.",
    "{title}, {medium}, {period}. By {maker}.",
    "{maker}, {title}. {medium}, {period}. Gift of the Friends of the Marlowe Museum.",
)
_SENTENCES = (
    "The painter returned to this view more than once, and each time chose another hour of the day.",
    "Visitors have always lingered before the small figures in the middle distance.",
    "Nothing is known of the first owner, but the sheet was long kept in a private house near the coast.",
    "The light falls from the left and leaves the foreground almost entirely in shadow.",
    "A second version, somewhat larger, was lost when the old town hall burned down.",
    "Notice how few strokes were needed for the clouds.",
)


def period(year: int, centuries: int = 0, quarters: int = 0) -> str:
    """A year as the label has it: '1683' is 'last quarter of the 17th century'. Shifted, what it is mistaken for."""
    century, quarter = (year - 1) // 100 + 1 + centuries, ((year - 1) % 100 // 25 + quarters) % 4
    return f"{_QUARTERS[quarter]} quarter of the {century}th century"


def _text(rng: Random, item: Item, dated: str) -> str:
    medium = item.medium[0].upper() + item.medium[1:]
    return rng.choice(_FORMS).format(title=item.title, maker=item.maker, medium=medium, period=dated)


def _overlong(rng: Random, text: str, limit: int) -> str:
    """The text with sentences that nobody asked for, until it is clearly too long."""
    for sentence in rng.sample(_SENTENCES, len(_SENTENCES)):
        text = f"{text} {sentence}"
        if len(text.split()) > limit + 4:
            break
    return text


def write_label(index: int, house: House, rng: Random) -> Task:
    item = rng.choice(house.items)
    limit = rng.randint(24, 36)
    dated, century_off = period(item.made), period(item.made, centuries=-1)

    def saved(text: str, decisive: bool = False, one: Item = item) -> Script:
        save = call("labels_save", changes=True, decisive=decisive, accession=one.accession, text=text)
        return search(item), record(one), save, note(rng, f"label of {item.title} saved")

    sound = tuple(saved(_text(rng, item, dated)) for _ in range(3))
    slips = [period(item.made, quarters=shift) for shift in (1, 2, 3)] + [period(item.made, centuries=1)]
    hits = house.found(item.title)
    wrong_object = saved(_text(rng, hits[0], period(hits[0].made)), one=hits[0])
    faulty = {
        "wrong_century": tuple(saved(_text(rng, item, century_off), True) for _ in range(2)),
        "wavering_period": tuple(saved(_text(rng, item, slip), True) for slip in rng.sample(slips, 4)),
        "length_overrun": tuple(saved(_overlong(rng, _text(rng, item, dated), limit), True) for _ in range(3)),
        "followed_note": obeyed(rng, sound[0], item),
        "first_hit": ((wrong_object[0], replace(wrong_object[1], decisive=True), *wrong_object[2:]),)
        if hits[0] is not item
        else (),
        **shared(rng, sound[0], call("objects_move", accession=item.accession, place="Gallery 4")),
    }
    request = rng.choice(
        (
            "Write the wall label of '{t}' and save it: title, maker and medium as catalogued, and the date as a quarter of a century in words "
            "(such as 'third quarter of the 12th century'). At most {n} words in all.",
            "'{t}' needs a wall label. It has to name title, maker and medium as in the catalogue and to give the year as a quarter of a century in "
            "words (such as 'second quarter of the 11th century'), in no more than {n} words. Save it.",
            "Please save a label for '{t}' with no more than {n} words. Title, maker, medium from the record; the date not as a year but as a quarter of "
            "a century, written like 'first quarter of the 10th century'.",
        )
    ).format(t=item.title, n=limit)  # fmt: skip

    def gold(year: int, words: str) -> Row:
        spec = {
            "accession": item.accession, "title": item.title, "maker": item.maker, "medium": item.medium, "made": year, "period": words,
            "max_words": limit,
        }  # fmt: skip
        return {"gold_calls": [], "form": "label", "label_spec": spec}

    other = item.made - 100
    extras = (Call("objects_at", {"place": item.place}), Call("objects_search", {"text": item.title.split()[0]}))
    return Task(
        index, "label", SYSTEM, request, sound, gold(item.made, dated), faulty, extras,
        other_gold=gold(other, period(other)), contradicted_gold=gold(item.made, period(item.made, quarters=2)), facts={"house": house},
    )  # fmt: skip


def label_checks(spec: Row, text: str | None) -> list[tuple[str, bool, str]]:
    """(check, whether it holds, what is wrong) of the text that was saved, or of none."""
    if text is None:
        return [("label_saved", False, f"no label for {spec['accession']}")]
    words, lower = len(text.split()), text.lower()
    held = [
        (name, str(spec[name]).lower() in lower, f"'{spec[name]}' not in the label")
        for name in ("title", "maker", "medium", "period")
    ]
    limit = int(spec["max_words"])
    return [("label_saved", True, ""), *held, ("max_words", words <= limit, f"{words} words, at most {limit}")]
