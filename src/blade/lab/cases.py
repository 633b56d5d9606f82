"""Cases: small runs with known faults in a few tasks, ordinary noise in all, and the truth kept apart.

`plant` makes a run in which one kind of fault (or two) strikes some tasks; `clean` makes one without. Both play every rollout through
the environment and let its verifier score it; a rollout counts as planted only if it failed for the planted reason. About three in a
hundred other rollouts fail for no planted cause (`noise`), as they do in life. Everything follows from the seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import msgspec

from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS, Environment
from blade.lab.faults import data, troubles
from blade.lab.faults.bends import bend
from blade.lab.faults.catalogue import KIND, Kind
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.rows import row as write_row
from blade.lab.stage.script import Row, Script, Task
from blade.lab.stage.weather import Weather

REPEATS = 4
WORKERS = 6
FIRST_SECOND = 1_772_700_000.0
NOISE = 0.03
"""How often a rollout fails for no planted cause."""
_NOISE_KINDS = (
    "wavering_argument", "scattered_numbers", "wrong_option", "wavering_fact", "wavering_code", "extra_change", "partial_update",
)  # fmt: skip
_NOT_CALLED = ("model_connection", "empty_completion", "judge_down")
"""Trouble that no tool call meets: it strikes the rollout as a whole."""


@dataclass(frozen=True)
class Fault:
    label: str
    kind: str
    steps: tuple[int, ...]
    """The steps at which it acts, the decisive one first; none where the fault lies outside the trajectory."""

    @property
    def step(self) -> int | None:
        return self.steps[0] if self.steps else None


@dataclass(frozen=True)
class Case:
    environment: str
    kinds: tuple[str, ...]
    severity: str
    seed: int
    rows: list[Row]
    planted: dict[str, Fault]
    """By rollout (`task:repeat`): every rollout that failed for a planted cause."""
    noise: frozenset[str]
    """Rollouts that failed for none."""

    @property
    def tasks(self) -> dict[str, str]:
        """The planted tasks and their labels."""
        return {rollout.rpartition(":")[0]: fault.label for rollout, fault in self.planted.items()}

    def kind_of(self, task: str) -> str:
        return next(fault.kind for rollout, fault in self.planted.items() if rollout.rpartition(":")[0] == task)

    @property
    def held_out(self) -> bool:
        """Whether this case is kept from tuning, by its environment or by one of its kinds."""
        return ENVIRONMENTS[self.environment].held_out or any(KIND[kind].held_out for kind in self.kinds)

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "rollouts.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in self.rows))
        return path


@dataclass
class _Rollout:
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
class _Plan:
    environment: Environment
    seed: int
    rollouts: list[_Rollout] = field(default_factory=list)
    weather: Weather | None = None
    trouble: str | None = None


def plant(
    environment: str, kind: str, severity: str, seed: int, also: str | None = None, tasks: int | None = None, repeats: int = REPEATS
) -> Case:
    """A run with one planted kind of fault, and with a second one in other tasks if `also` names it."""
    place = ENVIRONMENTS[environment]
    rng = dice(seed, environment, kind, severity, also)
    size = tasks or rng.randint(12, 24)
    plan = _Plan(place, seed)
    drawn = _drawn(place, size, seed, [name for name in (kind, also) if name], rng)
    taken: dict[int, list[_Rollout]] = {}
    added: list[Task] = []
    for name in filter(None, (kind, also)):
        if KIND[name].means == "weather":
            plan.trouble = name
        else:
            _strike(KIND[name], severity, drawn, taken, added, repeats, rng)
    _lay_out(plan, [*drawn, *added], taken, repeats)
    if plan.trouble:
        plan.weather = _weather(plan, plan.trouble, severity, rng)
    return _perform(plan, (kind, also) if also else (kind,), severity)


def _drawn(place: Environment, size: int, seed: int, kinds: Sequence[str], rng: Random) -> list[Task]:
    """The tasks of a case: the first ones that the environment gives, and a few others in their place where too few suit the kinds."""
    pool = _different(place.tasks(seed, 3 * size))
    chosen = pool[:size]
    for kind in kinds:
        if KIND[kind].means in ("weather", "flaw"):
            continue
        suits = [task for task in pool if _struck(KIND[kind], "severe", task, 0, REPEATS, dice(seed, "suits", task.index)) is not None]
        short = 4 - sum(task in suits for task in chosen)
        spare = [task for task in suits if task not in chosen]
        for at, task in zip(rng.sample(range(size), max(0, short)), spare, strict=False):
            chosen[at] = task
    return [replace(task, index=index) for index, task in enumerate(chosen)]


def _different(tasks: Sequence[Task]) -> list[Task]:
    """The tasks without those that ask what another one asks."""
    seen: set[str] = set()
    return [task for task in tasks if task.request not in seen and not seen.add(task.request)]  # type: ignore[func-returns-value]


def clean(environment: str, seed: int, tasks: int | None = None, repeats: int = REPEATS) -> Case:
    """A run with noise and nothing planted."""
    place = ENVIRONMENTS[environment]
    plan = _Plan(place, seed)
    _lay_out(plan, _drawn(place, tasks or dice(seed, environment, "clean").randint(12, 24), seed, (), dice(seed)), {}, repeats)
    return _perform(plan, (), "clean")


def _lay_out(plan: _Plan, tasks: Sequence[Task], taken: dict[int, list[_Rollout]], repeats: int) -> None:
    """All rollouts in the order in which they are started, repeats of a task beside each other."""
    for task in tasks:
        rng = dice(plan.seed, plan.environment.name, "sound", task.index)
        given = taken.get(task.index)
        plan.rollouts += given or [_Rollout(task, repeat, rng.choice(task.sound)) for repeat in range(repeats)]
    noise = dice(plan.seed, plan.environment.name, "noise")
    for rollout in plan.rollouts:
        wrong = [script for name in _NOISE_KINDS for script in rollout.task.faulty.get(name, ())]
        if noise.random() < NOISE and wrong and rollout.kind is None and rollout.task.index not in taken:
            rollout.script, rollout.noise = noise.choice(wrong), True


# ---------------------------------------------------------------------------------------------- which tasks and repeats are struck


def _strike(
    kind: Kind, severity: str, tasks: list[Task], taken: dict[int, list[_Rollout]], added: list[Task], repeats: int, rng: Random
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


def _struck(kind: Kind, severity: str, task: Task, spare: int, repeats: int, rng: Random) -> list[_Rollout] | None:
    hit = _repeats_struck(kind, severity, repeats, rng)
    if kind.means == "data":
        return _broken_data(kind, task, spare, hit, repeats, rng)
    if kind.means == "flaw":
        return _flawed(kind, task, hit, repeats, rng)
    wrong = _scripts(kind, task, len(hit), rng)
    return None if wrong is None else _with_scripts(task, kind, dict(zip(sorted(hit), wrong, strict=True)), repeats, rng)


def _with_scripts(task: Task, kind: Kind | None, wrong: Mapping[int, Script], repeats: int, rng: Random) -> list[_Rollout]:
    """The rollouts of a task, some of them by an agent with the fault."""
    return [
        _Rollout(task, repeat, wrong[repeat], kind, noisy=kind is None or kind.name != "call_loop")
        if repeat in wrong
        else _Rollout(task, repeat, rng.choice(task.sound))
        for repeat in range(repeats)
    ]


def rollouts_of(task: Task, kind: Kind | None, hit: Collection[int], rng: Random) -> list[_Rollout]:
    """The rollouts of one task for a run that is put together by hand: the repeats given go wrong by the kind."""
    wrong = _scripts(kind, task, len(hit), rng) if kind is not None else []
    if wrong is None:
        raise ValueError(f"task {task.index} gives no occasion for the fault")
    return _with_scripts(task, kind, dict(zip(sorted(hit), wrong, strict=True)), REPEATS, rng)


def perform(place: Environment, seed: int, rollouts: Sequence[_Rollout], kinds: Sequence[str], severity: str) -> Case:
    """Play such a run."""
    return _perform(_Plan(place, seed, list(rollouts)), kinds, severity)


def _flawed(kind: Kind, task: Task, hit: frozenset[int], repeats: int, rng: Random) -> list[_Rollout] | None:
    """Sound work under a verifier that is broken in the repeats that are hit; one that is upside down passes those who do nothing."""
    upside_down = kind.name == "inverted_verifier"
    if upside_down and "answer_field" not in task.facts:
        return None
    idle = [bend("gave_up", task, rng) or rng.choice(task.sound) for _ in range(repeats)] if upside_down else []
    return [
        _Rollout(task, repeat, rng.choice(task.sound), kind, kind.name)
        if repeat in hit
        else _Rollout(task, repeat, idle[repeat] if idle else rng.choice(task.sound), flaw=kind.name if idle else None)
        for repeat in range(repeats)
    ]


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


def _broken_data(kind: Kind, task: Task, spare: int, hit: frozenset[int], repeats: int, rng: Random) -> list[_Rollout] | None:
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
        case _:
            stale = data.mislabelled(task)
            if stale is None:
                return None
            return [
                _Rollout(task, repeat, rng.choice(task.sound), kind if repeat in hit else None, stale=stale if repeat in hit else None)
                for repeat in range(repeats)
            ]
    if broken is None:
        return None
    copied = kind.name == "leaked_gold"
    return [
        _Rollout(broken, repeat, rng.choice((task if copied and repeat in hit else broken).sound), kind if repeat in hit else None)
        for repeat in range(repeats)
    ]


# ------------------------------------------------------------------------------------------------------------- playing the plan


def _weather(plan: _Plan, kind: str, severity: str, rng: Random) -> Weather:
    """A burst over the time of a few tasks, or one bad host, by what the trouble is."""
    texts = troubles.TOOL_TEXTS.get(kind, ("",))
    texts = tuple(rng.sample(texts, min(2, len(texts))))
    if kind in ("missing_command", "failed_install", "sandbox_start"):
        tools, commands = plan.environment.trouble_with(kind)  # type: ignore[attr-defined]
        bad = frozenset(rng.sample(plan.environment.hosts, 1 if severity == "mild" else 2))
        return Weather(texts, hosts=bad, tools=tools, commands=commands)
    calm = [episode for _, episode in _simulate(plan, None)]
    width = rng.randint(4, 7) if severity == "mild" else rng.randint(8, 14)
    first = rng.randrange(2, max(3, len(calm) - width - 2))
    struck = calm[first : first + width]
    opens, closes = min(one.started for one in struck), max(one.started for one in struck)
    if kind not in _NOT_CALLED:
        closes = max(closes, sorted(one.ended for one in struck)[len(struck) // 2])
    return Weather(texts, opens, closes + 0.001)


def _simulate(plan: _Plan, weather: Weather | None) -> Iterable[tuple[_Rollout, Episode]]:
    """Workers take the rollouts in order: whoever is free first takes the next."""
    place = plan.environment
    free = [FIRST_SECOND + plan.seed % 1_000 * 86_400.0] * WORKERS
    for rollout in plan.rollouts:
        rng = dice(plan.seed, place.name, "rollout", rollout.task.index, rollout.repeat)
        started = heapq.heappop(free) + round(rng.uniform(0.2, 2.0), 3)
        host = rng.choice(place.hosts)
        episode = Episode(rollout.task, started, host)
        name = f"{plan.seed}:{place.name}:{rollout.task.index}:{rollout.repeat}"
        met = None if plan.trouble in _NOT_CALLED else weather
        player = Player(episode, place.backend(rollout.task), rng, place.manner, met, name)
        if weather is not None and plan.trouble in ("model_connection", "empty_completion") and weather.covers(started, host):
            episode.ended = round(started + rng.uniform(8.0, 40.0), 3)
            episode.error = troubles.rollout_error(rng) if plan.trouble == "model_connection" else None
        else:
            player.play(rollout.script, noisy=rollout.noisy)
        heapq.heappush(free, episode.ended)
        yield rollout, episode


def _perform(plan: _Plan, kinds: Sequence[str], severity: str) -> Case:
    place = plan.environment
    written: list[tuple[float, int, Row]] = []
    planted: dict[str, Fault] = {}
    noise: set[str] = set()
    for number, (rollout, episode) in enumerate(_simulate(plan, plan.weather)):
        rng = dice(plan.seed, place.name, "verdict", rollout.task.index, rollout.repeat)
        verdict = place.verify(episode, rollout.flaw, rng)
        if plan.trouble == "judge_down" and plan.weather and plan.weather.covers(episode.started, episode.host):
            verdict |= {"reward": 0.0, "judge_error": troubles.judge_error(rng)}
        name = f"{plan.seed}:{place.name}:{rollout.task.index}:{rollout.repeat}"
        made = write_row(place.setting, episode, rollout.repeat, name, verdict)
        if place.host_field:
            made[place.host_field] = episode.host
        if rollout.stale is not None:
            stale = replace(episode, task=rollout.stale)
            first = write_row(place.setting, stale, rollout.repeat, name, place.verify(stale, None, rng))
            written.append((episode.ended, number, first))
            verdict = first
        written.append((episode.ended, number, made))
        key = f"{rollout.task.index}:{rollout.repeat}"
        if verdict["reward"] < 1.0:
            fault = _fault(plan, rollout, episode, verdict)
            if fault is not None:
                planted[key] = fault
            else:
                noise.add(key)
    rows = [row for _, _, row in sorted(written, key=lambda entry: entry[:2])]
    return Case(place.name, tuple(kinds), severity, plan.seed, rows, planted, frozenset(noise))


def _fault(plan: _Plan, rollout: _Rollout, episode: Episode, verdict: Row) -> Fault | None:
    """Why this rollout failed, as far as it was planted."""
    if plan.trouble and plan.weather:
        struck = episode.troubled or (episode.said_nothing and not rollout.noise) or "judge_error" in verdict
        if struck:
            return Fault("IR", plan.trouble, tuple(episode.troubled))
    if rollout.kind is None:
        return None
    steps = tuple(episode.decisive)
    if rollout.kind.label == "TI" and not steps:
        steps = ()
    return Fault(rollout.kind.label, rollout.kind.name, steps)

