"""Faults of the data: a task whose definition is broken, before any agent sees it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from blade.lab.stage.script import Row, Script, Task, say

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


def mislabelled(task: Task) -> Task | None:
    """The task with the expected result that a careless annotator wrote."""
    return None if task.other_gold is None else replace(task, gold=task.other_gold)


def contradicted(task: Task) -> Task | None:
    """The task with a wrong expected result and another field that still tells the truth."""
    return None if task.contradicted_gold is None else replace(task, gold=task.contradicted_gold)


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
