"""The claims that a report cites, as the table that lists them."""

from collections.abc import Iterable, Mapping
from typing import Any

from blade.reports.wording import inside, name, number, table


def claim_table(numbered: Iterable[tuple[int, Mapping[str, Any]]]) -> str:
    """Each claim with the number that it is cited by."""
    rows = [
        (
            f"c{position}",
            name(claim["id"]),
            inside(str(claim["text"]).replace("`", ""), 200),
            inside(_value(claim["value"])),
            name(claim.get("estimator") or "query"),
        )
        for position, claim in numbered
    ]
    return table(("", "claim", "what it says", "value", "computed by"), rows)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, bool | str) else number(value, 4)
