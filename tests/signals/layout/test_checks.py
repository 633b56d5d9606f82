"""Checks that no name tells."""

import json

import pytest

from blade.signals import read_rollout
from blade.signals.example import says
from blade.signals.layout.shape import written
from blade.signals.options import Options
from blade.signals.wanted.checks import checks_of
from tests.signals.layout.support import layout, paths, row


def graded(entries, tasks=6):
    """Rollouts with three checks, of which the last one fails in some repeats."""
    rows = []
    for task in range(tasks):
        for repeat in range(3):
            held = [True, True, not (repeat == 2 and task < 4)]
            rows.append(row(task, repeat, all(held), says("Done."), zeta=entries(["lid shut", "box full", "seal on"], held)))
    return rows


CHECKS = {
    "booleans": lambda names, held: [{"p": name, "q": ok} for name, ok in zip(names, held, strict=True)],
    "turned round": lambda names, held: [{"p": name, "bent": not ok} for name, ok in zip(names, held, strict=True)],
    "words": lambda names, held: [{"p": name, "q": "fine" if ok else "off"} for name, ok in zip(names, held, strict=True)],
    "numbers": lambda names, held: [{"p": name, "q": int(ok)} for name, ok in zip(names, held, strict=True)],
    "by name": lambda names, held: dict(zip(names, ["fine" if ok else "off" for ok in held], strict=True)),
    "objects by name": lambda names, held: {
        name: {"q": "Y" if ok else "N", "w": "…"} for name, ok in zip(names, held, strict=True)
    },
    "points": lambda names, held: {name: point * ok for name, point, ok in zip(names, (0.5, 0.2, 0.3), held, strict=True)},
    "in JSON text": lambda names, held: json.dumps(
        [{"p": name, "q": "+" if ok else "-"} for name, ok in zip(names, held, strict=True)]
    ),
}


@pytest.mark.parametrize("entries", CHECKS.values(), ids=CHECKS)
def test_checks(entries):
    rows = graded(entries)
    found = layout(rows)
    read = [[(check.name, check.passed) for check in checks_of(read_rollout(text, Options(layout=found)))] for text in rows[:3]]
    whole = [("lid shut", True), ("box full", True), ("seal on", True)]
    assert read == [whole, whole, [*whole[:2], ("seal on", False)]]


def test_a_list_that_does_not_go_with_the_reward_holds_no_checks():
    rows = graded(lambda names, held: [{"p": name, "q": "odd" if number % 2 else "even"} for number, name in enumerate(names)])
    assert layout(rows).checks == ()


def test_where_names_tell_the_checks_nothing_is_learned():
    rows = graded(lambda names, held: [{"name": name, "passed": ok} for name, ok in zip(names, held, strict=True)])
    assert layout(rows).checks == ()


def test_a_reward_that_is_the_mean_of_shares():
    rows = []
    for task in range(6):
        for repeat in range(3):
            shares = [1.0, 1.0, 1.0] if repeat == 0 else [1.0, 0.5, task / 10]
            made = json.loads(
                row(task, repeat, True, says("Done."), zeta=[{"p": f"part {n}", "q": share} for n, share in enumerate(shares)])
            )
            rows.append(json.dumps(made | {"reward": sum(shares) / 3}).encode())
    assert paths(layout(rows).checks) == ["zeta"]
    assert written(layout(rows).checks[0].path) == "zeta"
