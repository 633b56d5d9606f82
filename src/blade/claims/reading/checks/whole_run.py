"""Are the plain sentences about the whole run true: `The pass rate is 58.4 %.`, `There are 40 tasks.`, `Of 154 rollouts, 90 passed.`?

A sentence that gives its whole (`of 154 scored rollouts`) is about the run where that is the run's. One that gives none is about the
run only where it says nothing else and nothing around it names a part: not its heading, the words in bold that open it, the line that
leads up to its list, nor a sentence before it in its passage.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable

from blade.claims.reading.checks.figures import fits, is_apart, known
from blade.claims.reading.counts import CLAUSE_END, COUNT, in_doubt, is_limit, number_at, value_of
from blade.claims.reading.document import Passage, Span
from blade.claims.reading.facts import Facts
from blade.claims.reading.metrics import statements
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.tally import CONTRADICTS_ITSELF, WRONG_NUMBER

_ROLLOUTS = r"(?:(?:scored|graded|collected|expected|planned)\s+)?(?:rollouts|attempts|samples|episodes|trials|trajectories)"
_OUTCOME = r"(?:have\s+|had\s+|were\s+|are\s+)?(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?|successful|solved)"
_IS = r"(?:is|was|=|:|equals|stands\s+at|stood\s+at|comes\s+to|came\s+to|reaches|reached|sits\s+at)"
_RATE = r"(?:(?:overall|total|headline|average|mean)\s+)?(?:(?:pass|success|solve)\s+rate|accuracy)"
_PERCENT = r"(?P<percent>\d[\d.]*\s?(?:%|percent))"
_RUN = r"(?:(?:the|this|our)\s+(?:run|benchmark|dataset|data\s?set|evaluation|eval|suite|test\s+set)|we)"
_MODEL = rf"(?:{_RUN}|(?:the|this|our)\s+(?:model|agent))"
_ABOUT_RUN = re.compile(r"\s*(?:in\s+)?(?:this|the|our)\s+(?:run|report|model|evaluation|benchmark)\b|\s*we\s+ran\b", re.I)
_ONLY = r"(?:(?:only|just|exactly)\s+)?"
_THINGS = rf"(?P<count>{COUNT})\s+(?:(?:different|distinct|unique)\s+)?(?P<thing>tasks?|problems|{_ROLLOUTS})(?:\s+(?:and|with)\s+(?P<second>{COUNT})\s+(?P<other>tasks|{_ROLLOUTS}))?"
_LEAD = r"(?:(?:overall|in\s+total|altogether|in\s+all|in\s+(?:this|the)\s+run)\s*[,:]?\s+)?"
_TAIL = r"(?:\s+(?:overall|in\s+total|altogether|in\s+all|(?:in|of|for|over|across)\s+(?:this|the)\s+(?:whole\s+|entire\s+)?(?:run|benchmark|dataset|evaluation)))?"
_ALONE = tuple(
    re.compile(rf"\s*{_LEAD}{pattern}{_TAIL}\s*[.!;]?\s*", re.I)
    for pattern in (
        rf"(?:(?:the|its|our|an?|(?:the|this)\s+(?:run|model|agent)['’]s)\s+)?{_RATE}(?:\s+(?:of|for|over|in)\s+(?:the|this)\s+(?:run|model|agent))?"
        rf"\s*{_IS}\s*{_PERCENT}",
        rf"{_MODEL}\s+(?:reache[sd]|achieve[sd]?|score[sd]?|has|had|have|gets?|got)\s+(?:an?\s+)?{_RATE}\s+of\s+{_PERCENT}",
        rf"{_PERCENT}\s+of\s+(?:all\s+)?(?:the\s+)?{_ROLLOUTS}\s+{_OUTCOME}",
        rf"there\s+(?:are|were)\s+{_ONLY}{_THINGS}",
        rf"{_RUN}\s+(?:has|had|have|contains?|contained|comprises?|comprised|covers?|covered|includes?|included|consists?\s+of|consisted\s+of|"
        rf"holds?|spans?|ran|evaluated)\s+{_ONLY}{_THINGS}",
        rf"{_ONLY}(?P<tasks>{COUNT})\s+tasks?\s+(?:(?:are|is|were)\s+)?(?P<bucket>always|sometimes|never)[-\s](?:pass(?:es|ed|ing)?|succeed(?:s|ed)?)",
        rf"{_ONLY}(?P<tasks>{COUNT})\s+tasks?\s+pass(?:es|ed)?\s+(?P<bucket>always|sometimes)",
        rf"{_ONLY}(?P<part>{COUNT})\s+{_ROLLOUTS}\s+{_OUTCOME}",
        rf"there\s+(?:are|were)\s+{_ONLY}(?P<part>{COUNT})\s+(?P<verb>pass|fail)(?:ed|ing)\s+rollouts",
    )
)
_OF_WHOLE = re.compile(
    rf"(?<!\w)(?:out\s+)?of\s+(?:(?:the|all|these|our)\s+)*(?P<whole>{COUNT})\s+{_ROLLOUTS}(?:\s+in\s+total)?\s*,?\s+{_ONLY}(?P<part>{COUNT})\s+"
    rf"(?:rollouts\s+)?{_OUTCOME}(?:\s*\(\s*{_PERCENT}\s*\))?{CLAUSE_END}",
    re.I,
)
_MODEL_OF_WHOLE = re.compile(
    rf"{_MODEL}\s+(?:has\s+)?{_ONLY}(?P<verb>pass(?:es|ed)|fail(?:s|ed)|solved|solves)\s+{_ONLY}(?P<part>{COUNT})\s*(?:/|out\s+of|of)\s*"
    rf"(?:(?:the|all|its)\s+)*(?P<whole>{COUNT})\s+{_ROLLOUTS}(?:\s*\(\s*{_PERCENT}\s*\))?{CLAUSE_END}",
    re.I,
)
_PLAIN = re.compile(
    r"a|all|an|and|at|by|executive|summary|overview|result|results|score|scores|aggregate|headline|outcome|"
    r"outcomes|metric|metrics|key|main|numbers|number|figures|figure|facts|findings|statistics|stats|overall|"
    r"performance|evaluation|report|introduction|intro|conclusion|conclusions|glance|tldr|tl|dr|run|runs|the|this|"
    r"of|in|task|tasks|bucket|buckets|pass|rate|rates|accuracy|total|totals|analysis|what|happened|how|it|did|we|"
    r"model|agent|is|are|was|were|scope|background|short|counts|rollouts"
)
"""Words that a heading may have without naming a part of the run."""
IN_MIND = 8
"""Sentences before another that may say what it is about."""
RATES = ("rate", "missing_as_failed", "completed_only", "mean_reward")
"""What people call a pass rate."""


def check_whole_run(reading: Reading) -> None:
    if not reading.bound:
        return
    lead: Passage | None = None
    for read in reading.everywhere():
        if read.passage.kind not in ("text", "item"):
            continue
        lead = read.passage if read.passage.kind == "text" else lead
        for sentence in read.passage.sentences:
            if is_apart(reading, read, sentence) or in_doubt(read.passage, sentence):
                continue
            for pattern in (_OF_WHOLE, _MODEL_OF_WHOLE):
                for of_whole in pattern.finditer(read.text, sentence.start, sentence.end):
                    _of_whole(reading, read, of_whole)
            alone = next((found for one in _ALONE if (found := one.fullmatch(read.text, sentence.start, sentence.end))), None)
            if alone is not None and not _in_a_part(reading, read, sentence, lead) and _follows(read, sentence, alone):
                _alone(reading, read, alone)


def _of_whole(reading: Reading, read: Read, found: re.Match[str]) -> None:
    if value_of(found["whole"]) not in known(reading.facts, "rollouts") or is_limit(read.text, found.start("part")):
        return
    _count(reading, read, found, "part", _outcomes(reading.facts, found["verb"]))
    part, share = Span(*found.span("part")), number_at(read, found.start("percent")) if found["percent"] else None
    if share is not None and not reading.tally.is_false(read.passage, part):
        true = 100 * value_of(found["part"]) / max(value_of(found["whole"]), 1)
        reading.tally.judge(share.equals(true), read.passage, share.span, CONTRADICTS_ITSELF, f"{true:.1f} %")


def _alone(reading: Reading, read: Read, found: re.Match[str]) -> None:
    named = found.groupdict()
    if named.get("percent"):
        _percentage(reading, read, found, (named.get("verb") or "").lower().startswith("fail"))
    elif named.get("tasks"):
        _count(reading, read, found, "tasks", known(reading.facts, f"bucket {found['bucket'].lower()}"))
    elif named.get("part"):
        _count(reading, read, found, "part", _outcomes(reading.facts, found["verb"]))
    else:
        for group, thing in (("count", "thing"), ("second", "other")):
            if found[group]:
                _count(reading, read, found, group, known(reading.facts, _measure(found[thing].lower())))


def _measure(thing: str) -> str:
    if thing.startswith(("task", "problem")):
        return "tasks"
    return "scored" if thing.startswith(("scored", "graded")) else "rollouts"


def _outcomes(facts: Facts, verb: str) -> list[float]:
    """How many passed; or failed, where rollouts without a score may be counted as failed."""
    passed = known(facts, "passed")
    if not verb.lower().startswith("fail"):
        return passed
    return [*known(facts, "failed"), *(whole - count for whole in known(facts, "rollouts") for count in passed)]


def _count(reading: Reading, read: Read, found: re.Match[str], group: str, values: Iterable[float]) -> None:
    values = list(dict.fromkeys(values))
    if values and not is_limit(read.text, found.start(group)):
        expected = " or ".join(f"{value:,g}" for value in values)
        reading.tally.judge(value_of(found[group]) in values, read.passage, Span(*found.span(group)), WRONG_NUMBER, expected)


def _percentage(reading: Reading, read: Read, found: re.Match[str], fails: bool) -> None:
    number = number_at(read, found.start("percent"))
    rates = [value for measure in RATES for value in known(reading.facts, measure)]
    if number is None or number.hedge == "bound" or not known(reading.facts, "rate"):
        return
    values = list(dict.fromkeys(1 - value if fails else value for value in rates))
    expected = " or ".join(f"{100 * value:.1f} %" for value in values)
    reading.tally.judge(fits(number, "rate", values), read.passage, number.span, WRONG_NUMBER, expected)


def _in_a_part(reading: Reading, read: Read, sentence: Span, lead: Passage | None) -> bool:
    """Whether something around a sentence may name a part of the run."""
    passage = read.passage
    before = Span(min((one.start for one in _before(read, sentence)), default=sentence.start), sentence.start)
    if any(before.overlaps(one.span) for one in (*read.code, *read.quotes)) or in_doubt(passage, before):
        return True
    if is_apart(reading, read, before):
        return True
    above = list(passage.section[1:] if _has_title(reading, passage) else passage.section)
    if passage.kind == "item" and lead is not None and lead.text.rstrip().endswith(":") and lead.section == passage.section:
        above.append(lead.text)
    return not all(_is_plain(text) for text in (passage.bold, *above))


def _follows(read: Read, sentence: Span, found: re.Match[str]) -> bool:
    """Whether a count of outcomes goes on from what is about the run: `The agent pads ids. 14 rollouts failed.` may count a part."""
    named = found.groupdict()
    if not (named.get("part") or named.get("tasks")):
        return True
    return all(_about_run(read, one) for one in _before(read, sentence))


def _before(read: Read, sentence: Span) -> list[Span]:
    """The sentences of the passage that a reader still has in mind."""
    at = bisect_left(read.passage.sentences, sentence.start, key=lambda one: one.start)
    return read.passage.sentences[max(0, at - IN_MIND) : at]


def _about_run(read: Read, sentence: Span) -> bool:
    start, end = sentence.start, sentence.end
    return (
        _ABOUT_RUN.match(read.text, start, end) is not None
        or any(one.fullmatch(read.text, start, end) for one in _ALONE)
        or _OF_WHOLE.search(read.text, start, end) is not None
        or any(one.firm for one in statements(read.text, read.numbers, sentence))
    )


def _is_plain(text: str) -> bool:
    return all(_PLAIN.fullmatch(word) for word in re.findall(r"[^\W\d_]+", text.casefold()))


def _has_title(reading: Reading, passage: Passage) -> bool:
    """Whether the first heading over a passage is the title of the report, which is about all of the run."""
    first = next(iter(reading.report.passages))
    if not passage.section or first.kind != "heading" or first.text != passage.section[0]:
        return False
    lines = reading.report.lines[first.line - 1 : first.line + 1]
    return bool(re.match(r"\s*#\s", lines[0])) or any(re.fullmatch(r"\s*=+\s*", line) for line in lines[1:])
