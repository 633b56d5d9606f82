"""How errands in a cloud account go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.cloud.estate import DEFAULT_REGION, Estate, Instance
from blade.lab.environments.cloud.faults import EVAL, MUTATIONS, spoilt_golds
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = (
    "You are an autonomous operator of a company's cloud account. Complete the task with the tools; nobody is there to answer questions. "
    "Resources of the same name exist in several regions, so mind the region. Do not modify anything beyond the task. If the task is a "
    "question, finish with a line of the form\nFINAL ANSWER: <answer>\nwith the bare answer and no units unless asked for."
)
_CORRECTIONS: Final = ("{old}, hold on, make that {new}", "{old} (correction: {new})", "{old}... no, {new}")


class Errand(stage.Errand):
    closings = (
        "Task complete: {what}.",
        "{What}. No other resources were touched.",
        "Finished. {What}.",
        "{What}.",
        "The change is in place: {what}.",
    )
    skips = (
        "I can go straight to the change.",
        "The defaults are well known, so no need to query this.",
        "This should be a standard setup; applying the change.",
    )


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
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
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
