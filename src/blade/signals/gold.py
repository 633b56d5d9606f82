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
from typing import Any, Final

from blade.signals.answer_rows import expected_answer, taken_answer
from blade.signals.comparison import WRONG, Comparison, comparison_of
from blade.signals.example import Example, call
from blade.signals.layout.texts import plain_text
from blade.signals.origins import NOTHING, in_request, origin, shown, sources_of, traceable
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted_record import Source, as_asked

MIN_LONG: Final = 12
"""Digits from which on a spreadsheet shows a number by its exponent."""
DOUBLE: Final = 15
"""Digits that a floating-point number keeps."""
MIN_ID: Final = 6
"""Characters from which on two names of one scheme are not equal by chance."""
_EXPONENT: Final = re.compile(r"\d(?:[.,]\d+)?[eE]\+?\d{1,2}")
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
MIN_CUT: Final = 8
"""Characters of a text from which on ending in the middle of a word is no word of its own."""
_LAST_WORD: Final = re.compile(r"[\w.+-]+$")


@signal(
    "gold_damaged",
    label="DA",
    meaning="the expected value is a damaged copy of the one that was seen and given: digits lost as in a spreadsheet, day and month swapped, cut in a word, wrongly encoded",
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
    for path, expected, actual, step in _differing(rollout):
        how = damage(expected, actual)
        if how is not None and sources_of(rollout).places(actual):
            yield Evidence(
                step, f"{path} = {shown(expected)}", f"{shown(actual)} was seen and given, and the gold is {how}", path
            )
            return


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
        if not _of_one_scheme(expected, actual) or sources_of(rollout).places(expected):
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


def _of_one_scheme(expected: Any, actual: Any) -> bool:
    """Whether two values name records in one scheme: same length, letters and digits in the same places."""
    one, other = str(expected).strip(), str(actual).strip()
    if isinstance(expected, bool | float) or len(one) < MIN_ID or one == other:
        return False
    return any(map(str.isdigit, one)) and _scheme(one) == _scheme(other) and not _is_time(one)


def _scheme(text: str) -> str:
    return "".join("9" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in text)


def _is_time(text: str) -> bool:
    return re.match(r"\d{4}-\d{2}|\d{1,2}[:/.]\d{2}", text) is not None


def damage(expected: Any, actual: Any) -> str | None:
    """What became of a value on its way to the gold; None where the two are otherwise related."""
    lost = _digits_lost(expected, actual)
    if lost is not None or not isinstance(expected, str) or not isinstance(actual, str):
        return lost
    gold, given = expected.strip(), actual.strip()
    if (day := _ISO_DAY.fullmatch(given)) is not None and gold == f"{day[1]}-{day[3]}-{day[2]}" and day[2] != day[3]:
        return "with day and month swapped"
    if len(gold) >= MIN_CUT and given.startswith(gold) and gold[-1].isalpha() and given[len(gold) : len(gold) + 1].isalpha():
        return "cut off in a word"
    if gold != given and not given.isascii() and gold in (_misread(given, "latin-1"), _misread(given, "cp1252")):
        return "read in the wrong encoding"
    return "escaped as in HTML" if gold != given and html.unescape(gold) == given else None


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
