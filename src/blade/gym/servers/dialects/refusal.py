"""Requests that make no sense in their dialect, or none in ours; and the few checks that all dialects need."""

from collections.abc import Iterable, Mapping
from typing import Any


class Refused(ValueError):
    """A request that cannot be answered as it is; says which part and why."""


def object_at(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Refused(f"{where} must be an object")
    return value


def list_at(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Refused(f"{where} must be a list")
    return value


def text_at(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Refused(f"{where} must be a text")
    return value


def only_known(body: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse what would be left unsaid: keys that have a value and no meaning here."""
    unknown = sorted(key for key, value in body.items() if value is not None and key not in set(known))
    if unknown:
        raise Refused(f"{', '.join(unknown)} cannot be said in the Responses API")
