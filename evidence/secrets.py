"""Planted credentials: `python -m evidence.secrets` plants them in rollouts of all shapes, sanitizes, and counts what is still readable.

The first look at each round of held-out kinds is kept as it was (`first_looks`), whatever was learnt from it later. With
the shared real runs at hand it also counts the credential findings in them, by file, kind and place, without their texts.
"""

import argparse
import base64
import html
import json
import random
import sys
import tempfile
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from blade.packages.sanitize import sanitize
from evidence.fingerprint import PUBLISHED, ROOT, fingerprint
from evidence.secret_draws import Kind, Planted
from evidence.secret_kinds import ROUNDS, SEEN
from tests.shared_data import shared_data

TARGET: Final = 0.98
SOURCES: Final = tuple(
    str(path.relative_to(ROOT))
    for folder in ("src/blade/untrusted/detection", "src/blade/packages/sanitize")
    for path in sorted((ROOT / folder).glob("*.py"))
)


def _message(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def _output(text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": "call_aB3dE5gH7jK9mN1pQ2sT4vW6", "output": text}


def _call(arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "name": "run", "call_id": "call_aB3dE5gH7jK9mN1pQ2sT4vW6", "arguments": arguments}


def _split(planted: Planted) -> str:
    """Invisible characters inside the secret."""
    middle = len(planted.secret) // 2
    return planted.line.replace(planted.secret, f"{planted.secret[:middle]}\u200b{planted.secret[middle:]}")


SHAPES: Final[dict[str, Callable[[Planted], dict[str, Any]]]] = {
    "message": lambda planted: _message(f"I looked it up. Here it is:\n\n{planted.line}\n\nShall I go on?"),
    "tool_output": lambda planted: _output(f"$ cat notes\n# 2025-01-15 10:30:00\n{planted.line}\nexit code 0"),
    "arguments": lambda planted: _call(json.dumps({"command": f"echo start\n{planted.line}\n"})),
    "json_in_json": lambda planted: _output(json.dumps({"status": 200, "body": json.dumps({"text": planted.line, "page": 3})})),
    "broken_json": lambda planted: _output('{"log": ' + json.dumps(f"start\n{planted.line}\n")[:-1]),
    "base64": lambda planted: _output(base64.b64encode(f"# saved\n{planted.line}\n".encode()).decode()),
    "markdown": lambda planted: _message(f"Run this:\n\n```bash\n{planted.line}\n```\n"),
    "invisible": lambda planted: _message(f"see below\n{_split(planted)}\n"),
    "html": lambda planted: _output(f"<pre>\n{html.escape(planted.line)}\n</pre>"),
    "deep": lambda planted: {"type": "other", "trace": [{"events": [[{"data": {"stdout": ["", planted.line]}}]]}]},
}


def row(number: int, item: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A rollout around it, with the usual things that look like secrets and are none."""
    drawn = "".join(chance.choices("0123456789abcdef", k=40))
    return {
        "_ng_task_index": number,
        "_ng_rollout_index": 0,
        "reward": float(number % 2),
        "response": {
            "id": f"resp_{drawn}",
            "output": [_message(f"checked out commit {drawn}"), item, _output(f"etag sha256:{drawn}")],
        },
        "responses_create_params": {"input": [{"role": "user", "content": f"Fix task-{number:05d}, max_output_tokens: 4096"}]},
    }


def plant(kinds: dict[str, Kind], seed: int) -> Iterator[tuple[str, str, Planted, dict[str, Any]]]:
    chance = random.Random(seed)
    for number, (kind, draw) in enumerate(kinds.items()):
        for other, (shape, build) in enumerate(SHAPES.items()):
            planted = draw(chance)
            yield kind, shape, planted, row(100 * number + other, build(planted), chance)


def readable(value: Any) -> str:
    """Everything that can be read out of a row without guessing: decoded JSON, base64, entities, percent signs, no invisible characters."""
    if isinstance(value, dict | list):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return "\n".join(map(readable, parts))
    if not isinstance(value, str):
        return ""
    plain = value.replace("\u200b", "")
    forms = {plain, html.unescape(plain), urllib.parse.unquote(plain), plain.replace("\\n", "\n").replace('\\"', '"')}
    for word in plain.split():
        try:
            forms.add(base64.b64decode(word, validate=True).decode())
        except ValueError:
            continue
    try:
        inner = json.loads(plain)
    except ValueError:
        inner = None
    return "\n".join((*forms, readable(inner) if isinstance(inner, dict | list) else ""))


def measure(kinds: dict[str, Kind], seed: int) -> dict[str, Any]:
    """How many of the planted credentials are gone, by kind, and which are not."""
    rows = list(plant(kinds, seed))
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "planted.jsonl"
        source.write_text("".join(json.dumps(one[3]) + "\n" for one in rows), encoding="utf-8")
        report = sanitize([source], Path(scratch) / "out")
        clean = [json.loads(line) for line in (Path(scratch) / "out" / "planted.jsonl").read_text(encoding="utf-8").splitlines()]
    for kind, shape, planted, before in rows:
        assert planted.secret in readable(before), (kind, shape)
    missed = [
        (kind, shape) for (kind, shape, planted, _), after in zip(rows, clean, strict=True) if planted.secret in readable(after)
    ]
    lost = Counter(kind for kind, _ in missed)
    elsewhere = [one for one in report["findings"] if one["category"] == "credential" and "output[1]" not in one["path"]]
    return {
        "planted": len(rows),
        "found": len(rows) - len(missed),
        "recall": (len(rows) - len(missed)) / len(rows),
        "kinds": {kind: f"{len(SHAPES) - lost[kind]}/{len(SHAPES)}" for kind in kinds},
        "missed": [f"{kind} in {shape}" for kind, shape in missed],
        "false_alarms": len(elsewhere),
    }


def look_at(folder: Path) -> dict[str, Any]:
    """The credential findings in real runs: where and of what kind, never what."""
    paths = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    with tempfile.TemporaryDirectory() as scratch:
        reports = [(path.name, sanitize([path], Path(scratch) / path.name)) for path in paths]
    rows = sum(report["checked_rows"] for _, report in reports)
    listed = [
        {"file": f"{name}/{one['file']}", "line": one["line"], "path": one["path"], "kind": one["kind"], "count": one["count"]}
        for name, report in reports
        for one in report["findings"]
        if one["category"] == "credential"
    ]
    places = Counter((one["file"], str(one["path"]), str(one["kind"])) for one in listed)
    return {
        "rows": rows,
        "findings": sum(int(one["count"]) for one in listed),
        "places": [{"file": file, "path": path, "kind": kind, "rows": count} for (file, path, kind), count in places.items()],
        "other_findings": {name: sum(report["totals"][name] for _, report in reports) for name in ("personal", "endpoint")},
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.secrets", description=__doc__)
    parser.add_argument("--dry", action="store_true", help="publish nothing")
    asked = parser.parse_args()
    published = PUBLISHED / "secrets.json"
    earlier = json.loads(published.read_text(encoding="utf-8"))["first_looks"] if published.exists() else {}
    results = {"seen": measure(SEEN, 1)} | {name: measure(kinds, seed) for seed, (name, kinds) in enumerate(ROUNDS.items(), 2)}
    first_looks = {name: earlier.get(name, results[name]) for name in ROUNDS}
    planted, found = (sum(result[name] for result in results.values()) for name in ("planted", "found"))
    kinds = len(SEEN) + sum(map(len, ROUNDS.values()))
    document: dict[str, Any] = {"target": TARGET, "kinds": kinds, "planted": planted, "recall": found / planted}
    document |= {"now": results, "first_looks": first_looks}
    if (folder := shared_data()) is not None:
        document["real_runs"] = look_at(folder)
    document["fingerprint"] = fingerprint(SOURCES)
    print(json.dumps({name: value for name, value in document.items() if name != "fingerprint"}, indent=1))
    if not asked.dry:
        published.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return int(found / planted < TARGET)


if __name__ == "__main__":
    sys.exit(main())
