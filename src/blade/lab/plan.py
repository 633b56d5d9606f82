"""Which rollouts a case has, and which of them are struck by a fault.

A plan lists every rollout with the script its agent follows and the fault that is meant to show. Tasks are chosen among those that a
kind of fault fits; how many of their repeats it strikes is the kind's nature (`catalogue`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

from blade.lab.desk import dice
from blade.lab.environments import Environment
from blade.lab.faults import data
from blade.lab.faults.bends import bend
from blade.lab.faults.catalogue import KIND, Kind
from blade.lab.stage.script import Row, Script, Task, changes_of
from blade.lab.stage.weather import Weather

REPEATS = 4
NOISE = 0.03
"""How often a rollout fails for no planted cause."""
_RECORD = re.compile(r"[\w.]+@[\w.]+|[A-Z]+[.-]?\d{3,}[.\d]*|\b\d{5,}\b")
_NOISE_KINDS = (
    "wavering_argument", "scattered_numbers", "wrong_option", "wavering_fact", "wavering_code", "extra_change", "partial_update",
)  # fmt: skip


@dataclass
class Planned:
    """One planned rollout: what is played, and which fault is meant to show in it."""

    task: Task
    repeat: int
    script: Script
    kind: Kind | None = None
    flaw: str | None = None
    noise: bool = False
    noisy: bool = True
    stale: Task | None = None
    """Conflicting rows: the definition under which a first row of the same key was written."""


@dataclass
class Plan:
    environment: Environment
    seed: int
    rollouts: list[Planned] = field(default_factory=list)
    weather: Weather | None = None
    trouble: str | None = None


def draw(place: Environment, size: int, seed: int, kinds: Sequence[str], rng: Random) -> list[Task]:
    """The tasks of a case: the first ones that the environment gives, and a few others in their place where too few suit the kinds."""
    pool = _pool(place, seed, 3 * size)
    chosen = list(pool[:size])
    for kind in kinds:
        if KIND[kind].means == "weather":
            continue
        suits = [
            task for task in pool if _struck(KIND[kind], "severe", task, 0, REPEATS, dice(seed, "suits", task.index)) is not None
        ]
        short = 4 - sum(task in suits for task in chosen)
        spare = [task for task in suits if task not in chosen]
        for at, task in zip(rng.sample(range(size), max(0, short)), spare, strict=False):
            chosen[at] = task
    return [replace(task, index=index) for index, task in enumerate(_beside_each_other(chosen))]


@lru_cache(maxsize=40)
def _pool(place: Environment, seed: int, count: int) -> tuple[Task, ...]:
    """What the tasks of a case are chosen from: the same for every kind of fault, and the longest part of drawing them."""
    return tuple(_beside_each_other(_different(place.tasks(seed, count))))


def _different(tasks: Sequence[Task]) -> list[Task]:
    """The tasks without those that ask what another one asks."""
    seen: dict[str, Task] = {}
    for task in tasks:
        seen.setdefault(task.request, task)
    return list(seen.values())


def _beside_each_other(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, each knowing what is expected of the next one that asks for the same kind of work on other records."""
    known: list[Task] = []
    for number, task in enumerate(tasks):
        others = (other.gold for other in (*tasks[number + 1 :], *tasks[:number]) if other.family == task.family)
        named = _records_in(task.gold)
        gold = next((gold for gold in others if gold.keys() == task.gold.keys() and not named & _records_in(gold)), None)
        known.append(task if gold is None else replace(task, facts={**task.facts, "neighbours_gold": gold}))
    return known


def _records_in(gold: Row) -> set[str]:
    """The ids and addresses in a dataset's row."""
    return set(_RECORD.findall(str(gold)))


def lay_out(plan: Plan, tasks: Sequence[Task], taken: dict[int, list[Planned]], repeats: int) -> None:
    """All rollouts in the order in which they are started, repeats of a task beside each other."""
    for task in tasks:
        rng = dice(plan.seed, plan.environment.name, "sound", task.index)
        given = taken.get(task.index)
        plan.rollouts += given or [Planned(task, repeat, rng.choice(task.sound)) for repeat in range(repeats)]
    noise = dice(plan.seed, plan.environment.name, "noise")
    for rollout in plan.rollouts:
        wrong = [script for name in _NOISE_KINDS for script in rollout.task.faulty.get(name, ())]
        if noise.random() < NOISE and wrong and rollout.kind is None and rollout.task.index not in taken:
            rollout.script, rollout.noise = noise.choice(wrong), True


def strike(
    kind: Kind, severity: str, tasks: list[Task], taken: dict[int, list[Planned]], added: list[Task], repeats: int, rng: Random
) -> None:
    """Choose tasks that the kind fits, and lay out their rollouts."""
    wanted = rng.randint(2, 3) if severity == "mild" else rng.randint(2, 4)
    for task in rng.sample(tasks, len(tasks)):
        if not wanted:
            return
        if task.index in taken:
            continue
        made = _struck(kind, severity, task, len(tasks) + len(added), repeats, rng)
        if made is None:
            continue
        wanted -= 1
        if made[0].task.index == task.index:
            taken[task.index] = made
        else:
            added.append(made[0].task)
            taken[made[0].task.index] = made


def _repeats_struck(kind: Kind, severity: str, repeats: int, rng: Random) -> frozenset[int]:
    least, most = kind.strikes(severity)
    ceiling = repeats if most >= 4 else max(1, repeats - 1)
    if least >= 90:
        number = max(1, repeats - (99 - least))
    else:
        number = rng.randint(min(least, ceiling), min(most, ceiling))
    return frozenset(rng.sample(range(repeats), number))


def _struck(kind: Kind, severity: str, task: Task, spare: int, repeats: int, rng: Random) -> list[Planned] | None:
    hit = _repeats_struck(kind, severity, repeats, rng)
    if kind.means == "data":
        return _broken_data(kind, task, spare, hit, repeats, rng)
    if kind.means == "flaw":
        return _flawed(kind, task, hit, repeats, rng)
    wrong = _scripts(kind, task, len(hit), rng)
    return None if wrong is None else _with_scripts(task, kind, dict(zip(sorted(hit), wrong, strict=True)), repeats, rng)


def _with_scripts(task: Task, kind: Kind | None, wrong: Mapping[int, Script], repeats: int, rng: Random) -> list[Planned]:
    """The rollouts of a task, some of them by an agent with the fault."""
    return [
        Planned(task, repeat, wrong[repeat], kind, noisy=kind is None or kind.name != "call_loop")
        if repeat in wrong
        else Planned(task, repeat, rng.choice(task.sound))
        for repeat in range(repeats)
    ]


def rollouts_of(task: Task, kind: Kind | None, hit: Collection[int], rng: Random) -> list[Planned]:
    """The rollouts of one task for a run that is put together by hand: the repeats given go wrong by the kind."""
    wrong = _scripts(kind, task, len(hit), rng) if kind is not None else []
    if wrong is None:
        raise ValueError(f"task {task.index} gives no occasion for the fault")
    return _with_scripts(task, kind, dict(zip(sorted(hit), wrong, strict=True)), REPEATS, rng)


def _flawed(kind: Kind, task: Task, hit: frozenset[int], repeats: int, rng: Random) -> list[Planned] | None:
    """Sound work under a verifier that is broken in the repeats that are hit; one that is upside down passes those who do nothing."""
    upside_down = kind.name == "inverted_verifier"
    if upside_down and "answer_field" not in task.facts:
        return None
    if kind.name == "tight_tolerance" and "tolerance" not in task.gold:
        return None
    if kind.name in ("late_snapshot", "pairs_off_by_one") and len(changes_of(task.sound[0])) < 2:
        return None
    if kind.name == "volatile_fields_compared" and not changes_of(task.sound[0]):
        return None
    if kind.name == "grader_clock" and task.facts.get("due_in") is None:
        return None
    if kind.name == "graded_another_rollout" and not ("neighbours_gold" in task.facts and changes_of(task.sound[0])):
        return None
    if kind.name == "same_tool_overwritten" and not _calls_one_tool_twice(task):
        return None
    if kind.name == "log_clips_text" and not task.facts.get("long_text"):
        return None
    if kind.name == "one_side_normalised" and not task.facts.get("capitals"):
        return None
    if kind.name == "false_values_lost" and not task.facts.get("false_value"):
        return None
    if kind.name == "gold_read_as_pattern" and not task.facts.get("odd_as_pattern"):
        return None
    if kind.name == "unset_as_null" and not task.facts.get("leaves_out"):
        return None
    if kind.name == "misweighted_checks":
        task = data.misweighted(task)
    idle = [bend("gave_up", task, rng) or rng.choice(task.sound) for _ in range(repeats)] if upside_down else []
    return [
        Planned(task, repeat, rng.choice(task.sound), kind, kind.name)
        if repeat in hit
        else Planned(task, repeat, idle[repeat] if idle else rng.choice(task.sound), flaw=kind.name if idle else None)
        for repeat in range(repeats)
    ]


def _calls_one_tool_twice(task: Task) -> bool:
    """Whether one of the task's changes is made by the same tool as another."""
    script = task.sound[0]
    names = [made.name for number in changes_of(script) if (made := script[number].call) is not None]
    return len(set(names)) < len(names)


def _scripts(kind: Kind, task: Task, count: int, rng: Random) -> list[Script] | None:
    """So many scripts of an agent with the fault; shaky knowledge goes wrong otherwise each time."""
    if kind.means == "bend":
        bent = [bend(kind.name, task, rng) for _ in range(count)]
        return [script for script in bent if script is not None] if None not in bent else None
    known = task.faulty.get(kind.name, ())
    if not known:
        return None
    if kind.label == "UK":
        return rng.sample(known, count) if len(known) >= count else None
    return [rng.choice(known) for _ in range(count)]


def _broken_data(kind: Kind, task: Task, spare: int, hit: frozenset[int], repeats: int, rng: Random) -> list[Planned] | None:
    match kind.name:
        case "same_prompt_other_gold":
            twin = data.mislabelled(task)
            broken = None if twin is None else replace(twin, index=spare)
        case "wrong_gold":
            broken = data.contradicted(task)
        case "empty_prompt":
            broken = data.empty(task, rng)
        case "gold_outside_options":
            broken = data.outside_the_options(task, rng)
        case "leaked_gold":
            broken = data.leaked(task, rng)
        case "prompt_cut":
            broken = data.cut_short(task, rng)
        case "gold_other_unit":
            broken = data.in_another_unit(task)
        case "unfilled_template":
            broken = data.unfilled(task, rng)
        case "missing_attachment":
            broken = data.unattached(task, rng)
        case "neighbours_gold":
            broken = data.from_the_next_row(task)
        case (
            "mangled_encoding" | "day_month_swapped" | "clipped_values" | "fanned_out_gold" | "zeros_stripped" | "gold_missing_step" |
            "old_schema_gold" | "shuffled_letter" | "aged_gold" | "html_escaped_gold" | "unfilled_gold" |
            "point_for_comma" | "list_as_text" | "sexagesimal_gold" | "edit_trace_in_gold" | "date_through_utc" |
            "columns_swapped" | "negative_gold" | "untranslated_gold" | "code_as_date" |
            "id_through_double" | "unrounded_gold" | "percent_as_fraction" | "annotators_joined" |
            "boolean_for_word" | "wrong_number_extracted" | "two_digit_year_gold"
        ):  # fmt: skip
            broken = data.spoilt(kind.name, task)
        case (
            "no_right_option" | "pseudonym_in_prompt" | "weekday_against_date" | "swapped_attachment" | "swallowed_row" |
            "stripped_as_markup" | "two_of_that_name" | "elided_list"
        ):  # fmt: skip
            broken = data.remade(kind.name, task)
        case "ambiguous_options":
            return _ambiguous(kind, task, hit, repeats, rng)
        case _:
            stale = data.mislabelled(task)
            if stale is None:
                return None
            return [
                Planned(
                    task, repeat, rng.choice(task.sound), kind if repeat in hit else None, stale=stale if repeat in hit else None
                )
                for repeat in range(repeats)
            ]
    if broken is None:
        return None
    copied = kind.name == "leaked_gold"
    return [
        Planned(broken, repeat, rng.choice((task if copied and repeat in hit else broken).sound), kind if repeat in hit else None)
        for repeat in range(repeats)
    ]


def _ambiguous(kind: Kind, task: Task, hit: frozenset[int], repeats: int, rng: Random) -> list[Planned] | None:
    """Two options are right and one letter is expected: who takes the other fails."""
    found = data.with_a_twin_option(task)
    if found is None:
        return None
    broken, twin = found
    return [
        Planned(broken, repeat, twin if repeat in hit else rng.choice(broken.sound), kind if repeat in hit else None)
        for repeat in range(repeats)
    ]
