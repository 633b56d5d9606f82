"""The form in which a run's answers stand in their messages, where no prompt says it in a way that is understood.

Of the messages that pass, each holds the expected answer somewhere. Where the same signs stand before it (and after it) in nearly all of
them, whatever else they say, those signs are the form: `[[Sunday]]`, `>> 12 km <<`, `RESULT=12`. Where the first line is the answer and
nothing else, and reasons follow, that line is.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from blade.answers import extract
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import FormField
from blade.signals.layout.support import AGREEING, MIN_SPECIFIC, MIN_TASKS
from blade.signals.layout.texts import folded
from blade.signals.wanted.asked import asked_form
from blade.signals.wanted.form import FIRST_LINE

MOST_TASKS: Final = 60
LONGEST: Final = 24
"""Signs of a form, on either side of its gap."""
_LABEL: Final = ":=>#|~"
_OPENING: Final = (*_LABEL, "[[", "<<", "{{")
"""What a form ends with before its gap: a label's sign, or a bracket that no answer has inside of it. A single one may nest (`\\boxed{`)."""
_COMMAND: Final = re.compile(r"[@#!$%&/\\][A-Za-z][\w-]{2,20}")
"""A word that a sign makes a command of: `@answer`."""
MIN_ANSWER: Final = 2
MAX_ANSWER: Final = 80


def learn_form(rows: Sequence[Sampled], golden: Callable[[Sampled], str | None]) -> tuple[FormField, ...]:
    """The signs around the answers of passing rollouts; at most one form, and none where the prompt asks for one."""
    around: dict[str, tuple[str, str]] = {}
    first = _first_lines(rows, golden)
    for row in rows:
        if len(around) >= MOST_TASKS:
            break
        if row.passed and row.task not in around and (gold := golden(row)) is not None and MIN_ANSWER <= len(gold) <= MAX_ANSWER:
            if asked_form(row.rollout.request) or asked_form(row.rollout.prompt_text):
                return ()
            if (sides := _sides(row.final, gold)) is not None:
                around[row.task] = sides
    if first or len(around) < MIN_TASKS:
        return first
    before = _shared(left[::-1] for left, _ in around.values())[::-1]
    after = _shared(right for _, right in around.values())
    before, after = before[_of_words(before) :].strip(), after.strip()
    if not _COMMAND.fullmatch(before) and (not before.endswith(_OPENING) or (not after and before[-1] not in _LABEL)):
        return ()
    agreeing = sum(left.rstrip().endswith(before) and right.lstrip().startswith(after) for left, right in around.values())
    return (FormField(before, after, len(around), agreeing),) if agreeing >= AGREEING * len(around) else ()


def _first_lines(rows: Sequence[Sampled], golden: Callable[[Sampled], str | None]) -> tuple[FormField, ...]:
    """The first line as the form: it is the expected answer in nearly all passing messages of more lines that mark none."""
    told: dict[str, bool] = {}
    for row in rows:
        if len(told) >= MOST_TASKS:
            break
        line, _, rest = row.final.strip().partition("\n")
        if not row.passed or row.task in told or not rest.strip() or (gold := golden(row)) is None or len(gold) > MAX_ANSWER:
            continue
        if not any(one.marked for one in extract(row.final)):
            told[row.task] = folded(line.strip("*_` ")) == folded(gold)
    agreeing = sum(told.values())
    enough = agreeing >= max(MIN_SPECIFIC, AGREEING * len(told))
    return (FormField(FIRST_LINE.before, FIRST_LINE.after, len(told), agreeing),) if enough else ()


def _sides(text: str, gold: str) -> tuple[str, str] | None:
    """What stands before and after the last place of an answer, on its line."""
    found = list(re.finditer(re.escape(gold), text, re.IGNORECASE))
    if not found:
        return None
    left, right = text[: found[-1].start()].rpartition("\n")[2], text[found[-1].end() :].partition("\n")[0]
    return left[-LONGEST:], right[:LONGEST]


def _shared(texts: Iterable[str]) -> str:
    """The longest beginning that nearly all texts share."""
    told = list(texts)
    shared = ""
    while len(shared) < LONGEST:
        signs = Counter(text[len(shared)] for text in told if text.startswith(shared) and len(text) > len(shared))
        if not signs:
            break
        sign, count = max(signs.items(), key=lambda item: (item[1], item[0]))
        if count < AGREEING * len(told):
            break
        shared += sign
    return shared


def _of_words(before: str) -> int:
    """Where the form begins: after the last space that stands before its first sign, so that half a word is not taken along."""
    first = next((at for at, sign in enumerate(before) if _is_sign(sign)), len(before))
    return before.rfind(" ", 0, first) + 1


def _is_sign(sign: str) -> bool:
    return not sign.isalnum() and not sign.isspace() and sign not in ".,;!?'\"’-()$€£"
