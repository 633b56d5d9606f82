"""Did a rollout call a tool, and how often, as a sentence says: `in 21:0 the agent never called search_stock`, `… called find_member twice`?

A sentence is taken where it names one rollout and is over behind the tool or the count. A name that is no tool of the run may be a
command that a tool ran, so it is only called absent where its words stand nowhere in the transcript.
"""

import re

from blade.claims.reading.counts import CLAUSE_END, COUNT, in_doubt, is_limit, value_of
from blade.claims.reading.document import Span
from blade.claims.reading.facts import named
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.tally import WRONG_NUMBER
from blade.claims.reading.transcripts import words

_AGENT = r"(?:(?:the|this|our)\s+)?(?:agent|model|assistant|policy|it)"
_NOT = r"(?:(?P<never>never|does\s+not|did\s+not|doesn['’]t|didn['’]t)\s+)?"
_MANNER = r"(?:(?:then|only|also|just|actually|even|ever|has|had)\s+)*"
_TOOL = r"(?:the\s+)?(?:tool\s+)?`(?P<tool>[\w.-]+)(?:\(\))?`(?:\s+tool)?"
_TIMES = rf"(?:\s+(?:(?:only|exactly|just|a\s+total\s+of)\s+)?(?P<times>once|twice|thrice|{COUNT}(?=\s+times\b))(?:\s+times)?(?:\s+in\s+total)?)?"
_CALL = rf"{_MANNER}{_NOT}{_MANNER}(?:calls?|called|invokes?|invoked)\s+{_TOOL}{_TIMES}(?:\s+(?:at\s+all|even\s+once))?"
_BEHIND = re.compile(rf"[`*]*\s*,?\s*(?:{_AGENT}\s+)?{_CALL}{CLAUSE_END}", re.I)
_AHEAD = re.compile(rf"(?<!\w){_AGENT}\s+{_CALL}\s+in\s+(?:rollout\s+)?[`*]*$", re.I)
_PASSIVE = re.compile(
    rf"{_TOOL}\s+(?:is|was|gets|got)\s+(?:(?P<never>never|not)\s+)?(?:called|invoked){_TIMES}\s+in\s+(?:rollout\s+)?[`*]*$", re.I
)
_OVER = re.compile(rf"[`*]*{CLAUSE_END}")
_LEADS = re.compile(r"(?:^|[.;:,(]|\b(?:in|and|but|while|rollout|repeat|attempt))\s*[`*(]*$", re.I)
LONGEST = 160


def check_tool_use(reading: Reading) -> None:
    if not reading.bound:
        return
    for read in reading.everywhere():
        if not read.rollouts or not read.code or read.passage.kind in ("cell", "head"):
            continue
        for sentence in read.passage.sentences:
            here = [one for one in read.rollouts if sentence.start <= one.span.start < sentence.end]
            if len(here) == 1 and not in_doubt(read.passage, sentence):
                _sentence(reading, read, sentence, here[0])


def _sentence(reading: Reading, read: Read, sentence: Span, one: Reference) -> None:
    behind = _BEHIND.match(read.text, one.span.end, sentence.end)
    if behind and _LEADS.search(read.text, max(sentence.start, one.span.start - 24), one.span.start):
        _judge(reading, read, one, behind)
        return
    if _OVER.match(read.text, one.span.end, sentence.end):
        start = max(sentence.start, one.span.start - LONGEST)
        for pattern in (_AHEAD, _PASSIVE):
            if ahead := pattern.search(read.text, start, one.span.start):
                _judge(reading, read, one, ahead)
                return


def _judge(reading: Reading, read: Read, one: Reference, found: re.Match[str]) -> None:
    tool, counts = found["tool"], _made(reading, one.name, found["tool"])
    times = None if found["times"] is None else value_of(found["times"])
    if not counts or (times is not None and (found["never"] or is_limit(read.text, found.start("times")))):
        return
    if not reading.facts.values(named(tool), "calls") and _spoken(reading, one.name, tool):
        return
    right = any(count == times if times is not None else (count == 0) == bool(found["never"]) for count in counts)
    how_often = " or ".join("never" if not count else f"{count} ×" for count in sorted(set(counts)))
    said = f"{one.name}: {' '.join(found[0].strip(' ,`').split())}"
    reading.tally.judge(right, read.passage, one.span, WRONG_NUMBER, f"{one.name} calls {tool}: {how_often}", found=said)
    if times is not None:
        span = Span(*found.span("times"))
        if right or found["times"][0].isdecimal():
            reading.tally.say(read.passage, [span])
        if right:
            reading.tally.hold(read.passage, span)


def _made(reading: Reading, rollout: str, tool: str) -> list[int]:
    """How often each row of a rollout calls the tool; none where no call was recorded, which says nothing."""
    rows = [calls for run in reading.facts.runs for calls in run.transcripts.calls(rollout) if calls]
    return [sum(count for name, count in calls.items() if name == tool or name.endswith(f".{tool}")) for calls in rows]


def _spoken(reading: Reading, rollout: str, tool: str) -> bool:
    return any(words(tool) in row for run in reading.facts.runs for row in run.transcripts.whole(rollout))
