"""Errands with machines: another type, a stop that depends on the load, tags, and a volume that grows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from blade.lab.environments.cloud.errands import Errand, by_default, corrected, found, searched, task_of
from blade.lab.environments.cloud.estate import COST_CENTRES, TYPES, Estate, Instance
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

_LISTING = ("compute-list-instances",)


def resize(index: int, estate: Estate, rng: Random) -> Task:
    """Another type; now and then it is put right in the same breath."""
    instance = rng.choice(estate.instances)
    wanted, former = rng.sample([one for one in TYPES if one != instance.type], 2)

    def to(kind: str, machine: Instance = instance) -> Errand:
        change = call("compute-resize-instance", changes=True, instance_id=machine.id, instance_type=kind)
        return Errand(found(machine), (change,), f"the instance {machine.name} ({machine.id}) is now a {kind}")

    errand = to(wanted)
    faulty: dict[str, tuple[Script, ...]] = {"read_required": scripts([replace(errand, reads=searched(instance))] * 2, rng)}
    if (other := by_default(instance, estate)) is not None:
        faulty["scope_dropped"] = scripts([replace(to(wanted, other[1]).but(), reads=other[0])] * 2, rng)
    named = wanted
    if rng.random() < 0.85:
        named = corrected(former, wanted, rng)
        faulty["correction_missed"] = scripts([to(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"Change the instance type of {instance.name} in {instance.region} to {named}.",
            f"{instance.name} in region {instance.region} needs another size: please resize it to {named}.",
        )
    )
    reasons = tuple(f"{instance.name} in {instance.region} is {instance.id}; new type {one}." for one in (wanted, former))
    return task_of(
        index, "compute_change", request, errand, to(former), (reasons[0], reasons[1]), faulty, estate, rng, required=_LISTING
    )  # fmt: skip


def idle(index: int, estate: Estate, rng: Random) -> Task:
    """Stopped if it has little to do; otherwise it gets another type."""
    instance = rng.choice([one for one in estate.instances if not one.stopped])
    limit = max(2, int(instance.cpu) + rng.choice((-6, -3, 4, 7)))
    kind = rng.choice([one for one in TYPES if one != instance.type])

    def done(stop: bool, machine: Instance = instance) -> Errand:
        reads = (*found(machine), call("compute-get-utilization", instance_id=machine.id))
        if stop:
            return Errand(
                reads, (call("compute-stop-instance", changes=True, instance_id=machine.id),), f"instance {machine.id} is stopped"
            )
        change = call("compute-resize-instance", changes=True, instance_id=machine.id, instance_type=kind)
        return Errand(reads, (change,), f"instance {machine.id} is now a {kind}")

    low = instance.cpu < limit
    errand = done(low)
    faulty = {"condition_unchecked": tuple(done(not low).unread(rng, "compute-get-utilization") for _ in range(2))}
    request = rng.choice(
        (
            f"If {instance.name} in {instance.region} averaged less than {limit}% CPU over the last 7 days, stop it. Otherwise resize it to {kind}.",
            f"Check the 7-day CPU average of {instance.name} ({instance.region}): below {limit}% the instance is to be stopped, else change its type to {kind}.",
        )
    )  # fmt: skip
    reasons = tuple(
        f"Average {instance.cpu}% against {limit}%: {'stop' if stop else f'resize to {kind}'}." for stop in (low, not low)
    )
    return task_of(
        index, "compute_change", request, errand, done(not low), (reasons[0], reasons[1]), faulty, estate, rng, required=_LISTING
    )  # fmt: skip


def tag(index: int, estate: Estate, rng: Random) -> Task:
    """One more tag; the tool writes the whole set."""
    instance = rng.choice(estate.instances)
    centre, other = rng.sample(COST_CENTRES, 2)

    def tagged(value: str, kept: bool = True, machine: Instance = instance) -> Errand:
        tags = {**(dict(machine.tags) if kept else {}), "CostCentre": value}
        put = call("compute-put-tags", changes=True, instance_id=machine.id, tags=tags)
        return Errand(found(machine), (put,), f"instance {machine.id} has the tag CostCentre={value}")

    errand = tagged(centre)
    faulty: dict[str, tuple[Script, ...]] = {
        "replaced_not_merged": scripts([tagged(centre, kept=False).but()] * 2, rng),
    }
    if (missed := by_default(instance, estate)) is not None:
        faulty["scope_dropped"] = scripts([replace(tagged(centre, machine=missed[1]).but(), reads=missed[0])] * 2, rng)
    request = rng.choice(
        (
            f'Add the tag CostCentre with the value "{centre}" to {instance.name} in {instance.region}. Its other tags stay as they are.',
            f'{instance.name} in {instance.region} should also carry CostCentre = "{centre}"; keep the tags it already has.',
        )
    )
    reasons = tuple(f"{instance.id} keeps Owner and Tier and gets CostCentre={one}." for one in (centre, other))
    return task_of(index, "compute_change", request, errand, tagged(other), (reasons[0], reasons[1]), faulty, estate, rng)


def grow(index: int, estate: Estate, rng: Random) -> Task:
    """So much more than the volume has now."""
    instance = rng.choice(estate.instances)
    volume, more = instance.volume, rng.choice((35, 45, 55, 70, 90))

    def sized(gib: int, machine: Instance = instance) -> Errand:
        reads = (*found(machine), call("storage-describe-volume", volume_id=machine.volume.id))
        change = call("storage-resize-volume", changes=True, volume_id=machine.volume.id, size_gib=gib)
        return Errand(reads, (change,), f"volume {machine.volume.id} has {gib} GiB")

    right = volume.gib + more
    errand = sized(right)
    guesses = [one + more for one in (100, 200, 500, 1000) if one > volume.gib][:2] or [2000 + more]
    faulty: dict[str, tuple[Script, ...]] = {
        "skipped_lookup": tuple(sized(one).unread(rng, "storage-describe-volume") for one in guesses),
        "read_required": scripts([replace(errand, reads=(*searched(instance), *errand.reads[1:]))] * 2, rng),
    }
    named = str(more)
    if rng.random() < 0.5:
        named = corrected(more - 15, more, rng)
        faulty["correction_missed"] = scripts([sized(right - 15).but()] * 2, rng)
    request = rng.choice(
        (
            f"The disk of {instance.name} in {instance.region} is filling up. Grow its volume by {named} GiB.",
            f"Give the volume of {instance.name} ({instance.region}) {named} GiB more than it has now.",
        )
    )
    reasons = tuple(f"{volume.id} has {volume.gib} GiB; with {more} more it is {one}." for one in (right, right + 10))
    return task_of(
        index, "storage_change", request, errand, sized(right + 10), (reasons[0], reasons[1]), faulty, estate, rng, required=_LISTING
    )  # fmt: skip
