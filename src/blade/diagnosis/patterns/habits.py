"""What the answers of a tool always are, and the answers that are not (IR): no repeat of the same call is needed to say so.

The habits are learned from the run. A tool that names in its answer the id or the full name of its call nearly always, and now has
another one of the same form in its place, gave the answer to another query. A tool whose answers close what they open, and that now
stops within an object or an element, was cut off. A tool that answers in text, and now in bytes that are none, was not decoded. A tool
of a run whose tools hardly ever answer with a web page, and that now does, handed on the page of a gateway, a proxy or a sign-in. A tool that fills its fields, and now leaves all of them empty, found nothing to fill them with. A tool whose answers have
fields of their own, and that now has none of them but those of another tool, handed on the answer to another call.
"""

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Final

from blade.diagnosis.patterns.call_keys import SAME_CALL, SHORT, key_calls
from blade.diagnosis.patterns.named import FULL_NAME, asked_for
from blade.runs.run import Run
from blade.signals.calls.arguments import leaves
from blade.signals.calls.mutation import words_of
from blade.signals.layout.paths import opened

HABIT: Final = 0.7
"""Share of a tool's answers from which on something is its habit; trouble may strike a good part of a run."""
SHAKEN: Final = 0.4
"""The same where the very call that is held against it was made twice in a row and got two answers."""
MIN_CALLS: Final = 12
"""Calls from which on the share says something."""
MIN_DATA: Final = SHORT
"""Characters from which on an answer holds data, and is no empty list or error code."""
LONGEST: Final = 480
"""Characters from which on an output may have been cut by the table."""
_QUOTED_NAME: Final = re.compile(r"[\">]\s*([A-Z][\w'’-]+(?: [A-Z][\w'’-]+){1,3})\s*[\"<]")
UNREADABLE: Final = 0.1
"""Share of signs that no text has from which on an answer is none."""
_NO_SIGN: Final = "\ufffd"
"""What stands for bytes that are no text."""
NEARLY_ALWAYS: Final = 0.9
"""Share of a tool's answers that are data, from which on data is what it gives; what a shell prints may be anything."""
ALIKE: Final = 0.6
"""How alike two names are that a search may take for one another."""
_EMPTY: Final = re.compile(r'\[\s*\]|"(?:hits|count|total|matches|found|results)"\s*:\s*(?:0|null|false)\b', re.IGNORECASE)
"""An answer that says that nothing was found, whatever it shows instead."""
_CLOSED_BY: Final = {"{": "}", "[": "]", "<": ">"}
_CALLS: Final = f"""
WITH turns AS (
    SELECT *, coalesce(
               (lag(name) OVER before = name AND lag(arguments) OVER before = arguments AND lag(output) OVER before <> output)
            OR (lead(name) OVER before = name AND lead(arguments) OVER before = arguments AND lead(output) OVER before <> output), false) AS shaken
    FROM call_keys WINDOW before AS (PARTITION BY rollout ORDER BY step)
), chosen AS (
    SELECT name, arguments, output, place, min((rollout, step)) AS first, first[1] AS rollout, first[2] AS step, count(*) AS times, bool_or(shaken) AS shaken
    FROM turns WHERE succeeded AND (length >= {MIN_DATA} OR begun) GROUP BY task, name, arguments, output, place ORDER BY place LIMIT 20000
)
SELECT DISTINCT c.task, c.name, c.arguments, c.output, k.times, k.shaken, k.place FROM calls AS c JOIN chosen AS k ON {SAME_CALL}
ORDER BY k.place, c.task, c.name, c.arguments, c.output
"""
_CROSSED: Final = "`{}` names what it was asked for in {} of {} answers, and here it names something else"
_UNREADABLE: Final = "`{}` answers in text in {} of {} answers, and here in bytes that are none"
_CUT: Final = "`{}` closes what it opens in {} of {} answers, and here it stops in the middle"

_BLANK: Final = "{} of {} answers of the tools have something in their fields, and here `{}` leaves all of them empty"
_PAGE: Final = "{} of {} answers of the tools are no web page, and here `{}` sends one"
_IS_PAGE: Final = re.compile(r"\s*(?:<!--[^>]{0,200}-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
"""What a whole web page begins with; a fragment of HTML may be what a tool is there for."""
RARE: Final = 0.75
"""Share of a run's answers that are otherwise, from which on an odd one is none of its tools' manner."""

_FOREIGN: Final = "`{}` has fields of its own in {} of {} answers, and here those of another tool"
_FIELD: Final = re.compile(r"\"([A-Za-z_][\w-]{0,40})\"\s*:|<([A-Za-z]\w{0,40})[\s>/]")
EVERYWHERE: Final = 0.8
"""Share of the tools with a field from which on it is the wrapper of all answers."""
GENERIC: Final = frozenset(
    ["message", "status", "error", "detail", "details", "success", "code", "result", "ok", "reason", "msg", "data", "id", "name"]
)
"""Fields that any tool may answer with."""
FOREIGN: Final = 2
FEWEST_BLANK: Final = 2
MIN_OTHERS: Final = 3
"""Other answers of a tool from which on they tell whether it fills its fields."""
FILLED: Final = 0.5
MIN_RECORD: Final = 3
"""Fields of an answer from which on it is a record."""
OWN: Final = 0.5
"""Share of a tool's answers with a field from which on it is the tool's own."""

Answer = tuple[str, str, str, str]
"""Task, tool, arguments and output."""


class _Habit:
    """How often each tool keeps to something, and the answers in which it did not."""

    def __init__(self, words: str, least: float = HABIT) -> None:
        self.words, self.least = words, least
        self.kept: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.broken: dict[Answer, bool] = {}
        """With whether the same call got another answer beside this one."""

    def note(self, answer: Answer, kept: bool, times: int, shaken: bool) -> None:
        self.total[answer[1]] += times
        if kept:
            self.kept[answer[1]] += times
        else:
            self.broken[answer] = shaken

    def told(self) -> dict[Answer, str]:
        return {
            one: self.words.format(one[1], self.kept[one[1]], self.total[one[1]])
            for one, shaken in self.broken.items()
            if self.total[one[1]] >= MIN_CALLS and self.kept[one[1]] >= (SHAKEN if shaken else self.least) * self.total[one[1]]
        }


def holds_data(output: str) -> bool:
    """Whether an answer is an object, a list or a document, and not a word or two."""
    return len(output) >= MIN_DATA and output.lstrip()[:1] in _CLOSED_BY


def learn_unusual(run: Run) -> dict[Answer, str]:
    """The answers that break a habit of their tool, with the habit."""
    key_calls(run)
    names, closes, reads = _Habit(_CROSSED), _Habit(_CUT), _Habit(_UNREADABLE, SHAKEN)
    data: Counter[str] = Counter()
    pages: Counter[Answer] = Counter()
    blank: Counter[Answer] = Counter()
    fields: dict[Answer, tuple[frozenset[str], int, bool]] = {}
    for task, name, arguments, output, times, shaken, _ in run.query(_CALLS).rows:
        answer = (task, name, arguments, output)
        if len(output) < MIN_DATA:
            closes.note(answer, False, times, shaken)
            continue
        reads.note(answer, output.count(_NO_SIGN) < UNREADABLE * len(output), times, shaken)
        if _IS_PAGE.match(output):
            pages[answer] += times
        if not holds_data(output):
            continue
        data[name] += times
        fields[answer] = (_fields(output), times, shaken)
        blank[answer] += times * _blank(output)
        if len(output) < LONGEST:
            closes.note(answer, _closed(output.strip()), times, shaken)
        asked = asked_for(arguments)
        if asked and not _EMPTY.search(output):
            named = any(value in output for value in asked)
            if named or any(_names_another(value, output) for value in asked):
                names.note(answer, named, times, shaken)
            else:
                names.total[name] += times
    always = {name for name, count in data.items() if count >= NEARLY_ALWAYS * reads.total[name]}
    unusual = closes.told() | names.told() | _foreign(fields).told()
    filled = Counter(data)
    for answer, times in (+blank).items():
        filled[answer[1]] -= times
    empty = _rare(+blank, data, _BLANK)
    empty = {one: why for one, why in empty.items() if _fills_fields(one, filled[one[1]], data[one[1]] - blank[one])}
    odd = _rare(pages, reads.total, _PAGE) | empty
    return {one: why for one, why in unusual.items() if one[1] in always} | reads.told() | odd


def _rare(odd: Counter[Answer], total: Counter[str], words: str) -> dict[Answer, str]:
    """The odd answers, where neither the run's tools nor the tool itself usually answer so; trouble may strike all calls of a tool that few make."""
    answers, of_tool = total.total(), Counter[str]()
    for answer, times in odd.items():
        of_tool[answer[1]] += times
    usual = answers - odd.total()
    if answers < MIN_CALLS or usual < RARE * answers:
        return {}
    often = {tool for tool, times in of_tool.items() if total[tool] >= MIN_CALLS and times >= HABIT * total[tool]}
    return {one: words.format(usual, answers, one[1]) for one in odd if one[1] not in often}


def _fields(output: str) -> frozenset[str]:
    return frozenset(found[1] or found[2] for found in _FIELD.finditer(output))


def _foreign(answers: dict[Answer, tuple[frozenset[str], int, bool]]) -> _Habit:
    """Whether the answers of each tool have a field of its own; without one, and with those of another tool, they broke the habit."""
    total: Counter[str] = Counter()
    seen: dict[str, Counter[str]] = {}
    for (_, tool, _, _), (fields, times, _) in answers.items():
        total[tool] += times
        for field in fields:
            seen.setdefault(tool, Counter())[field] += times
    own = {tool: {field for field, times in counts.items() if times >= OWN * total[tool]} for tool, counts in seen.items()}
    spread = Counter(field for fields in own.values() for field in fields)
    wrapper = {field for field, tools in spread.items() if tools >= EVERYWHERE * len(own)}
    own = {tool: fields - wrapper for tool, fields in own.items()}
    habit = _Habit(_FOREIGN)
    for answer, (fields, times, shaken) in answers.items():
        mine, has = own.get(answer[1], set()), fields - wrapper
        if not mine or not has:
            continue
        kept = bool(mine & has)
        # What several tools have is a manner of answering, and what the call names itself was asked for.
        alone = [field for field in has - GENERIC if spread[field] == 1 and f'"{field}"' not in answer[2]]
        if kept or (len(alone) >= FOREIGN and any(has <= theirs for tool, theirs in own.items() if tool != answer[1])):
            habit.note(answer, kept, times, shaken)
    return habit


def _blank(output: str) -> bool:
    """Whether an answer has fields, several of them, and a value in none but those that any tool has."""
    own = _own_fields(output)
    return len(own) >= FEWEST_BLANK and all(value in (None, "") for _, value in own)


def _own_fields(output: str) -> list[tuple[str, Any]]:
    """The fields of an answer with something null in it, besides those that any tool has."""
    read = opened(output) if "null" in output else None
    told = [(path.rpartition(".")[2], value) for path, value in leaves(read)] if isinstance(read, dict | list) else []
    return [(name, value) for name, value in told if name not in GENERIC or value is None]


def _fills_fields(answer: Answer, filled: int, others: int) -> bool:
    """Whether a tool that leaves all fields empty fills them else; nobody may be what the answer says (`{"manager": null, "deputy": null}`).

    Where the tool has hardly any other answers, a record of several fields has to lack even what it is known by.
    """
    if others >= MIN_OTHERS:
        return filled >= FILLED * others
    names = [name for name, _ in _own_fields(answer[3])]
    return len(names) >= MIN_RECORD and any(words_of(name)[-1:] in (("id",), ("name",), ("number",)) for name in names)


def _closed(text: str) -> bool:
    """Whether a text of data ends where it should."""
    return text.endswith(_CLOSED_BY[text[0]]) or not isinstance(opened(text), str)


def _names_another(value: str, output: str) -> bool:
    """Whether the output has something of the same form in the place of a value that it lacks."""
    if FULL_NAME.fullmatch(value):
        return any(SequenceMatcher(None, value, other).ratio() < ALIKE for other in _QUOTED_NAME.findall(output)[:8])
    return _form(value).search(output) is not None


@lru_cache(maxsize=4096)
def _form(value: str) -> re.Pattern[str]:
    """An id with other digits, or other capitals: `CL-12345678` finds `CL-87654321`."""
    parts = (r"\d" if sign.isdigit() else "[A-Z]" if "A" <= sign <= "Z" else re.escape(sign) for sign in value[:64])
    return re.compile(rf"(?<![\w-]){''.join(parts)}(?![\w-])")
