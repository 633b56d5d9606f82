"""TI: the simulated user kept back what its instructions have and the work cannot be done without.

Its instructions name a record (`You are ann_lee_12`) that an expected call is about, the assistant asks for it by its name (`your user ID`), and the
user answers that it does not have it. Where nobody tells the value to the end, the call could not be made. An assistant that asks for something
else (the reservation, where the profile would have led there) has not asked for it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from blade.runs.steps import Step
from blade.sentences import tail
from blade.signals.calls.arguments import leaves
from blade.signals.calls.mutation import words_of_last
from blade.signals.example import Example, says, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import whole_word
from blade.signals.texts.schemes import RECORD
from blade.signals.wanted.comparison import MADE, comparison_of
from blade.signals.wanted.scenario import scenario_of

READ: Final = 4_000
"""Characters of a message that are read."""
MIN_VALUE: Final = 5
_HAS_NOT: Final = re.compile(
    r"(?i)\b(?:(?:do not|don['’]t|did not|didn['’]t) (?:actually |really |currently |even )?(?:have|know|remember|recall|keep)"
    r"|(?:cannot|can['’]t|can not|couldn['’]t) (?:seem to )?(?:find|remember|recall|access|locate|provide)|(?:have )?forgot(?:ten)?|(?:have )?lost"
    r"|(?:am|['’]m) not (?:sure|certain) (?:of|about|what))\b"
)
_SUCH: Final = re.compile(
    r"(?i)\b(?:that|this|those|these|any of)\b[^.!?]{0,20}\b(?:information|info|details?|numbers?|ids?)\b|\beither\b|\bthem\b"
)
"""Words for what was asked for, with no name of it."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ASKS: Final = re.compile(r"(?i)\?|\b(?:please|need|require|provide)\b")


@signal(
    "user_withheld",
    label="TI",
    needs=("dialogue", "departure"),
    meaning="the simulated user said that it does not have what its instructions name, what was asked for and what an expected call cannot be made without",
    causal=False,
    example=Example(
        (says("Could you give me your user ID?"), user("I don't have my user ID with me, sorry."), says("Then I cannot help you.")),
        fields={
            "instruction": "You are ann_lee_12. You want a voucher for your late flight and take whatever is offered.",
            "expected_calls": [{"name": "send_voucher", "arguments": {"user_id": "ann_lee_12", "amount": 50}}],
        },
    ),
)  # fmt: skip
def user_withheld(rollout: Rollout) -> Iterator[Evidence]:
    script = scenario_of(rollout) if rollout.has_dialogue else ""
    compared = comparison_of(rollout) if script else None
    if compared is None:
        return
    told: set[int] = set()
    for match in compared.counted:
        for path, value in leaves(match.expected.arguments) if match.outcome != MADE else ():
            denied = _denied(rollout, script, path) if _is_of_the_script(value, script) else None
            if denied is not None and denied.step not in told and not _was_told(rollout, str(value).lower()):
                told.add(denied.step)
                yield Evidence(
                    denied.step,
                    tail(denied.text, 200),
                    f"its instructions have {value}, the assistant asked for it, and {match.expected.name} cannot be made without it",
                    argument_subject(match.expected.name, path),
                )


def _is_of_the_script(value: object, script: str) -> bool:
    return (
        isinstance(value, str)
        and len(value) >= MIN_VALUE
        and RECORD.fullmatch(value) is not None
        and value.lower() in script
        and whole_word(value.lower(), script)
    )


def _was_told(rollout: Rollout, value: str) -> bool:
    """Whether anybody had the value: the prompt, a turn, a tool's answer or a call."""
    if value in rollout.lowered_prompt or value in rollout.instructions.lower():
        return True
    return any(
        value in rollout.lowered(position) or value in (item.arguments or "").lower()
        for position, item in enumerate(rollout.output)
    )


def _denied(rollout: Rollout, script: str, path: str) -> Step | None:
    """The first turn in which the user says that it does not have what the assistant has just asked for by this name, unless it is told to say so."""
    named = _named(words_of_last(path))
    if any(_HAS_NOT.search(sentence) and named.search(sentence) for sentence in _SENTENCE.split(script)):
        return None
    spoken = [item for item in rollout.output if item.kind == "message" and item.text]
    for asked, answer in pairwise(spoken):
        if asked.role == "assistant" and answer.role == "user" and _asks_for(asked.text[-READ:], named):
            for sentence in _SENTENCE.split(answer.text[:READ]):
                if _HAS_NOT.search(sentence) and (named.search(sentence) or _SUCH.search(sentence)):
                    return answer
    return None


def _asks_for(text: str, named: re.Pattern[str]) -> bool:
    return any(named.search(sentence) and _ASKS.search(sentence) for sentence in _SENTENCE.split(text))


@lru_cache(maxsize=256)
def _named(words: tuple[str, ...]) -> re.Pattern[str]:
    """How people write the name of an argument: `user ID` for `user_id`."""
    return re.compile(r"(?i)\b" + r"[\s_-]?".join(map(re.escape, words)) + r"s?\b")
