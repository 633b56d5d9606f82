"""Whose doing a failure was, as the row itself says: a judge that goes through the turns one by one, or labels of the failure.

Whoever made the row may have judged the simulated user and the simulated tools as well as the assistant. The first turn that was found wrong is the one that
tells; labels tell where they name one party alone. A sample that is masked is one whose score its maker does not mean to count.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.runs.steps import Step
from blade.signals.example import Example, call, says, user
from blade.signals.repeats import once_for_names
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.checks import said_of, verdict

USER, ENVIRONMENT, AGENT = "the simulated user", "the environment", "the assistant"
_PARTIES: Final = {
    **dict.fromkeys(["user", "customer", "simulator", "user_simulator", "simulated_user", "user_simulation"], USER),
    **dict.fromkeys(["environment", "env", "tool", "tools", "tool_simulator", "infrastructure", "infra", "sandbox", "harness"], ENVIRONMENT),
    **dict.fromkeys(["agent", "assistant", "model", "policy_model", "representative"], AGENT),
}  # fmt: skip
_SOURCES: Final = ("source", "role", "party", "speaker", "actor", "author", "turn_of")
_JUDGED: Final = ("reward", "score", "passed", "correct", "verdict", "ok", "valid")
_LABELS: Final = re.compile(r"^(?:failure|fault|blame)_?(?:labels?|sources?|attributions?|part(?:y|ies)|owners?)$")
"""Names of fields that say whose the failure was; where an error came up (`error_source`) is another matter."""
_REASONS: Final = (
    "explanation", "explanations", "reason", "reasons", "justification", "rationale", "feedback", "critique", "comment", "why", "evidence", "note", "notes",
    "remark",
)  # fmt: skip
"""Names under which a judge says why; a turn's own words stand under others."""
_SUFFIX: Final = re.compile(r"[ _-](?:failure|failures|error|errors|fault|mistake|issue|problem)$", re.IGNORECASE)
MAX_DEPTH: Final = 3
MIN_TURNS: Final = 2
MAX_TURNS: Final = 2_000


class Blamed(NamedTuple):
    party: str
    field: str
    step: int | None
    said: str


@signal(
    "environment_blamed",
    label="IR",
    meaning="the row's own judge of the turns, or its failure labels, lay the failure on the simulated user or the environment",
    causal=False,
    example=Example(
        (says("Which event?"), user("###STOP###")),
        fields={
            "turn_results": [
                {"source": "user", "reward": 1, "explanation": ""},
                {"source": "agent", "reward": None, "explanation": ""},
                {"source": "user", "reward": 0, "explanation": "The customer left before the booking was made."},
            ]
        },
    ),
)
def environment_blamed(rollout: Rollout) -> Iterator[Evidence]:
    blamed = blamed_in(rollout)
    if blamed is not None and blamed.party != AGENT:
        yield Evidence(blamed.step, blamed.said, f"{blamed.field} lays it on {blamed.party}", blamed.party)


@signal(
    "agent_blamed",
    label="BI",
    meaning="the row's own judge of the turns, or its failure labels, lay the failure on the assistant; its reason is quoted",
    causal=False,
    example=Example(
        (call("log_in", "ok", code="send_code"),),
        fields={
            "turn_results": [
                {"source": "user", "reward": 1, "explanation": ""},
                {"source": "agent", "reward": 0, "explanation": "No code was given yet."},
            ]
        },
    ),
)
def agent_blamed(rollout: Rollout) -> Iterator[Evidence]:
    blamed = blamed_in(rollout)
    if blamed is not None and blamed.party == AGENT:
        yield Evidence(blamed.step, blamed.said, f"{blamed.field} lays it on {blamed.party}", blamed.party)


@signal(
    "sample_masked",
    label="TI",
    meaning="the row says that this sample is masked, so that its score is not to be counted",
    causal=False,
    example=Example((says("Done."),), fields={"mask_sample": True}),
)
def sample_masked(rollout: Rollout) -> Iterator[Evidence]:
    masked = rollout.fields.get("mask_sample") is True
    inside = (name for name, held in rollout.fields.items() if isinstance(held, dict) and held.get("mask_sample") is True)
    place = "" if masked else next(inside, None)
    if place is not None:
        field = f"{place}.mask_sample" if place else "mask_sample"
        yield Evidence(None, f"{field} = true", "the row's own field", field)


@once_for_each
def blamed_in(rollout: Rollout) -> Blamed | None:
    """Whom the row blames: the first turn that its judge found wrong, else the one party that its labels name."""
    for path, turns in _turn_lists(rollout.fields):
        number = next((place for place, turn in enumerate(turns) if _party_of(turn) is not None and _judged(turn) is False), None)
        if number is not None and (party := _party_of(turns[number])) is not None and _was_judged(turns, number):
            said = said_of(turns[number]) or f"{path}[{number}]"
            return Blamed(party, f"{path}[{number}]", _step(rollout, turns, number), said)
    for name in _labels_among(rollout.fields):
        value = rollout.fields[name]
        told = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        parties = {_party(label) for label in told if isinstance(label, str) and label.strip()}
        if len(parties) == 1 and (party := next(iter(parties))) is not None:
            return Blamed(party, name, None, f"{name} = {', '.join(map(str, told))}")
    return None


@once_for_names
def _labels_among(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if _LABELS.match(name))


def _are_turns(held: list[Any]) -> bool:
    """Whether a list holds judged turns of several parties."""
    if not MIN_TURNS <= len(held) <= MAX_TURNS or not all(isinstance(turn, dict) for turn in held):
        return False
    return len({_party_of(turn) for turn in held} - {None}) > 1 and any(_judged(turn) is not None for turn in held)


def _was_judged(turns: list[dict[str, Any]], number: int) -> bool:
    """Whether somebody judged the first turn that failed: with words, or so that it stands out among turns that were found good.

    Logs of training give each turn a reward that is 0 but for the last one.
    """
    told = [turns[number].get(name) for name in _REASONS]
    if any(isinstance(text, str) and text.strip() for value in told for text in (value if isinstance(value, list) else [value])):
        return True
    verdicts = [_judged(turn) for turn in turns]
    return True in verdicts[:number] or verdicts.count(True) > verdicts.count(False)


def _turn_lists(value: dict[str, Any], path: str = "", depth: int = 0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Lists whose entries are all turns of a party, with a judgement of some of them."""
    for name, held in value.items():
        if isinstance(held, dict) and depth < MAX_DEPTH:
            yield from _turn_lists(held, f"{path}.{name}" if path else name, depth + 1)
        elif isinstance(held, list) and _are_turns(held):
            yield f"{path}.{name}" if path else name, held


def _party_of(turn: dict[str, Any]) -> str | None:
    return next((_party(turn[name]) for name in _SOURCES if isinstance(turn.get(name), str)), None)


def _party(text: str) -> str | None:
    return _PARTIES.get(_SUFFIX.sub("", text.strip()).lower().replace(" ", "_").replace("-", "_"))


def _judged(turn: dict[str, Any]) -> bool | None:
    read = next((verdict(turn[name]) for name in _JUDGED if turn.get(name) is not None), None)
    return None if read is None else read[1]


def _step(rollout: Rollout, turns: list[dict[str, Any]], number: int) -> int | None:
    """The step of a turn, where the conversation is the judge's turn by turn as far as it goes; thoughts are no turns."""
    asked = [item for item in rollout.prompt if item.role in ("user", "assistant")]
    items = [*asked, *(item for item in rollout.output if item.kind != "reasoning")]
    if number >= len(items) or any(_party_of(turn) != _speaker(item) for turn, item in zip(turns, items, strict=False)):
        return None
    return items[number].step


def _speaker(item: Step) -> str:
    return ENVIRONMENT if item.kind == "tool_output" else USER if item.role == "user" else AGENT
