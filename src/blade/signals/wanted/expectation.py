"""The calls that a task expects, found by their shape in a row's own fields: the one place that knows where they stand.

A call is an object that names a tool and its arguments, in any of the usual spellings (`name` with `arguments`, `kwargs`, `args` …;
`function` with both inside; arguments as an object or as JSON text), an object with one key (`{"book": {"seat": ["12A", "12B"]}}`,
where each argument lists the values that are right), a list of two (`["book", {"seat": "12A"}]`), or a text `book(seat="12A")`. Calls stand in lists, in lists of lists (turn by
turn), in turns or messages that list theirs, alone, or in JSON text.

A place whose name speaks of calls (`expected_calls`, the `actions` of a task) may be empty, and that says that nothing is to be done.
A place that could hold anything (`answers`, `target`) counts only where all it holds are calls. No expectation is another thing than an
empty one: without one, nothing can be missing or too much.
"""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import msgspec

from blade.signals.calls.arguments import canonical, paired
from blade.signals.calls.mutation import plain_name, words_of
from blade.signals.calls.sameness import normal
from blade.signals.texts.written_python import NO_PYTHON, expression
from blade.signals.wanted.counted_keys import numbered
from blade.signals.wanted.references import reference_calls

MAX_CALLS: Final = 200
MAX_KEYS: Final = 12
"""Keys of an entry beyond which it is no turn that lists its calls."""
MAX_TEXT: Final = 200_000
"""Characters of a text beyond which it is not tried as JSON or as a call."""
_CALL_PLACES: Final = frozenset([
    "expected_calls", "expected_actions", "expected_action", "expected_function_calls", "expected_function_call",
    "expected_tool_calls", "expected_tool_call", "ground_truth_calls", "ground_truth_actions", "ground_truth_tool_calls",
    "gold_calls", "gold_actions", "gold_tool_calls", "golden_actions", "reference_calls", "reference_actions",
    "reference_tool_calls", "target_calls", "target_actions", "target_tool_calls",
])  # fmt: skip
"""Names that speak of calls, whatever they hold."""
_OPEN_PLACES: Final = (
    "ground_truth", "answers", "expected_answers", "expected", "expected_answer", "gold", "gold_answer", "golden_answer", "target",
    "reference", "reference_answer", "possible_answer", "answer",
)  # fmt: skip
"""Names under which calls stand as well as other things."""
_TASK_PLACES: Final = (
    ("task", "actions"),
    ("task", "evaluation_criteria", "actions"),
    ("evaluation_criteria", "actions"),
    ("reward_info", "actions"),
    ("result", "reward_info", "actions"),
)
_HOLDERS: Final = (
    "verifier_metadata",
    "verifier",
    "metadata",
    "extra_info",
    "info",
    "task",
    "task_data",
    "sample",
    "reward_info",
)
"""Objects in which evaluations keep what the row does not hold at its top."""
_UNLIKE_CODE: Final = re.compile(r"(?=[\w.]*[-:/#])[A-Za-z_][\w.:/#-]{0,120}(?=\()")
"""The name of a tool that is no name in code: `desk-book`, `desk/book`, `desk:book`."""
NAMES: Final = ("name", "tool_name", "function_name", "func_name", "api_name", "tool", "function", "action")
_ARGUMENTS: Final = ("arguments", "kwargs", "args", "parameters", "params", "input", "action_input", "tool_input", "tool_args")
_OF_A_CALL: Final = frozenset(["function", "tool", "action", "call", "use", "invocation"])
"""Words of a key under which a call stands as an object."""


@dataclass(frozen=True, eq=False)
class ExpectedCall:
    """`compared` names the arguments that count, where the task says so; `accepted` has all the values that are right, where each argument lists them.

    Then `arguments` has the first of each. `by_user` marks what the other side of a dialogue is to do, with tools of its own, at the assistant's word.
    `free` are arguments of the tool that nobody compares. `entry` is what stands in the row where it names no arguments: all its other keys may be
    some (`settled`).
    """

    name: str
    arguments: dict[str, Any]
    compared: frozenset[str] | None = None
    accepted: dict[str, list[Any]] | None = None
    by_user: bool = False
    free: frozenset[str] = frozenset()
    entry: dict[str, Any] | None = None

    @cached_property
    def normal(self) -> Any:
        """Its arguments in the one spelling that they are compared in."""
        return normal(self.arguments)

    @cached_property
    def short(self) -> str:
        return f"{self.name}({canonical(self.arguments, None)})"


@dataclass(frozen=True, eq=False)
class Expectation:
    """`place` is the field it was found in. `instead_of_calls` says that a plain message is expected and no call at all."""

    place: str
    calls: tuple[ExpectedCall, ...]
    instead_of_calls: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(call.name for call in self.calls)


def find_expectation(fields: dict[str, Any], paths: Sequence[str] = (), learned: Expectation | None = None) -> Expectation | None:
    """The row's expected calls, from the first place that holds some: the given paths, then the usual ones; None where none does.

    What was learned of the run comes last, and before a place that says that nothing is expected: it knows better than an empty list.
    """
    for place, value, speaks_of_calls in _places(fields, paths):
        found = _expectation(place, value, speaks_of_calls)
        if found is not None:
            return found if found.calls or learned is None or not learned.calls else learned
    return learned


def with_free(found: Expectation | None, free: Sequence[tuple[str, ...]]) -> Expectation | None:
    """The expectation with the arguments (each with its tool) that nobody compares."""
    if found is None or not free:
        return found
    by_tool: dict[str, set[str]] = {}
    for tool, argument in free:
        by_tool.setdefault(tool, set()).add(argument)
    if not by_tool.keys() & found.names:
        return found
    calls = tuple(replace(call, free=frozenset(by_tool.get(call.name, ()))) for call in found.calls)
    return replace(found, calls=calls)


def _places(fields: dict[str, Any], paths: Sequence[str]) -> Iterator[tuple[str, Any, bool]]:
    """(place, what stands there, whether the place speaks of calls)."""
    for path in paths:
        yield path, _at(fields, path.split(".")), True
    spelled = {plain_name(name): name for name in fields}
    for name in sorted(_CALL_PLACES & spelled.keys()):
        yield spelled[name], fields[spelled[name]], True
    for keys in _TASK_PLACES:
        yield ".".join(keys), _at(fields, keys), True
    for name in _OPEN_PLACES:
        if name in spelled:
            yield spelled[name], fields[spelled[name]], name == "ground_truth" and isinstance(fields[spelled[name]], list)
    for holder in _HOLDERS:
        inner = fields.get(holder)
        for key, value in inner.items() if isinstance(inner, dict) else ():
            plain = plain_name(key)
            if plain in _CALL_PLACES or plain in _OPEN_PLACES:
                yield f"{holder}.{key}", value, plain in _CALL_PLACES
    for holder, inner in fields.items():
        for key, value in inner.items() if isinstance(inner, dict) and holder not in _HOLDERS else ():
            if plain_name(key) in _CALL_PLACES:  # a name that can mean nothing else, in whatever object it stands
                yield f"{holder}.{key}", value, True
    yield from ((place, calls, True) for place, calls in reference_calls(fields))


def _at(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _expectation(place: str, value: Any, speaks_of_calls: bool) -> Expectation | None:
    value = _decoded(value)
    if value is None or isinstance(value, bool | int | float):
        return None
    if isinstance(value, dict) and value.get("type") == "message":
        return Expectation(place, (), instead_of_calls=True) if speaks_of_calls else None
    entries = list(entries_of(_lines(value)))
    if not entries:  # an object whose `calls` are none says so as well
        return Expectation(place, ()) if isinstance(value, dict) or (speaks_of_calls and isinstance(value, list)) else None
    read = [_call(entry, bare=speaks_of_calls) for entry in entries[:MAX_CALLS]]
    calls = tuple(call for call in read if call is not None)
    if not calls or (len(calls) < len(read) and not speaks_of_calls):
        return None
    if not speaks_of_calls and isinstance(entries[0], str) and not (isinstance(value, list) and any(map(_by_keyword, entries))):
        return None  # f(2) is the answer to many a question
    return Expectation(place, calls)


def _lines(value: Any) -> Any:
    """A text that has a call on each of its lines as a list of them; everything else as it is."""
    lines = [line for line in value.splitlines() if line.strip()] if isinstance(value, str) and len(value) <= MAX_TEXT else ()
    return lines if len(lines) > 1 and all(written_call(line) is not None for line in lines) else value


def _by_keyword(entry: Any) -> bool:
    return isinstance(entry, str) and "=" in entry


def _decoded(value: Any) -> Any:
    """JSON text as what it stands for; any other text as it is."""
    if not isinstance(value, str) or len(value) > MAX_TEXT or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _with_nan(value)


def _with_nan(text: str) -> Any:
    """JSON as Python writes it, in which an empty cell of a table is NaN; any other text as it is."""
    if "NaN" not in text:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def entries_of(value: Any, depth: int = 0) -> Iterator[Any]:
    """The single calls in a list, in a list of lists, in a batch, or alone."""
    if isinstance(value, list) and _is_pair(value):
        yield {"name": value[0], "arguments": value[1]}
    elif isinstance(value, list):
        for inner in value if depth < 3 else ():
            yield from entries_of(inner, depth + 1)
    elif isinstance(value, dict) and depth < 4 and are_calls(listed := numbered(value)):
        yield from entries_of(listed, depth + 1)
    elif isinstance(value, dict) and depth < 4 and (batch := _batch(value, in_a_list=depth > 0)) is not None:
        yield from entries_of(batch, depth + 1)
    else:
        yield value


def _is_pair(value: list[Any]) -> bool:
    """A call as a list of two, the tool and its arguments: `["book", {"seat": "12A"}]`."""
    return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def are_calls(value: Any) -> bool:
    """Whether a list, or the text of one, is of calls that nobody could take for anything else."""
    entries = list(entries_of(value)) if isinstance(value, list) and value else []
    return bool(entries) and all(isinstance(one, dict) and _call(one, bare=False) is not None for one in entries[:MAX_CALLS])


def _batch(entry: dict[str, Any], in_a_list: bool) -> list[Any] | None:
    """The calls of an entry that is no call itself and lists some, as a turn or a message does: `{"role": "assistant", "tool_calls": […]}`."""
    if len(entry) > MAX_KEYS or _named(entry) is not None:
        return None
    lists = [held for held in entry.values() if isinstance(held, list) and held and all(isinstance(one, dict) for one in held)]
    if in_a_list and len(lists) == 1 and all(_call(one, bare=False) is not None for one in lists[0][:MAX_CALLS]):
        return lists[0]
    return entry["calls"] if isinstance(entry.get("calls"), list) else None


def _named(entry: dict[str, Any]) -> str | None:
    return next((entry[key] for key in NAMES if isinstance(entry.get(key), str) and entry[key]), None)


def _call(entry: Any, bare: bool) -> ExpectedCall | None:
    """One expected call; `bare` lets a name without arguments stand for one."""
    if isinstance(entry, str):
        return written_call(entry)
    if not isinstance(entry, dict):
        return None
    for key, held in entry.items() if len(entry) <= MAX_KEYS else ():
        if isinstance(held, dict) and _wraps(key):
            return _call(held, bare)
    name = _named(entry)
    if name is None:
        return _with_choices(entry) or (_under_its_name(entry) if bare else None)
    given = next((entry[key] for key in _ARGUMENTS if entry.get(key) is not None), None)
    if given is None and not bare and not any(key in entry for key in _ARGUMENTS):
        return None
    arguments = paired(_decoded(given)) if given is not None else {}
    if arguments == "":
        arguments = {}
    if not isinstance(arguments, dict) or _is_schema(arguments):
        return None
    compared = entry.get("compare_args")
    return ExpectedCall(
        name,
        arguments,
        frozenset(key for key in compared if isinstance(key, str)) if isinstance(compared, list) else None,
        by_user=entry.get("requestor") == "user",
        entry=entry if given is None and len(entry) > 1 else None,
    )


@lru_cache(maxsize=4096)
def _wraps(key: str) -> bool:
    """Whether a key says that the call stands under it, whichever way it is spelled: `function`, `tool_call`, `functionCall`, `toolUse`."""
    words = words_of(key)
    return _OF_A_CALL.issuperset(words) if len(words) > 1 else words in (("function",), ("action",), ("call",))


def _is_schema(arguments: dict[str, Any]) -> bool:
    """The parameters of a declared tool, which looks like a call of it."""
    return isinstance(arguments.get("properties"), dict) and arguments.get("type", "object") in ("object", "dict")


def _with_choices(entry: dict[str, Any]) -> ExpectedCall | None:
    if len(entry) != 1:
        return None
    name, arguments = next(iter(entry.items()))
    if not isinstance(arguments, dict) or not all(isinstance(value, list) for value in arguments.values()):
        return None
    return ExpectedCall(name, _first_of_each(arguments), accepted=arguments)


def _first_of_each(choices: dict[str, list[Any]]) -> dict[str, Any]:
    """The first value of each argument; an empty one only says that the argument may be left out."""
    return {
        name: _plain_choice(given[0])
        for name, values in choices.items()
        if (given := [one for one in values if one not in ("", None)])
    }


def _plain_choice(value: Any) -> Any:
    """A value that is right; the members of an object list theirs in turn."""
    of_lists = isinstance(value, dict) and bool(value) and all(isinstance(inner, list) for inner in value.values())
    return _first_of_each(value) if of_lists else value


def _under_its_name(entry: dict[str, Any]) -> ExpectedCall | None:
    """A call whose arguments stand under the name of its tool: `{"book": {"seat": "12A"}}`."""
    if len(entry) != 1:
        return None
    name, arguments = next(iter(entry.items()))
    return ExpectedCall(name, arguments) if isinstance(arguments, dict) and not _is_schema(arguments) else None


def written_call(text: str) -> ExpectedCall | None:
    """A call written as code, with plain values for arguments: `book(seat="12A")`; its name may be one that no code has (`desk-book`)."""
    if len(text) > MAX_TEXT or not text.rstrip().endswith(")"):
        return None
    named = _UNLIKE_CODE.match(text.strip())
    try:
        made = expression(text if named is None else f"_{text.strip()[named.end() :]}")
        if not isinstance(made, ast.Call) or any(keyword.arg is None for keyword in made.keywords):
            return None
        arguments = {f"arg{number}": ast.literal_eval(value) for number, value in enumerate(made.args)}
        arguments |= {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in made.keywords}
        return ExpectedCall(ast.unparse(made.func) if named is None else named[0], arguments)
    except NO_PYTHON:
        return None
