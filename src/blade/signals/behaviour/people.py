"""BI: people who were to be looked up. A name is no address, and whose records are meant is not known before the name is resolved."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.behaviour.records import listings, named_records, unmet_records
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of, words_of_last
from blade.signals.calls.tools import Tool
from blade.signals.example import Example, call, tool
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown, sources_of
from blade.signals.wanted.comparison import MADE, comparison_of

_PERSON: Final = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’.-]+){0,2}")
_FULL_NAME: Final = re.compile(
    r"(?=\b([A-Z][\w'’-]+ (?:(?:de|van|von|der|den|da|di|du|la|le|bin|al) )?[A-Z][\w'’-]+))", re.MULTILINE
)
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_RESOLVES: Final = frozenset(["find", "get", "lookup", "look", "search", "resolve", "list", "query", "fetch"])


@signal(
    "unresolved_name",
    label="BI",
    meaning="a person's name, or an address made up from it, stands where an address or id belongs that was never looked up; or records of somebody "
    "else were taken because a person of the request was never looked up",
    causal=False,
    example=Example(
        (call("reassign_customer", "ok", customer_id="C7", assigned_to_email="Sam"),),
        asked="Give Carla's customers to Sam.",
        tools=(tool("find_email_address", person="string"), tool("reassign_customer", customer_id="string", assigned_to_email="string")),
    ),
)  # fmt: skip
def unresolved_name(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.own_calls:
        declared = rollout.tools.get(made.name)
        for path, value in made.leaves:
            if not isinstance(value, str) or not _names_somebody(declared, path) or not value.strip():
                continue
            why = _unresolved(rollout, made, path, value.strip())
            if why:
                yield Evidence(made.step, f"{path}={shown(value)}", f"{made.name}: {why}", argument_subject(made.name, path))
    yield from _never_asked_about(rollout)


def _never_asked_about(rollout: Rollout) -> Iterator[Evidence]:
    """Records of the wrong person: taken from a listing that was asked for without the address of somebody whom the request names.

    The right records stand in the same listing and have one address in common that the wrong ones lack; the tool would have taken that
    address as a filter, and a lookup gives it for a name, but the rollout never asked for that name.
    """
    compared = comparison_of(rollout)
    if compared is None or not compared.expectation.calls:
        return
    right = unmet_records(rollout)
    taken = {made.position for match in compared.counted if match.outcome == MADE and (made := match.call) is not None}
    changes = [made for made in rollout.own_calls if made.changes and made.error is None and made.position not in taken]
    for listing in listings(rollout) if right else ():
        wanted = [entry for key, entry in listing.entries.items() if key in right]
        wrong = [
            (made, key)
            for made in changes
            for key in named_records(made.arguments or {})
            if key in listing.entries and key not in right
        ]
        if not wanted or not wrong:
            continue
        for name, address in wanted[0].items():
            others = [listing.entries[key].get(name) for _, key in wrong]
            if not _is_address(address) or any(entry.get(name) != address for entry in wanted) or address in others:
                continue
            resolver, person = resolver_of(rollout, wrong[0][0]), _unasked(rollout, str(address))
            if resolver and person and _takes(rollout, listing.made, name):
                made, key = wrong[0]
                yield Evidence(
                    made.step,
                    f"{person} was never looked up; {key} was taken from a listing of everybody's",
                    f"{made.name}: {resolver} gives the address of {person}, and {listing.made.name} takes it as {name}; asked without it, "
                    f"the record of {listing.entries[key].get(name)} was taken and not that of {address}",
                    argument_subject(listing.made.name, name),
                )
                return


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and _ADDRESS.fullmatch(value) is not None


def _takes(rollout: Rollout, made: Call, name: str) -> bool:
    """Whether the tool takes such an argument, and the call did not use it."""
    declared = rollout.tools.get(made.name)
    properties = declared.parameters.get("properties") if declared else None
    offered = isinstance(properties, dict) and name in properties
    return offered and (made.arguments or {}).get(name) in (None, "")


def _unasked(rollout: Rollout, address: str) -> str | None:
    """The person of the request that an address belongs to by its letters, if no call ever asked for them.

    A name that begins a sentence may begin with another word ("Move Emeka Diallo's"), so every pair of capitalised words is tried.
    """
    local = address.partition("@")[0].lower()
    asked = [set(str(value).lower().split()) for made in rollout.calls for _, value in made.leaves]
    request = "\n".join(item.text for item in rollout.prompt if item.role == "user")
    best: tuple[int, bool, str] | None = None
    for found in _FULL_NAME.finditer(request):
        name = re.sub(r"['’]s$", "", found[1])
        words = set(name.lower().split())
        opens = not request[: found.start()].rstrip() or request[: found.start()].rstrip()[-1] in ".!?:\n"
        rank = sum(len(word) > 2 and word in local for word in words), not opens, name
        # A call with the name, or with a part of it, has asked.
        if rank[0] and not any(given and given <= words for given in asked) and (best is None or rank[:2] > best[:2]):
            best = rank
    return None if best is None else best[2]


def _unresolved(rollout: Rollout, made: Call, path: str, value: str) -> str | None:
    words = words_of_last(path)
    if _takes_email(rollout.tools.get(made.name), path):
        if "@" not in value:
            if made.changes:
                return "a name where an address belongs" if _PERSON.fullmatch(value.title()) else None
            return _searched_by_name(rollout, made, words, value)
        resolver = resolver_of(rollout, made)
        if (
            made.changes
            and resolver
            and _ADDRESS.fullmatch(value)
            and not _seen_before(rollout, value, made)
            and _composed(rollout, value)
        ):
            return f"an address that was put together and not looked up ({resolver} gives addresses)"
    elif (
        made.changes and words[-1:] == ("id",) and " " in value and _PERSON.fullmatch(value) and not any(map(str.isdigit, value))
    ):
        return "a name where an id belongs"
    return None


def _searched_by_name(rollout: Rollout, made: Call, words: tuple[str, ...], value: str) -> str | None:
    """A lookup that was given the name of a person of the request where it takes an address, and so found nothing or several people."""
    resolver = resolver_of(rollout, made)
    if resolver is None or made.output is None or made.error is not None or value.lower() not in rollout.lowered_prompt:
        return None
    if not _PERSON.fullmatch(value.title()) or any(
        value.lower() in str(given).lower() for other in rollout.calls if other.name == resolver for _, given in other.leaves
    ):
        return None
    found = set(_ADDRESS.findall(made.output.text))
    mine = {one for one in found if any(part in one.lower() for part in value.lower().split())}
    if not mine:
        return f"a name where an address belongs; nothing was found ({resolver} gives addresses)"
    field = "_".join(words)
    owners = set(re.findall(rf'"{field}"\s*:\s*"([^"]+)"', made.output.text))
    return (
        f"a name where an address belongs; records of {len(owners)} people were found ({resolver} gives addresses)"
        if len(owners) > 1
        else None
    )


@lru_cache(maxsize=4096)
def _names_somebody(declared: Tool | None, path: str) -> bool:
    """Whether an argument is an address or an id, which most are not; a tool is called again and again."""
    return words_of_last(path)[-1:] == ("id",) or _takes_email(declared, path)


@lru_cache(maxsize=4096)
def _takes_email(declared: Tool | None, path: str) -> bool:
    """Whether an argument is an address: by its name, or by what the schema says of it."""
    words = words_of_last(path)
    if words[-1:] in (("email",), ("emails",)) or words[-2:] == ("email", "address"):
        return True
    properties = declared.parameters.get("properties") if declared else None
    schema = properties.get(path.split("[", 1)[0]) if isinstance(properties, dict) else None
    return isinstance(schema, dict) and schema.get("format") == "email"


def resolver_of(rollout: Rollout, made: Call) -> str | None:
    """A lookup that gives addresses: declared, or called before."""
    known = [*rollout.tools, *(other.name for other in rollout.calls if other.position < made.position)]
    for name in known:
        words = set(words_of(name))
        about_people = bool(words & {"contact", "contacts", "directory"}) or {"email", "address"} <= words
        if about_people and words & _RESOLVES and rollout.mutation_of(name).kind == "read":
            return name
    return None


def _seen_before(rollout: Rollout, value: str, made: Call) -> bool:
    return any(place.position < made.position for place in sources_of(rollout).places(value))


def _composed(rollout: Rollout, address: str) -> bool:
    """Whether the words of an address's first part were asked for: then the person was meant, and the rest was made up."""
    parts = [part for part in re.split(r"[._+\-\d]+", address.partition("@")[0].lower()) if len(part) > 2]
    asked = rollout.lowered_prompt
    return bool(parts) and any(part in asked for part in parts)
