"""A rollout file as large as asked, with rows like real ones: `python -m bench.generate PATH --bytes 1GB --seed 1`.

Row sizes follow what was measured on real files: median 11.5 KB, a heavy upper tail (99th percentile 400 KB, largest 1.5 MB),
none under 5 KB. A row holds a prompt with tools (equal for the 8 repeats of a task), a multi-turn trajectory of reasoning, tool
calls and tool outputs, usage, verifier fields and its indices; no two rows share an id or a trajectory. Rows are assembled from
bytes that are JSON already (see `text`), so that writing, not thinking, takes the time.

`--profile` writes instead many rollouts of about 10 KB each together with their `_materialized_inputs.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any

from bench.text import Quarry, quarry

REPEATS = 8
MEDIAN, SMALLEST, LARGEST = 11_700, 5_400, 1_490_000
_UPPER_SPREAD = math.log(400_000 / MEDIAN) / NormalDist().inv_cdf(0.99)
_LOWER_SPREAD = math.log(MEDIAN / SMALLEST) / 2.4
PROFILE_ROWS = 100_000
_TASKS_IN_FLIGHT = 48
_BUFFER = 1 << 20
_CATEGORIES = (b"retrieval", b"editing", b"planning", b"arithmetic", b"triage", b"reporting")
_LEVELS = (b"easy", b"medium", b"hard")
_AGENT = b'"agent_ref":{"type":"responses_api_agents","name":"bench_simple_agent"}'
_UNSET = (
    b'"background":null,"conversation":null,"instructions":null,"max_tool_calls":null,"previous_response_id":null,"prompt":null,'
    + (
        b'"reasoning":null,"safety_identifier":null,"service_tier":null,"text":null,"top_logprobs":null,"truncation":null,"user":null'
    )
)

Size = Callable[[float], int]
"""From a standard normal draw to the bytes of a row."""


def heavy_tail(z: float) -> int:
    """Log-normal on either side of the median, with a wide upper and a narrow lower half."""
    size = MEDIAN * math.exp(z * (_UPPER_SPREAD if z > 0 else _LOWER_SPREAD))
    return int(min(max(size, SMALLEST), LARGEST))


def about_ten_kilobytes(z: float) -> int:
    return int(min(max(9_700 * math.exp(0.25 * z), SMALLEST), 30_000))


@dataclass(frozen=True)
class Material:
    """What rows are made of: text, tool sets by size, and tool names."""

    prose: Quarry
    output: Quarry
    tool_sets: list[tuple[bytes, list[bytes]]]
    """(JSON array of tools, the tools' names), from small to large."""


@dataclass(frozen=True)
class TaskPart:
    """What the repeats of a task share, as bytes."""

    index: int
    prompt: bytes
    definition: bytes
    tools: list[bytes]
    pass_rate: float
    sizes: list[int]
    expected: int


def _tool(rng: Random, prose: Quarry, name: str) -> dict[str, Any]:
    arguments = rng.sample(("target", "limit", "query", "path", "mode", "since", "owner", "note"), rng.randint(1, 5))
    properties = {
        argument: {
            "type": rng.choice(("string", "integer")),
            "description": json.loads(b'"%s"' % prose.slice(rng.randint(20, 120), rng)),
        }
        for argument in arguments
    }
    return {
        "type": "function",
        "name": name,
        "description": json.loads(b'"%s"' % prose.slice(rng.randint(60, 260), rng)),
        "parameters": {"type": "object", "properties": properties, "required": arguments[:2], "additionalProperties": False},
        "strict": True,
    }


def material(seed: int, size: int = 16_000_000) -> Material:
    rng = Random(seed)
    prose, output = quarry(seed, size, prose=True), quarry(seed, size, prose=False)
    tool_sets = []
    for number in range(240):
        names = [
            f"{rng.choice(('get', 'list', 'find', 'update', 'create', 'run'))}_{number}_{i}" for i in range(1 + number // 10)
        ]
        tools = [_tool(rng, prose, name) for name in names]
        tool_sets.append((json.dumps(tools, separators=(",", ":")).encode(), [name.encode() for name in names]))
    return Material(prose, output, sorted(tool_sets, key=lambda made: len(made[0])))


def task_part(index: int, material: Material, size: Size, rng: Random) -> TaskPart:
    """Draw a task: repeats of one task are of similar size, and the prompt fits into the smallest of them."""
    centre = rng.gauss(0.0, 0.9)
    sizes = [size(centre + rng.gauss(0.0, math.sqrt(1 - 0.9**2))) for _ in range(REPEATS)]
    room = min(0.35 * min(sizes), 30_000.0)
    fitting = [number for number in range(0, len(material.tool_sets), 8) if len(material.tool_sets[number][0]) < 0.5 * room]
    tools, names = material.tool_sets[min(rng.choice(fitting or [0]) + rng.randrange(8), len(material.tool_sets) - 1)]
    system = material.prose.slice(int(0.3 * room), rng)
    user = material.prose.slice(int(0.2 * room), rng)
    prompt = (
        b'{"input":[{"type":"message","role":"system","content":"%s"},{"type":"message","role":"user","content":"Task %d. %s"}],'
        b'"tools":%s,"parallel_tool_calls":true,"temperature":0.7,"top_p":0.95,"max_output_tokens":8192}'
    ) % (system, index, user, tools)
    expected = rng.randrange(10**6)
    definition = (
        b'"id":%d,"category":"%s","difficulty":"%s","expected_answer":"%d",'
        b'"ground_truth":[{"name":"%s","arguments":"{\\"target\\": %d}"}]'
    ) % (index, rng.choice(_CATEGORIES), rng.choice(_LEVELS), expected, names[0], expected)
    return TaskPart(index, prompt, definition, names, rng.betavariate(0.8, 0.8), sizes, expected)


def _trajectory(unique: bytes, room: int, tools: list[bytes], material: Material, rng: Random) -> tuple[list[bytes], int]:
    """Output items that fill about `room` bytes, turns of thought, call and output, each with the comma before the next."""
    turns = max(1, min(60, int(room / rng.uniform(1_600, 7_000))))
    share = max(room / turns - 520, 120.0)
    prose, output, draw = material.prose.slice, material.output.slice, rng.random
    items: list[bytes] = []
    for turn in range(turns):
        thought, made = share * (0.1 + 0.2 * draw()), share * (0.05 + 0.1 * draw())
        items.append(
            b'{"type":"reasoning","id":"rs_%s_%d","summary":[{"type":"summary_text","text":"%s"}],"encrypted_content":null},'
            b'{"type":"function_call","id":"fc_%s_%d","call_id":"call_%s_%d","name":"%s",'
            b'"arguments":"{\\"target\\": %d, \\"query\\": \\"%s\\"}","status":"completed"},'
            b'{"type":"function_call_output","call_id":"call_%s_%d","output":"%s","status":"completed"},'
            % (
                *(unique, turn, prose(int(thought), rng), unique, turn, unique, turn, tools[int(draw() * len(tools))]),
                *(int(draw() * 1e9), prose(int(made), rng).replace(b"\\", b" ").replace(b'"', b" "), unique, turn),
                output(int(share - thought - made), rng),
            )
        )
    return items, turns


def rollout(task: TaskPart, repeat: int, material: Material, rng: Random) -> list[bytes]:
    """One line of the rollout file, in pieces: joining a megabyte only to write it would cost more than making it."""
    unique = b"%x_%016x" % (task.index * REPEATS + repeat, rng.getrandbits(64))
    room = task.sizes[repeat] - len(task.prompt) - len(task.definition) - 1_500
    items, turns = _trajectory(unique, max(room, 700), task.tools, material, rng)
    passed = rng.random() < task.pass_rate
    answer = task.expected if passed else rng.randrange(10**6)
    reason, status = (b'{"reason":"max_output_tokens"}', b"incomplete") if rng.random() < 0.02 else (b"null", b"completed")
    created = 1.77e9 + task.index * 9.1 + rng.random() * 90
    read, written = task.sizes[repeat] // 4 * turns, task.sizes[repeat] // 9
    head = (
        b'{"responses_create_params":%s,"response":{"id":"resp_%s","created_at":%.3f,"error":null,"incomplete_details":%s,'
        b'"metadata":{},"model":"bench-model-1","object":"response","output":['
    ) % (task.prompt, unique, created, reason)
    message = (
        b'{"type":"message","id":"msg_%s","role":"assistant","status":"%s","content":[{"type":"output_text",'
        b'"text":"%s Answer: %d","annotations":[],"logprobs":null}]}],'
    ) % (unique, status, material.prose.slice(300, rng), answer)
    usage = (
        b'"parallel_tool_calls":true,"temperature":0.7,"tool_choice":"auto","tools":[],"top_p":0.95,%s,"status":"%s",'
        b'"usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,'
        b'"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}},'
    ) % (_UNSET, status, read, read // 3, written, written // 4, read + written)
    verdict = (b'"reward":%d.0,%s,"extracted_answer":"%d","state_match":%s,"actions_matched":%d,"verification_seconds":%.4f,') % (
        passed,
        task.definition,
        answer,
        b"true" if passed else b"false",
        passed,
        rng.random() * 3,
    )
    keys = b'%s,"_ng_task_index":%d,"_ng_rollout_index":%d}' % (_AGENT, task.index, repeat)
    return [head, *items, message, usage, verdict, keys, b"\n"]


def materialized_input(task: TaskPart, repeat: int) -> bytes:
    keys = b'%s,"_ng_task_index":%d,"_ng_rollout_index":%d}' % (_AGENT, task.index, repeat)
    return b'{"responses_create_params":%s,%s,%s' % (task.prompt, task.definition, keys) + b"\n"


def tasks(material: Material, size: Size, seed: int) -> Iterator[TaskPart]:
    rng = Random(f"{seed}:tasks")
    index = 0
    while True:
        yield task_part(index, material, size, rng)
        index += 1


def rollouts(made: Iterator[TaskPart], material: Material, seed: int) -> Iterator[list[bytes]]:
    """The lines, in pieces, in the order of completion: repeats of the tasks that are in flight together come mixed."""
    rng = Random(f"{seed}:rollouts")
    while batch := list(islice(made, _TASKS_IN_FLIGHT)):
        keys = [(task, repeat) for task in batch for repeat in range(REPEATS)]
        rng.shuffle(keys)
        for task, repeat in keys:
            yield rollout(task, repeat, material, rng)


def write_rollouts(path: Path, size: int, seed: int) -> int:
    """Write whole rows until the file holds at least `size` bytes; returns the number of rows."""
    drawn = material(seed)
    written = rows = 0
    with path.open("wb", buffering=_BUFFER) as file:
        for pieces in rollouts(tasks(drawn, heavy_tail, seed), drawn, seed):
            file.writelines(pieces)
            written += sum(map(len, pieces))
            rows += 1
            if written >= size:
                break
    return rows


def inputs_beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}_materialized_inputs.jsonl")


def write_profile(path: Path, rows: int, seed: int, rolled: int | None = None) -> int:
    """Write `rows` rollouts of about 10 KB (8 for each task) and the inputs they were made from.

    Another seed for what is `rolled` gives other rollouts of the same tasks.
    """
    drawn = material(seed)
    planned = list(islice(tasks(drawn, about_ten_kilobytes, seed), rows // REPEATS))
    with inputs_beside(path).open("wb") as file:
        file.writelines(materialized_input(task, repeat) for task in planned for repeat in range(REPEATS))
    with path.open("wb", buffering=_BUFFER) as file:
        file.writelines(chain.from_iterable(rollouts(iter(planned), drawn, seed if rolled is None else rolled)))
    return len(planned) * REPEATS


def parse_bytes(text: str) -> int:
    """`1GB`, `250 MB`, `5000`; decimal units."""
    number = text.upper().replace(" ", "")
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3), ("B", 1)):
        if number.endswith(unit):
            return int(float(number[: -len(unit)]) * factor)
    return int(number)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.generate", description="Write a large rollout file with realistic rows."
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--bytes", type=parse_bytes, default=10**9, help="size of the file, such as 1GB (default)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="many rollouts of about 10 KB with their inputs instead")
    parser.add_argument("--rows", type=int, default=PROFILE_ROWS, help="rollouts under --profile (default 100000)")
    given = parser.parse_args(arguments)
    if given.profile:
        rows = write_profile(given.path, given.rows, given.seed)
    else:
        rows = write_rollouts(given.path, given.bytes, given.seed)
    print(f"{given.path}: {rows:,} rows, {given.path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
