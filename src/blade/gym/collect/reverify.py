"""Stored rollouts graded again, without any inference: what would the verifier say now?

Each stored response goes, with its materialized input, to `/verify` of the environment that the rollout's agent works in. That is fair
only where the verifier needs nothing but these two; so an environment must say that it is stateless, or the output is called unsafe.
Every row says what it was graded before: a comparison with the original then shows the verifier's exact part.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from blade.errors import UnreadableRun, UsageError
from blade.gym.collect import manifest as manifests
from blade.gym.collect.durable import RowFile, heal, hold
from blade.gym.collect.expansion import Row
from blade.gym.collect.run import Outcome, measure
from blade.gym.collect.schedule import Limits, Planned, Schedule, Sink
from blade.gym.collect.standing import UNGRADED, Key, RunFiles, counts, read_standing
from blade.gym.collect.tally import Tally
from blade.gym.collect.watching import Watch, stoppable, watched
from blade.gym.config import GymConfig
from blade.gym.files import written_together
from blade.gym.servers.agent import failed
from blade.gym.servers.calls import Calls, failure_of
from blade.gym.servers.components import component_of, load
from blade.gym.servers.resources import ResourcesServer

UNSAFE = "unsafe_"
INDICES = ("_ng_task_index", "_ng_rollout_index", "_ng_attempt_index", "agent_ref", "skills_ref")
FAILURE_MARKS = ("_ng_failure_class", "_ng_failure_terminal", "_ng_failure_judge_error", "failure_message")


@dataclass(frozen=True)
class Reverification:
    """What is graded again, and where the result goes."""

    rollouts: Path
    inputs: Path | None
    output: Path
    concurrency: int = 16
    limit: int | None = None
    force: bool = False
    overwrite: bool = False
    resume: bool = False
    judge_failed_only: bool = False
    append: bool = False
    disable_aggregation: bool = False


@dataclass(frozen=True)
class Regrading:
    """A reverification that may begin: every agent's environment is known and fit for it."""

    asked: Reverification
    config: GymConfig
    files: RunFiles
    servers: Mapping[str, str]
    verifier: Any
    previous_verifier: Any
    places: Mapping[Key, tuple[int, int]]
    stateful: bool = False
    """The verifier may want a session's state: it gets a fresh one, which is not what the rollout left."""


def prepare_reverification(asked: Reverification, config: GymConfig, command: list[str]) -> Regrading:
    """Check that it is fair, clear or keep the output as asked, and lay the sidecars beside it."""
    if asked.append and (not asked.judge_failed_only or asked.overwrite):
        raise UsageError("--append goes with --judge-failed-only and not with --overwrite")
    if not asked.rollouts.exists():
        raise UsageError(f"{asked.rollouts} does not exist", hint="--rollouts names the file that gym eval run wrote")
    source = RunFiles(asked.rollouts)
    servers = _servers(config)
    unfit = _unfit(config, set(servers.values()))
    if unfit and not asked.force and not asked.judge_failed_only:
        raise UsageError(
            f"{', '.join(unfit)} does not say that its verifier needs nothing but the row and the response",
            hint=f"--force grades all the same, into a file called {UNSAFE}…",
        )
    unsafe = bool(unfit) and not asked.judge_failed_only
    files = _fresh(asked, asked.output.with_name(UNSAFE + asked.output.name) if unsafe else asked.output)
    inputs = asked.inputs or source.inputs
    places = _places(inputs)
    before = manifests.read(source.manifest) or {}
    verifier = _verifier(config, set(servers.values()))
    _refuse_a_stranger(before.get("verifier"), verifier, asked)
    began = (manifests.read(files.manifest) or {}).get("verifier")
    if asked.resume and began is not None and began != verifier and not asked.force:
        raise UsageError(
            f"these grades were begun with the verifier {began}, and it is {verifier} now", hint="--overwrite starts anew"
        )
    if inputs.resolve() != files.inputs.resolve():
        with written_together(files.inputs) as (copy,):
            copy.write(inputs.read_bytes())
    changed = before | {
        "verifier": verifier,
        "command": manifests.shown_command(command),
        "state": "running",
        "config": config.masked(),
    }
    event = {"from": str(asked.rollouts), "previous_verifier": before.get("verifier"), "unsafe": unsafe}
    manifests.write(files.manifest, manifests.noted(changed, "reverified", **event))
    return Regrading(asked, config, files, servers, verifier, before.get("verifier"), places, bool(unfit))


async def reverify(
    regrading: Regrading, calls: Calls, watch: Watch = lambda tally: None, *, on_stop: Callable[[], None] = lambda: None
) -> Outcome:
    """Grade what is left to grade, and close the books."""
    files = regrading.files
    with hold(files.rollouts):
        tally, stopped = await _work(regrading, calls, watch, on_stop)
        state = "stopped" if stopped else "completed"
        closed = manifests.finished(manifests.read(files.manifest) or {}, state, counts(files, tally.total))
        manifests.write(files.manifest, closed)
        metrics = [] if regrading.asked.disable_aggregation else measure(files, regrading.config)
    return Outcome(files, tally, stopped, metrics)


async def _work(regrading: Regrading, calls: Calls, watch: Watch, on_stop: Callable[[], None]) -> tuple[Tally, bool]:
    asked, files = regrading.asked, regrading.files
    for path in (files.rollouts, files.failures):
        heal(path)
    done = read_standing(files).done
    with ExitStack() as stack:
        rollouts, failures = RowFile(files.rollouts), RowFile(files.failures)
        stack.callback(rollouts.close)
        stack.callback(failures.close)
        if asked.judge_failed_only and not asked.append:
            done |= _copy_successes(asked.rollouts, rollouts, done)
        tally = Tally(total=len(done) + _count(regrading, done), before=len(done))
        sink = Sink(begin=lambda row: None, succeed=rollouts.append, fail=failures.append)
        limits = Limits(concurrency=asked.concurrency, attempts=1, rollout_timeout=None)
        schedule = Schedule(lambda row: _graded(regrading, calls, row), sink, limits, tally)
        async with stoppable(schedule, on_stop) as stopped, watched(tally, watch, (rollouts, failures)):
            await schedule.work(_planned(regrading, done))
    return tally, stopped.is_set()


async def _graded(regrading: Regrading, calls: Calls, row: Row) -> Row:
    """The row with today's verdict beside the one it had."""
    previous = row["previous"]
    payload: Row = row["payload"]
    server = _server_for(regrading, payload)
    cookies: Mapping[str, str] | None = None
    if regrading.stateful:
        seeded = await calls.post(server, "/seed_session", payload)
        if not seeded.ok:
            return payload | failed(failure_of(server, "/seed_session", seeded))
        cookies = seeded.cookies
    reply = await calls.post(server, "/verify", payload, cookies=cookies)
    if not reply.ok:
        return payload | failed(failure_of(server, "/verify", reply))
    told = {
        "previous_reward": previous,
        "previous_verifier": regrading.previous_verifier,
        "verifier": regrading.verifier,
    }
    result: Row = reply.body
    graded: Row = result | {"reverified": told}
    return graded


def _server_for(regrading: Regrading, payload: Row) -> str:
    agent = str((payload.get("agent_ref") or {}).get("name"))
    if agent in regrading.servers:
        return regrading.servers[agent]
    only = set(regrading.servers.values()) or {
        name for name, instance in regrading.config.instances.items() if instance.kind == "resources_servers"
    }
    if len(only) == 1:
        return next(iter(only))
    raise UsageError(f"which environment agent {agent!r} works in is not in the configuration", hint="give its --config")


def _planned(regrading: Regrading, done: set[Key]) -> Iterator[Planned]:
    """Each stored response with the input it answered, once per key."""
    asked, seen, given = regrading.asked, set(done), 0
    inputs = (asked.inputs or RunFiles(asked.rollouts).inputs).open("rb")
    with inputs:
        for stored in _stored(asked):
            key = Key(stored["_ng_task_index"], stored["_ng_rollout_index"])
            if key in seen:
                continue
            seen.add(key)
            if key not in regrading.places:
                raise UsageError(
                    f"rollout {key.task}:{key.repeat} has no materialized input", hint="are these the inputs of this run?"
                )
            if asked.limit and given >= asked.limit:
                return
            given += 1
            offset, length = regrading.places[key]
            inputs.seek(offset)
            row = msgspec.json.decode(inputs.read(length))
            kept = {name: stored[name] for name in INDICES if name in stored}
            payload = row | {"response": stored["response"]} | kept
            yield Planned(kept | {"payload": payload, "previous": None if asked.judge_failed_only else stored.get("reward")})


def _count(regrading: Regrading, done: set[Key]) -> int:
    asked = regrading.asked
    keys = {Key(row["_ng_task_index"], row["_ng_rollout_index"]) for row in _stored(asked)} - done
    return min(len(keys), asked.limit) if asked.limit else len(keys)


def _stored(asked: Reverification) -> Iterator[Row]:
    """The rows to grade: all rollouts, or those failures that were answered and not graded, the last attempt first."""
    if asked.judge_failed_only:
        path = RunFiles(asked.rollouts).failures
        found = [row for row in _rows(path) if row.get("_ng_failure_class") in UNGRADED] if path.exists() else []
        yield from ({name: value for name, value in row.items() if name not in FAILURE_MARKS} for row in reversed(found))
        return
    yield from _rows(asked.rollouts)


def _rows(path: Path) -> Iterator[Row]:
    """Rows with a response; failures without one are passed over."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise UnreadableRun(f"not a row ({error})", path=path, line=number) from None
            if isinstance(row, dict) and row.get("_ng_failure_class") and not row.get("response"):
                continue
            if not isinstance(row, dict) or not isinstance(row.get("response"), dict) or not {*INDICES[:2]} <= row.keys():
                raise UnreadableRun("not a rollout with indices and a response", path=path, line=number)
            yield row


def _copy_successes(source: Path, target: RowFile, done: set[Key]) -> set[Key]:
    copied = set()
    for row in _rows(source):
        key = Key(row["_ng_task_index"], row["_ng_rollout_index"])
        if key not in done:
            target.append(row)
            copied.add(key)
    return copied


def _refuse_a_stranger(previous: Any, verifier: Any, asked: Reverification) -> None:
    """A new version of the verifier is what this is for; another environment's verifier is a slip."""
    if previous and not asked.force and _implementations(previous) != _implementations(verifier):
        raise UsageError(
            f"these rollouts were graded by {_implementations(previous)}, and this configuration grades with {_implementations(verifier)}",
            path=asked.rollouts,
            hint="name the benchmark or environment that they were made with; --force grades all the same",
        )


def _implementations(verifier: Any) -> str:
    named = verifier if isinstance(verifier, list) else [verifier]
    return ", ".join(sorted({str(one).partition("@")[0] for one in named}))


def _places(inputs: Path) -> dict[Key, tuple[int, int]]:
    """Where each input stands in its file: the rows themselves are read when they are needed."""
    if not inputs.exists():
        raise UsageError(f"{inputs} does not exist", hint="give the run's materialized inputs with --inputs")
    found: dict[Key, tuple[int, int]] = {}
    offset = 0
    with inputs.open("rb") as file:
        for line in file:
            if line.strip():
                row = msgspec.json.decode(line)
                found[Key(row["_ng_task_index"], row["_ng_rollout_index"])] = (offset, len(line))
            offset += len(line)
    return found


def _fresh(asked: Reverification, output: Path) -> RunFiles:
    files = RunFiles(output)
    if output.resolve() == asked.rollouts.resolve() and not asked.append:
        raise UsageError("the output is the run itself", hint="name another --output: the old grades stay as they are")
    if output.exists() and not (asked.overwrite or asked.resume or asked.append):
        raise UsageError(f"{output} is there already", hint="--overwrite, --resume, or another --output")
    if asked.overwrite:
        for path in files.existing():
            path.unlink()
    output.parent.mkdir(parents=True, exist_ok=True)
    return files


def _servers(config: GymConfig) -> dict[str, str]:
    """Agent → the environment it works in."""
    return {
        name: str(instance.settings["resources_server"]["name"])
        for name, instance in config.instances.items()
        if instance.kind == "responses_api_agents" and instance.settings.get("resources_server")
    }


def _environments(config: GymConfig, names: set[str]) -> Iterator[tuple[str, Any, Any]]:
    for name, instance in config.instances.items():
        if instance.kind == "resources_servers" and (name in names or not names):
            yield name, instance, load(component_of(instance, config.roots))


def _unfit(config: GymConfig, names: set[str]) -> list[str]:
    return [
        name
        for name, _, cls in _environments(config, names)
        if issubclass(cls, ResourcesServer) and cls.reverify_mode != "stateless"
    ]


def _verifier(config: GymConfig, names: set[str]) -> Any:
    found = [manifests.coded(instance, config) for _, instance, _ in _environments(config, names)]
    return found[0] if len(found) == 1 else found
