"""The tools of a claims office, grouped by the server that offers them (`claims__fetch`).

They answer in XML, as messages between insurers are written: lookups with the record, changes with a `Receipt`, and what is turned down
with a `Fault`. No tool knows what an integral franchise is, what a salvage category means, how check digits come about, or what an abbreviation on
a number plate stands for.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.insurer.book import (
    COLLISION,
    DISTRICTS,
    HEADS,
    PAPERS,
    STATUSES,
    Assessor,
    Book,
    Claim,
    Policy,
    euros,
)
from blade.lab.stage.script import Row


def _text(description: str, **more: Any) -> Row:
    return {"type": "string", "description": description, **more}


_CLAIM = _text("Reference of the claim, e.g. CL-00000000")
_DAY = _text("Calendar date")
_AMOUNT = {"type": "number", "description": "Amount with cents", "exclusiveMinimum": 0}
TOOLS = (
    function("claims__search", "Claims of a policyholder.", policyholder=_text("Full name")),
    function("claims__fetch", "One claim with dates, the other vehicle, and the assessor's findings.", claim_ref=_CLAIM),
    function("claims__ledger", "Payments made on a claim so far.", claim_ref=_CLAIM),
    function("policies__fetch", "Terms of a policy.", policy_no=_text("Policy number, e.g. PN-00000000")),
    function(
        "assessors__roster", "Assessors of a district and their workload.", district=_text("District", enum=list(DISTRICTS))
    ),
    function(
        "reserves__post",
        "Set the reserve of a claim under one head.",
        ("claim_ref", "head", "amount"),
        claim_ref=_CLAIM,
        head=_text("Head of reserve", enum=list(HEADS)),
        amount=_AMOUNT,
        currency=_text("ISO 4217 code, EUR if left out", default="EUR"),
    ),
    function(
        "payments__release",
        "Pay out on a claim.",
        ("claim_ref", "payee", "amount"),
        claim_ref=_CLAIM,
        payee=_text("Who is paid", enum=["policyholder", "repairer"]),
        amount=_AMOUNT,
        creditor_ref=_text("Structured creditor reference (ISO 11649), without blanks"),
    ),
    function("assessors__appoint", "Appoint an assessor.", claim_ref=_CLAIM, assessor_id=_text("e.g. AS-000"), visit_on=_DAY),
    function(
        "documents__request",
        "Ask the policyholder for papers. The letter lists them in alphabetical order, however they are given here.",
        claim_ref=_CLAIM,
        kinds={"type": "array", "items": {"type": "string", "enum": list(PAPERS)}, "uniqueItems": True},
        due_on=_DAY,
    ),
    function(
        "claims__set_status", "Change the status of a claim.", claim_ref=_CLAIM, status=_text("New status", enum=list(STATUSES))
    ),
    function("claims__mark_salvage", "Record the salvage category of a vehicle.", claim_ref=_CLAIM, category=_text("One letter")),
)
WRITES: Final = frozenset(
    (
        "reserves__post", "payments__release", "assessors__appoint", "documents__request", "claims__set_status", "claims__mark_salvage",
    )
)  # fmt: skip
FINDINGS: Final = {
    "repairable, with damage to the structural frame": ("S", "C"),
    "repairable, no damage to the structural frame": ("N", "D"),
}
"""What an assessor finds, the category of the salvage code since 2017, and the one before."""


def refused(answer: str) -> bool:
    return answer.startswith("<Fault")


def finding_of(claim: Claim) -> str:
    return tuple(FINDINGS)[claim.estimate % 2]


class Desk:
    """The tools over the books."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def __call__(self, made: Call) -> str:
        if made.name in WRITES:
            return self._changed(made)
        found = self._looked_up(made)
        asked = ", ".join(map(str, made.arguments.values()))
        return _fault("NotFound", f"{made.name} has no record for {asked}") if found is None else found

    def _looked_up(self, made: Call) -> str | None:
        given, book = made.arguments, self.book
        match made.name:
            case "claims__search":
                found = book.of_holder(given.get("policyholder"))
                return _tag("Claims", *map(_listed, found), policyholder=found[0].holder, count=len(found)) if found else None
            case "claims__fetch":
                claim = book.claim(given.get("claim_ref"))
                return None if claim is None else _claim(claim)
            case "claims__ledger":
                claim = book.claim(given.get("claim_ref"))
                return None if claim is None else _ledger(claim)
            case "policies__fetch":
                policy = book.policy(given.get("policy_no"))
                return None if policy is None else _policy(policy)
            case "assessors__roster":
                return _roster(
                    [one for one in book.assessors if one.district == given.get("district")], str(given.get("district"))
                )
        return None

    def _changed(self, made: Call) -> str:
        given = made.arguments
        if self.book.claim(given.get("claim_ref")) is None:
            return _fault("NotFound", f"no claim {given.get('claim_ref')}")
        for key in ("due_on", "visit_on"):
            if key in given and not _is_day(given[key]):
                return _fault("InvalidValue", f"{key} is not an ISO 8601 date: {given[key]}")
        if "assessor_id" in given and given["assessor_id"] not in {one.id for one in self.book.assessors}:
            return _fault("NotFound", f"no assessor {given['assessor_id']}")
        return _tag(
            "Receipt", _tag("Operation", made.name), _tag("Result", "accepted"), no=f"{dice(*made.key).getrandbits(32):08X}"
        )


def _is_day(given: object) -> bool:
    try:
        return date.fromisoformat(str(given)).isoformat() == given
    except ValueError:
        return False


def _listed(claim: Claim) -> str:
    return _tag("Claim", ref=claim.ref, policy=claim.policy, peril=claim.peril, lossDate=claim.happened, status="open")


def _ledger(claim: Claim) -> str:
    return _tag("Ledger", *(_tag("Payment", f"{one / 100:.2f}", currency="EUR") for one in claim.paid), claim=claim.ref)


def _claim(claim: Claim) -> str:
    estimate = _tag("Estimate", f"{euros(claim.estimate):.2f}", currency="EUR")
    crashed = claim.peril == COLLISION
    return _tag(
        "Claim",
        _tag("Policyholder", claim.holder),
        _tag("Policy", claim.policy),
        _tag("Peril", claim.peril),
        _tag("District", claim.district),
        _tag("LossDate", claim.happened),
        _tag("NotifiedAt", f"{claim.notified:%Y-%m-%dT%H:%MZ}"),
        *([_tag("OtherVehicle", sign=claim.sign)] if crashed else []),
        _tag("Assessment", estimate, *([_tag("Vehicle", finding_of(claim))] if crashed else [])),
        ref=claim.ref,
    )


def _policy(policy: Policy) -> str:
    return _tag(
        "Policy",
        _tag("Holder", policy.holder),
        _tag("SumInsured", f"{policy.insured}.00", currency="EUR"),
        _tag("PremiumRate", f"{policy.rate}\N{PER MILLE SIGN}"),
        _tag("Retention", f"{policy.retained}.00", kind=policy.retention, per="claim"),
        no=policy.number,
    )


def _roster(found: list[Assessor], district: str) -> str | None:
    if not found:
        return None
    return _tag("Roster", *(_tag("Assessor", one.name, id=one.id, openFiles=one.open_files) for one in found), district=district)


def _tag(name: str, *inner: object, **attributes: object) -> str:
    opened = name + "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
    if not inner:
        return f"<{opened}/>"
    within = [text if (text := str(one)).startswith("<") else escape(text) for one in inner]
    if any(text.startswith("<") for text in within):
        return "\n".join((f"<{opened}>", *("  " + text.replace("\n", "\n  ") for text in within), f"</{name}>"))
    return f"<{opened}>{''.join(within)}</{name}>"


def _fault(code: str, reason: str) -> str:
    return _tag("Fault", _tag("Reason", reason), code=code)
