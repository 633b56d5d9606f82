"""The child process behind `prepare`: loads one prepare script, calls it, and writes what came of it to a file.

An error that a user can act on becomes a sentence in that file; anything else keeps its traceback on the terminal.
"""

import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from blade.errors import BladeError, UsageError


def main(script: str, arguments: str, answer: str) -> int:
    """Exit code 0 if the script returned a path."""
    try:
        returned = call(load(Path(script)), json.loads(arguments))
    except BladeError as error:
        return _tell(answer, {"error": str(error)})
    except Exception as error:  # noqa: BLE001 - a script may raise anything, and its traceback is for its author
        traceback.print_exc()
        return _tell(answer, {"error": f"the script raised {type(error).__name__}: {error}; its traceback is above"})
    _tell(answer, {"returned": str(returned.absolute())})
    return 0


def load(script: Path) -> Callable[..., Any]:
    """The function `prepare` of a script, which may import what stands beside it."""
    sys.path.append(str(script.parent))
    spec = importlib.util.spec_from_file_location(f"prepare_{script.parent.name}", script)
    if spec is None or spec.loader is None:
        raise UsageError("this is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    function: Callable[..., Any] | None = getattr(module, "prepare", None)
    if function is None:
        raise UsageError("the script has no function prepare()")
    return function


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Path:
    """The path that it returns; an argument that it does not take is named, with the nearest one that it does."""
    parameters = inspect.signature(function).parameters.values()
    takes = [each.name for each in parameters if each.kind is not each.VAR_KEYWORD]
    takes_any = len(takes) < len(parameters)
    for name in arguments:
        if name not in takes and not takes_any:
            close = get_close_matches(name, takes, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(takes) or 'none'}"
            raise UsageError(f"prepare() has no argument {name!r}", hint=hint)
    returned = function(**arguments)
    if not isinstance(returned, str | Path):
        raise UsageError(f"prepare() must return the path of the file it wrote, not {type(returned).__name__}")
    return Path(returned)


def _tell(answer: str, content: dict[str, str]) -> int:
    Path(answer).write_text(json.dumps(content), encoding="utf-8")
    return 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
