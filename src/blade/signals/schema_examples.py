"""BI: the example of a tool's description, passed on as if it were a value.

A schema that says `the day, e.g. 2026-12-01` shows what a day looks like. Where a state-changing call has that very day, and nothing that
was asked or seen names it, nobody chose it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.arguments import MAX_DEPTH
from blade.signals.days import day_of
from blade.signals.example import Example, call, tool
from blade.signals.origins import sources_of, whole_word
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.tools import Tool
from blade.signals.values import dates_in

MIN_VALUE: Final = 4
"""Characters from which on a value in a description is an example, and no limit or unit."""
_LISTED: Final = ("examples", "example")


@signal(
    "schema_example_used",
    label="BI",
    meaning="an argument of a state-changing call is the example that the tool's own description gives, and nothing that was asked or seen names it",
    example=Example(
        (call("book_trial", "saved", day="2026-12-01"),),
        asked="Please book a trial lesson for Saturday, 26 September.",
        tools=(tool("book_trial", day={"type": "string", "description": "The day, e.g. 2026-12-01"}),),
    ),
)
def schema_example_used(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.own_calls:
        declared = rollout.tools.get(made.name)
        if not made.changes or not made.arguments or declared is None:
            continue
        texts, listed = _examples(declared)
        for path, value in made.leaves if texts or listed else ():
            said = str(value).strip()
            if len(said) < MIN_VALUE or isinstance(value, bool) or not (said in listed or _in_words(said, texts)):
                continue
            if not sources_of(rollout).places(value) and not _said_in_words(rollout, value):
                detail = f"{made.name}: {said} is the example in the tool's own description; nothing asked or seen names it"
                yield Evidence(made.step, f"{path}={value}", detail, argument_subject(made.name, path))


def _said_in_words(rollout: Rollout, value: Any) -> bool:
    """Whether somebody names a day in words, as people do."""
    day = day_of(value)
    said = [rollout.prompt_text, *(item.text for item in rollout.output if item.role == "user")]
    return day is not None and any((month, number) == day for text in said for _, month, number in dates_in(text))


def _in_words(value: str, texts: tuple[str, ...]) -> bool:
    return any(map(str.isdigit, value)) and any(whole_word(value.lower(), text) for text in texts)


@lru_cache(maxsize=512)
def _examples(declared: Tool) -> tuple[tuple[str, ...], frozenset[str]]:
    """What describes the arguments of a tool, in small letters, and the values that are listed as examples; not what is listed as allowed."""
    texts, listed, allowed = [declared.description], set[str](), set[str]()
    for schema in _schemas(declared.parameters, 0):
        texts += [text for name in ("description", "title") if isinstance(text := schema.get(name), str)]
        for name in _LISTED:
            given = schema.get(name)
            listed |= set(map(str, given)) if isinstance(given, list) else {str(given)} if given is not None else set()
        allowed |= {str(schema[name]) for name in ("const", "default") if name in schema}
        allowed |= set(map(str, schema["enum"])) if isinstance(schema.get("enum"), list) else set()
    return tuple(text.lower() for text in texts if any(map(str.isdigit, text))), frozenset(listed - allowed)


def _schemas(schema: Any, depth: int) -> Iterator[dict[str, Any]]:
    """The schemas of single arguments, however deep; not the outermost one, of all of them."""
    properties = schema.get("properties") if isinstance(schema, dict) and depth <= MAX_DEPTH else None
    for inner in properties.values() if isinstance(properties, dict) else ():
        if isinstance(inner, dict):
            yield inner
            yield from _schemas(inner, depth + 1)
            yield from _schemas(inner.get("items"), depth + 1)
