"""Runs of a few rows whose fields have names that say nothing, and what is learned of them."""

import json
from typing import Any

from blade.signals.example import Example, Item, says
from blade.signals.layout.learn import learn_layout
from blade.signals.layout.sampled import sampled
from blade.signals.layout.shape import Layout, written
from blade.signals.options import USUAL

PLACES = ("Oslo", "Lima", "Bern", "Rome", "Kyiv", "Cairo", "Quito", "Hanoi", "Accra", "Sofia")
WRONG = ("Paris", "Delhi")


def row(
    task: int, repeat: int, passed: bool, *items: Item, asked: str = "Where?", tools: tuple[Any, ...] = (), **fields: Any
) -> bytes:
    made = json.loads(Example(items, asked=f"{asked} (No. {task})", fields=fields, tools=tools).text())
    made |= {"reward": float(passed), "_ng_task_index": task, "_ng_rollout_index": repeat}
    return json.dumps(made).encode()


def questions(tasks: int = 8, repeats: int = 3, wrong_in: tuple[int, ...] = (1, 2), **fields: Any) -> list[bytes]:
    """Questions with an answer each; the last repeats of some tasks answer wrongly. A field is what a function makes of (task, gold, said)."""
    rows = []
    for task in range(tasks):
        gold = PLACES[task % len(PLACES)]
        for repeat in range(repeats):
            said = WRONG[repeat % 2] if task in wrong_in and repeat else gold
            made = {name: make(task, gold, said) for name, make in fields.items()}
            rows.append(row(task, repeat, said == gold, says(f"I looked it up.\nAnswer: {said}"), **made))
    return rows


def layout(rows: list[bytes]) -> Layout:
    return learn_layout(sampled(rows, USUAL))


def paths(fields: Any) -> list[str]:
    return [written(field.path) for field in fields]
