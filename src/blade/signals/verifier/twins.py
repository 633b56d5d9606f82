"""TI: the expected change made with another tool that does the same, with the same quantity in another unit, or with the same number in another notation.

A verifier that wants one of two tools by name takes the other for wrong. That both do the same has to be said: by the description of one of
them, which names the other, or by a general tool that was given the field and the value which the expected one is named after. A call that takes
a figure and its unit means the same with 2200 m as with 2.2 km.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import isclose, isfinite
from typing import Any, Final

from blade.answers.units import unit_named
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import own_words, words_of_last
from blade.signals.calls.sameness import Difference, normal
from blade.signals.example import Example, call, tool
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import moment_of
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import MISSING, WRONG, Comparison, Match, comparison_of

_SAME: Final = re.compile(
    r"\b(?:same|equivalent|equals|alias|identical|synonym|interchangeabl[ey]|shorthand|shortcut|short for)\b",
    re.IGNORECASE,
)
_OTHERWISE: Final = re.compile(r"\b(?:not|never|unlike|but|except|instead|no longer)\b|n['’]t\b", re.IGNORECASE)
"""Words with which a sentence may say that two tools are not the same."""
_GROUPED: Final = re.compile(r"\+?[\d() ./-]+")
_POINTED: Final = re.compile(r"\+?\d{1,4}(?:\.\d{2,5}){2,5}")
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
"""Points stand in telephone numbers between short groups; in an address of a machine and in a figure they tell what it is."""
_NUMBERS: Final = frozenset([
    "phone", "telephone", "phonenumber", "tel", "mobile", "cell", "cellphone", "msisdn", "fax", "number", "card", "account", "acct", "iban", "isbn", "issn",
    "imei", "ssn",
])  # fmt: skip
"""Words of the names of arguments that take a number which is no figure."""
_FORM: Final = re.compile(
    r"\b(?:digits|numbers|numerals) only\b|\bonly (?:the )?(?:digits|numbers|numerals)\b|\bdigits-only\b"
    r"|\b(?:without|no) (?:any )?(?:spac(?:es?|ing)|blanks?|whitespace|hyphens?|dash(?:es)?|brackets?|parenthes[ei]s|punctuation|separators?|dots?|points?|grouping)\b"
    r"|\bformat\w*\b|\bE\.?164\b|\bverbatim\b|\bexactly as\b",
    re.IGNORECASE,
)
"""Words that say in which form a number is wanted."""
_PLACE: Final = re.compile(r"\[\d*\]")
MIN_DIGITS: Final = 7
"""Digits of a number that is grouped to be read; fewer may be a figure, a span or a day."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


@signal(
    "equal_tool",
    label="TI",
    needs=("departure",),
    meaning="an expected change was made with another tool, which by its description does the same, and with the expected values",
    causal=False,
    example=Example(
        (call("set_field", "ok", booking="B-118", field="guests", value=6),),
        tools=(tool("set_guests", booking="string", guests="integer"), tool("set_field", booking="string", field="string", value="integer")),
        fields={"expected_calls": [{"name": "set_guests", "arguments": {"booking": "B-118", "guests": 6}}]},
    ),
)  # fmt: skip
def equal_tool(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.executed:
        return
    for match in compared.missing:
        told = next(_twins(rollout, compared, match), None)
        if told is not None:
            made, why = told
            yield Evidence(made.step, made.short, f"{why}; {match.expected.short} is expected", match.expected.name)


def _twins(rollout: Rollout, compared: Comparison, match: Match) -> Iterator[tuple[Call, str]]:
    """Changes with all values of an expected call that was not made, by tools that do the same, and how that is known."""
    wanted = {repr(normal(value)) for _, value in leaves(match.expected.arguments)}
    if match.outcome != MISSING or not wanted:
        return
    for made in compared.extra:
        if made.error is None and wanted <= {repr(normal(value)) for _, value in made.leaves}:
            why = _declared_same(rollout, made.name, match.expected.name) or _by_field(made, match)
            if why:
                yield made, why


def _declared_same(rollout: Rollout, one: str, other: str) -> str:
    for name, twin in ((one, other), (other, one)):
        declared = rollout.tools.get(name)
        for sentence in _SENTENCE.split(declared.description) if declared is not None else ():
            named = re.search(rf"(?<![\w.-]){re.escape(twin)}(?![\w-]|\.\w)", sentence)
            if named is not None and _SAME.search(sentence) and not _OTHERWISE.search(sentence):
                return f"{name} says: {sentence.strip()[:120]}"
    return ""


def _by_field(made: Call, match: Match) -> str:
    """Whether a general tool was told the field that the expected one sets, by its name."""
    given = {str(value).lower() for _, value in made.leaves if isinstance(value, str)}
    named = [key for key in match.expected.arguments if key.lower() in given and key.lower() in own_words(match.expected.name)]
    return f"{made.name} was told to set {named[0]}" if named else ""


@signal(
    "equal_quantity",
    label="TI",
    needs=("wrong_argument",),
    meaning="an expected call was made with the same quantity in another unit: a figure and its unit differ, and come to the same",
    causal=False,
    example=Example(
        (call("set_cordon", "ok", mission="M-94907", radius=2200, unit="m"),),
        fields={"expected_calls": [{"name": "set_cordon", "arguments": {"mission": "M-94907", "radius": 2.2, "unit": "km"}}]},
    ),
)
def equal_quantity(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        if match.outcome == WRONG and match.call is not None and len(match.differences) == 2 and _equal(*match.differences):
            wanted, given = ("/".join(shown(value) for value in values) for values in zip(*((one.expected, one.actual) for one in match.differences), strict=True))  # fmt: skip
            yield Evidence(
                match.call.step, match.call.short, f"{given} is what {wanted} is; the latter is expected", match.expected.name
            )


@signal(
    "equal_notation",
    label="TI",
    needs=("wrong_argument",),
    meaning="an expected call was made with the same telephone, account or card number, whose digits are grouped in another way",
    causal=False,
    example=Example(
        (call("update_phone", "ok", customer="CU65590", phone="(01632) 960977"),),
        asked="My number is 01632 960977 now, please put it down.",
        fields={"expected_calls": [{"name": "update_phone", "arguments": {"customer": "CU65590", "phone": "01632 960977"}}]},
    ),
)
def equal_notation(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        if match.outcome == WRONG and match.call is not None and len(match.differences) == 1:
            differs = match.differences[0]
            named = any(word in _NUMBERS or word.removesuffix("s") in _NUMBERS for word in words_of_last(differs.path))
            if (
                named
                and _same_digits(differs.expected, differs.actual)
                and not _form_declared(rollout, match.call.name, differs.path)
            ):
                said = f"{shown(differs.actual)} has the digits of {shown(differs.expected)}, which is expected; no form is asked for"
                yield Evidence(
                    match.call.step,
                    f"{differs.path}={shown(differs.actual)}",
                    said,
                    argument_subject(match.call.name, differs.path),
                )


def _same_digits(expected: Any, actual: Any) -> bool:
    """Whether two texts are one long number, grouped in two ways; what may be a day or a time is none."""
    if (
        not isinstance(expected, str)
        or not isinstance(actual, str)
        or moment_of(expected) is not None
        or moment_of(actual) is not None
    ):
        return False
    if not _is_grouped(expected.strip()) or not _is_grouped(actual.strip()):
        return False
    one, other = (re.sub(r"\D", "", text) for text in (expected, actual))
    return one == other and len(one) >= MIN_DIGITS


def _is_grouped(text: str) -> bool:
    """Whether a text may be a number in groups: points only as telephone numbers have them, in no figure and in no address of a machine."""
    if _GROUPED.fullmatch(text) is None:
        return False
    return "." not in text or (_POINTED.fullmatch(text) is not None and _ADDRESS.fullmatch(text) is None)


def _form_declared(rollout: Rollout, name: str, path: str) -> bool:
    """Whether the tool, its argument or the prompt says in which form a number is wanted."""
    tool = rollout.tools.get(name)
    schema = _schema_of({} if tool is None else tool.parameters, path)
    if "pattern" in schema or "format" in schema or "enum" in schema:
        return True
    told = (str(schema.get("description", "")), "" if tool is None else tool.description, rollout.prompt_text)
    return any(_FORM.search(text) for text in told)


def _schema_of(schema: Any, path: str) -> dict[str, Any]:
    """The schema of an argument, however deep it lies; empty where none is declared."""
    for name in _PLACE.sub("", path).split("."):
        while isinstance(schema, dict) and isinstance(schema.get("items"), dict):
            schema = schema["items"]
        properties = schema.get("properties") if isinstance(schema, dict) else None
        schema = properties.get(name) if isinstance(properties, dict) else None
    return schema if isinstance(schema, dict) else {}


def _equal(one: Difference, other: Difference) -> bool:
    """Whether two differences are a figure and its unit that come to the same."""
    figure, unit = (one, other) if isinstance(one.expected, int | float) else (other, one)
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in (figure.expected, figure.actual)):
        return False
    if not isinstance(unit.expected, str) or not isinstance(unit.actual, str):
        return False
    wanted, given = unit_named(unit.expected), unit_named(unit.actual)
    if wanted is None or given is None or wanted.dimension != given.dimension or not isfinite(figure.expected + figure.actual):
        return False
    bases = [float(of.to_base(Fraction(str(value)))) for of, value in ((wanted, figure.expected), (given, figure.actual))]
    return isclose(*bases, rel_tol=1e-6)
