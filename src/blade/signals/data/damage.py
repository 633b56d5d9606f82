"""What became of a value on its way into the gold: a damaged copy of it, the trace of an edit, the ends of a span in each other's place.

Datasets go through spreadsheets, encodings and editors. Pure functions of an expected value and the one that was given; `signals.gold` asks them.
"""

import html
import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from blade.signals.calls.mutation import words_of
from blade.signals.calls.sameness import Difference, same
from blade.signals.texts.days import moment_of
from blade.signals.texts.schemes import of_one_scheme

MIN_LONG: Final = 12
"""Digits from which on a spreadsheet shows a number by its exponent."""
DOUBLE: Final = 15
"""Digits that a floating-point number keeps."""
_EXPONENT: Final = re.compile(r"\d(?:[.,]\d+)?[eE]\+?\d{1,2}")
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_ISO_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]00:?00)")
EASTMOST, WESTMOST = 14, 12
"""Hours that zones lie away from UTC at most."""
BINARY: Final = "a binary fraction of it"
MAX_DOUBLE: Final = 40
"""Characters that a floating-point number is written with at the most."""
_BINARY: Final = re.compile(r"-?\d+\.\d*(?:9{5,}\d{1,2}|0{5,}[1-9]\d?)")
_PLAIN: Final = re.compile(r"-?\d+(?:\.\d{1,6})?")
_BETWEEN: Final = re.compile(r"[,;|]+|\s/+\s")
_DAY: Final = re.compile(r"\d{4}([/.-])\d{1,2}\1\d{1,2}|\d{1,2}([/.-])\d{1,2}\2\d{4}")
JOINED: Final = "joined with another one"
SHIFTED: Final = "the day as it began in another zone"
FIGURES: Final = "a text with it and another figure, which no number can hold"
_FIGURES: Final = re.compile(r"(?:\[\d\] )?(-?\d+(?:\.\d+)?)(?:\s*(?:[|;]|//|(?<=\s)/(?=\s)|\[\d\])\s*(-?\d+(?:\.\d+)?))+")
"""Figures one behind another with signs between that stand for no separator of thousands: `7 // 4`, `[1] 7 [2] 4`."""
CHECKED: Final = "the same number with check digits that do not fit it"
_ACCOUNT: Final = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}")
"""An IBAN, or a reference of creditors, without blanks."""
CENTURY: Final = "the day in another century, as where years had two digits"
SERIAL: Final = "the number by which a spreadsheet keeps the day"
GROUPED: Final = "a text with the figure as people write it"
QUOTED: Final = "in the quotation marks of a table's column"
_GROUPED: Final = re.compile(r"[$€£]?\s?-?\d{1,3}(?:[, '\u00a0\u202f]\d{3})+(?:\.\d+)?|[$€£]\s?-?\d+(?:\.\d+)?")
MIN_SPELT: Final = 10
"""Characters of a text from which on one letter more or less makes no other word of it."""
MIN_TYPED: Final = 6
"""Letters of a word from which on two of them in each other's place make no other word of it."""
_WORD: Final = re.compile(r"[^\W\d_]+")
MIN_CUT: Final = 8
"""Characters of a text from which on ending in the middle of a word is no word of its own."""
_TRACE: Final = re.compile(
    r"[(\[{](?:was|were|formerly|previously|prev|old|originally|orig|before|changed|corrected|updated|edited|fixed|amended|revised|instead of|replaces|not|see|todo|"
    r"fixme|tbc|tbd|to be confirmed|sic)\b|[,;/|–—-]? ?(?:was|formerly|previously|changed from|corrected from|updated from|edited|amended|todo|fixme|tbc|to be confirmed)\b|[(\[]?\?{2,}",
    re.IGNORECASE,
)
_ARROW: Final = re.compile(r"(\S{1,60}) (?:->|→|=>|⇒|>>|now|corrected to|changed to)", re.IGNORECASE)
MAX_EDITED: Final = 200
_DAY_NUMBER: Final = re.compile(r"[1-9]\d{4}")
_FIRST_DAY: Final = date(1899, 12, 30)
"""The day that spreadsheets count from."""
_PERCENT: Final = frozenset(["percent", "percentage", "pct"])
_BEGINS: Final = frozenset([
    "first", "start", "starts", "begin", "begins", "from", "since", "earliest", "min", "minimum", "lower", "checkin", "departure", "open", "opens",
])  # fmt: skip
_ENDS: Final = frozenset([
    "last", "end", "ends", "until", "till", "to", "through", "latest", "max", "maximum", "upper", "checkout", "return", "close", "closes",
])  # fmt: skip
SWAPPED: Final = "with day and month swapped"
_SPELT_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?|\d{2}:\d{2}")


def fraction_of_percent(path: str, expected: Any, actual: Any) -> str | None:
    """A hundredth of the value of an argument that is named after percent: a spreadsheet shows 2 % and keeps 0.02."""
    if not _PERCENT & set(words_of(path.rpartition(".")[2])):
        return None
    numbers = [value for value in (expected, actual) if isinstance(value, int | float) and not isinstance(value, bool)]
    fits = len(numbers) == 2 and 0 < abs(numbers[0]) <= 1 and abs(100 * numbers[0] - numbers[1]) <= 1e-9 * abs(numbers[1])
    return "a fraction of one where per cent are meant" if fits else None


def damage(expected: Any, actual: Any) -> str | None:
    """What became of a value on its way to the gold; None where the two are otherwise related."""
    lost = _digits_lost(expected, actual) or _day_number(expected, actual) or _for_reading(expected, actual)
    if lost is not None or not isinstance(expected, str) or not isinstance(actual, str):
        return lost
    gold, given = expected.strip(), actual.strip()
    if (
        (day := _ISO_DAY.match(given)) is not None
        and gold == f"{day[1]}-{day[3]}-{day[2]}{given[day.end() :]}"
        and day[2] != day[3]
    ):
        return SWAPPED
    if _misses_check(gold, given):
        return CHECKED
    if _century_off(gold, given):
        return CENTURY
    if len(given) > 1 and expected != actual and expected == '"' + given.replace('"', '""') + '"':
        return QUOTED
    if _joined(gold, given):
        return JOINED
    if _through_utc(gold, given):
        return SHIFTED
    if len(gold) >= MIN_CUT and given.startswith(gold) and _in_word(given, len(gold)):
        return "cut off in a word"
    if len(gold) >= MIN_CUT and _MOMENT.match(given) is not None and given.startswith(gold):
        return "cut off before the time"
    if gold != given and not given.isascii() and gold in (_misread(given, "latin-1"), _misread(given, "cp1252")):
        return "read in the wrong encoding"
    if escaped(gold, given):
        return "escaped as in HTML"
    if min(len(gold), len(given)) >= MIN_SPELT and _one_letter_off(gold, given):
        return "off by a letter"
    return "with two letters in each other's place" if _letters_swapped(gold, given) else None


def _day_number(expected: Any, actual: Any) -> str | None:
    """The number by which spreadsheets keep a day: 46197 for 2026-06-24."""
    day = _ISO_DAY.fullmatch(actual.strip()) if isinstance(actual, str) else None
    if day is None:
        return None
    number = str(expected).strip() if isinstance(expected, int | str) and not isinstance(expected, bool) else ""
    if not _DAY_NUMBER.fullmatch(number):
        return None
    try:
        days = (date(int(day[1]), int(day[2]), int(day[3])) - _FIRST_DAY).days
    except ValueError:
        return None
    return SERIAL if days == int(number) else None


def _for_reading(expected: Any, actual: Any) -> str | None:
    """A number as a spreadsheet shows it, in a text: `"31,799"` for 31799, `"$412"` for 412."""
    if (
        not isinstance(expected, str)
        or isinstance(actual, bool)
        or not isinstance(actual, int | float)
        or len(expected) > MAX_DOUBLE
    ):
        return None
    if not _GROUPED.fullmatch(expected.strip()):
        return None
    return GROUPED if abs(float(re.sub(r"[^\d.-]", "", expected)) - actual) < 1e-9 * max(1.0, abs(actual)) else None


def binary_fraction(expected: Any, actual: Any) -> bool:
    """Whether gold is what a computer makes of a decimal fraction, 94.91999999999999 for 94.92."""
    if isinstance(expected, bool) or isinstance(actual, bool) or not isinstance(expected, str | float):
        return False
    gold = str(expected).strip()
    if len(gold) > MAX_DOUBLE or not _BINARY.fullmatch(gold):
        return False
    given = str(actual).strip()
    return (
        len(given) <= MAX_DOUBLE
        and _PLAIN.fullmatch(given) is not None
        and abs(float(gold) - float(given)) < 1e-9 * abs(float(gold))
    )


def escaped(expected: Any, actual: Any) -> bool:
    """Whether gold is what a page is given for a text: `A &amp; B` for `A & B`."""
    return isinstance(expected, str) and isinstance(actual, str) and expected != actual and html.unescape(expected) == actual


def parts_of(gold: str) -> list[str]:
    return [part.strip() for part in _BETWEEN.split(gold)]


def holds_figure(expected: Any, actual: Any) -> bool:
    """Whether two figures stand as one text in the place of the number that was given."""
    if (
        isinstance(actual, bool)
        or not isinstance(actual, int | float)
        or not isinstance(expected, str)
        or len(expected) > MAX_DOUBLE
    ):
        return False
    found = _FIGURES.fullmatch(expected.strip())
    return found is not None and [float(found[1]), float(found[2])].count(float(actual)) == 1


def _joined(gold: str, given: str) -> bool:
    """Whether two records of a list stand in the place of one, `A-1204,A-7731`, or two days: `10/11/2026 / 17/11/2026`."""
    parts = parts_of(gold)
    day = _DAY.fullmatch(given) is not None
    return (
        len(parts) > 1
        and parts.count(given) == 1
        and all(part == given or of_one_scheme(part, given) or (day and _DAY.fullmatch(part) is not None) for part in parts)
    )


def _through_utc(gold: str, given: str) -> bool:
    """Whether gold is the beginning of the given day as some zone has it, written in UTC: `2026-06-19T23:00:00.000Z` for 2026-06-20."""
    if not _ISO_DAY.fullmatch(given) or not _ISO_MOMENT.fullmatch(gold):
        return False
    day, moment = moment_of(given), moment_of(gold)
    if day is None or moment is None:
        return False
    hours = (day - moment).total_seconds() / 3600
    return hours != 0 and -WESTMOST <= hours <= EASTMOST and (2 * hours).is_integer()


def _misses_check(gold: str, given: str) -> bool:
    """Whether an account number and its expected copy differ in their check digits only, and those of the gold are wrong (ISO 13616, modulo 97)."""
    one, other = ("".join(number.split()) for number in (gold, given))
    return (
        _ACCOUNT.fullmatch(one) is not None
        and _ACCOUNT.fullmatch(other) is not None
        and (one[:2], one[4:]) == (other[:2], other[4:])
        and _remainder(one) != 1
        and _remainder(other) == 1
    )


def _remainder(number: str) -> int:
    """What is left of an account number by ISO 7064: its first four signs behind the others, letters as the numbers from ten on."""
    return int("".join(str(int(sign, 36)) for sign in number[4:] + number[:4])) % 97


def _century_off(gold: str, given: str) -> bool:
    """Whether gold is the same day a hundred years away: what 16/07/57 becomes for whoever takes 57 for a year of this century."""
    days = _ISO_DAY.match(gold), _ISO_DAY.match(given)
    return days[0] is not None and days[1] is not None and gold[4:] == given[4:] and abs(int(days[0][1]) - int(days[1][1])) == 100


def _one_letter_off(gold: str, given: str) -> bool:
    """Whether one sign was lost or added, one letter changed, or two beside each other changed places."""
    start = next(
        (at for at, (one, other) in enumerate(zip(gold, given, strict=False)) if one != other), min(len(gold), len(given))
    )
    tail = next(
        (at for at, (one, other) in enumerate(zip(reversed(gold), reversed(given), strict=False)) if one != other),
        min(len(gold), len(given)),
    )
    tail = min(tail, min(len(gold), len(given)) - start)
    changed = gold[start : len(gold) - tail], given[start : len(given) - tail]
    if sorted(map(len, changed)) == [0, 1] and " " not in given:
        return True  # codes of one scheme are of one length
    if not "".join(changed).isalpha() or "".join(changed).isupper():
        return False
    return max(map(len, changed)) == 1 or (len(changed[0]) == 2 and changed[0] == changed[1][::-1])


def _letters_swapped(gold: str, given: str) -> bool:
    """Whether two letters beside each other changed places inside a word, as typing leaves it; at a word's end that may be a way of spelling (centre, center)."""
    if len(gold) != len(given):
        return False
    apart = [at for at, (one, other) in enumerate(zip(gold, given, strict=True)) if one != other]
    if len(apart) != 2 or apart[1] != apart[0] + 1 or gold[apart[0]] != given[apart[1]] or gold[apart[1]] != given[apart[0]]:
        return False
    word = next((found for found in _WORD.finditer(given) if found.start() < apart[0] and apart[1] < found.end() - 1), None)
    return word is not None and len(word[0]) >= MIN_TYPED and given[apart[0]].islower() and given[apart[1]].islower()


def _in_word(text: str, at: int) -> bool:
    """Whether a place is inside a word, or inside a long code; `bay 2` may well be another than `bay 28`."""
    before, after = text[at - 1 : at], text[at : at + 1]
    if before.isalpha() and after.isalpha():
        return True
    word = re.search(r"[\w.-]*$", text[:at]), re.match(r"[\w.-]*", text[at:])
    return before.isalnum() and after.isalnum() and sum(len(part[0]) for part in word if part) >= MIN_CUT


def _misread(text: str, encoding: str) -> str:
    return text.encode("utf-8", "replace").decode(encoding, "replace")


def _digits_lost(expected: Any, actual: Any) -> str | None:
    """How digits of a number or a code went lost on the way to the gold; None where the two are otherwise related."""
    if isinstance(expected, bool) or not isinstance(actual, (str, int)):
        return None  # nothing else is written in digits alone
    gold, given = str(expected).strip(), str(actual).strip()
    if not given.isdigit() or not given.isascii() or gold == given:
        return None
    if _EXPONENT.fullmatch(gold) or (isinstance(expected, float) and len(given) >= MIN_LONG):
        return "rounded to an exponent" if len(given) >= MIN_LONG and _rounds_to(given, gold.replace(",", ".")) else None
    if not gold.isdigit() or not gold.isascii():
        return None
    if len(gold) == len(given) > DOUBLE and (gold[:DOUBLE] == given[:DOUBLE] or float(gold) == float(given)):
        return f"equal in its first {DOUBLE} digits only"
    return "without its leading zeros" if given.startswith("0") and given.lstrip("0") == gold else None


def _rounds_to(given: str, gold: str) -> bool:
    try:
        wanted = Decimal(gold)
    except InvalidOperation:
        return False
    kept = len(wanted.as_tuple().digits)
    return Decimal(f"{Decimal(given):.{max(kept - 1, 0)}E}") == wanted or float(given) == float(gold)


def edited(gold: str, given: str) -> bool:
    """Whether gold holds a value beside the trace of an edit: `20 (was 23)`, `23 -> 20`."""
    if len(gold) > MAX_EDITED:
        return False
    before, held, after = (part.strip() for part in gold.partition(given))
    arrow = _ARROW.fullmatch(before) if not after else None
    if arrow is not None:
        return of_one_scheme(arrow[1], given) or (arrow[1].isdecimal() and given.isdecimal())
    return bool(held) and not before and _TRACE.match(after) is not None


def turned_round(first: Difference, second: Difference) -> bool:
    """Whether two values are expected in each other's place, of which the one begins a span and the other ends it, and were given in their order."""
    return (
        same(first.expected, second.actual)
        and same(second.expected, first.actual)
        and not _BEGINS.isdisjoint(words_of(first.path))
        and not _ENDS.isdisjoint(words_of(second.path))
        and _before(first.actual, second.actual)
    )


def _before(one: Any, other: Any) -> bool:
    """Whether one day, time or number comes before another; both are written alike."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one < other
    return (
        isinstance(one, str)
        and isinstance(other, str)
        and _SPELT_TIME.fullmatch(one) is not None
        and _SPELT_TIME.fullmatch(other) is not None
        and len(one) == len(other)
        and one < other
    )
