"""DA: gold that takes the wrong branch of the request's own condition.

`Release it if at least 912 parts were found, else hold it back`: the row's working says `909 found, 912 wanted, released`. Its figure is the one that the tools show, its limit
the one of the request, and what it concludes is not what the two come to. Only a request with one limit is judged, only a figure that both the working and a lookup have, and only
where what was expected and what was done stand in the two branches. Telling only where all repeats agree (`diagnosis.patterns.stale_gold`).
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.answers.units import is_known, unit_named
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.data.premises import MAX_NOTE, MAX_OUTPUT, figures_of, figures_told, number_of
from blade.signals.example import Example, call
from blade.signals.repeats import has_mark, once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, Comparison, comparison_of
from blade.signals.wanted.restated import restated

MAX_REQUEST: Final = 4_000
MIN_TEXT: Final = 4
"""Letters of a value from which on its standing in a branch means something."""
STEM: Final = 4
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_BETWEEN: Final = r"(?:\s?(?:%|[^\W\d_]{1,20}+\.?))?(?:\s[^\W\d_]{1,20}+\.?){0,3}?"
_LIMIT: Final = re.compile(
    r"(?<![\w-])(?:"
    r"(?P<ge>at least|no less than|not less than|no fewer than|not fewer than|a minimum of|reach(?:es|ed)?|≥|>=)"
    r"|(?P<le>at most|no more than|not more than|a maximum of|up to|≤|<=)"
    r"|(?P<gt>more than|over|above|exceed(?:s|ed|ing)?|greater than|higher than|longer than|older than|>)"
    r"|(?P<lt>less than|fewer than|under|below|lower than|shorter than|younger than|<)"
    rf")\s*(?:the |a |an )?[$€£]?(?P<figure>{_NUMBER})(?![\w/:-]|[.,]\d)"
    rf"|(?<![\w.,:/#-])[$€£]?(?P<before>{_NUMBER}){_BETWEEN} or (?:(?P<more>more|above|over|higher|longer|better|older)|(?P<less>less|fewer|below|under|lower|shorter|younger))\b",
    re.IGNORECASE,
)
_LIMIT_MARKS: Final = (
    "at least", "at most", "than", "minimum of", "maximum of", "reach", "up to", "over", "above", "exceed", "under", "below", " or ", "≥", "≤", "<", ">",
)  # fmt: skip
"""One of these stands in every limit, and looking for them is quick."""
_MEASURED: Final = re.compile(
    rf"(?<![\w.,:/#-])(?P<sign>[$€£]?)(?P<figure>{_NUMBER})(?:[ \t-]?(?P<unit>[^\W\d_]{{1,20}}+(?:/[^\W\d_]{{1,4}}+)?|%|°[CF]))?"
)
_SCALES: Final = frozenset(["thousand", "million", "billion", "dozen", "k"])
_SIGNS: Final = ("$", "€", "£")
UNIT_WITHIN: Final = 30
_NO_UNITS: Final = frozenset(["in", "a", "as", "at"])
"""Words behind a figure that are symbols of units, and hardly ever meant so."""
_ELSE: Final = re.compile(
    r"\b(?:else|otherwise|if not|failing that|in any other case"
    r"|(?:if|with|when|where|should|for|at|in case)\b[^.;,]{0,40}?\b(?:less|fewer|below|under|lower|beneath|more|above|over|higher|not|doesn['’]t|isn['’]t))\b",
    re.IGNORECASE,
)
_IF: Final = re.compile(r"\b(?:if|with|when|where|should|provided|as long as|in case|only)\b", re.IGNORECASE)
_HEADS: Final = re.compile(r"(?:\s[^\W\d_]{1,20}+){0,3}\s?:")
"""The end of a limit that heads what is to be done, where another case follows: `Under 32 rooms: stop the sale. Otherwise: …`."""
_UNCLEAR: Final = re.compile(r"\b(?:unless|except|between|neither|nor|depending)\b", re.IGNORECASE)
_ENDS: Final = re.compile(r"[.!?](?=\s)|\n")
_CLAUSE: Final = re.compile(r"[.;,:!?](?=\s)|\n")
_WORDS: Final = re.compile(r"[^\W\d_]+")
FEWEST_WORDS: Final = 2
"""Words behind a condition from which on they say what is to be done."""
MOST_LIMITS: Final = 2
_OPPOSITE: Final = ({"ge", "lt"}, {"gt", "le"})
AFTER: Final = 240
"""Characters behind the beginning of the other branch that belong to it."""


class Condition(NamedTuple):
    limit: float
    holds: str
    """How a figure has to stand to the limit: ge, gt, le or lt."""
    then: str
    otherwise: str
    words: str
    unit: str | None = None
    """What the limit is counted in, where it is a unit of measure, money or a scale."""


@signal(
    "condition_misjudged",
    label="DA",
    needs=("expected_call", "one_turn"),
    meaning="the row's working has the figure of the lookup and the limit of the request, and what is expected is the other branch than the one that they come to; telling only where all repeats agree",
    causal=False,
    example=Example(
        (
            call("get_reading", '{"article": "A-1", "permille": 909}', article="A-1"),
            call("cancel_article", "ok", article="A-1"),
        ),
        asked="If at least 912 parts were found in A-1, release it, otherwise cancel it.",
        fields={
            "rationale": "909 found, 912 wanted, released.",
            "expected_calls": [{"name": "release_article", "arguments": {"article": "A-1"}}],
        },
    ),
)
def condition_misjudged(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    condition = None if compared is None or rollout.has_dialogue else _condition(rollout.request[-MAX_REQUEST:])
    if compared is None or condition is None:
        return
    branches = _branches(compared, condition)
    if branches is None:
        return
    expected, quote = branches
    for field, value in restated(rollout):
        found = _found(rollout, value, condition) if isinstance(value, str) and len(value) <= MAX_NOTE else None
        if found is not None and _meets(found, condition) is not expected:
            taken = "meets" if expected else "does not meet"
            said = f"{field} and a lookup have {found:g}, the request says “{condition.words}”; what is expected goes by a figure that {taken} it"
            yield Evidence(None, quote, said, field)
            return


@once_for_repeats
def _condition(request: str) -> Condition | None:
    """The one condition of a request that compares with a figure; None where there are several, or it is not plain."""
    limits = list(_LIMIT.finditer(request)) if has_mark(request, _LIMIT_MARKS) else []
    if not _is_one(limits) or _UNCLEAR.search(request):
        return None
    limit = limits[0]
    figure = number_of(limit["figure"] or limit["before"])
    ends = [end.end() for end in _ENDS.finditer(request, 0, limit.start())]
    start = ends[-1] if ends else 0
    other = _ELSE.search(request, limit.end())
    begins, ends_at = (-1, -1) if other is None else other.span()
    if len(limits) > 1 and (other is None or other.end() < limits[1].start()):
        start, begins, ends_at = _either_case(request, start, *limits)
    stop = begins if begins >= 0 else next((end.start() for end in _ENDS.finditer(request, limit.end())), len(request))
    then = request[start:stop]
    heads = begins >= 0 and _HEADS.match(request, limit.end()) is not None
    if figure is None or not (heads or _IF.search(request, ends[-1] if ends else 0, stop)):
        return None
    otherwise = "" if begins < 0 else request[ends_at : ends_at + AFTER]
    holds = _holds(limit)
    place = "figure" if limit["figure"] else "before"
    sign = request[limit.start(place) - 1 : limit.start(place)]
    measured = _MEASURED.match(f"{sign if sign in _SIGNS else ''}{request[limit.start(place) : limit.end(place) + UNIT_WITHIN]}")
    return Condition(figure, holds, then, otherwise, limit[0].strip(), None if measured is None else _unit_of(measured))


def _either_case(request: str, start: int, first: re.Match[str], second: re.Match[str]) -> tuple[int, int, int]:
    """Where the first branch of a request begins that names its limit for either case, and where the second one's condition begins and ends.

    What is to be done follows on its condition: what stands before the first is no part of a branch. Where nothing follows on the second, the
    conditions stand behind what they are for, and no second branch is told.
    """
    rest = request[second.end() :].lstrip()
    end = _ENDS.search(rest)
    if len(_WORDS.findall(rest[: len(rest) if end is None else end.start()])) < FEWEST_WORDS:
        return start, -1, -1
    leads = [found.start() for found in _IF.finditer(request, first.end(), second.start())]
    marks = [found.end() for found in _CLAUSE.finditer(request, first.end(), second.start())]
    return first.start(), max(leads[-1:] or marks[-1:] or [second.start()]), second.end()


def _is_one(limits: list[re.Match[str]]) -> bool:
    """Whether a request compares with one figure: once, or for either case (`fewer than 128 …; 128 or more …`)."""
    if len(limits) != MOST_LIMITS:
        return len(limits) == 1
    figures = {number_of(limit["figure"] or limit["before"]) for limit in limits}
    return len(figures) == 1 and {_holds(limit) for limit in limits} in _OPPOSITE


def _holds(limit: re.Match[str]) -> str:
    return next((name for name in ("ge", "le", "gt", "lt") if limit[name]), "ge" if limit["more"] else "le")


def _meets(figure: float, condition: Condition) -> bool:
    match condition.holds:
        case "ge":
            return figure >= condition.limit
        case "gt":
            return figure > condition.limit
        case "le":
            return figure <= condition.limit
    return figure < condition.limit


def _found(rollout: Rollout, note: str, condition: Condition) -> float | None:
    """The one figure of a working that a lookup has and the request has not; the limit itself where the working has it twice."""
    noted, told = figures_of(note), {one for made in rollout.calls if not made.changes for _, one in figures_told(made)}
    if condition.limit not in noted:
        return None
    asked = set(figures_of(rollout.request))
    found = {one for one in noted if one in told and one not in asked}
    if len(found) == 1:
        figure = next(iter(found))
    elif not found and condition.limit in told and noted.count(condition.limit) > 1:
        figure = condition.limit
    else:
        return None
    return figure if _units(rollout, note, figure) == ({condition.unit} - {None}) else None


def _units(rollout: Rollout, note: str, figure: float) -> set[str]:
    """What a working and the lookups count a figure in: the words behind it and the names of its fields."""
    looked_up = [made for made in rollout.calls if not made.changes and made.output is not None]
    texts = [note, *(made.output.text[:MAX_OUTPUT] for made in looked_up if made.output is not None)]
    units = {_unit_of(found) for text in texts for found in _MEASURED.finditer(text) if number_of(found["figure"]) == figure}
    names = {path.rpartition(".")[2].partition("[")[0] for made in looked_up for path, one in figures_told(made) if one == figure}
    units |= {_unit_called(words[-1]) for name in names if (words := words_of(name))}
    return {unit for unit in units if unit is not None}


def _unit_of(measured: re.Match[str]) -> str | None:
    """What a figure is counted in, by the sign before it or the word behind it."""
    scale = (measured["unit"] or "").lower()
    return _unit_called(scale if scale in _SCALES else measured["sign"] or measured["unit"] or "")


def _unit_called(word: str) -> str | None:
    if word.lower() in _SCALES:
        return word.lower()
    unit = None if word.lower() in _NO_UNITS else unit_named(word) or unit_named(word.upper())
    return unit.name if unit is not None and is_known(unit) else None


def _branches(compared: Comparison, condition: Condition) -> tuple[bool, str] | None:
    """Whether what is expected is what the condition leads to where it is met, and what was done is not; with the words for it."""
    wrong = [one for match in compared.counted if match.outcome == WRONG for one in match.differences]
    if len(wrong) == 1 and not compared.missing and not compared.extra:
        expected, actual = _side(condition, [wrong[0].expected]), _side(condition, [wrong[0].actual])
        quote = f"{shown(wrong[0].expected)} for {shown(wrong[0].actual)}"
    elif not wrong and len(compared.missing) <= 1 and len(compared.extra) <= 1 and (compared.missing or compared.extra):
        wanted, made = compared.missing[:1], compared.extra[:1]
        names = [wanted[0].expected.name if wanted else "", made[0].name if made else ""]
        values = [
            [value for _, value in leaves(wanted[0].expected.arguments)] if wanted else [],
            [value for _, value in made[0].leaves] if made else [],
        ]
        words = [[word for word in words_of(name) if word not in words_of(other)] for name, other in (names, names[::-1])]
        sides = [
            _side(condition, [*word, *(one for one in mine if one not in theirs)])
            for word, mine, theirs in zip(words, values, values[::-1], strict=True)
        ]
        if (not wanted or not made) and condition.otherwise:
            return None  # something is to be done in either case
        if made and any(match.call is not None and _again(made[0], match.call) for match in compared.done):
            return None  # what is expected was done, and once more
        expected, actual = sides
        quote = f"{names[0] or 'nothing'} for {names[1] or 'nothing'}"
    else:
        return None
    if expected is actual:  # both unknown, or both in one branch
        return None
    return (expected if expected is not None else not actual), quote


def _again(one: Call, other: Call) -> bool:
    return one.name == other.name and one.arguments == other.arguments


def _side(condition: Condition, values: list[Any]) -> bool | None:
    """In which branch of a condition values stand: True for the one where it is met; None where in neither or in both."""
    sides = {
        _stands(value, condition.then)
        for value in values
        if _stands(value, condition.then) != _stands(value, condition.otherwise)
    }
    return next(iter(sides)) if len(sides) == 1 else None


def _stands(value: Any, text: str) -> bool:
    """Whether a value stands in a text as a whole, a word also in another form (`released` for `release`)."""
    written = " ".join(str(value).replace("_", " ").split())
    if isinstance(value, bool) or len(written) < MIN_TEXT:
        return False
    if written.isalpha():
        return re.search(rf"\b{re.escape(written[: max(STEM, len(written) - 2)])}", text, re.IGNORECASE) is not None
    return re.search(rf"(?<!\w){re.escape(written)}(?!\w)", text, re.IGNORECASE) is not None
