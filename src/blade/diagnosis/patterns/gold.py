"""Gold that its own row contradicts (DA): another field of the dataset still says what the rollouts gave.

One field alone proves little: a rationale may name many numbers. What counts is that the row's own solution, rationale or answer field
states what repeats answered (or put into the call), and states the expected answer nowhere; or that it marks another answer as its result.
Fields that vary between the repeats of a task were written by the model or a judge, and are not asked.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from blade.answers import Relation, compare, contains_expected, extract
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.arguments import wrong_value
from blade.diagnosis.patterns.given import answer_groups, answer_row, figure, gives_gold, judged
from blade.diagnosis.patterns.named import PROPER_NAME
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import AnswerRow, RolloutView, TaskView
from blade.signals.actions import NAMED_SO, OTHERWISE
from blade.signals.mutation import words_of
from blade.signals.speech import says_it_is_ai

CONTRADICTED: Final = Pattern(
    "gold_contradicted", "DA", "another field of the row states what the repeats gave, and not what is expected", 0.9
)
PATTERNS: Final = (CONTRADICTED,)
MARKED_ONLY: Final = 0.55
"""The weight where the field marks another answer than the gold, and no repeat gave that one."""
_LEFT_OUT: Final = (
    r"(?:without|except(?: for)?|excluding|but not|not|no|other than|instead of|rather than|omitting|leaving out|minus|save for)"
)
REACHED: Final = 0.4
"""The weight where a repeat gave the expected answer and passed: it can be found, and the field may tell of a step on the way."""
CROSSED: Final = 0.75
"""The weight where two expected values have changed places."""
MIN_VALUE: Final = 4
"""Characters of a value from which its standing in an argument means something."""
MIN_DIGITS: Final = 2
"""Digits of a figure from which on it says something by itself."""
CLOSING: Final = 120
AGREED: Final = 0.75
_GOES_ON: Final = re.compile(
    r"[.;\n]\s*(?:and\s+)?(?:then|next|now|finally|after (?:that|this)|from this|with this)\b", re.IGNORECASE
)
"""What a working goes on with after a result on the way."""
SHORT_ANSWER: Final = 60
"""Characters of an answer that is a name or a figure, and no text."""
MOST_GROUPS: Final = 4
MIN_PARTS: Final = 3
"""Parts of a list from which on its order says something."""


def contradicted_gold(view: TaskView) -> Iterator[Finding]:
    if not view.failing:
        return
    fields = constant_fields(view)
    told = (_against_answers(view, fields) or _against_calls(view, fields)) if fields else None
    told = told or _transposed(view) or _against_request(view) or _refused(view) or _worked(view)
    if told is None:
        return
    field, quote, detail, weight = told
    weight = min(weight, REACHED) if any(map(_reaches_gold, view.passing)) else weight
    for rollout in view.failing:
        yield CONTRADICTED.found(rollout, subject=field, quote=quote, detail=detail, weight=weight)


def _reaches_gold(rollout: RolloutView) -> bool:
    """Whether a passing rollout does what is expected: gives the answer, or makes the calls."""
    row = answer_row(rollout)
    if rollout.expected:
        return not any(signal.code.startswith("action_") for signal in rollout.signals)
    return row is not None and bool(row.expected) and gives_gold(row)


def constant_fields(view: TaskView) -> dict[str, str]:
    """The restating fields that say the same in all repeats, in order."""
    seen: dict[str, set[str]] = {}
    for rollout in view.rollouts:
        for row in rollout.restated:
            seen.setdefault(row.field, set()).add(row.value)
    return {field: next(iter(values)) for field, values in seen.items() if len(values) == 1}


Told = tuple[str, str, str, float]


def _against_answers(view: TaskView, fields: dict[str, str]) -> Told | None:
    rows = [row for rollout in view.failing if (row := answer_row(rollout)) is not None and row.expected]
    expected = {row.expected for row in rows if row.expected}
    if len(expected) != 1:
        return None
    gold, gold_field = next(iter(expected)), rows[0].expected_field or "expected"
    given = [group[0][1].text for group in sorted(answer_groups(view.failing), key=len, reverse=True)[:MOST_GROUPS]]
    given = [answer for answer in given if not judged(rows[0], answer).same]
    for field, text in fields.items():
        result = _result(text) if field != gold_field else None
        for answer in given if result is not None and not judged(rows[0], result).same else ():
            if _same(rows[0], result or "", answer) and not judged(rows[0], answer).same:
                said = f"{field} comes to {_cut(result or '')}, as the rollouts do; {gold_field} is {_cut(gold)}"
                return field, _end(text), said, CONTRADICTED.weight
    for field, text in fields.items():
        for answer in given:
            if field != gold_field and gold in answer and _closes(text, answer) and not _closes(text, gold):
                said = f"{field} says {_cut(answer)}, as the rollouts do; {gold_field} is a part of it, {_cut(gold)}"
                return field, _end(text), said, CONTRADICTED.weight
    others = {field: text for field, text in fields.items() if field != gold_field and not _says(text, gold)}
    for field, text in others.items():
        for answer in given:
            if _in_order(text, answer) and not _in_order(text, gold):
                said = f"{field} has the order of the rollouts, {_cut(answer)}; {gold_field} is {_cut(gold)}"
                return field, _end(text), said, CONTRADICTED.weight
    for field, text in others.items():
        for answer in given:
            if _concludes(text, answer) and not compare(gold, answer).same:
                return (
                    field,
                    _end(text),
                    f"{field} says {_cut(answer)}, as the rollouts do; {gold_field} is {_cut(gold)}",
                    CONTRADICTED.weight,
                )
    for field, text in others.items():
        marked = next((candidate for candidate in extract(text) if candidate.marked), None)
        if marked is not None and compare(gold, marked.text).relation is Relation.DIFFERENT:
            return (
                field,
                _end(text),
                f"{field} says {_cut(marked.text)} ({marked.how}); {gold_field} is {_cut(gold)}",
                MARKED_ONLY,
            )
    return None


def _against_calls(view: TaskView, fields: dict[str, str]) -> Told | None:
    """A short value of the row that stands in what a rollout put into a call, and in none of the calls that are expected."""
    wanted = [row.arguments for rollout in view.failing for row in rollout.expected]
    if not wanted:
        return None
    for field, value in fields.items():
        if not MIN_VALUE <= len(value) <= CLOSING or any(_holds(arguments, value) for arguments in wanted):
            continue
        for rollout in view.failing:
            for signal in rollout.signals:
                if signal.code == "action_wrong_argument" and _holds(wrong_value(signal), value):
                    return field, f"{field} = {_cut(value)}", f"{field} says {_cut(value)}, as {signal.subject} in {rollout.rollout} does; no expected call has it ({signal.detail})", CONTRADICTED.weight  # fmt: skip
    return _against_words(view, fields)


def _against_words(view: TaskView, fields: dict[str, str]) -> Told | None:
    """A text of the row that has the words of a value that all failing repeats gave, and not those of the expected one."""
    given = [_wrong_words(rollout) for rollout in view.failing]
    for subject, (actual, expected) in (given[0] if given else {}).items():
        if any(other.get(subject, ("", ""))[0] != actual for other in given):
            continue
        names = (set(), set()) if view.passing else (_names_beside(view, actual), _names_beside(view, expected))
        for field, text in fields.items():
            if _denied(text, actual):
                continue
            if _contradicts(text, subject, actual, expected) or (not view.passing and _concludes_with(text, *names)):
                return field, _end(text), f"{field} says {_cut(actual)}, as {subject} does in all repeats; expected is {_cut(expected)}", CONTRADICTED.weight  # fmt: skip
    return None


def _denied(text: str, value: str) -> bool:
    """Whether a text names a value to say that it is left out: `without the fineness mark`."""
    return (
        re.search(rf"\b{_LEFT_OUT}\b[^.;,]{{0,30}}?{re.escape(value).replace(BLANK, '[ _-]+')}", text, re.IGNORECASE) is not None
    )


def _names_beside(view: TaskView, value: str) -> set[str]:
    """The names that tools tell right behind an id, or right before it: `Matteo Nygaard` in `hand: 34554-HD name: Matteo Nygaard`."""
    found: set[str] = set()
    place = re.compile(rf"(?<!\w){re.escape(value).replace(BLANK, '[ _-]+')}(?!\w)", re.IGNORECASE)
    outputs = {call.output or "" for rollout in view.rollouts for call in rollout.calls}
    for output in [output for output in outputs if all(_may_hold(output, word) for word in value.split(" "))]:
        for at in place.finditer(output):
            behind = PROPER_NAME.search(output, at.end(), at.end() + BESIDE)
            before = list(PROPER_NAME.finditer(output, max(0, at.start() - BESIDE), at.start()))
            found |= {_spaced(name[0]) for name in ((behind,) if behind is not None else before[-1:])}
    return found


def _concludes_with(text: str, given: set[str], wanted: set[str]) -> bool:
    """Whether a text comes to the record that was given, by its name: of the two it names it alone, or last."""
    said = _spaced(text)
    last = max((said.rfind(name) for name in given - wanted), default=-1)
    return bool(wanted) and last > max(said.rfind(name) for name in wanted)


def _wrong_words(rollout: RolloutView) -> dict[str, tuple[str, str]]:
    """By argument: the words of the wrong value and of the expected one."""
    found: dict[str, tuple[str, str]] = {}
    for signal in rollout.signals:
        told = _EXPECTS.search(signal.detail) if signal.code == "action_wrong_argument" else None
        if told is not None:
            actual, expected = _spaced(wrong_value(signal)), _spaced(told[1])
            if actual and expected:
                found[signal.subject] = actual, expected
    return found


def _transposed(view: TaskView) -> Told | None:
    """Two arguments of one expected call that have each other's values, as all repeats give them, of which none passes."""
    if view.passing or len(view.failing) < 2:
        return None
    given = [_wrong_words(rollout) for rollout in view.failing]
    named = any(NAMED_SO in signal.detail for signal in view.failing[0].signals if signal.code == "action_wrong_argument")
    if any(other != given[0] for other in given):
        return None
    for (one, (actual, expected)), (other, (its, wanted)) in combinations(given[0].items(), 2):
        if (
            (actual, expected) == (wanted, its)
            and actual != expected
            and (named or _apart(actual, its) or _opposed(one, other) or _from_namesakes(view, (one, actual), (other, its)))
        ):
            said = f"{one} and {other} are expected with each other's values: all {len(given)} repeats give {_cut(actual)} and {_cut(its)}"
            return one, f"{one}={_cut(expected)}, {other}={_cut(wanted)}", said, CROSSED
    return None


def _from_namesakes(view: TaskView, *given: tuple[str, str]) -> bool:
    """Whether each value was first shown by a tool that is named after the argument it was given for: `find_assayer` for `assayer`."""
    for argument, value in given:
        words = set(words_of(argument.rpartition(".")[2])) - {"id", "ids", "ref", "no", "number", "code"}
        first = next((call for call in view.failing[0].calls if value in (call.output or "")), None)
        if first is None or not any(
            word.removesuffix("s") in {own.removesuffix("s") for own in words_of(first.name)} for word in words
        ):
            return False
    return True


def _opposed(one: str, other: str) -> bool:
    """Whether two arguments are named after the two ends of something (`from_account`, `to_account`): nobody takes one for the other, repeat after repeat."""
    words = set(words_of(one.rpartition(".")[2])), set(words_of(other.rpartition(".")[2]))
    return any({left, right} <= words[0] ^ words[1] and (left in words[0]) != (right in words[0]) for left, right in _OPPOSITES)


def _apart(one: str, other: str) -> bool:
    """Whether two values are built so differently that the one cannot be meant for the other: ids of two kinds."""
    letters = [re.sub(r"\d", "0", value) for value in (one, other)]
    return letters[0] != letters[1] and all(
        any(letter.isalpha() for letter in value) and any(map(str.isdigit, value)) for value in (one, other)
    )


def _against_request(view: TaskView) -> Told | None:
    """A flag that all repeats give as the request has it in words, and that is expected the other way; nobody passes."""
    if view.passing or len(view.failing) < 2:
        return None
    given = [
        {
            signal.subject: signal
            for signal in rollout.signals
            if signal.code == "action_wrong_argument" and OTHERWISE in signal.detail
        }
        for rollout in view.failing
    ]
    for subject, signal in given[0].items():
        if all(subject in other for other in given):
            return subject, signal.quote, f"{signal.detail}; all {len(given)} repeats give it", CROSSED
    return None


def _worked(view: TaskView) -> Told | None:
    """An expected answer that is a worked solution, which marks as its result what (nearly) all repeats answer: nobody can give all of it."""
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    if row is None or view.passing or len(view.failing) < 2:
        return None
    solution = (row.expected or "").replace(" #### ", "\n#### ")  # the table keeps a text on one line
    marked = next((one for one in extract(solution) if one.marked), None)
    groups = sorted(answer_groups(view.failing), key=len, reverse=True)
    if marked is None or not groups or len(groups[0]) < AGREED * len(view.failing) or marked.text == (row.expected or "").strip():
        return None
    given, field = groups[0][0][1].text, row.expected_field or "expected"
    if not compare(marked.text, given).same:
        return None
    said = f"{field} is a worked solution that comes to {_cut(marked.text)} ({marked.how}), which {len(groups[0])} of {len(view.failing)} repeats answer"
    return field, _end(row.expected or ""), said, CONTRADICTED.weight


def _refused(view: TaskView) -> Told | None:
    """An expected answer that is a model's refusal, where (nearly) all repeats agree on a short answer: nobody agrees like that on what is to be refused."""
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    if row is None or view.passing or len(view.failing) < 2 or not says_it_is_ai(row.expected or ""):
        return None
    groups = sorted(answer_groups(view.failing), key=len, reverse=True)
    if not groups or len(groups[0]) < AGREED * len(view.failing) or len(groups[0][0][1].text) > SHORT_ANSWER:
        return None
    field, given = row.expected_field or "expected", groups[0][0][1].text
    said = f"{field} is what a model says when it refuses; {len(groups[0])} of {len(view.failing)} repeats answer {_cut(given)}"
    return field, f"{field} = {_cut(row.expected or '')}", said, CONTRADICTED.weight


def _contradicts(text: str, subject: str, actual: str, expected: str) -> bool:
    """Whether a text tells the value that was given and not the expected one: beside the argument's name, else by themselves."""
    if _beside_its_name(text, subject, actual) and not _beside_its_name(text, subject, expected):
        return figure(expected) is None or figure(expected) not in _figures(text)  # the other figure may be another record's
    return _tells(text, subject, actual) and not _tells(text, subject, expected)


def _tells(text: str, subject: str, value: str) -> bool:
    """Whether a text tells the value of an argument: a longer one or a code (`U10`) by itself, a short one beside the argument's name (`class 2`) or at the end of a text that speaks of it."""
    in_words = figure(value) is None or any(map(str.isalpha, value))
    is_code = len(value) == MIN_VALUE - 1 and any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    if in_words and (len(value) >= MIN_VALUE or is_code) and _holds(_spaced(text), value):
        return True
    if figure(value) is None and (len(value) >= MIN_VALUE or is_code):
        return False
    if figure(value) is not None and sum(letter.isdigit() for letter in value) >= MIN_DIGITS:
        return figure(value) in _figures(text)
    return _beside_its_name(text, subject, value) or _named_at_end(text, subject, value)


def _named_at_end(text: str, subject: str, value: str) -> bool:
    """Whether a text speaks of an argument and ends with a value: `the first free row of the sheet is 7`."""
    text, word = _spaced(text), _spaced(subject.rpartition(".")[2]).rpartition(" ")[2]
    if word not in text or value not in text:
        return False
    verbs = "(?:is|are|was|at|to|makes|gives|becomes)"
    return re.search(rf"\b{re.escape(word)}s?\b[^;]{{0,300}}\b{verbs}\s{re.escape(value)}\.?$", text) is not None


def _figures(text: str) -> set[float]:
    """The numbers of a text that stand by themselves, those below zero too; those with a decimal comma (`3.706,30`) as they are meant."""
    found = set()
    for written in _NUMBER.findall(text):
        point = written.replace(".", "").replace(",", ".") if _COMMA.fullmatch(written) else written.replace(",", "")
        found.add(float(point))
    return found | {float(below) for below in _BELOW.findall(text)}


def _beside_its_name(text: str, subject: str, value: str) -> bool:
    text, named = _spaced(text), _spaced(subject.rpartition(".")[2]).rpartition(" ")[2]
    if not named or named not in text or value not in text:
        return False
    word, told = re.escape(named), re.escape(value)
    return re.search(rf"\b{word}s?\W{{1,3}}{told}(?![\w.]*\d)|(?<![\w.]){told}\W{{1,3}}{word}", text) is not None


@lru_cache(maxsize=256)
def _spaced(text: str) -> str:
    """A text with the signs that join words in codes as blanks: `both_eyes` is said as both eyes."""
    return " ".join(_JOINED.sub(" ", text).split()).lower()


_JOINED: Final = re.compile(r"[_-]+(?!\d+(?:\.\d+)?$)|(?<=\S)[_-]+")
_NUMBER: Final = re.compile(
    r"(?<![\w.,:/-])\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)?(?![\w/]|[.,:]\d)|(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w/]|[.,:]\d)"
)
_BELOW: Final = re.compile(r"(?<![\w.,:/)-])-\d+(?:\.\d+)?(?![\w/]|[.,:]\d)")
"""Numbers below zero; a sign between two numbers is a span."""
_COMMA: Final = re.compile(r"\d{1,3}(?:\.\d{3})*,\d{1,2}|\d+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}")
_ASIDE: Final = re.compile(r"\s*\([^()]{0,60}\)(?=[.\s]*$)")
"""What is said in brackets at the end of a text."""
_OPPOSITES: Final = (
    ("from", "to"), ("source", "target"), ("source", "destination"), ("origin", "destination"), ("sender", "recipient"), ("old", "new"), ("debit", "credit"),
    ("first", "last"), ("start", "end"), ("payer", "payee"), ("seller", "buyer"), ("min", "max"),
)  # fmt: skip
BLANK: Final = r"\ "
BESIDE: Final = 40
"""Characters between an id and the name of what it stands for."""
_EXPECTS: Final = re.compile(r" expects [^=;]{1,80}=([^;]{1,120})")


_EQUALS: Final = re.compile(r"[=≈]\s*([-+$€£]?\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|[^\W\d_]{1,12}))?)[.)\s]*$")


def _result(text: str) -> str | None:
    """What a calculation comes to: the figure behind its last equals sign, where it ends with it."""
    found = _EQUALS.search(text.rstrip()[-CLOSING:])
    return None if found is None else found[1].strip()


def _same(row: AnswerRow, one: str, other: str) -> bool:
    """Whether two figures are the same as far as the task's tolerance and the digits of the shorter one go."""
    if compare(one, other).same:
        return True
    first, second = figure(one), figure(other)
    if first is None or second is None:
        return False
    digits = min(len(re.sub(r"[^\d.]", "", text).partition(".")[2]) for text in (one, other))
    return abs(first - second) <= max(row.tolerance or 0.0, 0.5000001 * 10.0**-digits if digits else 0.0)


def _in_order(text: str, answer: str) -> bool:
    """Whether a text names the parts of a list in the order that an answer gives them, each once."""
    parts = [part.strip() for part in re.split(r"\s*(?:[,;<>→]|->)\s*", answer) if part.strip()]
    if len(parts) < MIN_PARTS or any(text.count(part) != 1 for part in parts):
        return False
    places = [text.find(part) for part in parts]
    return places == sorted(places)


def _says(text: str, answer: str) -> bool:
    """Whether a text states or merely mentions an answer."""
    return compare(text, answer).same or contains_expected(text, answer) is not None or _holds(text, answer)


def _concludes(text: str, answer: str) -> bool:
    """Whether a text ends with an answer, or marks it as its result; a result that is worked on is none."""
    if _GOES_ON.search(text[text.rfind(answer) + len(answer) :]) if answer in text else False:
        return False
    if len(text) <= CLOSING and compare(text, answer).same:
        return True
    if len(answer) == 1:
        return re.search(rf"(?<![\w.,:/-]){re.escape(answer)}[.\s]*$", _ASIDE.sub("", text[-CLOSING:])) is not None
    return contains_expected(text, answer) is not None or _holds(text[-CLOSING:], answer)


def _closes(text: str, answer: str) -> bool:
    """Whether the last words of a text are an answer of several parts."""
    return "," in answer and text.rstrip(" .").endswith(answer.rstrip(" ."))


def _holds(text: str, value: str) -> bool:
    """Whether a value stands in a text by itself, not inside a longer word or number."""
    if not _may_hold(text, value.strip()):
        return False
    return re.search(rf"(?<![\w.,]){re.escape(value.strip())}(?!\w|[.,]\d)", text, re.IGNORECASE) is not None


def _may_hold(text: str, value: str) -> bool:
    """Whether a value may stand in a text, whatever the case; where all is plain letters, no pattern has to be made to say no."""
    return value.lower() in text.lower() or not (value.isascii() and text.isascii())


def _end(text: str) -> str:
    return _cut(text[-CLOSING:], CLOSING)


def _cut(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
