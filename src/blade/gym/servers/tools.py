"""Tools: methods of a resources server that the model may call.

`@tool` marks the method; its annotations say which arguments there are (checked before the method runs) and, with its docstring, how
it is described to the model. The first two parameters are the server and the session's state and are not shown.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

Method = TypeVar("Method", bound=Callable[..., Any])
MOST_FAULTS, LONGEST_NAME = 10, 80
RESERVED = ("verify", "seed_session", "aggregate_metrics", "reverify_mode", "reset", "step", "mcp", "read_skill")


class InvalidArguments(Exception):
    """Arguments that a tool does not take, in words for the model."""


def tool(method: Method) -> Method:
    """Mark a method as a tool."""
    if method.__name__ in RESERVED:
        raise TypeError(f"a tool cannot be called {method.__name__!r}: the server itself answers there")
    method.__blade_tool__ = True  # type: ignore[attr-defined]
    return method


def tools_of(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """The tools of a server's class by name, in the order in which they are written, parents first."""
    return {
        name: value
        for parent in reversed(cls.__mro__)
        for name, value in vars(parent).items()
        if getattr(value, "__blade_tool__", False)
    }


@cache
def arguments_of(method: Callable[..., Any]) -> type[BaseModel]:
    """The arguments of a tool as a model that checks them; what the method does not name is refused."""
    hints = get_type_hints(method, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(method).parameters.items())[2:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (_described(hints.get(name, Any)), default)
    return create_model(method.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def checked(method: Callable[..., Any], arguments: Any) -> dict[str, Any]:
    """The arguments as the method takes them (numbers from digits, dates from text), or `InvalidArguments`."""
    if not isinstance(arguments, dict):
        raise InvalidArguments(f"invalid arguments: they must be an object, not {type(arguments).__name__}")
    try:
        model = arguments_of(method).model_validate(arguments)
    except ValidationError as error:
        faults = [f"{_short('.'.join(map(str, fault['loc']))) or 'arguments'}: {fault['msg']}" for fault in error.errors()]
        raise InvalidArguments("invalid arguments: " + "; ".join(faults[:MOST_FAULTS])) from None
    return {name: getattr(model, name) for name in type(model).model_fields}


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def tool_schemas(cls: type[Any]) -> list[dict[str, Any]]:
    """A server's tools in the form of the Responses API."""
    return [
        {
            "type": "function",
            "name": name,
            "description": inspect.cleandoc(method.__doc__ or ""),
            "parameters": _plain(arguments_of(method).model_json_schema()),
            "strict": False,
        }
        for name, method in tools_of(cls).items()
    ]


def _described(hint: Any) -> Any:
    """`Annotated[str, "what it is"]` as pydantic's own description."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *notes = get_args(hint)
    described = [Field(description=note) if isinstance(note, str) else note for note in notes]
    return Annotated[(kind, *described)]


def _plain(schema: Any) -> Any:
    """Without the titles that only repeat the names."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _plain(inner) for key, inner in value.items()} if name == "properties" else _plain(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str))
    }
