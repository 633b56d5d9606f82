"""The ledger: what a diagnosis predicted, one line an intervention, so that the next comparison can hold it to its word.

A line is an object of schema `blade.ledger/1`. It is keyed by what the prediction is about: the dataset, model and agent of the run
and the signatures of the modes. The file only grows: an entry that stands in it is never written again or changed, and a last
line that a killed writer left torn is passed over (and ended, before more is written).
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from blade.errors import UsageError
from blade.untrusted.files import read_at_most

SCHEMA: Final = "blade.ledger/1"
MAX_BYTES: Final = 64 << 20
MAX_CONDITION: Final = 2_000


def entries(diagnosis: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The ledger's lines for the interventions of a diagnosis, in their rank."""
    modes = {mode["id"]: mode for mode in diagnosis.get("modes") or ()}
    run, before = _run(diagnosis), _score(diagnosis)
    return [_entry(one, modes, run, before) for one in diagnosis.get("interventions") or ()]


def _entry(
    intervention: Mapping[str, Any], modes: Mapping[str, Mapping[str, Any]], run: dict[str, Any], before: dict[str, Any]
) -> dict[str, Any]:
    signatures = [_signature(modes[name]) for name in intervention["modes"] if name in modes]
    gain = intervention["gain"]
    confirm = intervention["confirm"]
    about = [
        run["dataset"],
        run["model"],
        run["agent"],
        intervention["id"],
        [[one["code"], one["subject"]] for one in signatures],
    ]
    return {
        "schema": SCHEMA,
        "id": blake2b(_canonical(about).encode(), digest_size=8).hexdigest(),
        "run": run,
        "intervention": {name: intervention[name] for name in ("id", "rank", "family", "title")},
        "modes": signatures,
        "tasks": list(intervention.get("tasks") or ()),
        "predicted": {name: gain.get(name) for name in ("estimate", "ci", "lower", "upper")},
        "score_before": before,
        "confidence": intervention["confidence"],
        "confirm": {name: confirm.get(name) for name in ("command", "repeats")},
        "status": "open",
    }


def _signature(mode: Mapping[str, Any]) -> dict[str, Any]:
    condition = mode.get("condition")
    told = (
        condition if condition is not None and len(condition) <= MAX_CONDITION else None
    )  # a list of rollouts says nothing of others
    blind = bool(mode.get("reward_blind"))
    return {
        "code": mode.get("code") or mode["signal"],
        "subject": mode.get("subject") or "",
        "condition": told,
        "reward_blind": blind,
    }


def _run(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    provenance = diagnosis.get("provenance") or {}
    dataset = provenance.get("dataset")
    return {
        "path": (diagnosis.get("run") or {}).get("path"),
        "dataset": dataset.get("fingerprint") if isinstance(dataset, Mapping) else None,
        "model": provenance.get("model"),
        "agent": provenance.get("agent"),
    }


def _score(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    """The booked score that the gains are about."""
    metrics = diagnosis.get("metrics") or diagnosis.get("headline") or {}
    for name in ("pass_at_1", "mean_reward"):
        score = metrics.get(name) or {}
        if score.get("value") is not None:
            return {"metric": name, "value": score["value"], "ci": score.get("ci"), "tasks": score.get("tasks")}
    return {"metric": None, "value": None, "ci": None, "tasks": None}


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def read_ledger(path: str | Path) -> list[dict[str, Any]]:
    """The entries of a ledger, the first of each id; raises UsageError where a whole line is none."""
    found: dict[str, dict[str, Any]] = {}
    for entry in _lines(Path(path)):
        found.setdefault(entry["id"], entry)
    return list(found.values())


def append_ledger(path: str | Path, new: Iterable[Mapping[str, Any]]) -> int:
    """Write the entries that the ledger does not hold yet; the number of them."""
    place = Path(path)
    known = {entry["id"] for entry in _lines(place)} if place.exists() else set()
    fresh = {entry["id"]: entry for entry in new if entry["id"] not in known}
    if fresh:
        torn = place.exists() and not _ends_a_line(place)
        text = "".join(json.dumps(entry) + "\n" for entry in fresh.values())
        with place.open("a", encoding="utf-8", newline="\n") as file:
            file.write(("\n" if torn else "") + text)
    return len(fresh)


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, 2)
        if file.tell() == 0:
            return True
        file.seek(-1, 2)
        return file.read(1) == b"\n"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    data = read_at_most(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise UsageError(f"larger than {MAX_BYTES >> 20} MiB, which no ledger is", path=path)
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            if _torn(lines, number):
                continue
            raise UsageError("not a JSON object", path=path, line=number, hint="remove the line; the others stay valid") from None
        if not _is_entry(entry):
            raise UsageError(
                f"not an entry of {SCHEMA}",
                path=path,
                line=number,
                hint="a ledger is a file that blade diagnose wrote: mend or remove the line",
            )
        yield entry


def _is_entry(entry: Any) -> bool:
    """Whether it has the shape of what `entries` writes; anyone may have written the file."""
    if not isinstance(entry, dict) or entry.get("schema") != SCHEMA or not isinstance(entry.get("id"), str):
        return False
    objects = all(isinstance(entry.get(name), dict) for name in ("run", "intervention", "predicted"))
    tasks, modes = entry.get("tasks"), entry.get("modes")
    if not objects or not isinstance(tasks, list) or not isinstance(modes, list):
        return False
    return (
        all(isinstance(task, str) for task in tasks)
        and all(isinstance(mode, dict) and isinstance(mode.get("condition"), str | None) for mode in modes)
        and all(_is_number(entry["predicted"].get(name)) for name in ("estimate", "lower", "upper"))
    )


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))


def _torn(lines: list[bytes], number: int) -> bool:
    """A line that a killed writer left: it begins as an entry does, and is the last, or was ended by the writer after it."""
    return number == len(lines) or lines[number - 1].lstrip().startswith(b'{"schema"')
