"""How a prompt wants its answer: the form it asks for, the digits, the unit, and how far off a figure may be.

A form is a line with a gap in it: `'Result: <number>'`, `Answer: X`, `FINAL = [value]`. Prompts quote it, or write the gap in
brackets, and say near it that one should answer so. What a message puts into the gap is what it *states*, whatever a verifier makes of
it; a message without the line lacks the form. The other conventions stand in the prompt in words, or beside the gold in the row.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.answers.units import is_known, unit_named
from blade.signals.repeats import has_mark, once_for_names, once_for_repeats
from blade.signals.texts.speech import caseless
from blade.signals.wanted.form import LAST_LINE, Form

READ: Final = 6_000
"""Characters at the end of a request in which its conventions stand."""
NEAR: Final = 120
"""Characters before a form in which the request to use it stands."""
_GAP: Final = r"(?:<[^<>\n]{1,60}>|\[[^\[\]\n]{1,60}\]|\{[^{}\n]{0,60}\}|\([^()\n]{1,40}\)|_{2,}|\.{3}|…|\$?[A-Z]{1,12}\b)"
_LABEL: Final = r"(?:\*\*)?(?:[A-Za-z][\w-]*(?: [\w-]+){0,3}\s?[:=]|#{2,6})(?:\*\*)?"
_QUOTED: Final = re.compile(
    rf"""(?:['"`“‘]|\*\*)[ \t]*(?P<before>{_LABEL})[ \t]*(?P<gap>{_GAP})?[ \t]*(?P<after>[^'"`“”‘’\w\n]{{0,12}})['"`”’*]"""
)
_OPEN: Final = re.compile(
    rf"(?<![\w<'\"`])(?P<before>{_LABEL})[ \t]*(?P<gap><[a-zA-Z][^<>\n]{{1,60}}>)(?!.{{0,200}}</)", re.DOTALL
)
_RESULT: Final = re.compile(
    r"\b(?:answer|result|verdict|conclusion|final|solution|decision|total|value|choice|rating|score|grade|output)\b",
    re.IGNORECASE,
)
"""Words of a label that announces an answer; one without a gap behind it needs such a word."""
_THEN: Final = re.compile(
    r"[\s,;]*(?:and then|and|then|followed by|plus|with|before) (?:the |your |its |a |just |only )*(?:\w+ )?(?:answer|result|value|figure|number|letter|choice)\b",
    re.IGNORECASE,
)
"""What is said behind a label that stands without a gap: `"Bottom line: " and then the answer`."""
_LAST_LINE: Final = re.compile(
    r"\b(?:last|final|closing) line of (?:your|the) (?:\w+ )?(?:message|reply|response|answer)\b[^.\n]{0,120}\b(?:answer|result|nothing (?:else|but|more))\b"
    r"|\b(?:put|write|give|place|state|end with|finish with)\b[^.?\n]{0,60}\b(?:answer|result)\b[^.?\n]{0,60}\b(?:on|as|in) (?:the|a|your) (?:last|final|closing) line\b(?! of (?!your))",
    re.IGNORECASE,
)
_TAGS: Final = re.compile(r"<([a-zA-Z_]{3,20})>[^<>\n]{0,60}</\1>")
_BRACKETS: Final = re.compile(
    r"\b(?:brackets|like|as in|e\.g\.|form|format|enclosed in|wrapped in|between|inside)\b[^\[<\n]{0,24}(?:(?P<square>\[\[)[^\[\]\n]{0,40}\]\]|<<[^<>\n]{0,40}>>)",
    re.IGNORECASE,
)
"""Doubled brackets around an example or a gap, which the prompt says is one: `like [[42]]`."""
_LAST_LINES: Final = ("last line", "final line", "closing line")
"""One of these stands wherever the last line is asked for; here and below, looking for such words is much quicker than for the expression."""
_DOUBLED: Final = re.compile(r"\bdoub(?:le|led) (?:(angle|pointed)|square) brackets\b", re.IGNORECASE)
"""The same said in words."""
_OPENS: Final = re.compile(r"[:=#*][ \t]*<[a-zA-Z]")
"""The end of a label and the beginning of its gap."""
_SKELETON: Final = re.compile(r"\{\s{0,20}[\"'][^{}]{1,400}\}")
_MEMBER: Final = re.compile(
    r"[\"'](?P<key>(?:final|your|the)?[_ ]?(?:answer|reply|response|result|output|solution|prediction|choice|verdict|value|label))[\"']\s{0,4}:\s{0,4}"
    r"(?:[\"'](?P<text>[^\"'\n]{1,80})[\"']|(?P<bare><[^<>\n]{1,60}>|\.{3}|…))",
    re.IGNORECASE,
)
"""An object in JSON with gaps for its values, and the member of it that holds the answer."""
_LEFT_OPEN: Final = re.compile(
    r"<[^<>]{1,80}>|\[[^\[\]]{1,80}\]|\.{3}|…|_{2,}|X|(?:your|the|a|an|final|short|one|exact) [\w ,]{2,70}", re.IGNORECASE
)
_REPLY: Final = re.compile(
    r"\b(?:answer|reply|respond|response|include|write|written|give|state|report|end|ends|ending|close|finish|conclude|put|form|format|return|"
    r"submit|present|provide|line)\b",
    re.IGNORECASE,
)
_WORDS: Final = {
    "no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
}  # fmt: skip
_DECIMAL_MARKS: Final = ("decimal", "dp", "d.p.", "digit", "place", "round")
_NEAREST_MARKS: Final = ("nearest", "closest", "next ", "round", "whole", "integer", "full")
_DECIMALS: Final = re.compile(
    r"\b(no|zero|one|two|three|four|five|six|\d)[- ](?:decimal|dp\b|d\.p\.|digits? (?:after|behind|past)|places? (?:after|behind|past))"
    r"|\bround(?:ed|ing)?\b[^.;\n]{0,30}\bto (one|two|three|four|five|six|\d) places\b",
    re.IGNORECASE,
)
_NEAREST: Final = re.compile(
    r"\b(?:nearest|closest|next) (whole|full|integer|unit|tenth|hundredth|thousandth|cent)\b|\bround(?:ed|ing)?\b[^.;\n]{0,30}\bto the (tenth|hundredth|thousandth|cent)\b"
    r"|\bas (?:a|an) (?:whole number|integer)\b|\bto (?:a|an|the) (?:whole|full|integer)\b|\b(?:in|as|to) (?:whole|full) (?!day|week|month|year|name|text|sentence)[a-z]+s\b"
    r"|\bround(?:ed|ing)?\b[^.;\n]{0,30}\b(?:whole|full) (?:one|number|unit)s?\b|\b(?:whole|full) numbers? only\b",
    re.IGNORECASE,
)
_NEAREST_PLACES: Final = {"whole": 0, "full": 0, "integer": 0, "unit": 0, "tenth": 1, "hundredth": 2, "cent": 2, "thousandth": 3}
_ANY_ORDER: Final = re.compile(
    r"\bin (?:any|whatever|whichever) order\b|\bany order (?:is|will|works|goes)\b|\border (?:does not|doesn['’]t|is not|isn['’]t) (?:matter|important|relevant)|\b(?:regardless|irrespective) of (?:the )?order\b|\bunordered\b",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(
    r"\bletters?\b|\b(?:option|choice)(?:'s)? (?:label|key|id|identifier)\b|\bone of (?:\(?[A-Z]\)?(?:, | or |/)){2,}|\b(?:A, ?B, ?C|A/B/C|A\|B\|C|A-[D-Z]|A to [D-Z])\b",
)
_OR_WORDS: Final = re.compile(
    r"\b(?:letter|number|label)s? or (?:with |by )?(?:the |its |their )?(?:\w+['’]s )?(?:name|text|word|option|answer|value|full)|\b(?:name|text|word|option|answer|value)s? or (?:with |by )?(?:the |its )?(?:letter|number|label)",
    re.IGNORECASE,
)
_IN_UNIT: Final = re.compile(
    r"\b(?:(?:in|into|as|unit:?|units:?|number of|how many(?! in\b))\s+(?:whole |full |decimal )?|as a\s+)([^\W\d_]+(?:/[^\W\d_]+)?)",
    re.IGNORECASE,
)
_SENTENCE_BEGINS: Final = re.compile(r"[.?!;:] |[(\n]")
_UNIT_ALONE: Final = re.compile(r"([^\W\d_]{4,}s|feet)(?=[,.)]|,? (?:please|rounded|only|to the|with))", re.IGNORECASE)
"""A unit in the plural as the beginning of what is said of the answer: `Kilograms, rounded to one decimal`."""
_PERCENTAGE: Final = re.compile(
    r"\b(?:what|which|how (?:much|many|large|big|high)\b[^.?!\n]{0,40}?)\s(?:is |are |was |were )?(?:the )?percentage\b(?! points?\b)",
    re.IGNORECASE,
)
"""Questions after a percentage, or after how much larger one is."""
_FRACTION: Final = re.compile(
    r"\bfractions?\b|\b(?:as|in) (?:a |an )?decimals?\b(?! (?:places?|digits?|points?|percent))|\bdecimal (?:form|number|value|notation)\b"
    r"|\b(?:between|from) (?:0|zero)(?:\.0+)? (?:and|to) (?:1|one)\b(?![.,]?\d|[.,]0*[1-9])|\b0(?:\.0+)? ?(?:-|–|to|\.\.) ?1(?:\.0+)?\b(?![.,]?\d)"
    r"|(?<![\d.,])0?\.\d+ ?(?:means?\b|for\b|=|is\b|stands\b)",
    re.IGNORECASE,
)
"""Words that say that a share is counted by one, and not by a hundred."""
_QUESTIONS: Final = ("question", "problem", "query")
_UNIT_FIELD: Final = re.compile(r"^(?:answer_|target_|expected_|result_|gold_)?units?$", re.IGNORECASE)
_TOLERANCE_FIELD: Final = re.compile(
    r"^(?:answer_|numeric_|target_)?(?P<kind>abs(?:olute)?_|rel(?:ative)?_|a|r)?tol(?:erance)?(?:_(?P<after>abs|rel|absolute|relative|pct|percent))?$",
    re.IGNORECASE,
)
_HOLDERS: Final = ("verifier_metadata", "verifier", "metadata", "extra_info", "info", "task", "grading", "scoring")


_FENCED: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_PROGRAM: Final = re.compile(
    r"^[ \t]*(?:import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|print\(|return\b|raise \w|#include|const \w+ ?=|let \w+ ?=|var \w+ ?=|function \w+\(|public \w|SELECT )"
    r"|\b(?:printf?|console\.log|echo|println!?)\(",
    re.MULTILINE,
)
_TEXT_IN_CALL: Final = re.compile(r"\(\s*[rbf]{0,2}[\"']")
"""Without it or the beginning of an f-string nothing is printed."""
_PRINTED: Final = re.compile(
    r"\b(?:print\w*|log\w*|echo|format)!?\(\s*[rbf]{0,2}(?:\"[^\"\n]*\"|'[^'\n]*')|(?<![\w'\"])[rb]?f(?:\"[^\"\n]*\"|'[^'\n]*')"
)


@once_for_repeats
def without_programs(request: str) -> str:
    """A request without the programs that it quotes: what those print is nothing that anybody is asked to say. A form that is shown in a fence stays."""
    if "```" in request or "~~~" in request:
        request = _FENCED.sub(lambda block: "\n" if _PROGRAM.search(block[2]) else block[0], request)
    return _PRINTED.sub("", request) if 'f"' in request or "f'" in request or _TEXT_IN_CALL.search(request) else request


@once_for_repeats
def asked_form(request: str) -> Form | None:
    """The form in which a request wants its answer; None where it asks for none, or for several."""
    read = without_programs(request)[-READ:]
    found: list[Form] = []
    angled, folded = "<" in read, caseless(read)
    for tags in _TAGS.finditer(read) if angled else ():
        form = Form(f"<{tags[1]}>", f"</{tags[1]}>")
        if form not in found and _REPLY.search(read[max(0, tags.start() - NEAR) : tags.start()]):
            found.append(form)
    for marks in _BRACKETS.finditer(read) if "<<" in read or "[[" in read else ():
        form = Form("[[", "]]") if marks["square"] else Form("<<", ">>")
        if form not in found:
            found.append(form)
    found += (form for form in _objects_asked(read) if form not in found)
    doubled = _DOUBLED.search(read) if "double" in folded else None
    if doubled is not None and not found:
        found.append(Form("<<", ">>") if doubled[1] else Form("[[", "]]"))
    labelled = ":" in read or "=" in read or "##" in read
    for match in (
        *(_QUOTED.finditer(read) if labelled else ()),
        *(_OPEN.finditer(read) if labelled and angled and _OPENS.search(read) else ()),
    ):
        before, after = match["before"].strip(" *"), (match.groupdict().get("after") or "").strip(" *_`.")
        if not match["gap"] and (after or not (_RESULT.search(before) or _THEN.match(read, match.end()))):
            continue
        if not (before[:1].isupper() or before.startswith("##") or _RESULT.search(before)) or not _REPLY.search(
            read[max(0, match.start() - NEAR) : match.start()]
        ):
            continue
        form = Form(before, after if match["gap"] else "")
        if form.before.lower() not in {known.before.lower() for known in found}:
            found.append(form)
    if not found and any(mark in folded for mark in _LAST_LINES) and _LAST_LINE.search(read):
        return LAST_LINE
    return found[0] if len(found) == 1 else None


def _objects_asked(read: str) -> Iterator[Form]:
    """The objects in JSON that a request wants for an answer: each has one member that is named after it, with a gap in it."""
    for skeleton in _SKELETON.finditer(read) if "{" in read else ():
        gaps = [one["key"] for one in _MEMBER.finditer(skeleton[0]) if one["bare"] or _LEFT_OPEN.fullmatch(one["text"].strip())]
        if len(set(gaps)) == 1 and _REPLY.search(read[max(0, skeleton.start() - NEAR) : skeleton.start()]):
            yield Form("", key=gaps[0])


@once_for_repeats
def any_order(request: str) -> bool:
    """Whether a request says that the order of what is listed does not matter."""
    return has_mark(request, ("order",)) and _ANY_ORDER.search(request[-READ:]) is not None


@once_for_repeats
def asks_for_letter(prompt: str) -> bool:
    """Whether a prompt wants an option named by its letter, and not as well by its words."""
    parts = (prompt,) if len(prompt) <= READ else (prompt[-READ:], prompt[:READ])
    return any(_LETTER.search(part) and not _OR_WORDS.search(part) for part in parts)


@once_for_repeats
def asked_decimals(request: str) -> int | None:
    """The digits behind the point that a request asks for."""
    read = request[-READ:]
    if has_mark(request, _DECIMAL_MARKS) and (told := _DECIMALS.search(read)) is not None:
        places = (told[1] or told[2]).lower()
        return _WORDS.get(places, int(places) if places.isdigit() else None)
    if has_mark(request, _NEAREST_MARKS) and (near := _NEAREST.search(read)) is not None:
        return _NEAREST_PLACES.get((near[1] or near[2] or "integer").lower())
    return None


def asked_unit(request: str, fields: dict[str, Any]) -> str | None:
    """The one unit of measure that the row or its request wants the answer in."""
    for place in _places(fields):
        for name in _units_among(place):
            value = place[name]
            if isinstance(value, str) and (unit := unit_named(value)) is not None and is_known(unit):
                return unit.name
    asked = _unit_in(request)
    own = next((fields[name] for name in _QUESTIONS if isinstance(fields.get(name), str)), None)
    return asked if asked is not None or own is None else _unit_in(own)


@once_for_repeats
def asks_for_fraction(text: str) -> bool:
    """Whether a text, a prompt's or a tool's own, says that shares are fractions of one."""
    return _FRACTION.search(text) is not None


@once_for_names
def _units_among(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if _UNIT_FIELD.match(name))


@once_for_names
def _tolerances_among(names: tuple[str, ...]) -> tuple[tuple[str, re.Match[str]], ...]:
    return tuple((name, told) for name in names if (told := _TOLERANCE_FIELD.match(name)) is not None)


@once_for_repeats
def _unit_in(request: str) -> str | None:
    """The one unit that a request names; None where it names none or several."""
    read = request[-READ:]
    alone = (_UNIT_ALONE.match(read, begins.end()) for begins in _SENTENCE_BEGINS.finditer(read))
    named = {
        unit.name
        for word in (*_IN_UNIT.findall(read), *(found[1] for found in alone if found is not None))
        if (unit := unit_named(word)) is not None and is_known(unit) and len(word) > 1
    }
    if (
        not named
        and has_mark(request, ("percentage",))
        and _PERCENTAGE.search(read)
        and (percent := unit_named("percent")) is not None
    ):
        return percent.name
    return next(iter(named)) if len(named) == 1 else None


def tolerance(request: str, fields: dict[str, Any], gold: str) -> float | None:
    """How far a figure may be from the gold: as the row declares it, else half a digit where the request asks for rounding, or asks for a measure and says nothing of digits."""
    try:
        figure = float(gold.replace(",", ""))
    except ValueError:
        return None
    declared = declared_tolerance(fields, figure)
    if declared is not None:
        return declared
    places = asked_decimals(request)
    written = len(gold.partition(".")[2])
    if places is None:
        measured = written and gold.replace(".", "").isdecimal() and asked_unit(request, fields) is not None
        return 0.5 * 10.0**-written if measured else None
    return 0.5 * 10.0**-places if written > places else None


def declared_tolerance(fields: dict[str, Any], figure: float) -> float | None:
    """How far from a figure the row itself lets an answer be."""
    for place in _places(fields):
        for name, told in _tolerances_among(place):
            value = place[name]
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                kind = ((told["kind"] or "") + (told["after"] or "")).lower()
                share = value / 100 if kind in ("pct", "percent") else value
                return share * abs(figure) if kind.startswith("r") or kind in ("pct", "percent") else float(value)
    return None


def _places(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield fields
    for name in _HOLDERS:
        if isinstance(inner := fields.get(name), dict):
            yield inner
