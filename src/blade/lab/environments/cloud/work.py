"""Errands around machines: ports, roles with policies from a list, schedules of backups, snapshots with an exception."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.cloud.errands import Errand, task_of
from blade.lab.environments.cloud.estate import POLICIES, Estate, Snapshot
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Task, call

PORTS: Final = {
    "LDAP over TLS (LDAPS)": (636, 389), "IMAP over TLS (IMAPS)": (993, 143), "MQTT over TLS": (8883, 1883), "syslog over TLS": (6514, 514),
    "DNS over TLS": (853, 53), "POP3 over TLS": (995, 110), "mail submission (RFC 6409)": (587, 25), "SIP over TLS": (5061, 5060),
    "NETCONF over SSH": (830, 22), "AMQP over TLS": (5671, 5672),
}  # fmt: skip
"""What is offered: the port that IANA assigned to it, and one that is mistaken for it."""


def ingress(index: int, estate: Estate, rng: Random) -> Task:
    """The standard port of a service; no tool knows it."""
    group = rng.choice(estate.groups)
    service = rng.choice(tuple(PORTS))
    right, taken = PORTS[service]
    cidr = f"172.{rng.randint(16, 31)}.{rng.randint(0, 250)}.0/24"

    def opened(port: int) -> Errand:
        allow = call("network-authorize-ingress", changes=True, group_id=group.id, port=port, cidr=cidr)
        return Errand((call("network-list-groups", name=group.name),), (allow,), f"port {port} of {group.name} is open to {cidr}")

    errand = opened(right)
    others = rng.sample([one for one in (465, 990, 992, 1812, 2484, 3269, 4433, 5349, 8443, 8853, 9093) if one != right], 4)
    faulty = {
        "wrong_rule": scripts([opened(taken).but()] * 2, rng),
        "wavering_argument": scripts([opened(one).but() for one in others], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, protocol="tcp")] * 2, rng),
    }
    request = rng.choice(
        (
            f"Allow {service} from {cidr} in the security group {group.name}, on its standard port (TCP).",
            f"Security group {group.name}: open the IANA-assigned TCP port for {service} to {cidr}.",
        )
    )
    reasons = tuple(f"{service} is assigned port {one}." for one in (right, taken))
    return task_of(index, "access_change", request, errand, opened(taken), (reasons[0], reasons[1]), faulty, estate, rng)


def role(index: int, estate: Estate, rng: Random) -> Task:
    """The policies on a list, and a new key."""
    chosen = rng.choice(estate.roles)
    wanted = rng.sample(POLICIES, rng.randint(3, 4))

    def granted(policies: Sequence[str]) -> Errand:
        attach = call("iam-attach-policies", changes=True, role_id=chosen.id, policies=list(policies))
        rotate = call("iam-rotate-key", changes=True, role_id=chosen.id)
        reads = (call("iam-get-role", role_name=chosen.name),)
        return Errand(reads, (attach, rotate), f"the role {chosen.name} has {len(policies)} more policies and a new key")

    errand = granted(wanted)
    turned = rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)
    faulty = {"set_as_list": scripts([granted(one) for one in turned], rng)}
    request = rng.choice(
        (
            f"Attach the policies listed below to the role {chosen.name}, then rotate its access key.",
            f"The role {chosen.name} needs every policy in the following list. Once they are attached, rotate the access key.",
        )
    )
    slip = [*wanted[:-1], next(one for one in POLICIES if one not in wanted)]
    reasons = tuple(f"{chosen.id}: {', '.join(one)}; key rotated." for one in (wanted, slip))
    listed = "\n".join(f"- {one}" for one in wanted)
    return task_of(
        index, "access_change", f"{request}\n\n{listed}", errand, granted(slip), (reasons[0], reasons[1]), faulty, estate, rng,
        unattached=request,
    )  # fmt: skip


def crons(minute: int, hour: int) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By what is asked: the expression, and some that come to mind and mean something else."""
    at = f"{minute} {hour}"
    return {
        f"from Monday to Friday at {hour:02d}:{minute:02d} UTC": (
            f"{at} * * 1-5", (f"{at} * * 0-4", f"{at} 1-5 * *", f"* {hour} * * 1-5", f"{at} * * 2-6")
        ),
        f"every Sunday at {hour:02d}:{minute:02d} UTC": (
            f"{at} * * 0", (f"{at} * * 1", f"{at} * * 6", f"{at} 7 * *", f"* {hour} * * 0")
        ),
        f"on the first day of every month at {hour:02d}:{minute:02d} UTC": (
            f"{at} 1 * *", (f"{at} * 1 *", f"{at} * * 1", f"{at} */1 * *", f"* {hour} 1 * *")
        ),
        f"every six hours, {minute} minutes past the hour, beginning at 00:{minute:02d} UTC": (
            f"{minute} */6 * * *", (f"{minute} 6 * * *", "*/6 * * * *", f"{minute} */4 * * *", f"{minute} * */6 * *")
        ),
    }  # fmt: skip


def schedule(index: int, estate: Estate, rng: Random) -> Task:
    """When a volume is backed up, in words that become a cron expression."""
    volume = rng.choice(estate.instances).volume
    when, (right, wrong) = rng.choice(tuple(crons(rng.randint(31, 55), rng.randint(2, 5)).items()))

    def planned(cron: str) -> Errand:
        put = call("storage-put-backup-schedule", changes=True, volume_id=volume.id, cron=cron)
        return Errand((call("storage-describe-volume", volume_id=volume.id),), (put,), f"volume {volume.id} is backed up {when}")

    errand = planned(right)
    faulty = {"wavering_schedule": scripts([planned(one).but() for one in rng.sample(wrong, 4)], rng)}
    request = rng.choice((f"Have the volume {volume.id} backed up {when}.", f"Set the backup schedule of {volume.id}: {when}."))
    reasons = tuple(f"{when} is {one}." for one in (right, wrong[0]))
    return task_of(index, "storage_change", request, errand, planned(wrong[0]), (reasons[0], reasons[1]), faulty, estate, rng)


def prune(index: int, estate: Estate, rng: Random) -> Task:
    """All snapshots of a volume but for one."""
    volume = rng.choice(estate.instances).volume
    kept = rng.choice(volume.snapshots)
    day = date.fromisoformat(kept.taken)

    def dropped(snapshots: Sequence[Snapshot]) -> Errand:
        moves = tuple(call("storage-delete-snapshot", changes=True, snapshot_id=one.id) for one in snapshots)
        return Errand((call("storage-list-snapshots", volume_id=volume.id),), moves, f"{len(snapshots)} snapshots are deleted")

    wanted = [one for one in volume.snapshots if one is not kept]
    errand = dropped(wanted)
    faulty = {"exception_overlooked": scripts([dropped(volume.snapshots).but(volume.snapshots.index(kept))] * 2, rng)}
    request = rng.choice(
        (
            f"Delete all snapshots of {volume.id} except the one taken on {day.day} {day:%B %Y}.",
            f"Clean up {volume.id}: remove its snapshots, but leave the one from {day.day} {day:%B %Y}, it is needed for an audit.",
        )
    )
    slip = [one for one in volume.snapshots if one is not wanted[0]]
    reasons = tuple(f"To delete: {', '.join(one.id for one in snapshots)}." for snapshots in (wanted, slip))
    return task_of(index, "storage_change", request, errand, dropped(slip), (reasons[0], reasons[1]), faulty, estate, rng)
