"""What the answer had to tell: pieces of information that a task wants said to the user, and that were never said.

Tau-style tasks list them (`task.outputs`, `communicate_info`); their verifier looks for each as a text in the assistant's messages,
numbers without thousands separators, and so does this.
"""

from collections.abc import Iterator
from typing import Any, Final

from blade.signals.example import Example, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

MAX_PIECES: Final = 50
_PLACES: Final = (
    ("task", "outputs"),
    ("task", "evaluation_criteria", "communicate_info"),
    ("evaluation_criteria", "communicate_info"),
    ("expected_outputs",),
    ("required_outputs",),
)


def wanted_pieces(fields: dict[str, Any]) -> tuple[str, list[str]] | None:
    """The first place that lists what has to be said, with its pieces."""
    for place in _PLACES:
        value: Any = fields
        for key in place:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, list) and value and all(isinstance(piece, str | int | float) for piece in value):
            pieces = [str(piece).strip() for piece in value[:MAX_PIECES]]
            return ".".join(place), [piece for piece in pieces if piece]
    return None


@signal(
    "answer_untold",
    label="BI",
    meaning="something that the task wants told was never said by the assistant",
    causal=False,
    example=Example((says("You may take 6 suitcases."),), fields={"task": {"outputs": ["4"]}}),
)
def answer_untold(rollout: Rollout) -> Iterator[Evidence]:
    wanted = wanted_pieces(rollout.fields)
    if wanted is None:
        return
    place, pieces = wanted
    said = "\n".join(item.text for _, item in rollout.assistant_messages()).lower().replace(",", "")
    lacking = [piece for piece in pieces if piece.lower().replace(",", "") not in said]
    if lacking:
        last = rollout.final
        quote = last.text[-200:] if last is not None else "no message"
        detail = f"{place} wants {', '.join(lacking[:5])}; no message of the assistant holds it"
        yield Evidence(None if last is None else last.step, quote, detail, place)
