"""What a simulated user is told to want, as the row says it: the words of its instructions, whatever object they stand in."""

from collections.abc import Iterator
from typing import Any, Final

from blade.runs.definition import SCENARIO_FIELDS
from blade.signals.rollout import Rollout, once_for_each

MIN_LENGTH: Final = 40
"""Characters from which on instructions say what is wanted."""
MAX_DEPTH: Final = 4
_HOLDERS: Final = ("task", "item", "example", "sample", "metadata", "verifier_metadata")
"""Objects in which a row keeps its task."""


@once_for_each
def scenario_of(rollout: Rollout) -> str:
    """The instructions of the simulated user in lower case; empty where the row has none, or has told the assistant all of them."""
    places = (rollout.fields, *(held for name in _HOLDERS if isinstance(held := rollout.fields.get(name), dict)))
    told = "\n".join(text for place in places for name in SCENARIO_FIELDS for text in _texts(place.get(name)))
    return told.lower() if len(told) >= MIN_LENGTH and told[:MIN_LENGTH] not in rollout.prompt_text else ""


def _texts(value: Any, depth: int = MAX_DEPTH) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth - 1)
