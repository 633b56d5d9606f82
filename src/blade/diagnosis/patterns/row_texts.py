"""What a text of the row says of a value: whether it names it, comes to it, has its order, or leaves it out.

Solutions, rationales and notes are prose. A longer value or a code tells by standing there, a short one beside the name of its argument or at the end; what
a text names only to leave it out, it does not say.
"""

import re
import string
from functools import lru_cache
from typing import Final

from blade.answers import compare, contains_expected
from blade.diagnosis.patterns.given import figure
from blade.diagnosis.views import AnswerRow
from blade.signals.texts.values import dates_in

_LEFT_OUT: Final = (
    r"(?:without|except(?: for)?|excluding|but not|not|no|other than|instead of|rather than|omitting|leaving out|minus|save for)"
)
MIN_VALUE: Final = 4
"""Characters of a value from which its standing in an argument means something."""
MIN_DIGITS: Final = 2
"""Digits of a figure from which on it says something by itself."""
CLOSING: Final = 120
_GOES_ON: Final = re.compile(
    r"[.;\n]\s*(?:and\s+)?(?:then|next|now|finally|after (?:that|this)|from this|with this)\b", re.IGNORECASE
)
"""What a working goes on with after a result on the way."""
MIN_PARTS: Final = 3
"""Parts of a list from which on its order says something."""
BLANK: Final = r"\ "


def denied(text: str, value: str) -> bool:
    """Whether a text names a value to say that it is left out: `without the fineness mark`."""
    if not all(may_hold(text, word) for word in value.split(" ")):
        return False
    return (
        re.search(rf"\b{_LEFT_OUT}\b[^.;,]{{0,30}}?{re.escape(value).replace(BLANK, '[ _-]+')}", text, re.IGNORECASE) is not None
    )


def contradicts(text: str, subject: str, actual: str, expected: str) -> bool:
    """Whether a text tells the value that was given and not the expected one: beside the argument's name, else by themselves."""
    if figure(expected) is not None and figure(expected) in _figures(text):
        return False  # each of the two may be another record's
    if _beside_its_name(text, subject, actual) and not _beside_its_name(text, subject, expected):
        return True
    if _DAY.fullmatch(actual) and _DAY.fullmatch(expected):
        counts = _COUNTS.search(text) is not None
        told = days_told(_day_come_to(text) if counts else text)
        if not counts or told:
            return bool(told & _days(actual)) and not told & _days(expected)
    return _tells(text, subject, actual) and not _tells(text, subject, expected)


def _tells(text: str, subject: str, value: str) -> bool:
    """Whether a text tells the value of an argument: a longer one or a code (`U10`) by itself, a short one beside the argument's name (`class 2`) or at the end of a text that speaks of it."""
    in_words = figure(value) is None or any(map(str.isalpha, value))
    is_code = len(value) == MIN_VALUE - 1 and any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    if in_words and (len(value) >= MIN_VALUE or is_code) and holds(spaced(text), value):
        return True
    if figure(value) is None and (len(value) >= MIN_VALUE or is_code):
        return False
    if figure(value) is not None and sum(letter.isdigit() for letter in value) >= MIN_DIGITS:
        return figure(value) in _figures(text)
    return _beside_its_name(text, subject, value) or _named_at_end(text, subject, value)


def _day_come_to(text: str) -> str:
    """What a text that counts ends with: `46 days after 20 October it is Saturday 5 December`."""
    found = _COMES_TO_DAY.search(text.rstrip(" ."))
    return "" if found is None or _COUNTS.search(found[1]) else found[1]


def days_told(text: str) -> set[tuple[int, int]]:
    """The months and days that a text names, in words or in figures whichever way they are meant."""
    in_figures = {day for written in _DAY.finditer(text) for day in _days(written[0])}
    return in_figures | {(month, day) for _, month, day in dates_in(text)}


def _days(written: str) -> set[tuple[int, int]]:
    """The month and the day of a date in figures; both ways round where either may come first."""
    first, second, third = (int(part) for part in re.split(r"[/. -]", written))
    ways = [(second, third)] if first > 31 else [(second, first), (first, second)]
    return {(month, day) for month, day in ways if 1 <= month <= 12 and 1 <= day <= 31}


def _named_at_end(text: str, subject: str, value: str) -> bool:
    """Whether a text speaks of an argument and ends with a value: `the first free row of the sheet is 7`; nobody speaks of a `value` by that name."""
    text, word = spaced(text), spaced(subject.rpartition(".")[2]).rpartition(" ")[2]
    if value not in text or not (word in text or word in ANY_FIGURE):
        return False
    verbs = "(?:is|are|was|at|to|makes|gives|becomes)"
    if word in ANY_FIGURE and re.search(rf"\b(?:is|are|makes|gives|becomes)\s{re.escape(value)}\.?$", text) is not None:
        return True
    return re.search(rf"\b{re.escape(word)}s?\b[^;]{{0,300}}\b{verbs}\s{re.escape(value)}\.?$", text) is not None


def _figures(text: str) -> set[float]:
    """The numbers of a text that stand by themselves, those below zero too; those with a decimal comma (`3.706,30`) as they are meant."""
    found = set()
    for written in _NUMBER.findall(text):
        point = written.replace(".", "").replace(",", ".") if _COMMA.fullmatch(written) else written.replace(",", "")
        found.add(float(point))
    return found | {float(below) for below in _BELOW.findall(text)}


def _beside_its_name(text: str, subject: str, value: str) -> bool:
    text, named = spaced(text), spaced(subject.rpartition(".")[2]).rpartition(" ")[2]
    if not named or (named not in text and named not in _PER_CENT) or value not in text:
        return False
    if named in _PER_CENT:
        text = _PER_CENT_SIGN.sub(f" {named}", text)
    word, told = re.escape(named), re.escape(value)
    return re.search(rf"\b{word}s?\W{{1,3}}{told}(?![\w.]*\d)|(?<![\w.]){told}\W{{1,3}}{word}", text) is not None


@lru_cache(maxsize=256)
def spaced(text: str) -> str:
    """A text with the signs that join words in codes as blanks: `both_eyes` is said as both eyes."""
    return " ".join(_JOINED.sub(" ", text).split()).lower()


ANY_FIGURE: Final = frozenset(["value", "figure", "number", "amount", "result"])
"""Names of arguments that say nothing of what a figure is."""
_PER_CENT: Final = frozenset(["percent", "percentage", "pct"])
_PER_CENT_SIGN: Final = re.compile(r"\s?%|\sper cent\b")
_DAY: Final = re.compile(r"(?<![\w./-])(?:\d{4}([/. -])\d{1,2}\1\d{1,2}|\d{1,2}([/. -])\d{1,2}\2\d{4})(?![\w/-]|\.\d)")
_COUNTS: Final = re.compile(
    r"\b(?:later|earlier|next|previous|preceding|plus|minus|days?|weeks?|months?|closed|holidays?|moved?|postponed|instead)\b|\+"
    r"|\b(?:after|before|following|within|from|until|till|since)\b(?=[^.;]{0,20}\d)",
    re.IGNORECASE,
)
"""Words of a text that leads from one day to another, and need not write the latter out: `ordered on 2 November, three working days`. It tells the day that it comes to, and others only as they are written."""
_COMES_TO_DAY: Final = re.compile(r"(?:\b(?:is|was|gives|makes|becomes|means)|=)\s([^.;:]{1,40})$")
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.;!?])\s+|\n+")
_JOINED: Final = re.compile(r"[_-]+(?!\d+(?:\.\d+)?$)|(?<=\S)[_-]+")
_NUMBER: Final = re.compile(
    r"(?<![\w.,:/-])\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)?(?![\w/]|[.,:]\d)|(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w/]|[.,:]\d)"
)
_BELOW: Final = re.compile(r"(?<![\w.,:/)-])-\d+(?:\.\d+)?(?![\w/]|[.,:]\d)")
"""Numbers below zero; a sign between two numbers is a span."""
_COMMA: Final = re.compile(r"\d{1,3}(?:\.\d{3})*,\d{1,2}|\d+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}")
_ASIDE: Final = re.compile(r"\s*\([^()]{0,60}\)(?=[.\s]*$)")
"""What is said in brackets at the end of a text."""


_EQUALS: Final = re.compile(r"[=≈]\s*([-+$€£]?\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|[^\W\d_]{1,12}))?)[.)\s]*$")


def result_of(text: str) -> str | None:
    """What a calculation comes to: the figure behind its last equals sign, where it ends with it."""
    found = _EQUALS.search(text.rstrip()[-CLOSING:])
    return None if found is None else found[1].strip()


def same_figures(row: AnswerRow, one: str, other: str) -> bool:
    """Whether two figures are the same as far as the task's tolerance and the digits of the shorter one go."""
    if compare(one, other).same:
        return True
    first, second = figure(one), figure(other)
    if first is None or second is None:
        return False
    digits = min(len(re.sub(r"[^\d.]", "", text).partition(".")[2]) for text in (one, other))
    return abs(first - second) <= max(row.tolerance or 0.0, 0.5000001 * 10.0**-digits if digits else 0.0)


def in_order(text: str, answer: str) -> bool:
    """Whether a text names the parts of a list in the order that an answer gives them, each once."""
    parts = [part.strip() for part in re.split(r"\s*(?:[,;<>→]|->)\s*", answer) if part.strip()]
    if len(parts) < MIN_PARTS or any(text.count(part) != 1 for part in parts):
        return False
    places = [text.find(part) for part in parts]
    return places == sorted(places)


def mentions(text: str, answer: str) -> bool:
    """Whether a text states or merely mentions an answer."""
    return holds(text, answer) or compare(text, answer).same or contains_expected(text, answer) is not None


def concludes(text: str, answer: str) -> bool:
    """Whether a text ends with an answer, or marks it as its result; a result that is worked on is none."""
    if _GOES_ON.search(text[text.rfind(answer) + len(answer) :]) if answer in text else False:
        return False
    if len(text) <= CLOSING and compare(text, answer).same:
        return True
    if len(answer) == 1:
        return re.search(rf"(?<![\w.,:/-]){re.escape(answer)}[.\s]*$", _ASIDE.sub("", text[-CLOSING:])) is not None
    return contains_expected(text, answer) is not None or holds(text[-CLOSING:], answer)


def closes(text: str, answer: str) -> bool:
    """Whether the last words of a text are an answer of several parts."""
    return "," in answer and text.rstrip(" .").endswith(answer.rstrip(" ."))


def first_figure(text: str) -> str | None:
    """The first number of a text as a program finds it, which takes the year of a date for one."""
    found = _DIGITS.search(text)
    return None if found is None else found[0]


def last_sentence(text: str) -> str:
    return _SENTENCE_ENDS.split(text.strip())[-1]


def comes_to(text: str, answer: str) -> bool:
    """Whether the last sentence of a text ends with an answer that stands by itself."""
    return re.search(rf"(?<![\w.,:/-]){re.escape(answer.strip())}[.\s]*$", last_sentence(text)) is not None


def stands_alone(text: str, figure: str) -> bool:
    """Whether a figure stands in a text by itself, and as no part of a date or a time either."""
    return re.search(rf"(?<![\w.,:/-]){re.escape(figure)}(?![\w:/-]|[.,]\d)", text) is not None


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text by itself, not inside a longer word or number."""
    if not may_hold(text, value.strip()):
        return False
    if text.isascii() and value.isascii() and not value.isspace() and value:
        return _by_itself(text.lower(), value.strip().lower())
    return re.search(rf"(?<![\w.,]){re.escape(value.strip())}(?!\w|[.,]\d)", text, re.IGNORECASE) is not None


def _by_itself(text: str, value: str) -> bool:
    """What `holds` asks, of ASCII in small letters, where no pattern has to be made for each value."""
    start = text.find(value)
    while start >= 0:
        before, behind = text[start - 1 : start], text[start + len(value) : start + len(value) + 2]
        follows = behind[:1] in _WORD_SIGNS or (behind[:1] in (".", ",") and behind[1:].isdigit())
        if not follows and before not in _WORD_SIGNS and before not in (".", ","):
            return True
        start = text.find(value, start + 1)
    return False


_WORD_SIGNS: Final = frozenset(string.ascii_lowercase + string.digits + "_")


def may_hold(text: str, value: str) -> bool:
    """Whether a value may stand in a text, whatever the case; where all is plain letters, no pattern has to be made to say no."""
    return value.lower() in text.lower() or not (value.isascii() and text.isascii())


def end_of(text: str) -> str:
    return cut(text[-CLOSING:], CLOSING)


def cut(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
