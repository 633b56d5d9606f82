"""Do a report's figures fit each other where they stand: a percentage its fraction, a part its whole, a sum its parts, a value its interval?

None of this needs a run.
"""

import re

from blade.claims.reading.document import Span
from blade.claims.reading.metrics import interval_after
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.tally import CONTRADICTS_ITSELF

_WHOLE = r"\d[\d,]{0,14}+"
_SUM = re.compile(
    rf"(?<![\d,.])(?P<total>{_WHOLE})\s?=\s?"
    rf"(?P<parts>{_WHOLE}(?:\s[A-Za-z][\w ()-]{{0,40}}?)?(?:\s?\+\s?{_WHOLE}(?:\s[A-Za-z][\w()-]{{0,30}}(?:\s[a-z]{{1,30}})?)?){{1,40}})"
)
_PRODUCT = re.compile(
    rf"(?<![\d,./*×])(?P<one>{_WHOLE})(?:\s[a-z]{{1,30}})?\s?[×x*]\s?(?P<other>{_WHOLE})(?:\s[a-z]{{1,30}}){{0,3}}\s?=\s?"
    rf"(?P<total>{_WHOLE})(?![\d.]|\s?[+×x*])"
)
_COUNT = re.compile(r"(?<![\w.,])\d[\d,]{0,14}+(?![\w.])")
_NAMED_BOUND = re.compile(r"\b(?:upper|lower|maximum|minimum)\W{0,3}$", re.IGNORECASE)
"""What names a limit: an interval behind it is of another value."""


def check_arithmetic(reading: Reading) -> None:
    for read in reading.everywhere():
        for fraction in read.fractions:
            _share(reading, read, fraction.part, fraction.whole, fraction.share)
        for number in read.numbers:
            _interval(reading, read, number)
        _sums(reading, read)


def _share(reading: Reading, read: Read, part: Number, whole: Number, share: Number | None) -> None:
    said = read.text[part.span.start : whole.span.end]
    if part.value > whole.value:
        reading.tally.judge(False, read.passage, part.span, CONTRADICTS_ITSELF, f"at most {whole.text}", found=said)
    elif share is not None and whole.value:
        true = 100 * part.value / whole.value
        right = share.equals(true)
        expected = f"{said} is {true:.1f} %"
        for span in (share.span, part.span, whole.span) if right else (share.span,):
            reading.tally.judge(right, read.passage, span, CONTRADICTS_ITSELF, expected, found=f"{said} ({share.text})")


def _interval(reading: Reading, read: Read, number: Number) -> None:
    bounds = interval_after(read.text, number, read.numbers)
    if bounds is None or _NAMED_BOUND.search(read.text[max(number.span.start - 12, 0) : number.span.start]):
        return
    low, high = bounds
    same = low.unit == high.unit == number.unit
    if same and not low.value - low.ulp <= number.value <= high.value + high.ulp:
        said = f"{number.text} [{low.text}, {high.text}]"
        reading.tally.judge(False, read.passage, number.span, CONTRADICTS_ITSELF, "a value within its interval", found=said)


def _sums(reading: Reading, read: Read) -> None:
    for found in _SUM.finditer(read.text):
        parts = [int(part.replace(",", "")) for part in _COUNT.findall(found["parts"])]
        _equation(reading, read, found, sum(parts), "+".join(map(str, parts)))
    for found in _PRODUCT.finditer(read.text):
        one, other = (int(found[name].replace(",", "")) for name in ("one", "other"))
        _equation(reading, read, found, one * other, f"{one} × {other}")


def _equation(reading: Reading, read: Read, found: re.Match[str], true: int, how: str) -> None:
    total = int(found["total"].replace(",", ""))
    numbers = read.within(Span(*found.span()))
    stated = next((number for number in numbers if number.span.start == found.start("total")), None)
    if stated is None:
        return
    if total == true:
        for number in numbers:
            reading.tally.hold(read.passage, number.span)
    else:
        reading.tally.judge(False, read.passage, stated.span, CONTRADICTS_ITSELF, f"{how} = {true:,}", found=found[0].strip())
