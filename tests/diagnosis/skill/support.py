"""Skills written out as text, and rows to hold them against."""

from pathlib import Path
from textwrap import dedent
from typing import Any

from blade.diagnosis.skill import Skill, load_skill, rules_as_detectors, skill_extractors
from blade.runs.scan import Extractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor


def written(folder: Path, text: str) -> Path:
    path = folder / "skill" / "blade.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    return folder


def skill(folder: Path, text: str) -> Skill:
    return load_skill(written(folder, "benchmark: test\n" + dedent(text)))


def extractors(known: Skill) -> tuple[Extractor, ...]:
    return (SignalsExtractor(known.options, rules_as_detectors(known)), CallsExtractor(known.options), *skill_extractors(known))


def says(text: str, role: str = "assistant") -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "output_text", "text": text}]}


def call(name: str, output: str = "ok", number: int = 0, /, **arguments: Any) -> list[dict[str, Any]]:
    import json

    made = {"type": "function_call", "name": name, "call_id": f"c{number}", "arguments": json.dumps(arguments)}
    return [made, {"type": "function_call_output", "call_id": f"c{number}", "output": output}]


def row(task: int, *items: Any, reward: float = 1.0, repeat: int = 0, **fields: Any) -> dict[str, Any]:
    output = [one for item in items for one in (item if isinstance(item, list) else [item])]
    return {
        "_ng_task_index": task,
        "_ng_rollout_index": repeat,
        "reward": reward,
        "responses_create_params": {"input": [{"role": "user", "content": f"Please do task {task}."}]},
        "response": {"output": output},
    } | fields
