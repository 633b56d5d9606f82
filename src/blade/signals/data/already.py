"""DA: what a task wants done was done before it began: the records that it expects stood there at the first look.

A verifier that wants to see a change then fails whoever leaves things as they are, and whoever writes the same value again. Told only of
expected records (`layout.state`), whose fields have names: a record that a lookup showed before anything was changed holds the same
values under the same names. What a call is given says less: it may well be copied from the record that it is about.
"""

from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls.answered import answer_data
from blade.signals.calls.mutation import READ
from blade.signals.calls.sameness import same
from blade.signals.data.task import gold_of
from blade.signals.example import Example, call, says
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import written
from blade.signals.layout.state import KEY, Leaves, entries, is_id, leaves
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.origins import shown

MAX_RECORDS: Final = 200
MAX_DEPTH: Final = 4
_NAMED: Final = (("expected_state",), ("expected_records",), ("expected_changes",))
"""Fields whose names say that they hold expected records."""


@signal(
    "gold_already_true",
    label="DA",
    meaning="all records that the task expects stood there with the expected values before anything was changed",
    causal=False,
    example=Example(
        (call("get_bed", 'bed=BED-7 sign="Do not pick"', name="Orchard"), says("Nothing to do: the sign reads so already.")),
        asked="Have the sign of the Orchard bed say: Do not pick",
        fields={"expected_state": {"beds": {"BED-7": {"sign": "Do not pick"}}}},
    ),
)
def gold_already_true(rollout: Rollout) -> Iterator[Evidence]:
    if gold_of(rollout):
        return
    for place in (*(state.path for state in rollout.options.layout.state), *_NAMED):
        wanted = [entry for _, entry in entries(value_at(rollout.fields, place) or {})]
        if not wanted or not all(map(_changes, wanted)):
            continue
        found = [(next((one for one in _first_seen(rollout) if _holds(one[1], entry)), None), entry) for entry in wanted]
        if all(seen is not None for seen, _ in found):
            seen, entry = found[0]
            assert seen is not None
            told = ", ".join(f"{path[-1]} = {shown(value)}" for path, value in entry.items())
            yield Evidence(seen[0], told, "stood there before anything was changed", written(place))
            return


def _changes(entry: Leaves) -> bool:
    """Whether a record names one that is there already, and says what should stand in it."""
    named = [path for path, value in entry.items() if path in (KEY, ("id",)) and is_id(str(value))]
    return len(named) == 1 and len(entry) > 1


def _first_seen(rollout: Rollout) -> list[tuple[int, Leaves]]:
    """The records that lookups showed before the first change, with the step of the answer."""
    found: list[tuple[int, Leaves]] = []
    for made in rollout.own_calls:
        if made.mutation.kind != READ:
            break
        if made.output is not None:
            found += ((made.output.step, record) for record in _records(answer_data(made.output.text), 0))
    return found[:MAX_RECORDS]


def _records(data: Any, depth: int) -> Iterator[Leaves]:
    if isinstance(data, dict):
        yield leaves(data)
    elif isinstance(data, list) and depth < MAX_DEPTH:
        for inner in data[:MAX_RECORDS]:
            yield from _records(inner, depth + 1)


def _holds(record: Leaves, entry: Leaves) -> bool:
    """Whether a record is the one that an entry names, and has all its values under their names."""
    by_name = {path[-1]: value for path, value in record.items()}
    for path, value in entry.items():
        if path in (KEY, ("id",)):
            if not any(same(value, other) for other in record.values()):
                return False
        elif path[-1] not in by_name or not same(value, by_name[path[-1]]):
            return False
    return True
