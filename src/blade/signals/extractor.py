"""Signals and calls as tables: what the scan takes to read them from each row.

    with open_run("rollouts.jsonl", extractors=(SignalsExtractor(), CallsExtractor())) as run:
        run.query("SELECT code, count(*) FROM signals GROUP BY 1")

Both tables hold quotes that are redacted, freed of escapes and cut short; they are evidence, not copies. Their `version` covers the
registry and the code of this room, so an index that was built by other detectors is not reused.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from blade.runs.scan import RowView
from blade.signals.arguments import MAX_DEPTH, canonical
from blade.signals.plugins import PluginFailure, installed
from blade.signals.rollout import Call, rollout_of
from blade.signals.signal import DetectorFailed, run_detector
from blade.untrusted.escapes import one_line, strip_escapes
from blade.untrusted.limits import MAX_QUOTE
from blade.untrusted.redaction import redact, redact_value

SCHEMA: Final = "1"
MAX_SIGNALS: Final = 50
"""Signals of one code kept of one rollout: the first of them, which are the ones that decided something."""
MAX_ARGUMENTS: Final = 2_000
MAX_SUBJECT: Final = 120
MAX_OUTPUT: Final = 500


@cache
def _code_digest() -> str:
    """A hash of this room's source: a changed threshold or pattern makes a new version without anyone remembering to say so."""
    hasher = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        hasher.update(path.name.encode())
        hasher.update(path.read_bytes())
    return hasher.hexdigest()


def _clean(text: str) -> str:
    """Without escapes first, and then without secrets: an escape in front of a secret would hide where it begins."""
    return redact(strip_escapes(text))


def _quote(text: str, limit: int = MAX_QUOTE) -> str:
    """Safe to keep and to show. Cleaned with room around the cut, because half a secret no longer looks like one."""
    return one_line(_clean(text[: 8 * limit]), limit) if text else ""


def _clean_value(name: str, value: Any, depth: int = 0) -> Any:
    """An argument with every text in it cleaned, and gone as a whole where its name says that it is a secret."""
    if isinstance(value, str):
        return redact_value(name, strip_escapes(value[: 2 * MAX_ARGUMENTS]))
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {_clean(key): _clean_value(key, inner, depth + 1) for key, inner in value.items()}
    return [_clean_value(name, inner, depth + 1) for inner in value] if isinstance(value, list) else value


def _arguments(call: Call) -> str:
    if call.arguments is None:
        return _clean(call.raw[: 2 * MAX_ARGUMENTS])[:MAX_ARGUMENTS]
    return canonical(_clean_value("", call.arguments), None)[:MAX_ARGUMENTS]


class SignalsExtractor:
    """The table `signals`: one row for each piece of evidence. A `step` of NULL stands for the row's own fields."""

    table = "signals"
    columns: Final = {
        "code": "string",
        "label": "string",
        "subject": "string",
        "step": "int64",
        "quote": "string",
        "detail": "string",
    }

    def __init__(self) -> None:
        codes = "|".join(f"{detector.code}:{detector.label}:{detector.family}" for detector in installed().detectors)
        self.version = f"{SCHEMA}:{_code_digest()}:{hashlib.blake2b(codes.encode(), digest_size=8).hexdigest()}"

    @property
    def failures(self) -> tuple[PluginFailure, ...]:
        """Plugins that could not be loaded; whoever opens the run shows them."""
        return installed().failures

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]:
        rollout = rollout_of(view)
        rows: list[tuple[Any, ...]] = []
        for detector in installed().detectors:
            try:
                found = run_detector(detector, rollout)
            except DetectorFailed as failure:
                view.problems.append(("detector_failed", _quote(str(failure))))
                continue
            rows += [
                (
                    signal.code,
                    signal.label,
                    _quote(signal.subject, MAX_SUBJECT),
                    signal.step,
                    _quote(signal.quote),
                    _quote(signal.detail),
                )
                for signal in found[:MAX_SIGNALS]
            ]
        return rows


class CallsExtractor:
    """The table `calls`: every tool call with its answer, the class of its error and whether the tool changes anything."""

    table = "calls"
    columns: Final = {
        "step": "int64",
        "name": "string",
        "arguments": "string",
        "output_step": "int64",
        "output": "string",
        "error_class": "string",
        "mutation": "string",
    }

    def __init__(self) -> None:
        self.version = f"{SCHEMA}:{_code_digest()}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        for call in rollout_of(view).calls:
            answer = call.output
            yield (
                call.step,
                _quote(call.name, 200) if call.name else None,
                _arguments(call),
                None if answer is None else answer.step,
                None if answer is None else _quote(answer.text, MAX_OUTPUT),
                None if call.error is None else call.error.kind,
                call.mutation.kind,
            )
