"""Days of the week and months in several languages: the words for which two answers can be told to say the same in different ones."""

from functools import lru_cache
from typing import Final, NamedTuple

_WORDS: Final = {
    "English": "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december",
    "German": "montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember",
    "French": "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "Spanish": "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "Italian": "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "Portuguese": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "Dutch": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart april mei juni juli augustus september oktober november december",
}  # fmt: skip
LANGUAGES: Final = tuple(_WORDS)
WEEKDAYS: Final = tuple(_WORDS["English"].split()[:7])


class Named(NamedTuple):
    """Which day or month a word is, and the languages in which it is that."""

    number: int
    languages: frozenset[str]


@lru_cache(maxsize=1)
def _meanings() -> dict[str, list[Named]]:
    found: dict[str, dict[int, set[str]]] = {}
    for language, words in _WORDS.items():
        for number, word in enumerate(words.split()):
            found.setdefault(word, {}).setdefault(number, set()).add(language)
    return {word: [Named(number, frozenset(spoken)) for number, spoken in known.items()] for word, known in found.items()}


def said_otherwise(one: str, other: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The languages of two words that name the same day or month in different ones; None where they do not."""
    for first in _meanings().get(one.strip().strip(".").casefold(), ()):
        for second in _meanings().get(other.strip().strip(".").casefold(), ()):
            if first.number == second.number and first.languages.isdisjoint(second.languages):
                return first.languages, second.languages
    return None
