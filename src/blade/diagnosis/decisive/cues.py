"""What speaks for or against a turn being the decisive one: few cues, each with a plain meaning and the words that show it.

They follow how people find the error in a transcript: which value was made up, which run failed first, who stated as a fact what
nothing before shows, whether the work was set on another task than the one asked. None knows the reward or the expected answer; a
cue reads what stands before its turn and what came of it. Where the answer's value first came in and who vouched for it were tried
too, and told no more than these do together on the rollouts that the cues were chosen on.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from blade.diagnosis.decisive.turns import Turn

MEANINGS: Final = {
    "opening": "it set the plan",
    "off_task": "it set the work on something other than the question asked",
    "acts": "it called a tool or gave code to run",
    "first_failed": "its run was the first to fail",
    "made_up": "it worked with assumed or invented values",
    "first_unsupported": "it was the first to state values that nothing before it shows",
    "hands_on": "it handed the work on",
    "closes": "it only closed the conversation",
    "changes": "it changed something",
}
"""Every cue, and what it says of a turn."""

SHORT: Final = 25
"""Words up to which a message without code only closes or hands on."""
MIN_SHARED: Final = 0.5
"""Share of the question's words that an opening must hold to be about that question."""
MIN_NEW_VALUES: Final = 2
"""New values from which a message states facts; one alone is often a sum or a name in other words."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]{3,}")
_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d,]*\d(?:\.\d+)?|(?<![\w.])\d\.\d+")
_NAME: Final = re.compile(r"\b[A-Z][a-z'’]+(?:[ -](?:of |the |de |and )?[A-Z][a-z'’]+)+\b|[\"“][^\"”\n]{3,60}[\"”]")
_MADE_UP: Final = re.compile(
    r"\b(?:assum(?:e|es|ed|ing|ption)s?|hypothetical(?:ly)?|simulat(?:e|ed|ing|ion)|placeholders?|mock(?:ed|-up)?|dummy|sample data"
    r"|example data|for (?:the sake of|demonstration|illustration)|illustrative|general(?:ly)? (?:knowledge|speaking)|typical(?:ly)?"
    r"|estimated?|approximat(?:e|ely|ion)|presum(?:e|ably)|let's say|suppose|replace (?:this|with)|your[_-](?:api|url|key)|path[_/]to)\b",
    re.IGNORECASE,
)
_HANDS_ON: Final = re.compile(
    r"\b(?:please (?:provide|share|confirm|execute|run|perform|search|check|open|proceed|let me know)|could you|can you|let me know"
    r"|if (?:everyone|you) agree|manually)\b",
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(r"\bTERMINATE\b|\btask (?:is|has been) (?:now )?complete|\bend the conversation\b", re.IGNORECASE)
_QUESTION_FIELDS: Final = ("question", "problem", "query", "instruction", "goal", "task_description")


def cues(turns: Sequence[Turn], fields: dict[str, Any]) -> list[dict[str, str]]:
    """The cues that each turn shows, by name, with the words that show them (none where the name says it all)."""
    seen: set[str] = set()
    done: set[str] = set()
    found: list[dict[str, str]] = []
    for turn in turns:
        values = dict.fromkeys(_values(turn.prose))
        here = dict(
            _opening_cues(turn, fields) if turn.opening else _turn_cues(turn, [value for value in values if value not in seen])
        )
        for name in ("first_failed", "first_unsupported"):
            if name in here and name in done:
                del here[name]
        done.update(here)
        found.append(here)
        seen.update(values, _values(turn.result or ""))
    return found


def _opening_cues(turn: Turn, fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "opening", ""
    if asked := off_task(turn.text, fields):
        yield "off_task", asked
    if turn.acts:
        yield "acts", ""


def _turn_cues(turn: Turn, new: Sequence[str]) -> Iterator[tuple[str, str]]:
    if turn.acts:
        yield "acts", ""
    if turn.error is not None:
        yield "first_failed", turn.error.line
    if invented := _MADE_UP.search(turn.text):
        yield "made_up", _around(turn.text, invented)
    if not turn.acts and not turn.after_result and len(new) >= MIN_NEW_VALUES:
        yield "first_unsupported", ", ".join(new[:3])
    if not turn.acts and (asks := _HANDS_ON.search(turn.prose)):
        yield "hands_on", _around(turn.prose, asks)
    if not turn.acts and (len(turn.text.split()) <= SHORT or _CLOSING.search(turn.text)):
        yield "closes", ""
    if turn.changes:
        yield "changes", ""


def off_task(opening: str, fields: dict[str, Any]) -> str | None:
    """The question that the row asks, where the opening hardly mentions it."""
    for name in _QUESTION_FIELDS:
        asked = fields.get(name)
        if isinstance(asked, str) and (words := _words(asked)):
            return asked if len(words & _words(opening)) / len(words) < MIN_SHARED else None
    return None


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _values(text: str) -> Iterator[str]:
    """The numbers of more than one digit, the names of more than one word, and what stands in quotes."""
    for number in _NUMBER.findall(text):
        yield number.replace(",", "")
    for name in _NAME.findall(text):
        yield name.lower()


def _around(text: str, found: re.Match[str]) -> str:
    """The words that show a cue among their neighbours, none of them cut in two."""
    begins, ends = max(0, found.start() - 40), found.end() + 60
    before = text[begins : found.start()]
    after = text[found.end() : ends]
    if begins:
        before = f"…{before.partition(' ')[2]}" if " " in before else before
    if ends < len(text):
        after = f"{after.rpartition(' ')[0]}…" if " " in after else after
    return f"{before}{found[0]}{after}"
