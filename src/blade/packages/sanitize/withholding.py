"""Which fields of a row may leave the house.

A row has a frame that every reader needs: who it is (task, repeat, ids), how it was scored, what was asked and answered, how long it took.
The frame is shared, cleaned. All else is the benchmark's own (gold answers, hidden tests, people's records, the verifier's notes), and of that
only what `share` in `blade.yaml` names is shared. What is withheld leaves a keyed hash, so that equal values stay equal.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from blade.packages.sanitize.ledger import WITHHELD, Ledger
from blade.packages.sanitize.pseudonyms import Pseudonyms
from blade.runs.artifacts import ROLLOUT_FIELDS
from blade.runs.facts import ID_FIELDS, LAST_RESORT_ID_FIELDS
from blade.untrusted.detection import MARKER
from blade.untrusted.detection.wordlists import words

FRAME: Final = (
    frozenset(ID_FIELDS)
    | frozenset(LAST_RESORT_ID_FIELDS)
    | ROLLOUT_FIELDS
    | words(
        "rollout_index repeat repeat_index attempt trial seed sample_index agent_ref agent model status error error_type failure failure_class "
        "failure_reason reward_missing usage timing created_at started_at finished_at duration latency num_steps skills_ref tools"
    )
)
STATISTIC: Final = re.compile(r"(?:mean|max|min|median|std|sum|count)/(?P<field>.+)")


@dataclass
class Clearance:
    """The fields that `share` clears: a field with all below it, or a path into one."""

    share: tuple[str, ...]
    pseudonyms: Pseudonyms
    ledger: Ledger

    def row(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row with what is not cleared withheld."""
        return {name: value if in_frame(name) else self._field(value, (name,)) for name, value in row.items()}

    def summary(self, value: Any, path: tuple[str, ...] = ()) -> Any:
        """Metrics over rows (`mean/reward`), with what they say of fields that are not cleared withheld."""
        if isinstance(value, list):
            return [self.summary(inner, (*path, str(number))) for number, inner in enumerate(value)]
        if not isinstance(value, dict):
            return value
        clean = {}
        for name, inner in value.items():
            if name == "sample" and isinstance(inner, dict):
                clean[name] = self.row(inner)
            elif (found := STATISTIC.match(name)) and not self._may_count(found["field"]):
                clean[name] = self._field(inner, (*path, name))
            else:
                clean[name] = self.summary(inner, (*path, name))
        return clean

    def _may_count(self, field: str) -> bool:
        return in_frame(field) or field in self.share or field.endswith("_tokens")

    def _field(self, value: Any, path: tuple[str, ...]) -> Any:
        dotted = ".".join(path)
        if dotted in self.share or value is None or value in ("", [], {}):
            return value
        if isinstance(value, dict) and any(cleared.startswith(f"{dotted}.") for cleared in self.share):
            return {name: self._field(inner, (*path, name)) for name, inner in value.items()}
        if isinstance(value, str) and MARKER.fullmatch(value):
            return value
        self.ledger.note("$." + dotted, WITHHELD)
        return self.pseudonyms.withheld(_canonical(value))


def in_frame(name: str) -> bool:
    return name in FRAME or name.startswith(("_ng_", "ng_"))


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
