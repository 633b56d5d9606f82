"""Values of claims: as JSON holds them, and whether two are the same within a tolerance."""

import math
from typing import Any


def json_value(value: Any) -> Any:
    """The same in JSON's types: what is not finite is null, as JSON has no word for it."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(name): json_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(inner) for inner in value]
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return json_value(value.tolist())
    return str(value)


def difference(claimed: Any, found: Any, tolerance: float, at: str = "value") -> str | None:
    """Where a claimed value and the one found first differ, in words; None where they agree.

    Numbers agree within `tolerance`, absolutely or relative to the one found; texts, truth values and nulls exactly.
    """
    claimed, found = json_value(claimed), json_value(found)
    if isinstance(claimed, dict) and isinstance(found, dict):
        if missing := sorted(claimed.keys() ^ found.keys()):
            return f"{at}: only one side has {missing[0]!r}"
        parts = (difference(claimed[name], found[name], tolerance, f"{at}.{name}") for name in found)
        return next((part for part in parts if part is not None), None)
    if isinstance(claimed, list) and isinstance(found, list):
        if len(claimed) != len(found):
            return f"{at}: {len(claimed)} entries claimed, {len(found)} found"
        parts = (
            difference(one, other, tolerance, f"{at}[{place}]")
            for place, (one, other) in enumerate(zip(claimed, found, strict=True))
        )
        return next((part for part in parts if part is not None), None)
    if _number(claimed) and _number(found):
        same = claimed == found or abs(claimed - found) <= tolerance * max(1.0, abs(found))
    else:
        same = type(claimed) is type(found) and claimed == found
    return None if same else f"{at}: {_shown(claimed)} claimed, {_shown(found)} found"


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool | None) else {None: "null", True: "true", False: "false"}[value]
    return text if len(text) <= 120 else text[:119] + "…"
