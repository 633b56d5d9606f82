"""Several runs: the ranking, every run against the baseline, and the tasks that none passes or that tell them apart."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from blade.comparison.letters import letter, second
from blade.comparison.units import Units, p_value, units
from blade.reports.citations import Document
from blade.reports.comparison.opening import VERDICTS
from blade.reports.wording import bullets, count, interval, joined, listed, name, plural, share, shown, table

MOST_ROWS = 60
MOST_COLUMNS = 12
MOST_IDS = 40
MOST_SEPARATING = 12
MOST_PAIRS = 3
"""Runs that are not ranked, named two and two where they share tasks with each other."""


def letters(document: Document) -> list[str]:
    """The letters of the runs in the order of the ranking: A is the baseline, the others in the order given."""
    free: dict[str, list[str]] = {}
    for place, run in enumerate(paths(document)):
        free.setdefault(run, []).append(letter(place))
    ranked = document["ranking"]
    order = sorted(range(len(ranked)), key=lambda place: not ranked[place]["baseline"])
    found = {place: free[ranked[place]["run"]].pop(0) for place in order}
    return [found[place] for place in range(len(ranked))]


def paths(document: Document) -> list[str]:
    return [document["pairs"][0]["a"], *(pair["b"] for pair in document["pairs"])]


def is_ranked(one: Mapping[str, Any]) -> bool:
    return bool(one.get("ranked", True))


def on_shared_tasks(document: Document) -> str:
    """What the scores on shared tasks are about; empty where only the baseline is ranked."""
    several = sum(map(is_ranked, document["ranking"])) > 1
    return f"on the {plural(document['ranking'][0]['shared']['tasks'], 'shared task')}" if several else ""


def not_ranked(document: Document) -> Iterator[str]:
    """Why runs are not ranked, and which of them compare with each other."""
    apart = sorted(which for one, which in zip(document["ranking"], letters(document), strict=True) if not is_ranked(one))
    if not apart:
        return
    one = len(apart) == 1
    yield f"{joined(apart)} {'is' if one else 'are'} not ranked: {'it shares' if one else 'they share'} no scored task with A."
    places = {letter(place): place for place in range(len(document["runs"]))}
    both = [(*pair, _in_common(document, *(places[which] for which in pair))) for pair in combinations(apart, 2)]
    for first, other, tasks in [found for found in both if found[2]][:MOST_PAIRS]:
        yield f"{first} and {other} have {plural(tasks, 'scored task')} in common: compare them with each other."


def _in_common(document: Document, first: int, second: int) -> int:
    return sum(row["rates"][first] is not None and row["rates"][second] is not None for row in document["matrix"])


def ranking(document: Document) -> list[str]:
    of, named = units(document["pairs"][0]), letters(document)
    rows = []
    for rank, (one, which) in enumerate(zip(document["ranking"], named, strict=True), 1):
        shared, ranked = one["shared"], is_ranked(one)
        rows.append(
            (
                str(rank) if ranked else "",
                f"**{which}**{' (baseline)' if one['baseline'] else ''}",
                name(one["run"], 200),
                of.score(one["value"]),
                interval(one["ci"], of=of.score),
                count(one["tasks"]),
                of.score(shared["value"]) if ranked and on_shared_tasks(document) else "–",
                "–" if one["baseline"] else p_value(one["p_vs_baseline_holm"]) if ranked else "not comparable",
            )
        )
    head = (
        "",
        "",
        "run",
        f"{of.what}, booked",
        "95 % interval",
        "tasks",
        on_shared_tasks(document) or "on shared tasks",
        "against A (Holm)",
    )
    apart = list(not_ranked(document))
    all_runs = "all ranked runs" if apart else "all runs"
    return [
        f"By booked score. Scores over other tasks do not compare, so the score on the tasks that {all_runs} scored stands beside it.",
        table(head, rows, "r  rrrrr"),
        *([bullets(apart)] if apart else []),
    ]


def pairs(document: Document) -> list[str]:
    rows = []
    for pair in document["pairs"]:
        of = units(pair)
        rows.append(
            (
                f"A → {second(pair)}",
                f"**{VERDICTS[pair['verdict']]}**",
                of.change(pair["delta"]),
                of.span(pair["ci"]),
                p_value(pair["p_value"]),
                f"{pair['tasks']['compared']:,} of {pair['tasks']['common']:,}",
                ", ".join(shown(change["what"]) for change in pair["changed"]) or "nothing known",
            )
        )
    head = ("pair", "verdict", "difference", "95 % interval", "p (not corrected)", "common tasks scored", "differs in")
    return [table(head, rows, "  rrrr")]


def tasks(document: Document) -> list[str]:
    """Tasks that no run passes, those that separate the runs, and the matrix where it can be read."""
    of = units(document["pairs"][0])
    rows = document["matrix"]
    blocks = []
    unsolved = unsolved_names(document)
    if document["unsolved"] is None:
        blocks.append("By mean reward no task counts as passed, so none is called unsolved.")
    elif unsolved:
        blocks.append(f"**No run passes** {share(len(unsolved), len(rows), 'tasks')}: {listed(unsolved, MOST_IDS)}.")
    else:
        blocks.append(f"No task is passed by no run: all {len(rows):,} are solved somewhere.")
    found = document["separating"]
    if found:
        blocks.append(
            f"**Tasks that separate the runs**, the widest first ({plural(len(found), 'task')} listed in the document):"
        )
        blocks.append(_matrix(found[:MOST_SEPARATING], document, of, spread=True))
    else:
        blocks.append("No task separates the runs: each scores the same in all of them.")
    if len(rows) <= MOST_ROWS and len(document["runs"]) <= MOST_COLUMNS:
        blocks += ["### All tasks", _matrix(rows, document, of)]
    else:
        blocks.append(f"The scores of all {len(rows):,} tasks in all runs are `matrix` in comparison.json.")
    return blocks


def unsolved_names(document: Document) -> list[str]:
    """The tasks that no run passes; one that is not the baseline's task of that id is told with the run that defines it."""
    scored = [(row, [rate for rate in row["rates"] if rate is not None]) for row in document["matrix"]]
    return [task_name(row) for row, rates in scored if rates and max(rates) == 0]


def task_name(row: Mapping[str, Any]) -> str:
    """`C's 7`, where the baseline's task 7 is another one."""
    return f"{_definer(row)}'s {row['task']}" if row.get("defined_by") else str(row["task"])


def _definer(row: Mapping[str, Any]) -> str:
    """The letter of the run that defines a task otherwise than the baseline (`run 2`)."""
    return letter(int(row["defined_by"].removeprefix("run ")))


def _matrix(rows: Sequence[Any], document: Document, of: Units, *, spread: bool = False) -> str:
    head = ("task", *(letter(place) for place in range(len(document["runs"]))), *(["spread"] if spread else []))
    cells = [
        (
            shown(row["task"], 60) + (f" (as {_definer(row)} defines it)" if row.get("defined_by") else ""),
            *("–" if rate is None else f"{rate:.2f}" for rate in row["rates"]),
            *([of.size(row["spread"])] if spread else []),
        )
        for row in rows
    ]
    return table(head, cells, " " + "r" * (len(document["runs"]) + 1))
