"""A row by the learned layout: where names found nothing, what stands where it was learned to stand."""

from typing import Any

from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import AS_IS, Field, Layout, written
from blade.signals.layout.texts import named_option

Found = tuple[str, Any]


def first_value(fields: dict[str, Any], places: tuple[Field, ...]) -> tuple[Field, Any] | None:
    """The first of the fields that holds anything."""
    for field in places:
        value = value_at(fields, field.path)
        if value is not None and value not in ("", []) and not isinstance(value, dict):
            return field, value
    return None


def learned_taken(fields: dict[str, Any], layout: Layout) -> Found | None:
    """What the verifier read, by the learned place; with None for a value where the place is there and empty."""
    found = first_value(fields, layout.extracted)
    if found is not None:
        return written(found[0].path), found[1]
    for field in layout.extracted:
        holder = value_at(fields, field.path[:-1]) if len(field.path) > 1 else fields
        if isinstance(holder, dict) and field.path[-1] in holder:
            return written(field.path), None
    return None


def learned_gold(fields: dict[str, Any], layout: Layout, options: dict[str, str] | None = None) -> Found | None:
    """The expected answer, as the letter of the option where it names one in another way."""
    found = first_value(fields, layout.expected)
    if found is None:
        return None
    field, value = found
    if field.names != AS_IS:
        letter = named_option(value, field.names, options or {})
        value = value if letter is None else letter
    return written(field.path), value
