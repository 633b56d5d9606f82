"""What a rollout put out, as one hash, so that two runs can be compared where they did the very same; and its earlier grade.

The hash is of what was said, called and answered, in order: without the model's private reasoning, which no verifier is shown, and
without the ids, times and counts that stand beside the content. A harness that keeps no transcript leaves only what was made (a patch,
say). An empty output has no hash: two of them do not show that the same was done. A row that was graded again tells in `reverified`
what it got before and from whom.
"""

import hashlib
import math
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.runs.scan import RowView
from blade.signals.cleaning import code_digest, quoted
from blade.signals.learning import Learns
from blade.signals.machinery.infrastructure import PRODUCTS
from blade.signals.options import USUAL, Options
from blade.signals.rollout import Rollout, rollout_of

SCHEMA: Final = "1"
MAX_NAME: Final = 200


class OutputsExtractor(Learns):
    """The table `outputs`: one row for each rollout. `last_act` is the step of the last thing that the assistant said or called."""

    table = "outputs"
    columns: Final = {
        "output_hash": "string",
        "last_act": "int64",
        "previous_reward": "float64",
        "previous_verifier": "string",
        "verifier": "string",
    }

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        rollout = rollout_of(view, self.options)
        yield output_hash(rollout), _last_act(rollout), *_reverified(rollout.fields.get("reverified"))


def output_hash(rollout: Rollout) -> str | None:
    """A hash of what the rollout said, called and was answered; None where it said and called nothing."""
    told: list[str | None] = []
    acts = False
    for item in rollout.output:
        kind, text, arguments = item.kind, item.text, item.arguments
        if kind == "reasoning" or not (text or arguments or item.name):
            continue
        told += (kind, item.role, item.name, text, arguments)
        acts = acts or kind == "tool_call" or (item.role == "assistant" and not text.isspace())
    if not acts:
        made = [(name, str(value)) for name in PRODUCTS if (value := rollout.fields.get(name))]
        if not made:
            return None
        told += [part for pair in made for part in pair]
    return hashlib.blake2b(_encoded(told), digest_size=12).hexdigest()


def _encoded(told: list[str | None]) -> bytes:
    """The parts as one text that no other parts have."""
    try:
        return msgspec.json.encode(told)
    except UnicodeEncodeError:  # half a character, as lenient readers let through
        return repr(told).encode("ascii", "backslashreplace")


def _last_act(rollout: Rollout) -> int | None:
    for item in reversed(rollout.output):
        if item.kind == "tool_call" or (item.kind == "message" and item.role == "assistant" and item.text.strip()):
            return item.step
    return None


def _reverified(told: Any) -> tuple[float | None, str | None, str | None]:
    """(previous reward, previous verifier, verifier) of a row that was graded again."""
    if not isinstance(told, dict):
        return None, None, None
    reward = told.get("previous_reward")
    known = float(reward) if isinstance(reward, int | float) and math.isfinite(reward) else None
    return known, _named(told.get("previous_verifier")), _named(told.get("verifier"))


def _named(verifier: Any) -> str | None:
    """A verifier by its name, or by its whole description where it is told as an object."""
    if verifier is None or verifier == "":
        return None
    text = verifier if isinstance(verifier, str) else msgspec.json.encode(verifier, order="deterministic").decode()
    return quoted(text, MAX_NAME)
