"""How errands in a cloud account go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from blade.lab.desk import Call
from blade.lab.environments.cloud_estate import DEFAULT_REGION, Estate, Instance
from blade.lab.environments.cloud_faults import EVAL, MUTATIONS, spoilt_golds
from blade.lab.stage.script import Move, Row, Script, Task, call, say

SYSTEM: Final = (
    "You are an autonomous operator of a company's cloud account. Complete the task with the tools; nobody is there to answer questions. "
    "Resources of the same name exist in several regions, so mind the region. Do not modify anything beyond the task. If the task is a "
    "question, finish with a line of the form\nFINAL ANSWER: <answer>\nwith the bare answer and no units unless asked for."
)
_CLOSINGS = (
    "Task complete: {what}.",
    "{What}. No other resources were touched.",
    "Finished. {What}.",
    "{What}.",
    "The change is in place: {what}.",
)
_SKIPS = (
    "I can go straight to the change.",
    "The defaults are well known, so no need to query this.",
    "This should be a standard setup; applying the change.",
)
_CORRECTIONS: Final = ("{old}, hold on, make that {new}", "{old} (correction: {new})", "{old}... no, {new}")


@dataclass(frozen=True)
class Errand:
    """What is looked up, what is changed, and what is said about it afterwards."""

    reads: Script
    changes: Script
    done: str

    @property
    def expected(self) -> list[Call]:
        return [made(move) for move in self.changes]

    def script(self, rng: Random) -> Script:
        what = self.done
        return (*self.reads, *self.changes, say(rng.choice(_CLOSINGS).format(what=what, What=what[0].upper() + what[1:])))

    def but(self, at: int = 0, decisive: bool = True, **arguments: Any) -> Errand:
        """The errand with other values in one of its changes."""
        changed = self.changes[at]
        wrong = replace(made(changed), arguments={**made(changed).arguments, **arguments})
        moves = (*self.changes[:at], replace(changed, call=wrong, decisive=decisive), *self.changes[at + 1 :])
        return replace(self, changes=moves)

    def unread(self, rng: Random, tool: str) -> Script:
        """The errand by an agent that never made one of the lookups and put something plausible in its place."""
        reads = tuple(move for move in self.reads if made(move).name != tool)
        first = replace(self.changes[0], thought=rng.choice(_SKIPS), decisive=True)
        return replace(self, reads=reads, changes=(first, *self.changes[1:])).script(rng)


def made(move: Move) -> Call:
    assert move.call is not None
    return move.call


def scripts(errands: Iterable[Errand], rng: Random) -> tuple[Script, ...]:
    return tuple(errand.script(rng) for errand in errands)


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def gold_of(
    kind: str, rationale: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None,
    reads: Sequence[str] = (),
) -> Row:  # fmt: skip
    """The dataset's fields; `reads` are the lookups that a trajectory is expected to hold."""
    types = ["state_match"] + ["string_match"] * (answer is not None) + ["trajectory_match"] * bool(reads)
    return {
        "intent_type": kind,
        "choices": options,
        EVAL: {
            "eval_types": types,
            MUTATIONS: [{"operation": one.name, "input": dict(one.arguments)} for one in calls],
            "required_operations": list(reads),
            "reference_answers": None if answer is None else {"exact_match": answer},
        },
        "annotator_rationale": rationale,
    }


def task_of(
    index: int, kind: str, request: str, errand: Errand, careless: Errand, rationales: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], estate: Estate, rng: Random, unattached: str | None = None, required: Sequence[str] = (),
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `rationales` are the reasons for both, `unattached` is the request without the list
    that it speaks of, and `required` are lookups that the verifier insists on.
    """
    gold, other = (
        gold_of(kind, why, one.expected, reads=required) for why, one in zip(rationales, (errand, careless), strict=True)
    )
    shared: dict[str, tuple[Script, ...]] = {}
    if len(errand.changes) > 1:
        *kept, last = errand.changes[:-1]
        shared["partial_update"] = scripts([replace(errand, changes=(*kept, replace(last, decisive=True)))] * 2, rng)
    return Task(
        index, kind, SYSTEM, request, scripts([errand] * 3, rng), gold, shared | faulty, elsewhere(estate, rng), other_gold=other,
        other_script=careless.script(rng), contradicted_gold={**other, "annotator_rationale": rationales[0]},
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached},
    )  # fmt: skip


def found(instance: Instance) -> Script:
    return (call("compute-list-instances", name=instance.name, region=instance.region),)


def searched(instance: Instance) -> Script:
    """Another way to the same ids."""
    return (call("inventory-search", query=instance.name, region=instance.region),)


def by_default(instance: Instance, estate: Estate) -> tuple[Script, Instance] | None:
    """The lookup without the region, and what it finds; None where it finds the same."""
    if instance.region == DEFAULT_REGION:
        return None
    return (call("compute-list-instances", name=instance.name, decisive=True),), estate.named(instance.name, DEFAULT_REGION)


def elsewhere(estate: Estate, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm."""
    other = rng.choice(estate.instances)
    return (
        Call("compute-get-utilization", {"instance_id": other.id}),
        Call("storage-describe-volume", {"volume_id": other.volume.id}),
        Call("billing-list-charges", {"project": rng.choice(tuple(estate.charges))}),
    )
