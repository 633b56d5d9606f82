"""Settings from the command line: `+key=value`, `++key=value`, `key=value` and `~key`.

`+` and `++` both set a key whether or not it is there. (Under Hydra `+` refuses a key that is there, but the reference hands
Hydra an empty configuration and reads its files later, so there `+policy_model_name=…` wins over the files; every flag relies on
it.) A bare `key=value` promises that the key is known, which catches spelling mistakes. Mappings are merged, lists replaced.

Overrides are laid over the files before `_inherit_from` and its kin are followed, so a value given for a source reaches whoever
inherits from it. Only what cannot be said yet then (an item of an inherited list, the removal of an inherited key) waits.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from blade.errors import UsageError
from blade.gym.config.documents import Text
from blade.gym.config.merge import deep_merge, exists, reach, split_path, step
from blade.gym.config.override_values import DEEPEST, NotAValue, format_value, parse_value
from blade.gym.config.problems import Place

COMMAND_LINE = Place("command line")
_KEY = re.compile(r"[^\s=.\[\]]+(?:\.[^\s=.\[\]]+|\[\d+\])*")
Action = Literal["set", "replace", "delete"]


@dataclass(frozen=True)
class Override:
    """One token of the command line. `replace` wants the key to be known already."""

    action: Action
    key: str
    value: Any = None

    @property
    def parts(self) -> tuple[str, ...]:
        return split_path(self.key)


def parse_override(token: str) -> Override:
    """A token as what it asks for; a UsageError says what is wrong, without repeating the value (it may be a secret)."""
    if token.startswith("~"):
        key, _, _ = token[1:].partition("=")
        return Override("delete", _checked_key(key))
    marks = len(token) - len(token.lstrip("+"))
    key, equals, text = token[marks:].partition("=")
    if not equals:
        raise UsageError(f"{token!r} is not of the form key=value", hint="write +key=value, or --help for the flags")
    if marks > 2:
        raise UsageError(f"{'+' * marks}{key} begins with too many plus signs", hint=f"write ++{key}=…")
    try:
        value = _on_command_line(parse_value(text))
    except NotAValue as error:
        raise UsageError(
            f"the value of {key} cannot be read: {error}", hint="put a text with brackets or quotes into quotes"
        ) from None
    return Override("set" if marks else "replace", _checked_key(key), value)


def format_override(key: str, value: Any) -> str:
    """The token that sets a key: what a flag is turned into."""
    return f"+{key}={format_value(value)}"


def _checked_key(key: str) -> str:
    if not _KEY.fullmatch(key) or len(split_path(key)) > DEEPEST:
        raise UsageError(f"{key!r} is not a key", hint="keys are words joined by dots, as in agent.max_steps")
    return key


def _on_command_line(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _on_command_line(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_on_command_line(inner) for inner in value]
    return Text(value, COMMAND_LINE) if isinstance(value, str) else value


def apply_overrides(tree: dict[str, Any], overrides: Sequence[Override]) -> list[Override]:
    """Change the tree in place; what its present shape does not allow yet is returned."""
    waiting = []
    for override in overrides:
        if override.action == "delete":
            if exists(tree, override.parts):
                delete(tree, override.parts)
            else:
                waiting.append(override)
        elif not _set(tree, override.parts, override.value):
            waiting.append(override)
    return waiting


def delete(tree: Any, parts: tuple[str, ...]) -> None:
    holder = reach(tree, parts[:-1])
    del holder[int(parts[-1]) if isinstance(holder, list) else parts[-1]]


def _set(tree: dict[str, Any], parts: tuple[str, ...], value: Any) -> bool:
    """Lay the value at the path, making mappings on the way; False where the way leads through something that is no mapping (yet)."""
    holder: Any = tree
    for position, part in enumerate(parts[:-1]):
        try:
            inner = step(holder, part)
        except KeyError:
            inner = None
        if inner is None and isinstance(holder, dict) and not parts[position + 1].isdecimal():
            inner = holder[part] = {}
        if not isinstance(inner, dict | list):
            return False
        holder = inner
    last = parts[-1]
    if isinstance(holder, list):
        if not last.isdecimal() or int(last) >= len(holder):
            return False
        holder[int(last)] = deep_merge(holder[int(last)], value)
    else:
        holder[last] = deep_merge(holder.get(last), value)
    return True
