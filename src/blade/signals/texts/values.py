"""The numbers and dates that a text holds, and the dates that follow from them (for numbers, see `derivations`).

Generous on purpose: a value counts as derived when some short calculation from what was seen gives it, whether or not the model
made that calculation. So what is not derivable is rarely derived, and the reverse says nothing.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

Day = tuple[int | None, int, int]
"""Year (None where it was not given), month and day."""
NEAR_DAYS: Final = 14
RELATIVE_DAYS: Final = 400

_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
_FURTHER: Final = re.compile(r"\d,\d{3}|[\d.]{16}")
_NUMBER: Final = re.compile(r"\d(?<![\w.]\d)(?:\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d*(?:\.\d+)?)(?!\d)")
_MAX_EMBEDDED: Final = 15
"""Digits inside a longer word are a number up to this length."""
_WORDS: Final = {
    word: value
    for value, words in enumerate(
        ("zero no", "one a an single once", "two both twice pair couple", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve dozen")
    )
    for word in words.split()
} | {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "gross": 144, "score": 20, "fortnight": 14, "half": 0.5,
    "quarter": 0.25,
}  # fmt: skip
_WORD: Final = re.compile(r"\b[a-z]{1,9}\b")


def words_number(text: str) -> bool:
    """Whether a text is a number in words."""
    words = text.lower().replace("-", " ").split()
    return bool(words) and all(word in _WORDS or word in ("and", "million", "billion") for word in words)


# Looking at each character with an expression costs ten times as much as translating all of them, so texts are translated and split.
_OTHER_DIGITS: Final = b"\xd9\xdb\xdf\xe0\xe1\xea\xef\xf0\xf1\xf2\xf3\xf4"
"""The bytes that digits of other scripts begin with in UTF-8."""
_ONLY_NUMBERS: Final = bytes(
    byte if chr(byte) in "0123456789.," else ord("!") if byte in _OTHER_DIGITS else ord(" ") for byte in range(256)
)
_ONLY_WORDS: Final = bytes(byte if byte >= 128 or chr(byte).isalnum() or byte == ord("_") else ord(" ") for byte in range(256))
_WORDS_IN_BYTES: Final = {word.encode(): value for word, value in _WORDS.items()}

_ONLY_DIGITS: Final = bytes(byte if chr(byte) in "0123456789" else ord(" ") for byte in range(256))

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DATE: Final = re.compile(
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?<!\d)(?P<a2>\d{1,2})[/.-](?P<b2>\d{1,2})(?:[/.-](?P<y2>\d{4}|\d{2}))?(?!\d)"
    rf"|\b{_MONTH.format('m3')}\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y3>\d{{4}}))?"
    rf"|(?<!\d)(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH.format('m4')}(?:,?\s+(?P<y4>\d{{4}}))?",
    re.IGNORECASE,
)
_MAY_BEGIN: Final = re.compile(
    r"[\djfmasondJFMASOND\u017f](?:[aepucoAEPUCO][nbrylgptvcNBRYLGPTVC](?<=\b[^\W\d]..)"
    r"|(?<=\d)(?:\d{3}[-/.]\d|(?<!\d\d)\d?(?:[-/.]\d|[\ssnrtSNRT\u017f])))"
)
"""What every date begins with: three letters of a month, or figures with what may stand behind them. A text is searched for it several times as fast."""
RELATIVE: Final = re.compile(
    r"\b(?:today|tomorrow|yesterday|tonight|now|current (?:date|time)|next|this|last|coming|following|previous|past|later|earlier|before|after|days?|weeks?|months?|years?|"
    r"mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|weekend|midnight|noon)\b",
    re.IGNORECASE,
)


def numbers_in(text: str) -> Iterator[float]:
    """The numbers written in a text, in digits or in words; those inside ids count too, for an id is a source of its digits."""
    yield from numbers_in_digits(text)
    yield from numbers_in_words(text)


def numbers_in_digits(text: str) -> Iterator[float]:
    """The distinct numbers in digits: every run of them up to a length, and with commas or longer where no word goes on."""
    translated = text.encode("utf-8", "replace").translate(_ONLY_NUMBERS)
    if b"!" in translated:
        yield from _numbers_by_expression(text)
        return
    tokens = dict.fromkeys(translated.split())
    plain = list(filter(bytes.isdigit, tokens))
    others: Iterable[bytes] = tokens
    if max(map(len, plain), default=0) <= _MAX_EMBEDDED:  # then they need no closer look
        yield from map(float, plain)
        others = [token for token in tokens if not token.isdigit()] if len(plain) < len(tokens) else ()
    further = False
    for token in others:
        bare = token.strip(b".,")
        if bare.isdigit() and len(bare) <= _MAX_EMBEDDED:
            yield float(bare)
        elif bare:
            written = bare.decode()
            yield from _embedded(written)
            further = further or _FURTHER.search(written) is not None
    if further:
        yield from _standing_alone(text)


def numbers_in_words(text: str) -> Iterator[float]:
    """The distinct numbers in words, up to a thousand."""
    words = text.lower().encode("utf-8", "replace").translate(_ONLY_WORDS).split()
    found = _WORDS_IN_BYTES.keys() & words
    if not text.isascii():
        # Letters of other scripts belong to a word, their signs do not.
        found.update(word.encode() for word in _WORD.findall(b" ".join([word for word in words if not word.isascii()]).decode()))
    yield from (float(value) for word, value in _WORDS_IN_BYTES.items() if word in found)


def digit_runs(text: str) -> frozenset[bytes]:
    """The runs of digits in a text. Where a number stands as a word of its own, its runs are runs of the text."""
    return frozenset(listed_runs(text))


def listed_runs(text: str) -> list[bytes]:
    """The same as they come."""
    return text.encode("utf-8", "replace").translate(_ONLY_DIGITS).split()


def _numbers_by_expression(text: str) -> Iterator[float]:
    yield from _embedded(text)
    yield from _standing_alone(text)


def _embedded(text: str) -> Iterator[float]:
    return (float(written) for written in _DIGITS.findall(text) if len(written) <= _MAX_EMBEDDED)


def _standing_alone(text: str) -> Iterator[float]:
    return (float(found[0].replace(",", "")) for found in _NUMBER.finditer(text))


def dates_in(text: str) -> Iterator[Day]:
    """The dates in a text as (year or None, month, day); 3/4 is given both ways round, and 57 as a year of either century."""
    return (day for _, day in dated_places(text))


def dated_places(text: str) -> Iterator[tuple[int, Day]]:
    """The same with the place where each stands."""
    for found in _dates(text):
        yield from [(found.start(), day) for day in _days(found)]


def _dates(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while (begin := _MAY_BEGIN.search(text, at)) is not None:
        found = _DATE.match(text, begin.start())
        at = begin.start() + 1 if found is None else found.end()
        if found is not None:
            yield found


def _days(found: re.Match[str]) -> Iterator[Day]:
    if found["y1"]:
        yield from _valid(int(found["y1"]), int(found["m1"]), int(found["d1"]))
    elif found["a2"]:
        for year in _years(found["y2"]):
            yield from _valid(year, int(found["a2"]), int(found["b2"]))
            yield from _valid(year, int(found["b2"]), int(found["a2"]))
    else:
        month, day, year_text = (
            (found["m3"], found["d3"], found["y3"]) if found["m3"] else (found["m4"], found["d4"], found["y4"])
        )
        yield from _valid(int(year_text) if year_text else None, _MONTHS.index(month[:3].lower()) + 1, int(day))


def _years(written: str | None) -> tuple[int | None, ...]:
    if written is None:
        return (None,)
    return (int(written),) if len(written) > 2 else (2000 + int(written), 1900 + int(written))


def _valid(year: int | None, month: int, day: int) -> Iterator[Day]:
    try:
        date(year or 2024, month, day)
    except ValueError:
        return
    yield year, month, day


def date_follows(wanted: date, seen: set[Day], numbers: set[float], relative: bool) -> bool:
    """Whether a date was seen, or lies a plausible step from one that was: a few days, a number of days seen, or a relative word."""
    if (wanted.year, wanted.month, wanted.day) in seen or (None, wanted.month, wanted.day) in seen:
        return True
    for year, month, day in seen:
        for guess in (wanted.year - 1, wanted.year, wanted.year + 1) if year is None else (year,):
            try:
                apart = abs(wanted - date(guess, month, day))
            except ValueError:
                continue
            if apart <= timedelta(NEAR_DAYS) or float(apart.days) in numbers or (relative and apart <= timedelta(RELATIVE_DAYS)):
                return True
    return False
