"""The tools of a cloud account, named as its command line has them.

Lookups answer in JSON with the provider's capitalised keys, changes with the metadata of the response, and what is turned down with one
line that begins with `An error occurred`. Machines and volumes are looked up by region, and the default region is meant where none is
given. No tool knows port numbers, what a status code is called, how cron reads, or how many addresses of a network can be used.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.cloud.estate import DEFAULT_REGION, POLICIES, REGIONS, TYPES, Estate, Instance, dollars
from blade.lab.environments.environment import function

_REGION = {"type": "string", "enum": list(REGIONS), "default": DEFAULT_REGION}
TOOLS = (
    function(
        "compute-list-instances",
        f"Instances of one region, all or those of a name. Region defaults to {DEFAULT_REGION}.",
        (),
        name="string",
        region=_REGION,
    ),
    function(
        "inventory-search",
        "Resources of any service by name, with type, region and id.",
        ("query",),
        query="string",
        region=_REGION,
    ),
    function("compute-get-utilization", "CPU utilization of an instance over the last 7 days.", instance_id="string"),
    function("compute-stop-instance", "Stop an instance.", instance_id="string"),
    function(
        "compute-resize-instance",
        "Change the type of an instance.",
        instance_id="string",
        instance_type={"type": "string", "enum": list(TYPES)},
    ),
    function(
        "compute-put-tags",
        "Write the tags of an instance. Replaces the whole tag set: tags that are not in the call are removed.",
        instance_id="string",
        tags={"type": "object", "additionalProperties": {"type": "string"}},
    ),
    function("storage-describe-volume", "Size of a volume.", volume_id="string"),
    function("storage-resize-volume", "Grow a volume to a size.", volume_id="string", size_gib="integer"),
    function("storage-list-snapshots", "Snapshots of a volume.", volume_id="string"),
    function("storage-delete-snapshot", "Delete a snapshot.", snapshot_id="string"),
    function(
        "storage-put-backup-schedule",
        "Set when a volume is backed up.",
        volume_id="string",
        cron={"type": "string", "description": "Cron expression with five fields, UTC."},
    ),
    function("network-list-groups", "Security groups of a name.", name="string"),
    function(
        "network-authorize-ingress",
        "Open a port of a security group to a network.",
        ("group_id", "port", "cidr"),
        group_id="string",
        port="integer",
        cidr="string",
        protocol={"type": "string", "enum": ["tcp", "udp"], "default": "tcp"},
    ),
    function("network-describe-subnet", "One subnet with its address range.", subnet_id="string"),
    function("iam-get-role", "One role by name, with its id.", role_name="string"),
    function(
        "iam-attach-policies",
        "Attach policies to a role. They may be listed in any order.",
        role_id="string",
        policies={"type": "array", "items": {"type": "string", "enum": list(POLICIES)}},
    ),
    function("iam-rotate-key", "Replace the access key of a role.", role_id="string"),
    function("billing-list-charges", "Charges of a project in the current month.", project="string"),
    function("ops-describe-event", "One event of the operations centre.", event_id="string"),
)
WRITES: Final = frozenset(
    (
        "compute-stop-instance", "compute-resize-instance", "compute-put-tags", "storage-resize-volume", "storage-delete-snapshot",
        "storage-put-backup-schedule", "network-authorize-ingress", "iam-attach-policies", "iam-rotate-key",
    )
)  # fmt: skip
_CRON = re.compile(r"\S+( \S+){4}")


def refused(answer: str) -> bool:
    return answer.startswith("An error occurred")


class Desk:
    """The tools over the estate."""

    def __init__(self, estate: Estate) -> None:
        self.estate = estate

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        found = self._looked_up(made)
        return _error("ResourceNotFound", made, "The specified resource does not exist.") if found is None else _json(found)

    def _looked_up(self, made: Call) -> Any:
        given, estate = made.arguments, self.estate
        match made.name:
            case "compute-list-instances":
                here = estate.within(given.get("region", DEFAULT_REGION))
                return {"Instances": [_listed(one) for one in here if given.get("name") in (None, one.name)], "NextToken": None}
            case "inventory-search":
                places = [given["region"]] if "region" in given else REGIONS
                found = [one for one in estate.instances if one.name == given.get("query") and one.region in places]
                return {"Resources": [_resource(one) for one in found], "NextToken": None}
            case "compute-get-utilization":
                return next((_utilization(one) for one in estate.instances if one.id == given.get("instance_id")), None)
            case "storage-describe-volume":
                volume = estate.volume(given.get("volume_id"))
                return volume and {"VolumeId": volume.id, "SizeGiB": volume.gib, "State": "in-use"}
            case "storage-list-snapshots":
                volume = estate.volume(given.get("volume_id"))
                return volume and {"Snapshots": [{"SnapshotId": one.id, "TakenOn": one.taken} for one in volume.snapshots]}
            case "network-list-groups":
                return {
                    "Groups": [
                        {"GroupId": one.id, "GroupName": one.name} for one in estate.groups if one.name == given.get("name")
                    ]
                }
            case "network-describe-subnet":
                return next(
                    ({"SubnetId": one.id, "CidrBlock": one.cidr} for one in estate.subnets if one.id == given.get("subnet_id")),
                    None,
                )
            case "iam-get-role":
                return next(
                    ({"RoleId": one.id, "RoleName": one.name} for one in estate.roles if one.name == given.get("role_name")), None
                )
            case "billing-list-charges":
                lines = estate.charges.get(str(given.get("project")))
                return lines and {"Charges": [{"Item": item, "AmountUSD": dollars(cents)} for item, cents in lines]}
            case "ops-describe-event":
                return next((
                    {"EventId": one.id, "MaintenanceStart": f"{one.begins:%Y-%m-%dT%H:%MZ}", "LastProbe": {"HttpStatus": one.status}}
                    for one in estate.events if one.id == given.get("event_id")
                ), None)  # fmt: skip
        return None

    def _changed(self, made: Call) -> str:
        key, value = next(iter(made.arguments.items()), ("", None))
        if value not in self._known(key):
            return _error("ResourceNotFound", made, f"The {key.replace('_', ' ')} '{value}' does not exist.")
        if "cron" in made.arguments and not _CRON.fullmatch(str(made.arguments["cron"])):
            return _error("ValidationException", made, "A cron expression has five fields.")
        if "size_gib" in made.arguments:
            volume = self.estate.volume(value)
            if volume and not made.arguments["size_gib"] > volume.gib:
                return _error("InvalidParameterValue", made, "A volume can only grow.")
        request = f"{dice(*made.key).getrandbits(48):012x}"
        return _json({"ResponseMetadata": {"RequestId": request, "HTTPStatusCode": 200, "RetryAttempts": 0}})

    def _known(self, key: str) -> set[str]:
        estate = self.estate
        match key:
            case "instance_id":
                return {one.id for one in estate.instances}
            case "volume_id":
                return {one.volume.id for one in estate.instances}
            case "snapshot_id":
                return {snapshot.id for one in estate.instances for snapshot in one.volume.snapshots}
        return {one.id for one in (*estate.groups, *estate.roles)}


def _listed(one: Instance) -> dict[str, Any]:
    return {
        "InstanceId": one.id, "Name": one.name, "Region": one.region, "InstanceType": one.type,
        "State": "stopped" if one.stopped else "running", "VolumeId": one.volume.id, "Tags": dict(one.tags),
    }  # fmt: skip


def _resource(one: Instance) -> dict[str, Any]:
    return {
        "ResourceId": one.id,
        "ResourceType": "compute:instance",
        "Region": one.region,
        "Name": one.name,
        "Related": [one.volume.id],
    }


def _utilization(one: Instance) -> dict[str, Any]:
    return {"InstanceId": one.id, "Metric": "CPUUtilization", "Average": one.cpu, "Unit": "Percent", "PeriodDays": 7}


def _json(found: Any) -> str:
    return json.dumps(found, indent=2)


def _error(code: str, made: Call, why: str) -> str:
    operation = "".join(word.capitalize() for word in made.name.split("-")[1:])
    return f"An error occurred ({code}) when calling the {operation} operation: {why}"
