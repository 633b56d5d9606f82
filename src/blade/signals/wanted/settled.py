"""Expected calls held against the declared tools: what an entry leaves open, the schema of its tool settles.

An entry that names a tool and no arguments may have them as its other keys (`{"action": "book", "seat": "12A"}`); those are arguments that
the tool takes. Where an argument of the tool is called like a key that names tools (`name`), the tool is the one that is declared. Where each argument
lists the values that are right, and the tool takes a list, a list that holds no lists is the value itself.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from blade.signals.calls.tools import Tool
from blade.signals.wanted.expectation import NAMES, Expectation, ExpectedCall


def settled(found: Expectation | None, tools: Mapping[str, Tool]) -> Expectation | None:
    if found is None or not any(call.accepted or call.entry is not None for call in found.calls):
        return found
    return replace(found, calls=tuple(_settled(call, tools) for call in found.calls))


def _settled(call: ExpectedCall, tools: Mapping[str, Tool]) -> ExpectedCall:
    if call.entry is not None:
        key = next((key for key in NAMES if isinstance(call.entry.get(key), str) and call.entry[key] in tools), None)
        if key is None:
            return call
        takes = _properties(tools, call.entry[key])
        given = {name: value for name, value in call.entry.items() if name != key and name in takes}
        return replace(call, name=call.entry[key], arguments=given, entry=None)
    takes = _properties(tools, call.name)
    whole = {
        name: values
        for name, values in (call.accepted or {}).items()
        if values and _takes_list(takes.get(name)) and not any(isinstance(value, list) for value in values)
    }
    if not whole:
        return call
    return replace(
        call,
        arguments={**call.arguments, **whole},
        accepted={**(call.accepted or {}), **{name: [values] for name, values in whole.items()}},
    )


def _properties(tools: Mapping[str, Tool], name: str) -> dict[str, Any]:
    found = tools[name].parameters.get("properties") if name in tools else None
    return found if isinstance(found, dict) else {}


def _takes_list(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "array"
