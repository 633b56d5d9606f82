"""The table `tasks`: counts per task, and the definition that decides whether two runs mean the same task.

A part of the definition belongs to the task when all its rows agree on it. The user's words belong to it when they are
constant over repeats, or when there is one row and no simulated user speaks in it, or when nothing else defines the task.
"""

import json
from pathlib import Path
from typing import Any

import duckdb

from blade.runs.definition import digest
from blade.runs.quoting import literal
from blade.runs.scan import Problem
from blade.runs.settle import SHARED_PARTS, constant_parts
from blade.runs.survey import Scanned
from blade.sentences import plural

MOST_NAMED = 5


def task_rows(db: duckdb.DuckDBPyConnection, scanned: Scanned, target: Path) -> list[Problem]:
    """Write `tasks.parquet`; returns what was odd about the definitions."""
    import pyarrow as pa

    rows = db.execute("""
        SELECT task, list(DISTINCT definition) AS definitions, count(*) AS n, coalesce(bool_or(user_turns > 0), false) AS dialogue,
               count(DISTINCT prompt_hash) AS prompts
        FROM keyed JOIN raw_rollouts USING (row) WHERE class <> 'duplicate' GROUP BY task ORDER BY min(row)""").fetchall()
    from_inputs: dict[str, str] = dict(
        db.execute("SELECT task, min_by(definition, row) FROM planned_keys GROUP BY task").fetchall()
    )
    varying: dict[str, list[str]] = {}
    names, hashes, parts_column = [], [], []
    seen = set()
    for task, definitions, n, dialogue, prompts in rows:
        parts = constant_parts(definitions)
        varied = (
            {name for definition in definitions for name in json.loads(definition)} - parts.keys()
            if len(definitions) > 1
            else set()
        )
        if (odd := varied - {"user"}) or ("user" in varied and prompts > 1 and not dialogue):
            varying[task] = sorted(odd or {"user"})
        for name, value in json.loads(from_inputs.get(task, "{}")).items():
            parts.setdefault(name, value)
        if "user" in parts and n == 1 and dialogue and parts.keys() - SHARED_PARTS - {"user"}:
            del parts["user"]
        if not parts:  # nothing but the user's words, and these vary: then they are what defines it
            words = sorted({json.loads(definition).get("user", "") for definition in definitions} - {""})
            parts = {"user": digest(*(word.encode() for word in words))} if words else {}
        names.append(task)
        hashes.append(_hash(parts))
        parts_column.append(json.dumps(parts, sort_keys=True))
        seen.add(task)
    for task, definition in from_inputs.items():
        if task not in seen:
            names.append(task)
            hashes.append(_hash(json.loads(definition)))
            parts_column.append(definition)
    db.register(
        "definitions",
        pa.table(
            {
                "task": pa.array(names, pa.string()),
                "definition": pa.array(hashes, pa.string()),
                "definition_parts": pa.array(parts_column, pa.string()),
            }
        ),
    )
    db.execute(
        f"""COPY (
        SELECT p.task, count(*) AS expected, count(*) FILTER (state = 'scored') AS scored, count(*) FILTER (state = 'errored') AS errored,
               count(*) FILTER (state = 'missing') AS missing, sum(attempts)::BIGINT AS attempts, any_value(r.mean_reward) AS mean_reward,
               any_value(d.definition) AS definition, any_value(d.definition_parts) AS definition_parts
        FROM plan AS p
        LEFT JOIN (SELECT task, avg(reward) AS mean_reward FROM keyed WHERE class = 'scored' GROUP BY task) AS r USING (task)
        LEFT JOIN definitions AS d USING (task)
        GROUP BY p.task ORDER BY min(p.first_row), p.task) TO {literal(target / "tasks.parquet")} (FORMAT parquet)"""
    )
    return _problems(varying)


def _problems(varying: dict[str, list[str]]) -> list[Problem]:
    if not varying:
        return []
    shown = ", ".join(f"{task} ({', '.join(parts)})" for task, parts in list(varying.items())[:MOST_NAMED])
    only_user = all(parts == ["user"] for parts in varying.values())
    code = "same_id_different_prompts" if only_user else "definition_varies"
    what = ("has", "have") if only_user else ("is", "are")
    said = "rows with different prompts under one id" if only_user else "defined differently in different rows"
    message = f"{plural(len(varying), *(f'{form} {verb}' for form, verb in zip(('task', 'tasks'), what, strict=True)))} {said}: {shown}. If the id is a category, choose another with --task-field (or --task-field prompt)"
    return [Problem(code, None, None, None, message)]


def _hash(parts: dict[str, Any]) -> str | None:
    """None where nothing is known of a task: unknown is never equal to unknown."""
    return None if not parts else digest(*(f"{name}={value}".encode() for name, value in sorted(parts.items())))
