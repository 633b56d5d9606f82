"""DA: gold that the rollout's own work speaks against.

Datasets go through spreadsheets and encodings and are made from copies of a database. A long number comes back rounded (`4.82101E+16`), a
code without its leading zeros, a date with day and month swapped, a text cut in a word or read in the wrong encoding: gold that is a
*damaged* copy of what was seen and given. Or an id comes from another copy of the database than the one the tools answer from, a value from
another version of the request: then the expected one stands *nowhere*. That is no proof by itself (somebody may have looked in the
wrong place), so it is weighed over repeats and tasks (`diagnosis.patterns.stale_gold`).
"""

import html
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import permutations
from typing import Any, Final

from blade.signals.answer_rows import expected_answer, taken_answer
from blade.signals.comparison import WRONG, Comparison, comparison_of
from blade.signals.days import day_in_request
from blade.signals.example import Example, call
from blade.signals.layout.texts import plain_text
from blade.signals.mutation import words_of
from blade.signals.origins import NOTHING, in_request, origin, shown, sources_of, traceable
from blade.signals.rollout import Rollout
from blade.signals.sameness import same
from blade.signals.schemes import of_one_scheme
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted_record import Source, as_asked

MIN_LONG: Final = 12
"""Digits from which on a spreadsheet shows a number by its exponent."""
DOUBLE: Final = 15
"""Digits that a floating-point number keeps."""
_EXPONENT: Final = re.compile(r"\d(?:[.,]\d+)?[eE]\+?\d{1,2}")
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
MIN_SPELT: Final = 10
"""Characters of a text from which on one letter more or less makes no other word of it."""
MIN_CUT: Final = 8
"""Characters of a text from which on ending in the middle of a word is no word of its own."""
_TRACE: Final = re.compile(
    r"\s*[(\[{,;/|–—-]{0,2}\s*(?:was|were|formerly|previously|prev|old|originally|orig|before|changed|corrected|updated|edited|fixed|amended|revised|instead of|"
    r"replaces|not|see|todo|fixme|tbc|tbd|to be confirmed|sic)\b|\s*[(\[]?\?{2,}|\s*(?:<-|←)",
    re.IGNORECASE,
)
_ARROW: Final = re.compile(r".{1,60}\s(?:->|→|=>|⇒|>>|now|corrected to|changed to)\s+", re.IGNORECASE | re.DOTALL)
_BEGINS: Final = frozenset(
    [
        "first",
        "start",
        "starts",
        "begin",
        "begins",
        "from",
        "since",
        "earliest",
        "min",
        "minimum",
        "lower",
        "checkin",
        "departure",
        "open",
        "opens",
    ]
)
_ENDS: Final = frozenset(
    [
        "last",
        "end",
        "ends",
        "until",
        "till",
        "to",
        "through",
        "latest",
        "max",
        "maximum",
        "upper",
        "checkout",
        "return",
        "close",
        "closes",
    ]
)
_SPELT_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?|\d{2}:\d{2}")
_LAST_WORD: Final = re.compile(r"[\w.+-]+$")


@signal(
    "gold_damaged",
    label="DA",
    meaning="the expected value is a damaged copy of the one that was seen and given: digits lost as in a spreadsheet, day and month swapped, cut in a word, wrongly encoded, with the trace of an edit, its ends swapped",
    causal=False,
    example=Example(
        (
            call("get_order", '{"payment_id": "48210136574410022"}', order_id="W1"),
            call("refund_order", "ok", payment_id="48210136574410022"),
        ),
        fields={"expected_calls": [{"name": "refund_order", "arguments": {"payment_id": "4.82101E+16"}}]},
    ),
)
def gold_damaged(rollout: Rollout) -> Iterator[Evidence]:
    told = _traced(rollout) or _turned_round(rollout)
    if told is not None:
        yield told
        return
    for path, expected, actual, step in _differing(rollout):
        how = damage(expected, actual)
        if (
            how is not None
            and not sources_of(rollout).places(expected)
            and (sources_of(rollout).places(actual) or _asked_day(rollout, expected, actual))
        ):
            yield Evidence(
                step, f"{path} = {shown(expected)}", f"{shown(actual)} was seen and given, and the gold is {how}", path
            )
            return


def _traced(rollout: Rollout) -> Evidence | None:
    """Gold in which an editor left a trace beside the value that was given: `20 (was 23)`."""
    for path, expected, actual, step in _differing(rollout):
        gold, given = str(expected).strip(), str(actual).strip()
        if isinstance(expected, str) and given and gold != given and _edited(gold, given):
            return Evidence(
                step,
                f"{path} = {shown(expected)}",
                f"{shown(actual)} was given, and the gold holds it beside the trace of an edit",
                path,
            )
    return None


def _edited(gold: str, given: str) -> bool:
    before, held, after = gold.partition(given)
    return bool(held) and (
        (not before and _TRACE.match(after) is not None) or (not after and _ARROW.fullmatch(before) is not None)
    )


def _turned_round(rollout: Rollout) -> Evidence | None:
    """An expected span whose end lies before its beginning, where the same two were given in their order."""
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        ends = {differs.path: differs for differs in match.differences}
        for first, second in permutations(ends, 2) if len(ends) > 1 and match.call is not None else ():
            one, other = ends[first], ends[second]
            if (
                same(one.expected, other.actual)
                and same(other.expected, one.actual)
                and not _BEGINS.isdisjoint(words_of(first))
                and not _ENDS.isdisjoint(words_of(second))
                and _before(one.actual, other.actual)
            ):
                assert match.call is not None
                detail = f"{shown(one.actual)} and {shown(other.actual)} were given; the gold has them in each other's place, and ends before it begins"
                return Evidence(
                    match.call.step, f"{first} = {shown(one.expected)}", detail, argument_subject(match.call.name, first)
                )
    return None


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


@signal(
    "gold_unseen",
    label="DA",
    meaning="the work led from the request to one record and used its id, the expected one stands nowhere; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (
            call("find_customer", '[{"customer_id": "C-20418", "name": "Ann Lee"}]', name="Ann Lee"),
            call("close_account", "ok", customer_id="C-20418"),
        ),
        asked="Please close the account of Ann Lee.",
        fields={"expected_calls": [{"name": "close_account", "arguments": {"customer_id": "C-77120"}}]},
    ),
)  # fmt: skip
def gold_unseen(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    for path, expected, actual, step in _differing(rollout):
        if not of_one_scheme(expected, actual) or sources_of(rollout).places(expected):
            continue
        source = as_asked(rollout, actual)
        if source is not None:
            yield Evidence(
                step, f"{path} = {shown(actual)}", f"{told(source)}; {shown(expected)} is expected and stands nowhere", path
            )


@signal(
    "gold_not_named",
    label="DA",
    meaning="the value given stands in the request, the expected one stands nowhere and follows from nothing; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (call("book_room", "booked", room="Aurora", guests=40),),
        asked="Book the room Aurora for 40 people.",
        fields={"expected_calls": [{"name": "book_room", "arguments": {"room": "Borealis", "guests": 40}}]},
    ),
)  # fmt: skip
def gold_not_named(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    compared = comparison_of(rollout)
    if compared is None:
        return
    for path, expected, actual, step in _wrong_arguments(compared):
        if traceable(actual) and in_request(rollout, actual) and NOTHING in origin(rollout, expected, len(rollout.output)):
            quote = f"{path} = {shown(actual)}"
            yield Evidence(step, quote, f"as the request says; {shown(expected)} is expected, which stands nowhere", path)


def _asked_day(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether the request names the day that was given, in words or figures, and not the expected one."""
    return day_in_request(rollout, actual) and not day_in_request(rollout, expected)


def told(source: Source) -> str:
    return f"{source.key} of {source.tool} (step {source.step}), the only record there that the request speaks of"


def source_told(detail: str) -> str:
    """The tool and the key that the detail of a `gold_unseen` names."""
    return detail.partition(" (step ")[0]


def _differing(rollout: Rollout) -> Iterator[tuple[str, Any, Any, int | None]]:
    """Where something else was given than is expected: (`tool.argument` or the answer's field, expected, given, step)."""
    compared = comparison_of(rollout)
    if compared is not None:
        yield from _wrong_arguments(compared)
    gold = expected_answer(rollout)
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or rollout.final is None:
        return
    taken = taken_answer(rollout)
    given = plain_text(taken[1]) if taken is not None and taken[1] is not None else None
    for text in (given, _last_word(rollout.final.text.strip().rstrip(".*`\"'"))):
        if text and text != answer:
            yield gold[0], answer, text, rollout.final.step
            return


def _last_word(text: str) -> str | None:
    """The word that a text ends with; no word goes beyond a space, so only what follows the last one is looked at."""
    found = _LAST_WORD.search(text if not text or text[-1].isspace() else text.rsplit(None, 1)[-1])
    return None if found is None else found[0]


def _wrong_arguments(compared: Comparison) -> Iterator[tuple[str, Any, Any, int | None]]:
    for match in compared.counted:
        if match.outcome == WRONG and match.call is not None:
            for differs in match.differences:
                yield argument_subject(match.call.name, differs.path), differs.expected, differs.actual, match.call.step


def damage(expected: Any, actual: Any) -> str | None:
    """What became of a value on its way to the gold; None where the two are otherwise related."""
    lost = _digits_lost(expected, actual)
    if lost is not None or not isinstance(expected, str) or not isinstance(actual, str):
        return lost
    gold, given = expected.strip(), actual.strip()
    if (
        (day := _ISO_DAY.match(given)) is not None
        and gold == f"{day[1]}-{day[3]}-{day[2]}{given[day.end() :]}"
        and day[2] != day[3]
    ):
        return "with day and month swapped"
    if len(gold) >= MIN_CUT and given.startswith(gold) and _in_word(given, len(gold)):
        return "cut off in a word"
    if len(gold) >= MIN_CUT and _MOMENT.match(given) is not None and given.startswith(gold):
        return "cut off before the time"
    if gold != given and not given.isascii() and gold in (_misread(given, "latin-1"), _misread(given, "cp1252")):
        return "read in the wrong encoding"
    if gold != given and html.unescape(gold) == given:
        return "escaped as in HTML"
    return "off by a letter" if min(len(gold), len(given)) >= MIN_SPELT and _one_letter_off(gold, given) else None


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
    gold, given = str(expected).strip(), str(actual).strip()
    if isinstance(expected, bool) or not given.isdigit() or not given.isascii() or gold == given:
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
