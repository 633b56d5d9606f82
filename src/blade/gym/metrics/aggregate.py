"""`gym eval aggregate`: shards merged into one file, and their figures grouped by agent.

Writes the merged rollouts, sorted by (task index, repeat), and `<stem>_aggregate_metrics.json` beside them, both or neither. A
row is copied as it stands, unless its indices do not say what it counts as (it has none, or shards restarted theirs): then it
gets them.
"""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from blade.errors import UnreadableRun, UsageError
from blade.gym.files import refuse_directories, written_together
from blade.gym.metrics.counted import Counted, answers, count_rollouts, tokens
from blade.gym.metrics.entries import Entries, Entry
from blade.gym.metrics.hooks import Hooks, apply, rows_by_task
from blade.gym.metrics.overwrite import refuse_to_lose
from blade.gym.metrics.pass_majority import NO_ANSWER, Answers, Scores, pass_majority
from blade.gym.metrics.profile import completion_summary, notes_on, task_entry
from blade.gym.metrics.server_keys import ServerKeys, server_keys
from blade.gym.metrics.strict import check, find_faults
from blade.runs.artifacts import SIDECAR_SUFFIXES, bare_stem, sidecar_kind
from blade.runs.build import Progress
from blade.runs.run import Run, open_run

NOTHING_VERIFIED: Entry = {"agent_ref": {}, "agent_metrics": {}, "key_metrics": {}, "group_level_metrics": []}
"""The entry of an agent whose rollouts nobody graded on purpose: their rewards say nothing."""
PLANNED = "SELECT task, repeat FROM plan"
PLAN_NAMES = {"inputs": "the materialized inputs", "manifest": "the run's manifest", "declared": "the declared repeats"}


@dataclass(frozen=True)
class Aggregate:
    """What an aggregation found, beside the files it wrote."""

    summary: dict[str, Any]
    agents: list[Entry]
    tasks_without_rollouts: list[str]
    forgiven: dict[str, int]
    pass_rule: dict[str, Any]
    inputs: list[str]
    stamped: int = 0
    server_only: list[ServerKeys] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def aggregate(
    globs: str,
    output: Path,
    *,
    merge_shards: bool = True,
    allow_partial: bool = False,
    lenient: bool = False,
    pass_threshold: float | None = None,
    answer_key: str | None = None,
    score_fields: Sequence[str] = (),
    hooks: Hooks | None = None,
    progress: Progress | None = None,
    **reading: Any,
) -> Aggregate:
    """Merge and measure; raises `NotStrict` with every fault that is not forgiven, and then writes nothing."""
    refuse_directories(output)
    metrics = output.with_name(bare_stem(output) + SIDECAR_SUFFIXES["aggregate_metrics"])
    refuse_directories(metrics)
    shards, caught = expand(globs, output)
    with open_run(shards, pass_threshold=pass_threshold, progress=progress, **reading) as run:
        if caught:
            refuse_to_lose(output, run, **reading)
        faults = find_faults(run, PLANNED, PLAN_NAMES.get(run.meta["expected_source"], "the failures sidecar"))
        forgiven = check(faults, allow_partial=allow_partial, lenient=lenient)
        counted = count_rollouts(run, PLANNED)
        agents = measured(run, counted, Helper(run, counted, answer_key, score_fields), hooks or {})
        ours = {key for entry in agents for key in entry["agent_metrics"]}
        server_only = server_keys([metrics, *run.artifacts.sidecars.get("aggregate_metrics", ())], ours)
        merger = Merger(run, counted)
        with written_together(*([metrics, output] if merge_shards else [metrics])) as files:
            files[0].write(encoded_entries(agents))
            if merge_shards:
                files[1].writelines(merger.lines())
        return Aggregate(
            summary=completion_summary(counted, extra=forgiven.get("unexpected_row", 0)),
            agents=agents,
            tasks_without_rollouts=[task for task, done in zip(counted.tasks, counted.done.tolist(), strict=True) if not done],
            forgiven=forgiven,
            pass_rule=asdict(run.pass_rule),
            inputs=[str(path) for path in shards],
            stamped=merger.stamped,
            server_only=server_only,
            notes=notes_on(run),
            files={"aggregate_metrics": str(metrics)} | ({"merged": str(output)} if merge_shards else {}),
        )


def measured(run: Run, counted: Counted, helper: "Helper", hooks: Hooks) -> list[Entry]:
    """What stands in the metrics file: an entry per agent, with the figures of its environment's own hooks."""
    entries = Entries(counted, run.pass_rule)
    infos = list(entries.rollout_infos())
    agents = []
    skipped = next((metric.values for metric in counted.metrics if metric.name == "verification_skipped"), None)
    for agent in entries.agents:
        tasks = entries.of_agent(agent)
        if skipped is not None and bool(np.all(skipped[tasks[counted.task]] == 1)):
            agents.append(NOTHING_VERIFIED | {"agent_ref": {"name": agent}})
            continue
        entry = _agent_entry(entries, agent, helper, infos)
        if agent in hooks:
            mine = np.flatnonzero(tasks).tolist()
            rows = rows_by_task(run, counted, mine) if hooks[agent].has_own_metrics else []
            entry = apply(hooks[agent], entry, rows)
        agents.append(entry)
    return agents


def write_metrics(rollouts: Path, metrics: Path, hooks: Hooks | None = None, **reading: Any) -> list[Entry]:
    """The metrics file of one run's rollouts, as they are: what is missing is counted in it, not refused."""
    with open_run(rollouts, **reading) as run:
        counted = count_rollouts(run, PLANNED)
        agents = measured(run, counted, Helper(run, counted, None, ()), hooks or {})
    with written_together(metrics) as files:
        files[0].write(encoded_entries(agents))
    return agents


def encoded_entries(agents: Sequence[Mapping[str, Any]]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(agents), indent=2)


def expand(globs: str, output: Path) -> tuple[list[Path], bool]:
    """The rollout files that comma-separated globs name: in order, each once, without sidecars and without the output itself.

    Whether the output exists and was left out comes second: what it holds must not be lost (see `overwrite`).
    """
    found: dict[Path, Path] = {}
    itself = False
    for pattern in filter(None, (part.strip() for part in globs.split(","))):
        matches = sorted(glob.glob(str(Path(pattern).expanduser()), recursive=True)) if glob.has_magic(pattern) else [pattern]
        for match in map(Path, matches):
            if glob.has_magic(pattern) and (not match.is_file() or sidecar_kind(match) is not None):
                continue
            if match.resolve() == output.resolve():
                itself = output.is_file()
            else:
                found.setdefault(match.resolve(), match)
    if not found:
        only = "only the output itself is matched by" if itself else "no rollout file matches"
        raise UnreadableRun(f"{only} {globs}", hint="sidecars and the output itself are left out")
    return list(found.values()), itself


class Helper:
    """The scores and answers that the reference's pass@k helper takes, per task, over the tasks that have rollouts."""

    def __init__(self, run: Run, counted: Counted, answer_key: str | None, score_fields: Sequence[str]) -> None:
        columns = {metric.name: metric.values for metric in counted.metrics}
        if unknown := [name for name in score_fields if name not in columns]:
            raise UsageError(
                f"no row has a number in field {unknown[0]!r}", hint=f"numbers stand in: {', '.join(columns) or 'none'}"
            )
        scores = {"accuracy": columns.get("reward", np.full(counted.task.size, np.nan))}
        self._said = None if answer_key is None else list(answers(run, counted, answer_key))
        if self._said is not None:
            if all(answer is None for answer in self._said):
                raise UsageError(f"no row has an answer in field {answer_key!r}")
            scores[NO_ANSWER] = np.array([answer is None for answer in self._said], dtype=np.float64)
        self._scores = scores | {name: columns[name] for name in score_fields}
        self._starts = np.concatenate([[0], np.cumsum(counted.done)])

    def figures(self, tasks: Sequence[int]) -> Entry:
        """The helper's figures over these tasks; a rollout without a score is left out, and so is its answer."""
        rows = [
            np.arange(self._starts[task], self._starts[task + 1]) for task in tasks if self._starts[task + 1] > self._starts[task]
        ]
        scores: dict[str, list[Scores]] = {}
        said: dict[str, list[Answers]] = {}
        for name, column in self._scores.items():
            known = [task[np.isfinite(column[task])] for task in rows]
            scores[name] = [column[task].tolist() for task in known]
            if self._said is not None and name != NO_ANSWER:
                said[name] = [[self._said[row] for row in task.tolist()] for task in known]
        return pass_majority(scores, said)


def _agent_entry(entries: Entries, agent: str | None, helper: Helper, infos: list[list[Entry]]) -> Entry:
    mine = np.flatnonzero(entries.of_agent(agent)).tolist()
    statistics = entries.agent_statistics(agent)
    return {
        "agent_ref": {"name": agent},
        "agent_metrics": {**statistics, **helper.figures(mine), **entries.agent_estimates(agent)},
        "key_metrics": {key: value for key, value in statistics.items() if key.startswith("mean/")},
        "group_level_metrics": [task_entry(entries, task, {"agent_ref": {"name": agent}}, infos[task]) for task in mine],
    }


class Merger:
    """The counted rollouts as lines, in order; `stamped` counts the rows that were given their indices."""

    def __init__(self, run: Run, counted: Counted) -> None:
        self.run = run
        self.counted = counted
        self.stamped = 0
        identity = run.meta["identity"]
        self._stated = (
            identity["task_field"] == "_ng_task_index"
            and identity["repeat_field"] == "_ng_rollout_index"
            and not identity["renumbered"]
        )

    def lines(self) -> Iterator[bytes]:
        counted = self.counted
        for row in range(counted.task.size):
            task, repeat = int(counted.task[row]), int(counted.repeat[row])
            text = self.run.text(counted.place(row)).strip()
            plain = self._stated and counted.tasks[task].isdigit()
            yield (text if plain else self._with_indices(text, counted.index[task], repeat)) + b"\n"

    def _with_indices(self, text: bytes, index: int, repeat: int) -> bytes:
        fields = tokens(text)
        wanted = {"_ng_task_index": str(index).encode(), "_ng_rollout_index": str(repeat).encode()}
        if all(name in fields and bytes(fields[name]) == value for name, value in wanted.items()):
            return text
        self.stamped += 1
        return msgspec.json.encode(fields | {name: msgspec.Raw(value) for name, value in wanted.items()})
