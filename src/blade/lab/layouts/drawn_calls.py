"""The forms in which harnesses write down calls, expected or made: as their model's maker has them, as code, as lists side by side, as records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from blade.lab.layouts.facts import Made
from blade.lab.layouts.fields import text
from blade.lab.stage.script import Row

NAMED: Final = (("name", "arguments"), ("tool", "args"), ("function", "parameters"), ("tool_name", "tool_args"), ("action", "kwargs"), ("name", "input"), ("name", "args"), ("tool", "input"))  # fmt: skip
"""Under which names a call keeps its tool and what it is given."""
OF_MAKERS: Final = ("openai", "anthropic", "gemini", "langchain")
FORMS: Final = ("named", "named", "named_text", "as_text", "code", "code_lines", "keyed", "pairs", "side_by_side", "numbered", "turns", "messages", *OF_MAKERS)  # fmt: skip
RECORDS: Final = "records"
"""What is there when the work is done, in place of the calls that do it."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+|\d+")


def written(calls: Sequence[Made] | None, form: str, keys: tuple[str, str]) -> Any:
    """The calls in a form; None where they are not known."""
    if calls is None:
        return None
    name, given = keys
    match form:
        case "named":
            return [{name: tool, given: arguments} for tool, arguments in calls]
        case "named_text":
            return [{name: tool, given: text(arguments)} for tool, arguments in calls]
        case "as_text":
            return text([{name: tool, given: arguments} for tool, arguments in calls])
        case "code":
            return [_code(*one) for one in calls]
        case "code_lines":
            return "\n".join(_code(*one) for one in calls)
        case "keyed":
            return [{tool: arguments} for tool, arguments in calls]
        case "pairs":
            return [[tool, arguments] for tool, arguments in calls]
        case "side_by_side":
            return {"names": [tool for tool, _ in calls], given: [arguments for _, arguments in calls]}
        case "numbered":
            return {f"step_{number}": {name: tool, given: arguments} for number, (tool, arguments) in enumerate(calls, 1)}
        case "turns":
            return [[{name: tool, given: arguments}] for tool, arguments in calls]
        case "messages":
            return [
                {"role": "assistant", "content": None, "tool_calls": [_of_maker(*one, "openai", at)]}
                for at, one in enumerate(calls)
            ]
        case "records":
            return [_record(*one) for one in calls]
    return [_of_maker(*one, form, at) for at, one in enumerate(calls)]


def _code(tool: str, given: Row) -> str:
    return f"{tool}({', '.join(f'{key}={value!r}' for key, value in given.items())})"


def _of_maker(tool: str, given: Row, maker: str, at: int) -> Row:
    match maker:
        case "openai":
            return {"id": f"call_{at}", "type": "function", "function": {"name": tool, "arguments": text(given)}}
        case "anthropic":
            return {"type": "tool_use", "id": f"toolu_{at:02d}", "name": tool, "input": given}
        case "gemini":
            return {"functionCall": {"name": tool, "args": given}}
    return {"name": tool, "args": given, "id": f"call_{at}", "type": "tool_call"}


def _record(tool: str, given: Row) -> Row:
    """What a call leaves behind, under the words of its tool."""
    words = [word.lower() for word in _WORD.findall(tool)]
    return {"entity": words[-2] if len(words) > 1 else words[0], "event": words[-1], "values": given}
