"""Whether anybody but the list of expected calls knows of a call: the prompt, the tools, or a text of the row that tells of the other calls.

What a call is about is told by the words of its tool's name and of its arguments that no other expected call has, and by its own values. A step that a policy, a description or an
answer of a tool asks for has such a word there.
"""

import re
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.mutation import words_of
from blade.signals.rollout import Rollout
from blade.signals.texts.days import day_in_request
from blade.signals.texts.origins import in_request
from blade.signals.wanted.comparison import MADE, Comparison, Match
from blade.signals.wanted.request_words import things_of
from blade.signals.wanted.restated import restated

MIN_WORDS: Final = 4
"""Words of a text from which on it tells something."""
MAX_OUTPUT: Final = 8_000
STEM: Final = 5
MIN_HANDED: Final = 4
"""Characters of a value from which on it is known again in an answer."""
_PLAIN: Final = frozenset(
    ["note", "text", "date", "day", "name", "number", "amount", "value", "kind", "type", "reason", "code", "what", "item"]
)
"""Words of arguments that may stand in any text for something else."""
_WANTS: Final = re.compile(r"\b(?:must|should|shall|need(?:s|ed)?|required?|requires|please|remember|also|always|afterwards|then|first|before|has to|have to)\b", re.IGNORECASE)  # fmt: skip


def untold(rollout: Rollout, compared: Comparison, match: Match) -> bool:
    """Whether all else that is expected was done and told of, and this call is told of nowhere."""
    others = [other for other in compared.matches if other is not match]
    if rollout.has_dialogue or not others or any(other.outcome != MADE for other in others) or compared.extra:
        return False
    notes = " ".join(
        value
        for _, value in restated(rollout)
        if isinstance(value, str)
        and len(value.split()) >= MIN_WORDS
        and not (match.expected.name in value and "{" in value)  # what a verifier prints of a call
    ).lower()
    if not notes or not all(_told_of(other, notes) for other in others):
        return False
    theirs = {str(value) for other in others for _, value in leaves(other.expected.arguments)}
    own = {path: value for path, value in leaves(match.expected.arguments) if str(value) not in theirs}
    words = _own_words(match, others, own)
    if any(_handed_on(rollout, value) for value in own.values()):
        return False
    if not own or not words or any(_named(rollout, notes, value) for value in own.values()):
        return False
    return not any(_stem(word) in text for text in _texts(rollout, match, notes) for word in words)


def _handed_on(rollout: Rollout, value: Any) -> bool:
    """Whether a change answered with a value, as with the number by which it is to be confirmed: whoever made it was told to go on."""
    written = str(value)
    return len(written) >= MIN_HANDED and any(
        made.changes and made.output is not None and written in made.output.text for made in rollout.calls
    )


def _own_words(match: Match, others: list[Match], own: dict[str, Any]) -> set[str]:
    """The words that say what a call is about, besides those that other expected calls have."""
    known = {word for other in others for word in things_of(other.expected.name)}
    known |= {word for other in others for path, _ in leaves(other.expected.arguments) for word in words_of(path)}
    words = {*things_of(match.expected.name), *(word for path in own for word in words_of(path))}
    words |= {value.strip().lower() for value in own.values() if isinstance(value, str) and value.strip().isalpha()}
    return {word for word in words if len(word) > 2 and word not in known and word not in _PLAIN and not word.isdigit()}


def _told_of(match: Match, notes: str) -> bool:
    """Whether a text has a value of a call, or a word for what it is about."""
    values = [str(value).lower() for _, value in leaves(match.expected.arguments) if not isinstance(value, bool)]
    return any(re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\d)", notes) for value in values if value) or any(
        _stem(word) in notes for word in things_of(match.expected.name)
    )


def _named(rollout: Rollout, notes: str, value: Any) -> bool:
    """Whether the request or a text of the row names a value."""
    written = str(value).strip().lower()
    if isinstance(value, bool) or not written:
        return False
    return in_request(rollout, value) or day_in_request(rollout, value) or re.search(rf"(?<![\w.]){re.escape(written)}(?!\w|\.\d)", f"{rollout.lowered_prompt} {notes}") is not None  # fmt: skip


def _texts(rollout: Rollout, match: Match, notes: str) -> list[str]:
    """Where a call may be asked for: the prompt, the texts of the row, the descriptions of other tools, and what answers want."""
    described = [tool.description.lower() for tool in rollout.tools.values()]
    wants = [
        line.lower()
        for item in rollout.output
        if item.kind == "tool_output"
        for line in item.text[:MAX_OUTPUT].splitlines()
        if _WANTS.search(line)
    ]
    asked = [text for text in described if _WANTS.search(text)]
    return [rollout.lowered_prompt, notes, *asked, *wants]


def _stem(word: str) -> str:
    """A word without its ending."""
    return word.lower()[: max(STEM, len(word) - 2)]
