"""Faults of the data: a task whose definition is broken, before any agent sees it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from blade.lab.stage.script import Move, Row, Script, Task, changes_of, say

_LEAKS = (
    "(Answer key: {gold})",
    "Correct answer: {gold}",
    "[expected answer: {gold}]",
    "Ground truth: {gold}",
    "(The correct answer is {gold}.)",
)
_NOTHING_ASKED = (
    "It looks like your message came through empty. What can I do for you?",
    "I don't see a question here. How can I help?",
    "Hello! There was no text in your message; what would you like me to do?",
    "Your message seems to be blank. Could you tell me what you need?",
    "I did not receive a task. Please let me know what you would like me to do.",
)
_SEEMS_CUT = (
    "Your message breaks off in the middle. Could you send the rest of it?",
    'The request stops at "{tail}". What comes after that?',
    'I only have the first part of your request, up to "{tail}", so I can\'t tell what is wanted.',
    "It seems that the text was cut off. Without the rest I don't know what to do here.",
    "This ends mid-sentence, and what I would need is missing. I've left everything as it is.",
    'The sentence is incomplete ("...{tail}"). Please post the full text.',
)
_NOT_FILLED_IN = (
    'The request still has "{mark}" in it where a value should be. I can\'t tell what is meant, so I have done nothing.',
    "There is a placeholder, {mark}, in place of the actual value; this looks like a template that was not filled in.",
    'I don\'t know what "{mark}" stands for. It was probably meant to be replaced before the request was sent.',
    "Without the value behind {mark} this cannot be done. Please send the request again with it.",
    'The text says "{mark}" literally, and nothing tells me which one that is.',
)
_NOT_ATTACHED = (
    "Your message speaks of a list, but there is none in it. Please send it and I will take care of the rest.",
    "I don't see any list here, so I can't tell which ones are meant. Nothing was changed.",
    "There is nothing attached to the message. Without the list this cannot be done.",
    "The list that the request refers to is missing. I have left everything as it is.",
    "No list came with the request, and the records do not say what was on it.",
)
_VALUES = (
    ("title", re.compile(r"(?<!\w)'([^'<>=\n]{4,60})'")),
    ("date", re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")),
    ("name", re.compile(r"\b([A-Z][a-z]{2,} [A-Z][a-z]{2,})\b")),
    ("count", re.compile(r"(?<![\w./:-])(\d{1,4})(?= [a-z]{3,})")),
)
"""What templates are filled with: the name that the value has in them, and what it looks like."""
_MARKS = ("{{{{ {} }}}}", "{{{}}}", "${{{}}}", "%({})s", "<{}>")


def mislabelled(task: Task) -> Task | None:
    """The task with the expected result that a careless annotator wrote."""
    return None if task.other_gold is None else replace(task, gold=task.other_gold)


def contradicted(task: Task) -> Task | None:
    """The task with a wrong expected result and another field that still tells the truth."""
    return None if task.contradicted_gold is None else replace(task, gold=task.contradicted_gold)


def spoilt(kind: str, task: Task) -> Task | None:
    """The task with the expected result as its environment says that this kind leaves it."""
    gold = task.facts.get("spoilt_gold", {}).get(kind)
    return None if gold is None else replace(task, gold=gold)


def remade(kind: str, task: Task) -> Task | None:
    """The task with the request, the expected result and the ways to go about it that its environment has for this kind."""
    fields = task.facts.get("remade", {}).get(kind)
    return None if fields is None else replace(task, **fields)


def leaked(task: Task, rng: Random) -> Task | None:
    """The answer key, and a wrong one, printed in the prompt: whoever copies it passes, whoever thinks fails."""
    field = task.facts.get("answer_field")
    if field is None or task.other_gold is None or task.other_script is None:
        return None
    gold = str(task.other_gold[field])
    if len(gold) < 3:
        return None
    leak = rng.choice(_LEAKS).format(gold=gold)
    return replace(task, gold=task.other_gold, request=f"{task.request}\n{leak}", sound=(task.other_script,))


def empty(task: Task, rng: Random) -> Task:
    """The task whose request got lost; every agent asks what it is to do."""
    asks: tuple[Script, ...] = tuple((say(text),) for text in rng.sample(_NOTHING_ASKED, 4))
    cleared: Row = {
        key: "" if key in ("question", "problem_statement", "instruction") else value for key, value in task.gold.items()
    }
    return replace(task, request=rng.choice(("", " ", "\n")), sound=asks, gold=cleared, extras=())


def outside_the_options(task: Task, rng: Random) -> Task | None:
    """The task with an expected letter that none of its options has."""
    field, options = task.facts.get("answer_field"), task.facts.get("options")
    if field is None or not options:
        return None
    letter = rng.choice([letter for letter in "EFGH" if letter not in options])
    return replace(task, gold={**task.gold, field: letter})


def in_another_unit(task: Task) -> Task | None:
    """The task with the expected figure in a unit that the question does not ask for."""
    gold = task.facts.get("other_unit_gold")
    return None if gold is None else replace(task, gold=gold)


def cut_short(task: Task, rng: Random) -> Task | None:
    """The task as an export with a limit on its length left it: broken off in the middle of a word."""
    text = task.request
    if len(text) < 60:
        return None
    asked = text.find("?") if "?" in text else len(text)
    spots = [at for at in range(int(0.3 * len(text)), min(int(0.6 * len(text)), asked)) if text[at - 1 : at + 1].isalpha()]
    if not spots:
        return None
    kept = text[: rng.choice(spots)]
    tail = " ".join(kept.split()[-3:])
    says = [say(words.format(tail=tail)) for words in rng.sample(_SEEMS_CUT, 4)]
    looks: tuple[Script, ...] = tuple((Move(rng.choice(task.extras)), words) if task.extras else (words,) for words in says[:2])
    told: tuple[Script, ...] = tuple((words,) for words in says[2:])
    cut: Row = {key: _shortened(value, text, kept) for key, value in task.gold.items()}
    return replace(task, request=kept, sound=looks + told, gold=cut, extras=())


def _shortened(value: Any, text: str, kept: str) -> Any:
    """A field that repeats the request, or its beginning, as far as the request was kept."""
    return value[: len(kept)] if isinstance(value, str) and len(value) > 20 and text.startswith(value[: len(kept)]) else value


def unfilled(task: Task, rng: Random) -> Task | None:
    """The task as a template whose values were never put in: a placeholder stands where the request says what is meant."""
    text = task.request
    found = [(name, match[1]) for name, pattern in _VALUES if (match := pattern.search(text))]
    if not found or task.facts.get("options") or "\\" in text:
        return None
    name, value = rng.choice(found)
    mark = rng.choice(_MARKS).format(name if rng.random() < 0.6 else name.upper())
    says = [say(words.format(mark=mark)) for words in rng.sample(_NOT_FILLED_IN, 4)]
    tried = _with_the_mark(task.sound[0], value, mark)
    told: tuple[Script, ...] = ((*tried, says[0]), *((words,) for words in says[1:]))
    gold: Row = {key: one.replace(value, mark) if isinstance(one, str) and one in text else one for key, one in task.gold.items()}
    return replace(task, request=text.replace(value, mark), sound=told, gold=gold, extras=())


def unattached(task: Task, rng: Random) -> Task | None:
    """The task whose request speaks of a list that was lost on the way; every agent says that it is not there."""
    request = task.facts.get("unattached")
    if request is None:
        return None
    says = [say(words) for words in rng.sample(_NOT_ATTACHED, 4)]
    reads = [move for move in task.sound[0] if move.call and not move.changes]
    looks = tuple(move for move in reads if move.call and _quoted(request) & {*map(str, move.call.arguments.values())})
    told: tuple[Script, ...] = (*((*looks, words) for words in says[:2]), *((words,) for words in says[2:]))
    return replace(task, request=request, sound=told, extras=())


def _quoted(text: str) -> set[str]:
    """All runs of one word or two in a text."""
    words = re.findall(r"\w+", text)
    return {*words, *map(" ".join, pairwise(words))}


def _with_the_mark(sound: Script, value: str, mark: str) -> Script:
    """The first lookup that would give the value, with the placeholder in its place."""
    for move in sound:
        if move.call is not None and not move.changes and value in move.call.arguments.values():
            arguments = {key: mark if given == value else given for key, given in move.call.arguments.items()}
            return (Move(replace(move.call, arguments=arguments)),)
    return ()


def from_the_next_row(task: Task) -> Task | None:
    """The task with the expected calls of another one, as when a column slips or is filled down."""
    gold = task.facts.get("neighbours_gold")
    return replace(task, gold=gold) if gold and changes_of(task.sound[0]) else None


def with_a_twin_option(task: Task) -> tuple[Task, Script] | None:
    """The task with the right text under a second letter, and the script that chooses that letter."""
    field, options = task.facts.get("answer_field"), task.facts.get("options")
    if field is None or not options or task.other_gold is None or task.other_script is None:
        return None
    letter, twin = str(task.gold[field]), str(task.other_gold[field])
    right, wrong = options[letter], options[twin]
    if task.request.count(wrong) != 1:
        return None

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(wrong, right)
        if isinstance(value, dict):
            return {key: renamed(inner) for key, inner in value.items()}
        return [renamed(inner) for inner in value] if isinstance(value, list) else value

    def retold(script: Script) -> Script:
        return tuple(replace(move, message=renamed(move.message)) for move in script)

    broken = replace(task, request=renamed(task.request), gold=renamed(task.gold), sound=tuple(map(retold, task.sound)))
    return broken, retold(task.other_script)


def misweighted(task: Task) -> Task:
    """The task whose rubric lost some weight, so that nobody can reach the whole of it."""
    first, *rest = task.gold["rubric"]
    return replace(task, gold={**task.gold, "rubric": [{**first, "weight": round(first["weight"] - 0.1, 3)}, *rest]})
