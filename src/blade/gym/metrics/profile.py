"""`gym eval profile`: a run against the inputs it was made from, task by task.

Writes `<rollouts stem>_reward_profiling.jsonl` (one line per task, tasks without any rollout included) and
`<rollouts stem>_agent_metrics.json` (one entry per agent) beside the rollouts, both or neither.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from blade.errors import UnreadableRun
from blade.gym.files import written_together
from blade.gym.metrics.counted import Counted, count_rollouts, tokens
from blade.gym.metrics.entries import Entries, Entry
from blade.gym.metrics.server_keys import ServerKeys, server_keys
from blade.gym.metrics.strict import check, find_faults
from blade.runs.artifacts import SIDECAR_SUFFIXES, bare_stem
from blade.runs.build import Progress
from blade.runs.run import Place, Run, open_run

PLANNED = "SELECT DISTINCT task, repeat FROM inputs"
WORTH_A_NOTE = frozenset(
    {
        "row_without_score",
        "fields_without_column",
        "several_agents",
        "id_collision",
        "renumbered",
        "partial_plan",
        "damaged_archive",
    }
)
NOT_IN_SAMPLE = ("_ng_task_index", "_ng_rollout_index")


@dataclass(frozen=True)
class Profile:
    """What a profile found, beside the files it wrote."""

    summary: dict[str, Any]
    agents: list[Entry]
    tasks_without_rollouts: list[str]
    forgiven: dict[str, int]
    pass_rule: dict[str, Any]
    server_only: list[ServerKeys] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def profile(
    inputs: Path,
    rollouts: Path,
    *,
    allow_partial: bool = False,
    lenient: bool = False,
    pass_threshold: float | None = None,
    progress: Progress | None = None,
    **reading: Any,
) -> Profile:
    """Profile a run and write both files; raises `NotStrict` with every fault that is not forgiven, and then writes nothing."""
    with open_run(rollouts, inputs=inputs, pass_threshold=pass_threshold, progress=progress, **reading) as run:
        faults = find_faults(run, PLANNED, inputs.name)
        if not run.query(f"SELECT 1 FROM rollouts JOIN ({PLANNED}) AS planned USING (task, repeat) LIMIT 1").rows:
            raise UnreadableRun(f"no rollout of {rollouts} has a key of {inputs}: they belong to different runs", problems=faults)
        forgiven = check(faults, allow_partial=allow_partial, lenient=lenient)
        counted = count_rollouts(run, PLANNED)
        entries = Entries(counted, run.pass_rule)
        stem = bare_stem(rollouts)
        targets = [rollouts.with_name(stem + SIDECAR_SUFFIXES[kind]) for kind in ("reward_profile", "agent_metrics")]
        agents = [agent_entry(entries, agent) for agent in entries.agents]
        server_only = server_keys([path for path in targets[1:] if path.is_file()], {key for agent in agents for key in agent})
        with written_together(*targets) as (tasks_file, agents_file):
            encoder = msgspec.json.Encoder()
            samples = _first_inputs(run, counted)
            for task, infos in enumerate(entries.rollout_infos()):
                tasks_file.write(encoder.encode(task_entry(entries, task, sample_of(run, samples[task]), infos)) + b"\n")
            agents_file.write(encoder.encode(agents))
        return Profile(
            summary=completion_summary(counted, extra=forgiven.get("unexpected_row", 0)),
            agents=agents,
            tasks_without_rollouts=[task for task, done in zip(counted.tasks, counted.done.tolist(), strict=True) if not done],
            forgiven=forgiven,
            pass_rule=asdict(run.pass_rule),
            server_only=server_only,
            notes=notes_on(run),
            files={"reward_profiling": str(targets[0]), "agent_metrics": str(targets[1])},
        )


def task_entry(entries: Entries, task: int, sample: Any, infos: list[Entry]) -> Entry:
    """One line of the reward profile: the reference's keys in its order, then ours."""
    return {
        "_ng_task_index": entries.counted.index[task],
        **entries.statistics(task),
        "sample": sample,
        **entries.completion(task),
        "rollout_infos": infos,
        **entries.estimates(task),
    }


def agent_entry(entries: Entries, agent: str | None) -> Entry:
    return {**entries.agent_statistics(agent), **entries.agent_estimates(agent), "agent_ref": {"name": agent}}


def completion_summary(counted: Counted, extra: int) -> dict[str, Any]:
    """Where the planned rollouts went; an input row is a task of the dataset, before its repeats."""
    done, expected = counted.done, counted.expected
    return {
        "expected_rollout_rows": int(expected.sum()),
        "completed_rollout_rows": int(done.sum()),
        "missing_rollout_rows": int((expected - done).sum()),
        "extra_rollout_rows": extra,
        "reward_profile_completion_pct": 100.0 * int(done.sum()) / int(expected.sum()),
        "total_input_rows": len(counted.tasks),
        "complete_input_rows": int((done == expected).sum()),
        "partial_input_rows": int(((done > 0) & (done < expected)).sum()),
        "missing_input_rows": int((done == 0).sum()),
    }


def notes_on(run: Run) -> list[str]:
    """What a reader of the figures should know of how the rows were read."""
    notes = [problem.message for problem in run.problems if problem.code in WORTH_A_NOTE]
    if run.meta["identity"]["task_field"] is None:
        notes.append("the rows carry no task id: rollouts with the same prompt are taken as one task")
    return notes


def _first_inputs(run: Run, counted: Counted) -> list[Place]:
    """Where the first input row of each task stands."""
    rows = run.query("""
        SELECT rollout, task, repeat, NULL, '', path, line, "offset", length FROM inputs
        QUALIFY row_number() OVER (PARTITION BY task ORDER BY repeat, path, "offset") = 1""").rows
    places = {row[1]: Place(*row) for row in rows}
    return [places[task] for task in counted.tasks]


def sample_of(run: Run, place: Place) -> dict[str, msgspec.Raw]:
    """An input row without its indices, every value as it stands in the file."""
    fields = tokens(run.text(place))
    return {name: raw for name, raw in fields.items() if name not in NOT_IN_SAMPLE}
