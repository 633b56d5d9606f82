"""DA: the row's own values are not those of its request.

Which fields hold what a template was filled with is learned from the tasks that pass (`layout.slots`). Where nothing was learned, an
object whose name says so tells it, if the request names most of its values.
"""

from collections.abc import Iterator
from typing import Any, Final

from blade.signals.data.task import objects_of
from blade.signals.example import Example, call
from blade.signals.layout.paths import value_at
from blade.signals.layout.retold import holds
from blade.signals.layout.shape import written
from blade.signals.layout.slots import fills
from blade.signals.layout.texts import folded
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

_NAMES: Final = frozenset(["template_values", "template_variables", "template_args", "slot_values", "slots", "placeholders"])


@signal(
    "values_not_asked",
    label="DA",
    needs=("one_turn",),
    meaning="a value that the row's template was filled with does not stand in the request; telling only where all repeats fail alike",
    causal=False,
    example=Example(
        (call("book_room", "ok", guest="Ann Lee", nights=12),),
        asked="Book a room for Ann Lee for 12 nights.",
        fields={"template_values": {"guest": "Ann Lee", "nights": 14}},
    ),
)
def values_not_asked(rollout: Rollout) -> Iterator[Evidence]:
    if not rollout.request.strip() or rollout.has_dialogue:
        return
    for name, value, why in _learned(rollout) if rollout.options.layout.slots else _by_name(rollout):
        if fills(value) and not holds(_folded(rollout.prompt_text), folded(str(value))):
            yield Evidence(None, f"{name} = {value}", f"the request does not name it; {why}", name)


Filled = Iterator[tuple[str, Any, str]]


def _learned(rollout: Rollout) -> Filled:
    for field in rollout.options.layout.slots:
        name = written(field.path)
        yield (
            name,
            value_at(rollout.fields, field.path),
            f"the requests of all {field.tasks} tasks looked at that pass name {name}",
        )


@once_for_repeats
def _folded(prompt: str) -> str:
    """Prompts are long and come again with every repeat."""
    return folded(prompt)


def _by_name(rollout: Rollout) -> Filled:
    for path, holder in objects_of(rollout):
        if path.rstrip(".").rpartition(".")[2] in _NAMES:
            values = {name: value for name, value in holder.items() if fills(value)}
            prompt = _folded(rollout.prompt_text)
            named = sum(holds(prompt, folded(str(value))) for value in values.values())
            if 2 * named >= len(values):
                for name, value in values.items():
                    yield f"{path}{name}", value, f"it names {named} of {len(values)} values of {path.rstrip('.')}"
