"""DA: the task itself is broken. What one row can show of it: no question, the answer inside the question (a placeholder for gold:
`placeholder_gold`; gold against its options: `choices`; what is wrong with the request: `prompts`).

Duplicates and one prompt under two tasks need more than one row and belong to the diagnosis.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from blade.runs.definition import BOOKKEEPING
from blade.signals.calls.mutation import plain_name
from blade.signals.example import Example, says
from blade.signals.layout.paths import opened, value_at
from blade.signals.layout.shape import written
from blade.signals.options import USUAL, Options
from blade.signals.repeats import once_for_names
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.expectation import are_calls, written_call
from blade.signals.wanted.references import last_words

ANSWER_FIELDS: Final = (
    "expected_answer",
    "gold_answer",
    "golden_answer",
    "reference_answer",
    "gold",
    "target",
    "expected_output",
    "expected_result",
    "ground_truth",
)
_GOLD_ANYWHERE: Final = re.compile(
    r"(?:expected|expectation|gold|golden|reference|correct|ideal|true|right|target|oracle|desired|wanted|ground_truth|labels?)_(?:final_)?answer$"
    r"|(?:expected|expectation|gold|golden|oracle|desired|wanted)_(?:reply|response|completion)$"
    r"|ideal(?:_(?:response|output|result|reply|completion))?$|ground_truth$|answer_key$"
)
"""Names that hold gold in whatever object of a row they stand."""
OF_CALLS: Final = re.compile(r"(?:^|_)(?:tools?|calls?|actions?|functions?|args?|arguments|kwargs|params|parameters)(?:_|$)")
"""Words in the name of a field that holds calls or a part of them, and no answer."""
ANSWER_INSIDE: Final = re.compile(
    r"^(?:final_)?(?:answer|reply|response|value|result|figure|number|text|output|choice|option|letter|label|solution|completion)$|^exact_match$",
    re.IGNORECASE,
)
"""Names of the answer in an object that holds what is expected."""
_ELSEWHERE: Final = BOOKKEEPING | frozenset(
    [
        "config", "instance_config", "agent_ref", "usage", "messages", "trajectory", "kwargs", "tools", "delegated_response", "judge_response",
        "judge_responses_create_params",
    ]
)  # fmt: skip
"""Objects that configure or book a rollout, or hold a conversation."""
MAX_DEPTH: Final = 3
MIN_LEAKED: Final = 3
"""Characters of an answer below which standing in the prompt is coincidence."""
MAX_LEAKED: Final = 400
_GENERIC: Final = frozenset([
    "true", "false", "yes", "no", "none", "null", "unknown", "maybe", "left", "right", "always", "never", "all", "both",
    "neither", "correct", "incorrect", "positive", "negative",
])  # fmt: skip
_CUE: Final = re.compile(
    r"(?:(?:correct|expected|gold(?:en)?|right|true|reference|final) (?:answer|output|result|label|solution)|answer key|ground[ _]truth|expected_answer|gold_answer)"
    r"""["'`*\s]{0,4}(?:is|:|=|->|→)["'`*\s\$(\\]{0,6}(?:boxed\{)?$""",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def gold_anywhere(name: str) -> bool:
    """Whether a name says gold in whatever object of a row it stands; the names come again with every row."""
    return _GOLD_ANYWHERE.match(plain_name(name)) is not None


@lru_cache(maxsize=4096)
def answer_inside(name: str) -> bool:
    """Whether a name means the answer, in an object that holds what is expected."""
    return ANSWER_INSIDE.match(plain_name(name)) is not None


def named_answers(fields: dict[str, Any], names: Iterable[str] = ANSWER_FIELDS) -> Iterator[tuple[str, Any]]:
    """The fields of an object that have one of these names, in whatever spelling, the first name first."""
    spelled = spellings(fields)
    return ((spelled[name], fields[spelled[name]]) for name in names if name in spelled)


@once_for_names
def spellings(names: tuple[str, ...]) -> dict[str, str]:
    """How an object spells its names, by the one spelling that they are known by; the first where it has several of one."""
    return {plain_name(name): name for name in reversed(names)}


@once_for_names
def gold_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those among the names of an object that say gold wherever they stand."""
    return tuple(filter(gold_anywhere, names))


def objects_in(fields: dict[str, Any], path: str = "", depth: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """The row and the objects in it, outermost first, each with what its fields' places begin with; one that is written down as text too, where it expects."""
    yield path, fields
    for name, value in fields.items() if depth < MAX_DEPTH else ():
        held = expecting(value) if isinstance(value, str) and value[:1] == "{" else value
        if isinstance(held, dict) and held and name not in _ELSEWHERE:
            yield from objects_in(held, f"{path}{name}.", depth + 1)


@once_for_each
def objects_of(rollout: Rollout) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The objects of a rollout's row (`objects_in`), looked for once however many ask."""
    return tuple(objects_in(rollout.fields))


def expecting(value: Any) -> dict[str, Any] | None:
    """The object in a text that holds what is to be done, and mostly what is to be answered; None for any other value.

    Other objects that are written down as text may be the answer themselves.
    """
    if not isinstance(value, str) or value[:1] != "{":
        return None
    found = opened(value)
    if not isinstance(found, dict):
        return None
    told = any(map(answer_inside, found))
    return (
        found
        if any(are_calls(held) or (told and of_calls(name) and _lists_calls(held)) for name, held in found.items())
        else None
    )


@lru_cache(maxsize=4096)
def of_calls(name: str) -> bool:
    """Whether a field of this name holds calls or a part of them."""
    return OF_CALLS.search(plain_name(name)) is not None


def _lists_calls(held: Any) -> bool:
    return isinstance(held, list) or (isinstance(held, str) and (not held or written_call(held.partition("\n")[0]) is not None))


@once_for_each
def gold_of(rollout: Rollout) -> tuple[tuple[str, str], ...]:
    """The expected answers of a rollout's row that are plain values, looked for once however many ask."""
    return tuple(_plain_gold(rollout.fields, objects_of(rollout), rollout.options))


def gold_answers(fields: dict[str, Any], options: Options = USUAL) -> Iterator[tuple[str, str]]:
    """The expected answers that are plain values: (field, text); those that were named or learned for the run where no name tells any."""
    return _plain_gold(fields, tuple(objects_in(fields)), options)


def _plain_gold(
    fields: dict[str, Any], objects: Iterable[tuple[str, dict[str, Any]]], options: Options
) -> Iterator[tuple[str, str]]:
    told = list(_by_name(fields, objects)) or list(last_words(fields))
    if not told:
        paths = (*(tuple(path.split(".")) for path in options.answer_fields), *(field.path for field in options.layout.expected))
        told = [(written(path), value) for path in paths if (value := value_at(fields, path)) is not None]
    for name, value in told:
        if isinstance(value, str) and value.strip():
            yield name, value.strip()
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, f"{value:g}" if isinstance(value, float) else str(value)


def _by_name(fields: dict[str, Any], objects: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, Any]]:
    elsewhere = (
        (f"{path}{name}", holder[name])
        for path, holder in objects
        for name in gold_named(holder)
        if path or plain_name(name) not in ANSWER_FIELDS
    )
    for name, value in (*named_answers(fields), *elsewhere):
        if (held := expecting(value)) is not None:
            yield from ((f"{name}.{key}", inner) for key, inner in held.items() if answer_inside(key) and inner not in (None, ""))
        elif (isinstance(value, str) and value.strip()) or (isinstance(value, int | float) and not isinstance(value, bool)):
            yield name, value


@signal(
    "empty_prompt",
    label="DA",
    meaning="the task asks nothing: the user's turn in the prompt has no text",
    causal=False,  # a user who speaks up later has asked something after all
    example=Example((says("How can I help?"),), asked=" "),
)
def empty_prompt(rollout: Rollout) -> Iterator[Evidence]:
    # Where the task lives in an environment or a harness, the row holds no turn of the user at all, and that is no fault.
    asked = [item for item in rollout.prompt if item.role == "user"]
    if asked and not any(item.text.strip() for item in asked) and not rollout.has_dialogue:
        yield Evidence(asked[-1].step, "the user's turn is empty", subject="prompt")


@signal(
    "gold_in_prompt",
    label="DA",
    meaning="the prompt states the expected answer as the answer",
    example=Example(
        (says("4711"),), asked="Which code opens the gate? (correct answer: 47110)", fields={"expected_answer": "47110"}
    ),
)
def gold_in_prompt(rollout: Rollout) -> Iterator[Evidence]:
    """An answer that merely occurs in the prompt is a span to be found, or one of the options; it must be called the answer there."""
    for name, gold in gold_of(rollout):
        if not MIN_LEAKED <= len(gold) <= MAX_LEAKED or gold not in rollout.prompt_text or gold.lower() in _GENERIC:
            continue
        for item in rollout.prompt:
            at = item.text.find(gold)
            while at >= 0:
                if _CUE.search(item.text[max(0, at - 60) : at]) and not item.text[at + len(gold) : at + len(gold) + 1].isalnum():
                    quote = item.text[max(0, at - 60) : at + len(gold)]
                    yield Evidence(item.step, quote, f"the row's {name}, called the answer in the prompt", name)
                    return
                at = item.text.find(gold, at + 1)
