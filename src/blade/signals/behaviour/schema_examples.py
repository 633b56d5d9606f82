"""The example of a tool's description, passed on as if it were a value (BI), or expected as if it were one (DA).

A schema that says `the day, e.g. 2026-12-01` shows what a day looks like. Where a state-changing call has that very day, and nothing that
was asked or seen names it, nobody chose it. An expected id like CL-00000000 that a schema shows was left by whoever filled in the gold; a schema
may show the id of a real record too, which somebody may have failed to find, so only numbers that count nothing are held against the gold.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.calls.arguments import MAX_DEPTH, leaves
from blade.signals.calls.tools import Tool
from blade.signals.example import Example, call, tool
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import day_of, plain_day
from blade.signals.texts.origins import sources_of
from blade.signals.texts.values import dates_in

MIN_VALUE: Final = 4
"""Characters of a value from which on giving it by chance is unlikely."""
MOST_WORDS: Final = 4
"""Words behind the one that announces an example, of which one may be it."""
_LISTED: Final = ("examples", "example")
_LEADS: Final = re.compile(r"(?:\be\.?\s?g\.?,?|\bfor example,?|\bsuch as|\blike|\bexample:?)\s+(\S[^\n]{0,80})", re.IGNORECASE)
_INDEX: Final = re.compile(r"\[\d+\]")


@signal(
    "schema_example_used",
    label="BI",
    needs=("call",),
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
        examples = _examples(declared)
        for path, value in made.leaves if examples else ():
            said = str(value).strip()
            shown = examples.get(_INDEX.sub("", path), frozenset())
            if isinstance(value, bool) or len(said) < MIN_VALUE or said.lower() not in shown:
                continue
            if not sources_of(rollout).places(value) and not _said_in_words(rollout, value):
                detail = f"{made.name}: {said} is the example in the tool's own description; nothing asked or seen names it"
                yield Evidence(made.step, f"{path}={value}", detail, argument_subject(made.name, path))


@signal(
    "gold_is_example",
    label="DA",
    needs=("expected_call", "one_turn"),
    meaning="an argument of an expected call is the made-up id that a tool's description shows as an example, and no answer knows it",
    causal=False,
    example=Example(
        (call("close_claim", "ok", claim_ref="CL-84995183"),),
        asked="Please close the claim CL-84995183.",
        tools=(tool("close_claim", claim_ref={"type": "string", "description": "Its reference, e.g. CL-00000000"}),),
        fields={"expected_calls": [{"name": "close_claim", "arguments": {"claim_ref": "CL-00000000"}}]},
    ),
)
def gold_is_example(rollout: Rollout) -> Iterator[Evidence]:
    for expected in rollout.expectation.calls if rollout.expectation is not None and not rollout.has_dialogue else ():
        for path, value in leaves(expected.arguments):
            if not isinstance(value, str) or not counts_nothing(value) or sources_of(rollout).places(value):
                continue
            shown = next((name for name, declared in rollout.tools.items() if _shows(declared, value)), None)
            if shown is not None and not any(value == given for made in rollout.own_calls for _, given in made.leaves):
                subject = argument_subject(expected.name, path)
                yield Evidence(
                    None, f"{path} = {value}", f"the example in the description of {shown}, which no answer knows", subject
                )
                return


def counts_nothing(value: str) -> bool:
    """Whether a value is an id whose digits are one and the same, or those of counting: CL-00000000, ORD-12345."""
    digits = "".join(filter(str.isdigit, value))
    if len(digits) < MIN_VALUE or len(value.split()) > 1:
        return False
    return len(set(digits)) == 1 or digits in ("0123456789"[: len(digits)], "1234567890"[: len(digits)])


def _shows(declared: Tool, value: str) -> bool:
    return any(value.lower() in values for values in _examples(declared).values())


def _said_in_words(rollout: Rollout, value: Any) -> bool:
    """Whether somebody names a day in words, as people do."""
    day = day_of(plain_day(rollout, value))
    said = [rollout.prompt_text, *(item.text for item in rollout.output if item.role == "user")]
    return day is not None and any((month, number) == day for text in said for _, month, number in dates_in(text))


@lru_cache(maxsize=512)
def _examples(declared: Tool) -> dict[str, frozenset[str]]:
    """By argument: the values that its own description gives as examples, in small letters, and that are not those that it may have."""
    found: dict[str, frozenset[str]] = {}
    for path, schema in _schemas(declared.parameters, "", 0):
        given = [schema[name] for name in _LISTED if name in schema]
        listed = {str(one).lower() for value in given for one in (value if isinstance(value, list) else [value])}
        told = schema.get("description")
        for lead in _LEADS.finditer(told) if isinstance(told, str) else ():
            listed |= {
                value.strip("\"'`.,;:()").lower() for value in lead[1].split()[:MOST_WORDS] if any(map(str.isdigit, value))
            }
        choices = schema.get("enum")
        allowed = {str(one).lower() for one in choices} if isinstance(choices, list) else set()
        allowed |= {str(schema[name]).lower() for name in ("const", "default") if name in schema}
        found[path] = frozenset(listed - allowed) | found.get(path, frozenset())
    return {path: values for path, values in found.items() if values}


def _schemas(schema: Any, path: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of single arguments with their paths, however deep, those of the entries of lists too; not the outermost one, of all of them."""
    properties = schema.get("properties") if isinstance(schema, dict) and depth <= MAX_DEPTH else None
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        place = f"{path}.{name}" if path else str(name)
        for one in (inner, inner.get("items")) if isinstance(inner, dict) else ():
            if isinstance(one, dict):
                yield place, one
                yield from _schemas(one, place, depth + 1)
