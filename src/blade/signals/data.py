"""DA: the task itself is broken. What one row can show of it: no question, the answer inside the question, gold that contradicts itself.

Duplicates and one prompt under two tasks need more than one row and belong to the diagnosis.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.example import Example, says
from blade.signals.restated import restated
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

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
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTION: Final = re.compile(r"\(?([A-Z])\)?[.):]?$")


def gold_answers(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The expected answers that are plain values: (field, text)."""
    for name in ANSWER_FIELDS:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            yield name, value.strip()
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, f"{value:g}" if isinstance(value, float) else str(value)


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
    for name, gold in gold_answers(rollout.fields):
        if not MIN_LEAKED <= len(gold) <= MAX_LEAKED or gold.lower() in _GENERIC:
            continue
        for item in rollout.prompt:
            at = item.text.find(gold)
            while at >= 0:
                if _CUE.search(item.text[max(0, at - 60) : at]) and not item.text[at + len(gold) : at + len(gold) + 1].isalnum():
                    quote = item.text[max(0, at - 60) : at + len(gold)]
                    yield Evidence(item.step, quote, f"the row's {name}, called the answer in the prompt", name)
                    return
                at = item.text.find(gold, at + 1)


@signal(
    "contradictory_gold",
    label="DA",
    meaning="the row's own gold contradicts itself: an answer outside the options, or another option than its other fields name",
    example=Example((says("C"),), fields={"expected_answer": "E", "options": ["red", "green", "blue"]}),
)
def contradictory_gold(rollout: Rollout) -> Iterator[Evidence]:
    options = rollout.fields.get("options", rollout.fields.get("choices"))
    name = "expected_answer" if "expected_answer" in rollout.fields else "target"
    gold = rollout.fields.get(name)
    if not isinstance(gold, str) or not options:
        return
    letter = _OPTION.match(gold.strip())
    by_letter = _lettered(options)
    if by_letter and (told := _other_option(rollout, name, gold, by_letter)) is not None:
        yield Evidence(None, told, subject=name)
        return
    if letter is None:
        return
    if isinstance(options, dict):
        known = {str(key).strip().upper() for key in options}
        if all(len(key) == 1 for key in known) and letter[1] not in known:
            yield Evidence(None, f"expected {gold}, options {', '.join(sorted(known))}", subject=name)
    elif isinstance(options, list) and len(options) < 26:
        keys = [key for option in options if isinstance(option, dict) for key in option]
        if all(isinstance(option, str) for option in options) and ord(letter[1]) - ord("A") >= len(options):
            if gold.strip() not in options:
                yield Evidence(None, f"expected {gold}, {len(options)} options", subject=name)
        elif keys and all(len(key) == 1 for key in keys) and letter[1] not in {key.upper() for key in keys}:
            yield Evidence(None, f"expected {gold}, options {', '.join(keys)}", subject=name)


def _lettered(options: Any) -> dict[str, str]:
    """The options by their letters, folded for comparison; empty where they have another shape, or two are the same."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(options, dict):
        pairs = list(options.items())
    elif isinstance(options, list) and all(isinstance(option, str) for option in options):
        pairs = list(zip(LETTERS, options, strict=False))
    elif isinstance(options, list) and all(isinstance(option, dict) and len(option) == 1 for option in options):
        pairs = [pair for option in options for pair in option.items()]
    found = {str(key).strip().upper(): _folded(text) for key, text in pairs if isinstance(text, str)}
    whole = len(found) == len(pairs) == len(set(found.values())) and all(key in LETTERS and len(key) == 1 for key in found)
    return found if whole else {}


def _folded(text: str) -> str:
    return " ".join(text.split()).strip(" .").casefold()


def _other_option(rollout: Rollout, name: str, gold: str, options: dict[str, str]) -> str | None:
    """Another field of the row that names another option than the gold does, by its words, its letter or its number."""
    letter = _OPTION.match(gold.strip())
    mine = (
        letter[1]
        if letter and letter[1] in options
        else next((key for key, text in options.items() if text == _folded(gold)), "")
    )
    if not mine:
        return None
    keys = list(options)
    for field, value in restated(rollout):
        if field == name:
            continue
        if isinstance(value, int):
            # From 0 or from 1: only what fits neither count is another option.
            near = {keys[at] for at in (value, value - 1) if 0 <= at < len(keys)}
            if "ind" in field.lower() and near and mine not in near:
                return f"{name} is {gold}, {field} is {value}"
        elif isinstance(value, str):
            told = _OPTION.match(value.strip())
            named = next(
                (key for key, text in options.items() if text == _folded(value)), told[1] if told and told[1] in options else ""
            )
            if named and named != mine:
                return f"{name} is {gold} ({options[mine]}), {field} is {' '.join(value.split())[:80]}"
    return None
