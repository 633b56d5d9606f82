"""Are two answers the same? Every reading of one against every reading of the other of the same kind.

A verdict of sameness needs two sure readings that agree, and no pair that contradicts it. `different` needs two sure readings of
one kind that disagree, and no pair, however unsure, that agrees: `1,234` and `1.234` are left `unknown`, because a European could
mean the same. Comparing is symmetric, never raises, and is bounded by the length limit; symbolic maths comes last and runs in a
process of its own (`symbolic`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from blade.answers.choices import Letter
from blade.answers.groups import Group, JsonNumber
from blade.answers.normal import Kind, Quantity, Reading, bare_text, readings
from blade.answers.numbers import PLAIN_FORMS
from blade.answers.places import country
from blade.answers.quantities import SAME_NUMBER, compare_quantities
from blade.answers.symbolic import compare_expressions
from blade.answers.text import LONGEST, folded, foldings_needed
from blade.answers.verdict import Relation, Verdict, different, equivalent, unknown

_DEEPEST: Final = 4
_NOTATIONS: Final = frozenset({"list notation", "JSON notation"})
_WHOLE_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,14}")
_OTHER_NUMBER: Final = different("different numbers")
_SAME_TEXT: Final = Verdict(Relation.EQUAL, "same text")


def compare(expected: str, actual: str, *, options: Mapping[str, str] | None = None) -> Verdict:
    """How two answers relate, and by which normalisation.

    `options` are the choices of the question by letter; with them, the words of an option stand for its letter.
    """
    if options and (chosen := _by_options(expected, actual, options)):
        return chosen
    return _compared(expected, actual)


@lru_cache(maxsize=4096)
def _compared(expected: str, actual: str) -> Verdict:
    """The repeats of a task give the same few answers, and several patterns ask about each."""
    return _compare(expected, actual, depth=0)


def _compare(expected: str, actual: str, depth: int) -> Verdict:
    if expected.strip() == actual.strip():
        return _SAME_TEXT
    if _WHOLE_NUMBER.fullmatch(expected) and _WHOLE_NUMBER.fullmatch(actual):
        return _OTHER_NUMBER  # what all readings of the two come to, and what most answers are
    if max(len(expected), len(actual)) > LONGEST:
        return unknown("too long to be read as an answer")
    if (meant := country(expected)) is not None and meant == country(actual) and folded(expected) != folded(actual):
        return equivalent("another name of the country")
    mine, theirs = readings(expected), readings(actual)
    if not mine or not theirs:
        return unknown("one side is empty")
    verdict = _weigh([(_judge(one, other, depth), one.sure and other.sure) for one in mine for other in theirs])
    if verdict.relation is Relation.UNKNOWN and depth == 0 and not _share_a_kind(mine, theirs):
        return compare_expressions(bare_text(expected), bare_text(actual)) or verdict
    return verdict


def _share_a_kind(mine: Iterable[Reading], theirs: Iterable[Reading]) -> bool:
    """Whether both were read as the same kind of thing other than text; then symbolic maths has nothing to add."""
    return bool({one.kind for one in mine} & {one.kind for one in theirs} - {Kind.TEXT, Kind.GROUP, Kind.RATIO})


def _weigh(judged: list[tuple[Verdict | None, bool]]) -> Verdict:
    """One verdict from those of all pairs: a sure agreement that nothing contradicts, else doubt, else a sure difference."""
    verdicts = sorted(((verdict, sure) for verdict, sure in judged if verdict), key=lambda each: each[0].how)
    agreeing = [verdict for verdict, sure in verdicts if verdict.same and sure]
    differing = [verdict for verdict, sure in verdicts if verdict.relation is Relation.DIFFERENT and sure]
    doubts = [verdict for verdict, sure in verdicts if verdict.same and not sure]
    open_questions = [verdict for verdict, sure in verdicts if verdict.relation is Relation.UNKNOWN]
    if agreeing and differing:
        return unknown(f"the same by {agreeing[0].how}, but {differing[0].how}")
    if agreeing:
        return min(agreeing, key=lambda verdict: (verdict.relation is not Relation.EQUAL, verdict.assumed))
    if doubts:
        return unknown(f"the same only if read by {doubts[0].how}")
    if differing and not open_questions:
        return differing[0]
    return open_questions[0] if open_questions else unknown("not understood as the same kind of answer")


def _judge(one: Reading, other: Reading, depth: int) -> Verdict | None:
    """The verdict on two readings, or None if they are of different kinds."""
    if {one.kind, other.kind} == {Kind.LETTER, Kind.TEXT}:
        return _letter_and_text(one, other)
    if one.kind is not other.kind:
        return None
    if one.variable and other.variable and one.variable != other.variable:
        return unknown("different variables")
    verdict = _same_kind(one, other, depth)
    if verdict and verdict.same and bool(one.variable) != bool(other.variable):
        return equivalent(_how(one, other), assumed=True)
    return verdict


def _same_kind(one: Reading, other: Reading, depth: int) -> Verdict | None:
    match one.value, other.value:
        case Quantity() as mine, Quantity() as theirs:
            verdict = compare_quantities(mine, theirs)
            if verdict is SAME_NUMBER and (one.forms | other.forms) - PLAIN_FORMS:
                return equivalent(_how(one, other), assumed=one.assumed or other.assumed)
            return verdict
        case Letter() as mine, Letter() as theirs:
            return _letters(mine, theirs)
        case Group() as mine, Group() as theirs:
            return _explained(_groups(mine, theirs, depth), one, other)
        case (dict() | list()) as mine, (dict() | list()) as theirs:
            return _explained(_json(mine, theirs, depth), one, other)
    if one.kind is Kind.TEXT:
        return _texts(one, other)
    if one.value != other.value:
        return different(f"different {one.kind}" if one.kind is Kind.YES_NO else f"different {one.kind}s")
    families = {form for form in one.forms ^ other.forms if " or " in form}
    return equivalent(_how(one, other), assumed=bool(families) or one.kind is Kind.RATIO)


def _how(one: Reading, other: Reading) -> str:
    """The notations in which two equal readings differ, else those they share."""
    forms = (one.forms ^ other.forms) or (one.forms | other.forms)
    telling = (forms - PLAIN_FORMS) or forms
    return " and ".join(sorted(telling)) or "whitespace"


def _explained(verdict: Verdict, one: Reading, other: Reading) -> Verdict:
    """A verdict that only found the notation to differ, in the words of what was wrapped around the two."""
    wrapped = one.forms ^ other.forms
    return replace(verdict, how=" and ".join(sorted(wrapped))) if wrapped and verdict.how in _NOTATIONS else verdict


def _texts(one: Reading, other: Reading) -> Verdict | None:
    """The same words, or nothing: other words may mean the same. Case may matter in a symbol (`x`, `5 Mb`)."""
    mine, theirs = str(one.value), str(other.value)
    words = folded(mine)
    if not words or words != folded(theirs):
        return None
    foldings = foldings_needed(mine, theirs)
    names = sorted({*foldings, *(one.forms ^ other.forms)}) or sorted(one.forms)
    symbolic = len(words) <= 2 or any(map(str.isdigit, words))
    return equivalent(" and ".join(names) or "whitespace", assumed="case" in foldings and symbolic)


def _letters(one: Letter, other: Letter) -> Verdict:
    if one.letter != other.letter:
        return different("different option letters")
    if one.words and other.words and not _compare(one.words, other.words, _DEEPEST).same:
        return unknown("one option letter with different words")
    return equivalent("option letter")


def _letter_and_text(one: Reading, other: Reading) -> Verdict | None:
    """`(B) Paris` says Paris; a bare letter says nothing about words."""
    lettered, text = (one, other) if one.kind is Kind.LETTER else (other, one)
    assert isinstance(lettered.value, Letter)
    if not lettered.value.words:
        return None
    same = folded(lettered.value.words) == folded(str(text.value))
    return equivalent("option letter") if same else None


def _by_options(expected: str, actual: str, options: Mapping[str, str]) -> Verdict | None:
    """The verdict when both sides name an option by letter or words; None if one does not."""
    if expected.strip() == actual.strip():
        return None
    mine, theirs = _options_of(expected, options), _options_of(actual, options)
    if len(mine) > 1 or len(theirs) > 1:
        return unknown("the letter and the words name different options")
    if not mine or not theirs:
        return None
    return equivalent("option letter") if mine == theirs else different("different options")


def _options_of(text: str, options: Mapping[str, str]) -> set[str]:
    """The options that a text names: one, if its letter and its words agree."""
    for reading in readings(text):
        if isinstance(reading.value, Letter) and reading.value.letter in options:
            return {reading.value.letter} | (_options_worded(reading.value.words, options) if reading.value.words else set())
    worded = _options_worded(text, options)
    return worded if len(worded) == 1 else set()


def _options_worded(text: str, options: Mapping[str, str]) -> set[str]:
    verdicts = {letter: _compare(text, words, _DEEPEST) for letter, words in options.items()}
    sure = {letter for letter, verdict in verdicts.items() if verdict.same and not verdict.assumed}
    return sure or {letter for letter, verdict in verdicts.items() if verdict.same}


def _groups(one: Group, other: Group, depth: int) -> Verdict:
    if depth >= _DEEPEST:
        return unknown("nested too deeply")
    bracketed = bool(one.opening) and bool(other.opening)
    if one.is_set or other.is_set:
        return _sets(one, other) if depth == 0 else unknown("a set within a group")
    if bracketed and (one.opening, one.closing) != (other.opening, other.closing):
        return unknown("different brackets")
    if len(one.parts) != len(other.parts):
        return unknown("lists of different length")
    verdict = _all_of([_compare(mine, theirs, depth + 1) for mine, theirs in zip(one.parts, other.parts, strict=True)])
    if verdict.relation is Relation.DIFFERENT and _reordered(one, other, depth):
        return unknown("the same parts in another order")
    if verdict.same and bool(one.opening) != bool(other.opening):
        return equivalent("brackets left out", assumed=True)
    return verdict


def _reordered(one: Group, other: Group, depth: int) -> bool:
    return sorted(one.parts) == sorted(other.parts) or (depth == 0 and _sets(one, other).same)


def _sets(one: Group, other: Group) -> Verdict:
    """Each part must have its like on the other side; different only if some part is told apart from every one there.

    Every part meets every other, so this is done for whole answers only, not for groups within groups.
    """
    rows = [[_compare(mine, theirs, 1) for theirs in other.parts] for mine in one.parts]
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in other.parts]
    lines = rows + columns
    if all(any(verdict.same for verdict in line) for line in lines):
        assumed = any(all(verdict.assumed for verdict in line if verdict.same) for line in lines)
        return equivalent("order in a set", assumed=assumed)
    if any(line and all(verdict.relation is Relation.DIFFERENT for verdict in line) for line in lines):
        return different("different members")
    return unknown("members that cannot be compared")


def _all_of(verdicts: list[Verdict], name: str = "list notation") -> Verdict:
    """Parts compared one by one: different if one is, the same if all are."""
    for verdict in verdicts:
        if verdict.relation is Relation.DIFFERENT:
            return different(f"a part differs: {verdict.how}")
    if not all(verdict.same for verdict in verdicts):
        return unknown("parts that cannot be compared")
    reasons = sorted({verdict.how for verdict in verdicts if verdict.relation is Relation.EQUIVALENT})
    return equivalent(" and ".join(reasons) or name, assumed=any(verdict.assumed for verdict in verdicts))


def _json(one: Any, other: Any, depth: int) -> Verdict:
    match one, other:
        case (dict(), dict()) if depth < _DEEPEST:
            if one.keys() != other.keys():
                return different("different keys")
            return _all_of([_json(one[key], other[key], depth + 1) for key in sorted(one)], "key order")
        case (list(), list()) if depth < _DEEPEST:
            if len(one) != len(other):
                return different("lists of different length")
            return _all_of([_json(mine, theirs, depth + 1) for mine, theirs in zip(one, other, strict=True)], "JSON notation")
        case JsonNumber(), JsonNumber():
            return _compare(one.text, other.text, depth)
        case str(), str():
            return _compare(one, other, _DEEPEST)
        case (dict() | list(), _) | (_, dict() | list()):
            return unknown("nested too deeply, or of different shape")
    if type(one) is type(other):
        return _SAME_TEXT if one == other else different("different values")
    return unknown("values of different types")
