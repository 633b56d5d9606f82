"""From input rows to the plan: one materialized row per rollout.

A task is a distinct line of the input (or what `_ng_task_index` says); its repeats stand beside each other. Indices are given over the
whole input before anything is cut away, so that a limit takes whole tasks and the shards of one input have indices of their own.
"""

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from blade.errors import UsageError
from blade.gym.collect.prompts import Prompt

Row = dict[str, Any]
Repeats = int | Mapping[str, int] | None
DEFAULT = "_default"
LARGEST_INDEX = 1 << 53


@dataclass(frozen=True)
class Source:
    """One input file: who answers its rows, how often each is asked, and the prompt that is put around it."""

    path: Path
    agent: str | None = None
    repeats: Repeats = None
    prompt: Prompt | None = None


@dataclass(frozen=True)
class Expansion:
    """What a run asks of its inputs."""

    sources: Sequence[Source]
    limit: int | None = None
    """Whole tasks, over all sources together."""
    shard: tuple[int, int] | None = None
    """(which, of how many): every how-many-th task, starting with which."""
    params: Row = field(default_factory=dict)
    """Over `responses_create_params`, key by key."""
    add_seed: bool = False
    skills_ref: Row | None = None

    def rows(self) -> Iterator[Row]:
        """The plan, in order: tasks as they first appear, repeats side by side."""
        tasks = _Tasks()
        repeats: dict[int, int] = {}
        for source in self.sources:
            for number, line in read_lines(source.path):
                row = parse_row(line, source.path, number)
                agent = _agent_of(row, source, number)
                index, ordinal = tasks.place(row, line, agent, source.path, number)
                if not self._wanted(ordinal):
                    continue
                whole = self._materialized(row, source, agent, number)
                for _ in range(repeat_count(source.repeats, agent)):
                    repeat = repeats[index] = repeats.get(index, -1) + 1
                    yield self._stamped(whole, index, repeat)

    def _wanted(self, ordinal: int) -> bool:
        if self.limit and ordinal >= self.limit:
            return False
        return self.shard is None or ordinal % self.shard[1] == self.shard[0]

    def _materialized(self, row: Row, source: Source, agent: str, number: int) -> Row:
        try:
            whole = source.prompt.apply(row) if source.prompt else dict(row)
        except UsageError as error:
            raise UsageError(error.message, path=source.path, line=number, hint=error.hint) from None
        params = whole.get("responses_create_params") or {}
        if not isinstance(params, dict) or not params.get("input"):
            raise UsageError(
                "the row has no responses_create_params.input", path=source.path, line=number, hint="give a --prompt-config"
            )
        whole["responses_create_params"] = {**params, **self.params}
        whole.setdefault("agent_ref", {"name": agent})
        if self.skills_ref is not None:
            whole["skills_ref"] = self.skills_ref
        return whole

    def _stamped(self, whole: Row, index: int, repeat: int) -> Row:
        row = {**whole, "_ng_task_index": index, "_ng_rollout_index": repeat}
        if self.add_seed:
            row["responses_create_params"] = _seeded(row["responses_create_params"], repeat)
        return row


class _Tasks:
    """Indices of tasks: what the rows state, else the order in which distinct lines first appear."""

    def __init__(self) -> None:
        self._index: dict[bytes, int] = {}
        self._ordinal: dict[int, int] = {}
        self._meant: dict[int, bytes] = {}

    def place(self, row: Row, line: bytes, agent: str, path: Path, number: int) -> tuple[int, int]:
        stated = row.get("_ng_task_index")
        if stated is None:
            key = blake2b(agent.encode() + b"\0" + line.strip(), digest_size=16).digest()
            index = self._index.setdefault(key, len(self._index))
        elif isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated < LARGEST_INDEX:
            index = stated
        else:
            raise UsageError(f"_ng_task_index is {stated!r}, not a whole number", path=path, line=number)
        self._refuse_two(index, row, path, number)
        return index, self._ordinal.setdefault(index, len(self._ordinal))

    def _refuse_two(self, index: int, row: Row, path: Path, number: int) -> None:
        """One index for two tasks would count the rollouts of both as repeats of one."""
        own = {name: value for name, value in row.items() if name not in ("_ng_task_index", "_ng_rollout_index", "agent_ref")}
        meant = blake2b(msgspec.json.encode(own, order="deterministic"), digest_size=16).digest()
        if self._meant.setdefault(index, meant) != meant:
            raise UsageError(
                f"task index {index} stands for another task already",
                path=path,
                line=number,
                hint="give each task an index of its own",
            )


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of an input that are not blank, with their numbers."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if text.strip():
                    yield number, text
    except FileNotFoundError:
        raise UsageError(
            f"{path} does not exist", hint="a benchmark's data is made by gym eval prepare --benchmark NAME"
        ) from None


def parse_row(line: bytes, path: Path, number: int) -> Row:
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "NaN is no JSON: write null" if b"NaN" in line else None
        raise UsageError(f"not a JSON object ({error})", path=path, line=number, hint=hint) from None
    if not isinstance(row, dict):
        raise UsageError("not a JSON object", path=path, line=number)
    return row


def repeat_count(repeats: Repeats, agent: str) -> int:
    """How often a task is asked of an agent; one number for all, or one by name with `_default` for the rest."""
    count = repeats
    if isinstance(repeats, Mapping):
        if agent not in repeats and DEFAULT not in repeats:
            raise UsageError(f"num_repeats names no count for agent {agent!r}", hint=f"add it, or {DEFAULT}")
        count = repeats.get(agent, repeats.get(DEFAULT))
    if count is None:
        return 1
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise UsageError(f"num_repeats must be a whole number of at least 1, not {count!r}")
    return count


def _agent_of(row: Row, source: Source, number: int) -> str:
    stated = row.get("agent_ref")
    name = stated.get("name") if isinstance(stated, dict) else None
    if name is None:
        name = source.agent
    if not isinstance(name, str) or not name:
        raise UsageError("the row names no agent (agent_ref.name)", path=source.path, line=number, hint="give --agent NAME")
    return name


def _seeded(params: Row, repeat: int) -> Row:
    """The repeat as a seed, where endpoints that take one look for it."""
    metadata = dict(params.get("metadata") or {})
    try:
        extra = json.loads(metadata.get("extra_body") or "{}")
    except ValueError:
        extra = {}
    return params | {"metadata": metadata | {"extra_body": json.dumps({**extra, "seed": repeat})}}
