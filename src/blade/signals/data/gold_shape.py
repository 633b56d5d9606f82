"""DA: gold that breaks the form which the prompt itself asks for, where the answer keeps to it.

A prompt that wants the bare number, a figure rounded to a decimal, a day as YYYY-MM-DD or a time by the 24-hour clock makes everybody who obeys it miss gold
that reads `64.4 GB`, `64.38217`, `6 March 2026` or `2:30 pm`. Where a prompt says nothing of the form, a verifier that insists on one is at fault instead (`diagnosis.patterns.answers`).
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from blade.answers import compare, extract
from blade.signals.answer_rows import learned_form
from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.asked import asked_decimals, asked_form, declared_tolerance
from blade.signals.wanted.comparison import comparison_of

READ: Final = 20_000
MAX_ANSWER: Final = 60
BARE, ISO_DAY, BY_24 = "the bare number", "a day as YYYY-MM-DD", "the 24-hour clock"
_BARE: Final = re.compile(
    r"\b(?:no|without|omit(?:ting)?|leave out|drop|(?:do not|don['’]t) (?:include|write|add|give)|exclud(?:e|ing))\b[^.\n]{0,24}\b(?:units?|currency|(?:dollar|percent|currency) signs?)\b"
    r"|\bbare (?:answer|number|figure|value|result)\b|\b(?:number|figure|digits|integer|amount) (?:only|alone)\b|\b(?:only|just|nothing but) (?:the|a|one) (?:bare |plain |single )?(?:number|figure|integer|digits)\b"
    r"|\b(?:plain|bare) (?:number|integer|figure)\b",
    re.IGNORECASE,
)
_WITH_UNIT: Final = re.compile(
    r"\b(?:with|include|including|state|give|and|add) (?:the |its |a |their )?(?:units?\b|currency|(?:dollar|percent|currency) sign)|\bunits? (?:included|as well|too)\b",
    re.IGNORECASE,
)
_AS_ISO: Final = re.compile(r"\bYYYY-MM-DD\b|\bISO(?:[ -]?8601)? (?:date|day|format)\b", re.IGNORECASE)
_AS_24: Final = re.compile(r"\bHH:MM\b|\b24[- ]?(?:h|hours?)\b", re.IGNORECASE)
_AS_12: Final = re.compile(r"\b12[- ]?(?:h|hours?)\b|\b[ap]\.?m\.?\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_UNIT: Final = re.compile(r"[ \u00a0]?(?:[$€£¥₹%°]|(?:US|CA|AU)\$|[^\W\d_]{1,12}(?:[ /][^\W\d_]{1,12})?)")
"""A sign of currency, a per cent sign, or a word or two behind a number."""
_FACTOR: Final = re.compile(
    r"\b(?:hundred|thousand|million|billion|trillion|dozen|k|m|bn|mn|tn|minus|negative|plus|bce?|half|pairs?)\b", re.IGNORECASE
)
"""Words that make another number of the one they stand by."""
_EXACT: Final = re.compile(r"\bexact(?:ly)?\b|\bunrounded\b", re.IGNORECASE)
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOCK: Final = re.compile(r"\d{2}:\d{2}")
_HALF_DAY: Final = re.compile(r"(\d{1,2}(?:[:.]\d{2})?) ?([ap])\.?m\.?", re.IGNORECASE)


@signal(
    "gold_breaks_form",
    label="DA",
    meaning="the prompt says in which form it wants the answer, the answer keeps to it, and the gold is the same in another form",
    causal=False,
    example=Example(
        (says("FINAL ANSWER: 64.4"),),
        asked="How large is it in GB? End with 'FINAL ANSWER: <answer>', the bare number and no units.",
        fields={"expected_answer": "64.4 GB"},
    ),
)
def gold_breaks_form(rollout: Rollout) -> Iterator[Evidence]:
    yield from _unrounded_arguments(rollout)
    gold = expected_answer(rollout)
    wanted = None if gold is None else plain_text(gold[1])
    if gold is None or wanted is None or rollout.final is None or not 0 < len(wanted) <= MAX_ANSWER:
        return
    if _NUMBER.fullmatch(wanted.strip()):
        places = _asked_places(rollout) if "." in wanted else None
        form, given = ("", "") if places is None else unrounded(wanted.strip(), stated_answer(rollout), places)
    else:
        form, given = broken_form(wanted.strip(), stated_answer(rollout), asked_forms(rollout.prompt_text))
    if form:
        yield Evidence(rollout.final.step, given, f"the prompt wants {form}; {gold[0]} is {wanted}", gold[0])


def _asked_places(rollout: Rollout) -> int | None:
    """The decimals that a request wants; None where it wants the exact figure, or the row says how far off an answer may be."""
    if _EXACT.search(rollout.request) or declared_tolerance(rollout.fields, 1.0) is not None:
        return None
    return asked_decimals(rollout.request)


def _unrounded_arguments(rollout: Rollout) -> Iterator[Evidence]:
    """Expected figures with more decimals than the request wants, where calls were given them rounded as it says."""
    compared = comparison_of(rollout)
    for match in compared.counted if compared is not None else ():
        call = match.call
        for differs in match.differences if call is not None else ():
            gold, made = str(differs.expected).strip(), str(differs.actual).strip()
            if call is None or "." not in gold or not _NUMBER.fullmatch(gold) or not _NUMBER.fullmatch(made):
                continue
            places = _asked_places(rollout)
            form, given = ("", "") if places is None else unrounded(gold, made, places)
            if form:
                subject = argument_subject(call.name, differs.path)
                yield Evidence(
                    call.step,
                    f"{differs.path} = {given}",
                    f"the request wants {form}; {subject} is expected to be {gold}",
                    subject,
                )


@once_for_repeats
def asked_forms(prompt: str) -> frozenset[str]:
    """The forms that a prompt asks for and does not take back."""
    text = prompt[-READ:]
    found = set()
    if _BARE.search(text) and not _WITH_UNIT.search(text):
        found.add(BARE)
    if _AS_ISO.search(text):
        found.add(ISO_DAY)
    if _AS_24.search(text) and not _AS_12.search(text):
        found.add(BY_24)
    return frozenset(found)


def broken_form(gold: str, given: str, asked: frozenset[str]) -> tuple[str, str]:
    """The form that an answer keeps to and that the gold, which says the same, does not; with the answer."""
    if BARE in asked and _NUMBER.fullmatch(given) and gold != given:
        before, held, after = gold.replace(",", "").partition(given.replace(",", ""))
        if (
            held
            and (before or after)
            and all(
                not part or (_UNIT.fullmatch(part) and not _FACTOR.search(part)) for part in (before.rstrip(), after.rstrip())
            )
        ):
            return BARE, given
    if ISO_DAY in asked and _ISO.fullmatch(given) and not _ISO.match(gold) and compare(gold, given).same:
        return ISO_DAY, given
    if BY_24 in asked and _CLOCK.fullmatch(given) and _by_24(gold) == given:
        return BY_24, given
    return "", given


def unrounded(gold: str, given: str, places: int) -> tuple[str, str]:
    """The form that a rounded answer keeps to, where the gold is the same figure with more decimals than are asked for."""
    written, answered = gold.replace(",", ""), given.replace(",", "")
    with suppress(InvalidOperation):
        off = abs(Decimal(answered) - Decimal(written))
        if _decimals(answered) <= places < _decimals(written) and 0 < off <= Decimal(5).scaleb(-places - 1):
            return (f"{places} decimal{'s' * (places != 1)}" if places else "a whole number"), given
    return "", given


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _by_24(time: str) -> str | None:
    """A time of day with am or pm, by the 24-hour clock; None where it is none."""
    found = _HALF_DAY.fullmatch(time)
    if found is None:
        return None
    written = found[1].replace(".", ":")
    try:
        read = datetime.strptime(f"{written if ':' in written else written + ':00'} {found[2]}m", "%I:%M %p")
    except ValueError:
        return None
    return read.strftime("%H:%M")


@once_for_each
def stated_answer(rollout: Rollout) -> str:
    """What was answered: as the verifier took it, as it stands in the form that is asked for, or as the message marks it."""
    assert rollout.final is not None
    taken = taken_answer(rollout)
    text = plain_text(taken[1]) if taken is not None and taken[1] is not None else None
    if not text:
        form = asked_form(rollout.request) or asked_form(rollout.prompt_text) or learned_form(rollout)
        text = None if form is None else form.stated(rollout.final.text)
    if not text:
        text = next((one.text for one in extract(rollout.final.text) if one.marked or one.how == "last line"), None)
    return (text or "").strip()
