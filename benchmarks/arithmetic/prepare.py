"""The arithmetic benchmark: 60 small sums in twelve graded families, made by this file from a seed; nothing is downloaded.

It is meant for very small models, so that a run of a minute on a laptop still has tasks that always pass, sometimes pass and
never pass. Every row carries the slices worth looking at: `family`, `operation`, `digits` (of the operands, `2x1` for two digits
with one) and `difficulty`. They are text, since a number at the top of a row would be averaged as if it were a score.

The committed file is what this code writes, byte for byte; a test compares them.
"""

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SEED = 20261115
PER_FAMILY = 5
DATA = Path(__file__).resolve().parent / "data" / "arithmetic_benchmark.jsonl"

Question = tuple[str, int]
"""What is asked, and the whole number that answers it."""

_NAMES = ("Ada", "Ben", "Carla", "Dan", "Eva", "Femi", "Gita", "Hugo", "Ines", "Jon")
_THINGS = ("apples", "pencils", "shells", "stamps", "marbles", "books", "coins", "cards")


@dataclass(frozen=True)
class Family:
    """Tasks of one kind: how they are made, and the slices that all of them share."""

    name: str
    operation: str
    digits: str
    difficulty: str
    make: Callable[[random.Random], Question]


def addition(least: int, most: int) -> Callable[[random.Random], Question]:
    def make(chance: random.Random) -> Question:
        one, other = chance.randint(least, most), chance.randint(least, most)
        return f"What is {one} + {other}?", one + other

    return make


def subtraction(least: int, most: int) -> Callable[[random.Random], Question]:
    """Never below zero: negative numbers would be a family of their own."""

    def make(chance: random.Random) -> Question:
        less, more = sorted((chance.randint(least, most), chance.randint(least, most)))
        return f"What is {more} - {less}?", more - less

    return make


def product(least: int, most: int) -> Callable[[random.Random], Question]:
    def make(chance: random.Random) -> Question:
        one, other = chance.randint(least, most), chance.randint(2, 9)
        return f"What is {one} times {other}?", one * other

    return make


def half(chance: random.Random) -> Question:
    number = chance.randint(2, 24)
    return f"What is half of {2 * number}?", number


def larger(chance: random.Random) -> Question:
    """Half of the pairs are a number and its mirror image, which cannot be told apart by their digits alone."""
    tens, ones = chance.sample(range(1, 10), 2)
    one = 10 * tens + ones
    other = 10 * ones + tens if chance.random() < 0.5 else chance.choice([n for n in range(11, 100) if n != one])
    return f"Which number is larger, {one} or {other}?", max(one, other)


def number_after(chance: random.Random) -> Question:
    number = chance.randint(2, 60)
    return f"Which number comes right after {number}?", number + 1


def missing_addend(chance: random.Random) -> Question:
    known, missing = chance.randint(2, 9), chance.randint(2, 9)
    return f"Which number is missing? {known} + __ = {known + missing}", missing


def sequence(chance: random.Random) -> Question:
    step = chance.choice((1, 2, 5, 10))
    start = step * chance.randint(1, 6)
    shown = ", ".join(str(start + step * place) for place in range(4))
    return f"What is the next number? {shown}, __", start + step * 4


def one_step_story(chance: random.Random) -> Question:
    name, thing = chance.choice(_NAMES), chance.choice(_THINGS)
    less, more = sorted(chance.sample(range(1, 10), 2))
    if chance.random() < 0.5:
        return f"{name} has {more} {thing} and finds {less} more. How many {thing} does {name} have now?", more + less
    return f"{name} has {more} {thing} and gives away {less}. How many {thing} does {name} have left?", more - less


FAMILIES = (
    Family("number after", "counting", "2", "easy", number_after),
    Family("next in a sequence", "counting", "2", "easy", sequence),
    Family("one-digit addition", "addition", "1", "easy", addition(1, 9)),
    Family("larger of two", "comparison", "2", "easy", larger),
    Family("one-digit subtraction", "subtraction", "1", "medium", subtraction(1, 9)),
    Family("one-digit product", "multiplication", "1", "medium", product(2, 9)),
    Family("half", "division", "2", "medium", half),
    Family("one-step story", "story", "1", "medium", one_step_story),
    Family("missing addend", "missing number", "1", "hard", missing_addend),
    Family("two-digit addition", "addition", "2", "hard", addition(11, 89)),
    Family("two-digit subtraction", "subtraction", "2", "hard", subtraction(11, 99)),
    Family("two-digit times one-digit", "multiplication", "2x1", "hard", product(12, 99)),
)


def tasks() -> Iterator[dict[str, str]]:
    """The rows in order; a family's tasks depend on the seed and its own name only, so that adding one changes no other."""
    for family in FAMILIES:
        chance = random.Random(f"{SEED} {family.name}")  # noqa: S311 - tasks, not secrets
        asked: dict[str, int] = {}
        while len(asked) < PER_FAMILY:
            question, answer = family.make(chance)
            asked.setdefault(question, answer)
        for place, (question, answer) in enumerate(asked.items(), start=1):
            yield {
                "problem_id": f"{family.name.replace(' ', '-')}-{place}",
                "question": question,
                "expected_answer": str(answer),
                "family": family.name,
                "operation": family.operation,
                "digits": family.digits,
                "difficulty": family.difficulty,
            }


def prepare() -> Path:
    """Write the benchmark's file and say where it is."""
    rows = [json.dumps(task, ensure_ascii=False) for task in tasks()]
    DATA.parent.mkdir(parents=True, exist_ok=True)
    partial = DATA.with_name(f".{DATA.name}.{os.getpid()}.partial")
    try:
        partial.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        os.replace(partial, DATA)
    finally:
        partial.unlink(missing_ok=True)
    print(f"{len(rows)} tasks written to {DATA}")
    return DATA


if __name__ == "__main__":
    prepare()
