"""A world: the tasks of a benchmark, how well a system does on each, and runs of that system.

Every rollout has a stream of chance of its own, so two runs differ in nothing but what is changed between them. A run may stand in
bad weather: an outage that strikes whoever is at work while it lasts.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, stdev

from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS, Environment
from blade.lab.faults import troubles
from blade.lab.faults.catalogue import KINDS
from blade.lab.plan import draw
from blade.lab.stage.play import CHARACTERS_PER_TOKEN, Episode, Player, identifier
from blade.lab.stage.rows import Setting
from blade.lab.stage.rows import row as write_row
from blade.lab.stage.script import Row, Script, Task
from blade.lab.stage.weather import Weather

TASKS = 24
SPARE = 12
"""Tasks that are drawn and not run, to take the place of others."""
REPEATS = 4
WORKERS = 6
FIRST_SECOND = 1_773_100_000.0
SKILL = (0.25, 0.5, 0.75, 0.9, 1.0, 1.0)
"""How often the system goes about a task in a right way; one of these for each task."""
STANDARD_ERRORS = 3.0
"""A planted change of the score is at least so many of its standard errors."""
RECOVERS = 0.2
"""How often a second try gets through although the outage lasts."""
UNREACHED = ("model_connection", "model_overloaded", "empty_completion")
"""Trouble with the model: no response."""
OUTAGES = ("tool_5xx", "tool_timeout", "tool_rate_limit", "judge_down", *UNREACHED)
ODD_OUTAGES = ("tool_dns", "stale_session")
"""Outages that do not say of themselves that a service failed."""
THOUGHTS = (20, 700)
"""Tokens of what an agent thinks before it begins: few or many, whatever comes of it."""
_MUSINGS = (
    "Before I begin I want to be sure what is asked",
    "There may be more than one way to read this",
    "It helps to note what is given and what is not",
    "The order of the steps matters here",
    "I should keep an eye on names and numbers",
    "If something looks odd I can still come back to it",
    "The simplest reading is probably the right one",
    "I will keep the answer to what was asked for",
)

Key = tuple[int, int]
"""(task, repeat)."""
Plan = dict[Key, Script]
"""Which script each rollout follows, in the order in which they are started."""


@dataclass(frozen=True)
class Outage:
    kind: str
    weather: Weather


@dataclass(frozen=True)
class Rollout:
    """One rollout that was played and graded."""

    repeat: int
    episode: Episode
    verdict: Row

    @property
    def key(self) -> Key:
        return self.episode.task.index, self.repeat

    @property
    def reward(self) -> float:
        return float(self.verdict["reward"])


@dataclass(frozen=True)
class World:
    """One benchmark of an environment and one system that runs on it."""

    place: Environment
    seed: int
    tasks: tuple[Task, ...]
    spare: tuple[Task, ...]
    skill: tuple[float, ...]
    thinks: bool = True
    """Agents think at varying length before they begin, so that how much is written says little of how it ends."""

    def dice(self, *names: object) -> Random:
        return dice(self.seed, self.place.name, "pairs", *names)

    def plan(self, play: str) -> Plan:
        """What the system does in a run of its own; `play` names the run."""
        keys = [(task.index, repeat) for task in self.tasks for repeat in range(REPEATS)]
        if self.dice("order").random() < 0.5:  # repeats of a task beside each other, or one round of all tasks after the other
            keys.sort(key=lambda key: key[1])
        plan = {}
        for index, repeat in keys:
            rng = self.dice("script", play, index, repeat)
            task, sound = self.tasks[index], rng.random() < self.skill[index]
            plan[index, repeat] = rng.choice(task.sound) if sound else self.wrong(task, rng)
        return plan

    @staticmethod
    def wrong(task: Task, rng: Random) -> Script:
        """One of the ways in which agents go wrong at a task, and come to an end by themselves."""
        return rng.choice(_wrong_ways(task))

    def run(self, plan: Plan, play: str, tasks: Sequence[Task] | None = None, outage: Outage | None = None) -> list[Rollout]:
        """Play a plan: workers take the rollouts in order, whoever is free first takes the next. `tasks` stand for the world's own."""
        known = {task.index: task for task in tasks or self.tasks}
        free = [FIRST_SECOND + self.seed % 1_000 * 86_400.0] * WORKERS
        played = []
        for (index, repeat), script in plan.items():
            rng = self.dice("rollout", play, index, repeat)
            started = heapq.heappop(free) + round(rng.uniform(0.2, 2.0), 3)
            episode = Episode(known[index], started, rng.choice(self.place.hosts))
            self._play(episode, script, rng, f"{self.seed}:{self.place.name}:{play}:{index}:{repeat}", outage)
            heapq.heappush(free, episode.ended)
            played.append(Rollout(repeat, episode, self._graded(episode, self.dice("verdict", play, index, repeat), outage)))
        return played

    def _play(self, episode: Episode, script: Script, rng: Random, name: str, outage: Outage | None) -> None:
        met = outage is not None and outage.weather.covers(episode.started, episode.host)
        if outage is not None and outage.kind in UNREACHED and met:
            episode.ended = round(episode.started + rng.uniform(8.0, 40.0), 3)
            if outage.kind != "empty_completion":
                episode.error = (troubles.overload if outage.kind == "model_overloaded" else troubles.rollout_error)(rng)
            return
        weather = None if outage is None or outage.kind in (*UNREACHED, "judge_down") else outage.weather
        Player(episode, self.place.backend(episode.task), rng, self.place.manner, weather, name).play(script)
        if self.thinks:
            _think(episode, self.dice("thoughts", name), name)

    def _graded(self, episode: Episode, rng: Random, outage: Outage | None) -> Row:
        verdict = self.place.verify(episode, None, rng)
        if outage is not None and outage.kind == "judge_down" and outage.weather.covers(episode.started, episode.host):
            verdict |= {"reward": 0.0, "judge_error": troubles.judge_error(rng)}
        return verdict

    def graded(self, rollout: Rollout, episode: Episode) -> Rollout:
        """The rollout with another episode, graded as ever."""
        return Rollout(rollout.repeat, episode, self.place.verify(episode, None, self.dice("verdict", "again", *rollout.key)))

    def rows(self, rollouts: Sequence[Rollout], play: str, setting: Setting | None = None) -> list[Row]:
        """The rows in the order of completion."""
        ordered = sorted(rollouts, key=lambda rollout: (rollout.episode.ended, rollout.key))
        return [
            write_row(
                setting or self.place.setting,
                rollout.episode,
                rollout.repeat,
                f"{self.seed}:{self.place.name}:{play}:{rollout.key[0]}:{rollout.repeat}",
                rollout.verdict,
            )
            for rollout in ordered
        ]

    def outage(self, calm: Sequence[Rollout], rng: Random, among: Collection[str] = OUTAGES) -> Outage | None:
        """Trouble that lasts for about a third to a half of the run; None where no such trouble is met in this environment."""
        kinds = [kind.name for kind in KINDS if kind.name in among and self.place.name in kind.environments]
        if not kinds:
            return None
        kind = rng.choice(kinds)
        starts = sorted(rollout.episode.started for rollout in calm)
        width = round(len(starts) * rng.uniform(0.35, 0.5))
        first = rng.randrange(2, len(starts) - width - 2)
        texts = troubles.TOOL_TEXTS.get(kind, ("",))
        chosen = tuple(rng.sample(texts, min(2, len(texts))))
        return Outage(kind, Weather(chosen, starts[first], starts[first + width], recovers=RECOVERS))


def _think(episode: Episode, rng: Random, name: str) -> None:
    """Put what the agent thinks first in front of what it does."""
    tokens = round(rng.uniform(*THOUGHTS))
    text = ""
    while len(text) < tokens * CHARACTERS_PER_TOKEN:
        text += f"{rng.choice(_MUSINGS)} ({rng.randint(1, 99)}). "
    summary = [{"type": "summary_text", "text": text.strip()}]
    episode.items.insert(
        0, {"type": "reasoning", "id": identifier("rs", name, "first"), "summary": summary, "encrypted_content": None}
    )
    episode.written_tokens += -(-len(text.strip()) // CHARACTERS_PER_TOKEN)
    episode.thought_tokens += tokens


def _wrong_ways(task: Task) -> list[Script]:
    """Those of them that no limit stops: a limit is a reason of its own."""
    return [
        script
        for name in sorted(task.faulty)
        for script in task.faulty[name]
        if script[-1].message and not any(move.cut for move in script)
    ]


def make_world(environment: str, seed: int) -> World:
    """The tasks are drawn as for a clean case of the lab, without those that nobody gets wrong; everything follows from the seed."""
    place = ENVIRONMENTS[environment]
    drawn = [task for task in draw(place, 2 * (TASKS + SPARE), seed, (), dice(seed)) if _wrong_ways(task)]
    tasks = [replace(task, index=index) for index, task in enumerate(drawn[: TASKS + SPARE])]
    rng = dice(seed, environment, "pairs", "skill")
    return World(place, seed, tuple(tasks[:TASKS]), tuple(tasks[TASKS:]), tuple(rng.choice(SKILL) for _ in range(TASKS)))


def task_means(rollouts: Sequence[Rollout]) -> dict[int, float]:
    """The mean reward of each task."""
    rewards: dict[int, list[float]] = {}
    for rollout in rollouts:
        rewards.setdefault(rollout.key[0], []).append(rollout.reward)
    return {task: fmean(found) for task, found in rewards.items()}


def booked(rollouts: Sequence[Rollout]) -> float:
    """The score of a run."""
    return fmean(task_means(rollouts).values())


def stands_out(before: Sequence[Rollout], after: Sequence[Rollout]) -> bool:
    """Whether a change of the same tasks is large beside what varies between them."""
    first, second = task_means(before), task_means(after)
    moved = [second[task] - first[task] for task in first]
    return abs(fmean(moved)) >= STANDARD_ERRORS * stdev(moved) / len(moved) ** 0.5 and any(moved)
