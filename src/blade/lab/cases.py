"""Cases: small runs with known faults in a few tasks, ordinary noise in all, and the truth kept apart.

`plant` makes a run in which one kind of fault (or two) strikes some tasks; `clean` makes one without. Both play every rollout through
the environment and let its verifier score it; a rollout counts as planted only if it failed for the planted reason. About three in a
hundred other rollouts fail for no planted cause (`noise`), as they do in life. Everything follows from the seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import msgspec

from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS, Environment
from blade.lab.faults import troubles
from blade.lab.faults.catalogue import KIND
from blade.lab.plan import REPEATS, Plan, Planned, draw, lay_out, strike
from blade.lab.stage.play import CHARACTERS_PER_TOKEN, OUTPUT_LIMIT, Episode, Player
from blade.lab.stage.rows import row as write_row
from blade.lab.stage.script import Move, Row, Script, Task, changes_of, say
from blade.lab.stage.weather import Weather

WORKERS = 6
FIRST_SECOND = 1_772_700_000.0
_UNREACHED = ("model_connection", "empty_completion", "model_overloaded", "engine_crash", "model_key_rejected")
"""Trouble with the model: no response."""
_CUT_OFF = ("preempted",)
"""Trouble that ends the rollout in mid-work."""
_GARBLED = ("garbled_decoding",)
"""Trouble with the model: a response without sense."""
_DROPPED = ("stream_dropped",)
"""Trouble with the model: a response that ends in the middle of a word, and passes for a whole one."""
_NOT_CALLED = (*_UNREACHED, *_CUT_OFF, *_GARBLED, *_DROPPED, "judge_down")
"""Trouble that no tool call meets: it strikes the rollout as a whole."""
_OF_A_HOST = (
    "missing_command",
    "failed_install",
    "sandbox_start",
    "disk_full",
    "tool_killed",
    "egress_blocked",
    "clock_skew",
    "outdated_client",
    "lost_mount",
    "unreset_state",
    "arguments_lost",
    "handler_broken",
    "corrupted_store",
    "handles_exhausted",
    "missing_secret",
    "library_missing",
    "results_unawaited",
)
"""Trouble that sits on a host and stays there; other trouble comes in a burst."""
_OF_WRITES, _OF_READS = ("readonly_store", "locked_database"), ("half_answers", "empty_index", "crossed_answers")
"""Bursts that only calls meet which change something, or only those which do not."""


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


def plant(
    environment: str,
    kind: str,
    severity: str,
    seed: int,
    also: str | None = None,
    tasks: int | None = None,
    repeats: int = REPEATS,
) -> Case:
    """A run with one planted kind of fault, and with a second one in other tasks if `also` names it."""
    place = ENVIRONMENTS[environment]
    rng = dice(seed, environment, kind, severity, also)
    size = tasks or rng.randint(12, 24)
    plan = Plan(place, seed)
    drawn = draw(place, size, seed, [name for name in (kind, also) if name], rng)
    taken: dict[int, list[Planned]] = {}
    added: list[Task] = []
    for name in filter(None, (kind, also)):
        if KIND[name].means == "weather":
            plan.trouble = name
        else:
            strike(KIND[name], severity, drawn, taken, added, repeats, rng)
    lay_out(plan, [*drawn, *added], taken, repeats)
    if plan.trouble:
        plan.weather = _weather(plan, plan.trouble, severity, rng)
    return _perform(plan, (kind, also) if also else (kind,), severity)


def clean(environment: str, seed: int, tasks: int | None = None, repeats: int = REPEATS) -> Case:
    """A run with noise and nothing planted."""
    place = ENVIRONMENTS[environment]
    plan = Plan(place, seed)
    lay_out(plan, draw(place, tasks or dice(seed, environment, "clean").randint(12, 24), seed, (), dice(seed)), {}, repeats)
    return _perform(plan, (), "clean")


def perform(place: Environment, seed: int, rollouts: Sequence[Planned], kinds: Sequence[str], severity: str) -> Case:
    """Play such a run."""
    return _perform(Plan(place, seed, list(rollouts)), kinds, severity)


def _weather(plan: Plan, kind: str, severity: str, rng: Random) -> Weather:
    """A burst over the time of a few tasks, or one bad host, by what the trouble is."""
    texts = troubles.TOOL_TEXTS.get(kind, ("",))
    texts = tuple(rng.sample(texts, min(2, len(texts))))
    if kind in _OF_A_HOST:
        tools, commands = plan.environment.trouble_with(kind)
        bad = frozenset(rng.sample(plan.environment.hosts, 1 if severity == "mild" else 2))
        stops, retries = troubles.STOPS.get(kind, ()), troubles.RETRIES.get(kind, ())
        return Weather(texts, hosts=bad, tools=tools, commands=commands, stops=stops, retries=retries)
    calm = [episode for _, episode in _simulate(plan, None)]
    width = rng.randint(4, 7) if severity == "mild" else rng.randint(8, 14)
    tools = _tools_met(plan, kind)
    first = rng.choice(_spans(plan, tools, width)) if tools else rng.randrange(2, max(3, len(calm) - width - 2))
    struck = calm[first : first + width]
    opens, closes = min(one.started for one in struck), max(one.started for one in struck)
    if tools:
        closes = max(one.ended for one in struck)
    elif kind not in _NOT_CALLED:
        closes = max(closes, sorted(one.ended for one in struck)[len(struck) // 2])
    return Weather(
        texts, opens, closes + 0.001, tools=tools, recovers=0.2, halves=kind == "half_answers", crosses=kind == "crossed_answers",
        stops=troubles.STOPS.get(kind, ()), retries=troubles.RETRIES.get(kind, ()),
    )  # fmt: skip


def _tools_met(plan: Plan, kind: str) -> frozenset[str] | None:
    """The tools that a burst touches; None for all."""
    if kind not in (*_OF_WRITES, *_OF_READS):
        return None
    moves = [move for rollout in plan.rollouts for move in rollout.script]
    writes = frozenset(move.call.name for move in moves if move.call and move.changes)
    return writes if kind in _OF_WRITES else frozenset(move.call.name for move in moves if move.call) - writes


def _spans(plan: Plan, tools: frozenset[str], width: int) -> list[int]:
    """Where a burst of so many rollouts can begin so that it meets about as many calls to these tools as it can anywhere."""
    calls = [any(move.call and move.call.name in tools for move in rollout.script) for rollout in plan.rollouts]
    starts = range(2, max(3, len(calls) - width - 2))
    most = max(sum(calls[start : start + width]) for start in starts)
    return [start for start in starts if sum(calls[start : start + width]) >= 0.75 * most]


def _simulate(plan: Plan, weather: Weather | None) -> Iterable[tuple[Planned, Episode]]:
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
        if weather is not None and plan.trouble in _UNREACHED and weather.covers(started, host):
            episode.ended = round(started + rng.uniform(8.0, 40.0), 3)
            episode.error = _raised(plan.trouble, rng)
        elif weather is not None and plan.trouble in _GARBLED and weather.covers(started, host):
            player.play((_senseless(weather, rng),), noisy=False)
            episode.troubled, episode.stopped = [0], True
        elif weather is not None and plan.trouble in _DROPPED and weather.covers(started, host):
            player.play(_dropped(rollout.script, rng), noisy=False)
            episode.troubled, episode.stopped, episode.decisive = [len(episode.items) - 1], True, []
        else:
            player.play(rollout.script, noisy=rollout.noisy)
            if weather is not None and plan.trouble in _CUT_OFF and weather.covers(started, host):
                _break_off(episode, rng)
        heapq.heappush(free, episode.ended)
        yield rollout, episode


def _senseless(weather: Weather, rng: Random) -> Move:
    """The same few characters until the limit, as an engine decodes them that lost its numbers."""
    limit = OUTPUT_LIMIT * CHARACTERS_PER_TOKEN
    return say((rng.choice(weather.texts) * limit)[:limit], cut=True)


def _dropped(script: Script, rng: Random) -> Script:
    """The script up to some point before its first change or its last word, and the beginning of what is said there."""
    changes = changes_of(script)
    kept = rng.randint(0, changes[0] if changes else len(script) - 1)
    text = rng.choice(troubles.BEGINNINGS)
    spots = [at for at in range(len(text) // 4, len(text) - 8) if text[at - 1 : at + 1].isalpha()]
    return (*script[:kept], say(text[: rng.choice(spots)]))


def _break_off(episode: Episode, rng: Random) -> None:
    """What is left of a rollout whose node went away in the first half of its work; nothing of one that would only have had an answer."""
    whole = len(episode.items)
    kept = rng.randint(1, max(1, whole // 2)) if whole > 1 else 0
    episode.items = episode.items[:kept]
    episode.accepted = episode.accepted[: sum(item["type"] == "function_call_output" for item in episode.items)]
    episode.ended = round(episode.started + (episode.ended - episode.started) * max(kept, 0.5) / whole, 3)
    episode.final, episode.truncated, episode.decisive = "", False, []
    episode.troubled, episode.stopped, episode.error = [kept - 1] * bool(kept), True, troubles.lost_node(episode.host, rng)


def _raised(trouble: str | None, rng: Random) -> str | None:
    """What the client raised when the model gave no response."""
    if trouble == "model_overloaded":
        return troubles.overload(rng)
    if trouble == "engine_crash":
        return troubles.dead_engine(rng)
    if trouble == "model_key_rejected":
        return troubles.rejected_key(rng)
    return troubles.rollout_error(rng) if trouble == "model_connection" else None


def _perform(plan: Plan, kinds: Sequence[str], severity: str) -> Case:
    place = plan.environment
    written: list[tuple[float, int, Row]] = []
    planted: dict[str, Fault] = {}
    noise: set[str] = set()
    for number, (rollout, episode) in enumerate(_simulate(plan, plan.weather)):
        rng = dice(plan.seed, place.name, "verdict", rollout.task.index, rollout.repeat)
        verdict = place.verify(episode, rollout.flaw, rng)
        if plan.trouble == "judge_down" and plan.weather and plan.weather.covers(episode.started, episode.host):
            verdict |= {"reward": 0.0, "judge_error": troubles.judge_error(rng)}
        if rollout.flaw == "judge_crash":
            verdict |= {"reward": 0.0, "grader_traceback": troubles.judge_crash(rng)}
        name = f"{plan.seed}:{place.name}:{rollout.task.index}:{rollout.repeat}"
        made = write_row(place.setting, episode, rollout.repeat, name, verdict)
        written.append((episode.ended, 2 * number + 1, made))
        if rollout.stale is not None:
            stale = replace(episode, task=rollout.stale)
            verdict = place.verify(stale, None, rng)
            written.append((episode.ended, 2 * number, write_row(place.setting, stale, rollout.repeat, name, verdict)))
        key = f"{rollout.task.index}:{rollout.repeat}"
        if verdict["reward"] < 1.0:
            fault = _fault(plan, rollout, episode, verdict)
            if fault is not None:
                planted[key] = fault
            else:
                noise.add(key)
    rows = [row for _, _, row in sorted(written, key=lambda entry: entry[:2])]
    return Case(place.name, tuple(kinds), severity, plan.seed, rows, planted, frozenset(noise))


def _fault(plan: Plan, rollout: Planned, episode: Episode, verdict: Row) -> Fault | None:
    """Why this rollout failed, as far as it was planted."""
    if plan.trouble and plan.weather:
        struck = (
            (episode.troubled and episode.stopped) or (episode.said_nothing and not rollout.noise) or "judge_error" in verdict
        )
        if struck:
            return Fault("IR", plan.trouble, tuple(episode.troubled))
    if rollout.kind is None:
        return None
    return Fault(rollout.kind.label, rollout.kind.name, tuple(episode.decisive))
