"""Gold that its own row contradicts (DA): another field of the dataset still says what the rollouts gave.

One field alone proves little: a rationale may name many numbers. What counts is that the row's own solution, rationale or answer field
states what repeats answered (or put into the call), and states the expected answer nowhere; or that it marks another answer as its result.
Fields that vary between the repeats of a task were written by the model or a judge, and are not asked.
"""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from blade.answers import Relation, compare, extract
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.arguments import wrong_value
from blade.diagnosis.patterns.conduct import leaf_values
from blade.diagnosis.patterns.given import answer_groups, answer_row, gives_gold, judged
from blade.diagnosis.patterns.named import PROPER_NAME
from blade.diagnosis.patterns.other_change import told_of_the_other
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.patterns.row_texts import (
    ANY_FIGURE,
    BLANK,
    CLOSING,
    MIN_VALUE,
    closes,
    comes_to,
    concludes,
    contradicts,
    cut,
    denied,
    end_of,
    first_figure,
    holds,
    in_order,
    last_sentence,
    may_hold,
    mentions,
    result_of,
    same_figures,
    spaced,
    stands_alone,
)
from blade.diagnosis.views import RolloutView, TaskView
from blade.signals.behaviour.action_reasons import NAMED_SO, OTHERWISE
from blade.signals.calls.mutation import words_of
from blade.signals.texts.speech import says_it_is_ai

CONTRADICTED: Final = Pattern(
    "gold_contradicted", "DA", "another field of the row states what the repeats gave, and not what is expected", 0.9
)
PATTERNS: Final = (CONTRADICTED,)
MARKED_ONLY: Final = 0.55
"""The weight where the field marks another answer than the gold, and no repeat gave that one."""
REACHED: Final = 0.4
"""The weight where a repeat gave the expected answer and passed: it can be found, and the field may tell of a step on the way."""
CROSSED: Final = 0.75
"""The weight where two expected values have changed places."""
FIRST_NUMBER: Final = 0.75
"""The weight where the expected value is the number that a text begins with, as a program takes it, and all repeats give what it comes to."""
AGREED: Final = 0.75
SHORT_ANSWER: Final = 60
"""Characters of an answer that is a name or a figure, and no text."""
MOST_GROUPS: Final = 4


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
        result = result_of(text) if field != gold_field else None
        for answer in given if result is not None and not judged(rows[0], result).same else ():
            if same_figures(rows[0], result or "", answer) and not judged(rows[0], answer).same:
                said = f"{field} comes to {cut(result or '')}, as the rollouts do; {gold_field} is {cut(gold)}"
                return field, end_of(text), said, CONTRADICTED.weight
    for field, text in fields.items():
        for answer in given:
            if field != gold_field and gold in answer and closes(text, answer) and not closes(text, gold):
                said = f"{field} says {cut(answer)}, as the rollouts do; {gold_field} is a part of it, {cut(gold)}"
                return field, end_of(text), said, CONTRADICTED.weight
    agreed = not view.passing and len(rows) > 1 and len(answer_groups(view.failing)) == 1
    for field, text in fields.items() if agreed else ():
        for answer in given:
            if field == gold_field or first_figure(text) != gold or stands_alone(last_sentence(text), gold):
                continue
            if comes_to(text, answer):
                said = f"{field} comes to {cut(answer)}, as all {len(rows)} repeats do; {gold_field} is {cut(gold)}, the first number in it"
                return field, end_of(text), said, FIRST_NUMBER
    others = {field: text for field, text in fields.items() if field != gold_field and not mentions(text, gold)}
    for field, text in others.items():
        for answer in given:
            if in_order(text, answer) and not in_order(text, gold):
                said = f"{field} has the order of the rollouts, {cut(answer)}; {gold_field} is {cut(gold)}"
                return field, end_of(text), said, CONTRADICTED.weight
    for field, text in others.items():
        for answer in given:
            if concludes(text, answer) and not compare(gold, answer).same:
                return (
                    field,
                    end_of(text),
                    f"{field} says {cut(answer)}, as the rollouts do; {gold_field} is {cut(gold)}",
                    CONTRADICTED.weight,
                )
    for field, text in others.items():
        marked = next((candidate for candidate in extract(text) if candidate.marked), None)
        if marked is not None and compare(gold, marked.text).relation is Relation.DIFFERENT:
            return (
                field,
                end_of(text),
                f"{field} says {cut(marked.text)} ({marked.how}); {gold_field} is {cut(gold)}",
                MARKED_ONLY,
            )
    return None


def _against_calls(view: TaskView, fields: dict[str, str]) -> Told | None:
    """A short value of the row that stands in what a rollout put into a call, and in none of the calls that are expected."""
    wanted = {row.arguments for rollout in view.failing for row in rollout.expected}
    if not wanted:
        return None
    for field, value in fields.items():
        if not MIN_VALUE <= len(value) <= CLOSING or any(holds(arguments, value) for arguments in wanted):
            continue
        for rollout in view.failing:
            for signal in rollout.signals:
                if signal.code == "action_wrong_argument" and holds(wrong_value(signal), value):
                    return field, f"{field} = {cut(value)}", f"{field} says {cut(value)}, as {signal.subject} in {rollout.rollout} does; no expected call has it ({signal.detail})", CONTRADICTED.weight  # fmt: skip
    other = told_of_the_other(view, fields)
    return (*other, CONTRADICTED.weight) if other is not None else _against_words(view, fields) or _against_codes(view, fields)


def _against_codes(view: TaskView, fields: dict[str, str]) -> Told | None:
    """A code of a few capitals (`CH`) that all repeats gave and a text of the row has as a word, and not the expected one (`PL`)."""
    given = [_wrong_codes(rollout) for rollout in view.failing]
    for subject, (actual, expected) in (given[0] if given and not view.passing else {}).items():
        if any(other.get(subject) != (actual, expected) for other in given):
            continue
        for field, text in fields.items():
            if re.search(rf"\b{actual}\b", text) and not re.search(rf"\b{expected}\b", text):
                return field, end_of(text), f"{field} says {actual}, as {subject} does in all repeats; expected is {expected}", CONTRADICTED.weight  # fmt: skip
    return None


def _wrong_codes(rollout: RolloutView) -> dict[str, tuple[str, str]]:
    """By argument: the wrong code and the expected one, both of a few capitals."""
    wrong = [(signal, EXPECTS.search(signal.detail)) for signal in rollout.signals if signal.code == "action_wrong_argument"]
    found = {signal.subject: (wrong_value(signal), told[1]) for signal, told in wrong if told is not None}
    return {subject: pair for subject, pair in found.items() if all(map(_CODE.fullmatch, pair))}


def _against_words(view: TaskView, fields: dict[str, str]) -> Told | None:
    """A text of the row that has the words of a value that all failing repeats gave, and not those of the expected one."""
    given = [_wrong_words(rollout) for rollout in view.failing]
    for subject, (actual, expected) in (given[0] if given else {}).items():
        if any(other.get(subject, ("", ""))[0] != actual for other in given):
            continue
        called = [subject, *_choices_beside(view.failing[0], subject, expected)]
        names = (set(), set()) if view.passing else (_names_beside(view, actual), _names_beside(view, expected))
        for field, text in fields.items():
            if denied(text, actual):
                continue
            if any(contradicts(text, name, actual, expected) for name in called) or (
                not view.passing and _concludes_with(text, *names)
            ):
                return field, end_of(text), f"{field} says {cut(actual)}, as {subject} does in all repeats; expected is {cut(expected)}", CONTRADICTED.weight  # fmt: skip
    return None


def _choices_beside(rollout: RolloutView, subject: str, expected: str) -> list[str]:
    """What the expected call of a figure chooses beside it, where the argument says nothing of what the figure is: `field=colour_class, value=8`."""
    if subject.rpartition(".")[2] not in ANY_FIGURE:
        return []
    return [
        f"{row.name}.{value}"
        for row in rollout.expected
        if subject.startswith(f"{row.name}.") and expected in (value for _, value in leaf_values(row.arguments))
        for _, value in leaf_values(row.arguments)
        if _CHOICE.fullmatch(value) is not None
    ]


def _names_beside(view: TaskView, value: str) -> set[str]:
    """The names that tools tell right behind an id, or right before it: `Matteo Nygaard` in `hand: 34554-HD name: Matteo Nygaard`."""
    found: set[str] = set()
    place = re.compile(rf"(?<!\w){re.escape(value).replace(BLANK, '[ _-]+')}(?!\w)", re.IGNORECASE)
    outputs = {call.output or "" for rollout in view.rollouts for call in rollout.calls}
    for output in [output for output in outputs if all(may_hold(output, word) for word in value.split(" "))]:
        for at in place.finditer(output):
            behind = PROPER_NAME.search(output, at.end(), at.end() + BESIDE)
            before = list(PROPER_NAME.finditer(output, max(0, at.start() - BESIDE), at.start()))
            found |= {spaced(name[0]) for name in ((behind,) if behind is not None else before[-1:])}
    return found


def _concludes_with(text: str, given: set[str], wanted: set[str]) -> bool:
    """Whether a text comes to the record that was given, by its name: of the two it names it alone, or last."""
    said = spaced(text)
    last = max((said.rfind(name) for name in given - wanted), default=-1)
    return bool(wanted) and last > max(said.rfind(name) for name in wanted)


def _wrong_words(rollout: RolloutView) -> dict[str, tuple[str, str]]:
    """By argument: the words of the wrong value and of the expected one."""
    found: dict[str, tuple[str, str]] = {}
    for signal in rollout.signals:
        told = EXPECTS.search(signal.detail) if signal.code == "action_wrong_argument" else None
        if told is not None:
            actual, expected = spaced(wrong_value(signal)), spaced(told[1])
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
            said = f"{one} and {other} are expected with each other's values: all {len(given)} repeats give {cut(actual)} and {cut(its)}"
            return one, f"{one}={cut(expected)}, {other}={cut(wanted)}", said, CROSSED
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
    said = f"{field} is a worked solution that comes to {cut(marked.text)} ({marked.how}), which {len(groups[0])} of {len(view.failing)} repeats answer"
    return field, end_of(row.expected or ""), said, CONTRADICTED.weight


def _refused(view: TaskView) -> Told | None:
    """An expected answer that is a model's refusal, where (nearly) all repeats agree on a short answer: nobody agrees like that on what is to be refused."""
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    if row is None or view.passing or len(view.failing) < 2 or not says_it_is_ai(row.expected or ""):
        return None
    groups = sorted(answer_groups(view.failing), key=len, reverse=True)
    if not groups or len(groups[0]) < AGREED * len(view.failing) or len(groups[0][0][1].text) > SHORT_ANSWER:
        return None
    field, given = row.expected_field or "expected", groups[0][0][1].text
    said = f"{field} is what a model says when it refuses; {len(groups[0])} of {len(view.failing)} repeats answer {cut(given)}"
    return field, f"{field} = {cut(row.expected or '')}", said, CONTRADICTED.weight


_OPPOSITES: Final = (
    ("from", "to"), ("source", "target"), ("source", "destination"), ("origin", "destination"), ("sender", "recipient"), ("old", "new"), ("debit", "credit"),
    ("first", "last"), ("start", "end"), ("payer", "payee"), ("seller", "buyer"), ("min", "max"),
)  # fmt: skip
_CHOICE: Final = re.compile(r"[A-Za-z]{3,}(?:[_-][A-Za-z]{2,})*")
"""A choice by its name, without figures."""
_CODE: Final = re.compile(r"[A-Z]{2,4}")
BESIDE: Final = 40
"""Characters between an id and the name of what it stands for."""
EXPECTS: Final = re.compile(r" expects [^=;]{1,80}=([^;]{1,120})")
