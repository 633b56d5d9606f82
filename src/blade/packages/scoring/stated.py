"""What a sentence states, as small statements that do not depend on its wording: of whom, what, and which value.

`outcome` of a rollout, `rate` and `bucket` and `cause` of a task, `call` of a tool by a rollout, and the step `at` which a rollout shows
some words have one value: a report that gives another contradicts. A `value` (an id, a number, an argument) that goes with a task is
there or is not. A statement whose predicate is denied has the opposite value, or, where it has no opposite, says `not` so.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from blade.claims.reading.labels import Label, buckets
from blade.claims.reading.references import Reference
from blade.claims.reading.transcripts import words
from blade.packages.scoring.polarity import clause, denied_whole, negated
from blade.packages.scoring.sentences import Sentence, end_of
from blade.signals.labels import LABELS

NEAR = 60
"""Letters before a name or a number within which words can belong to it."""
ONE_VALUED = ("outcome", "rate", "bucket", "cause", "call", "at")
_AFTER = re.compile(
    r"[\s,]*\(?\s*(?:(?:all|both|also|each|still|then|do|does|did|will|would|can|could|has|have|had|is|are|was|were)\s+)*"
    r"(?:(?:not|never|cannot|also)\s+|n['’]t\s+)?(?P<verb>pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|succeed(?:s|ed)?)\b"
    r"(?!\s+(?:to|the|an?|its|over|at|no)\b)",
    re.I,
)
_BEFORE = re.compile(
    r"\b(?P<verb>pass|fail)(?:ing|ed)\s+(?:repeats?|rollouts?|attempts?|ones?|runs?|tries)\s*(?:is|are|was|were|\(|:|,|like)?\s*$",
    re.I,
)
_RATE = re.compile(
    r"(?:\s+(?:of\s+)?(?:the\s+|its\s+|them\b)?(?:repeats?|rollouts?|attempts?|runs?|tries|times)?)?\s+(?P<verb>pass|fail)(?:es|ed|s)?\b(?!\s+(?:to|the|an?|its)\b)",
    re.I,
)
_ALL = re.compile(
    r"\ball\s+(?:of\s+)?(?:the\s+|its\s+)?(?P<count>\d+|two|three|four|five|six|eight)\s+\w+\s+(?P<verb>pass|fail)(?:ed|s)?\b",
    re.I,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_CALL = re.compile(
    r"\b(?:call(?:s|ed|ing)?|invok(?:e|es|ed|ing)|us(?:e|es|ed|ing)|mak(?:e|es|ing)|made|runs?|asks?|look(?:s|ed|ing)? up)\b",
    re.I,
)
_BRACKET = re.compile(r"\s*[(:]\s*(?:e\.g\.,?\s*|see\s+|as in\s+)?")
_OTHERS = re.compile(r"\b(?:pass|fail)(?:ing|ed)\s+(?:repeats?|rollouts?|attempts?|ones?|runs?)|\bothers?\b|\brepeats\b", re.I)
_EXPECTED = re.compile(r"\b(?:expected|right|correct|successful|accepted)\s+(?:\w+\s+)?(?:call|change)", re.I)
"""A call that is not made as expected may still be made."""
_LISTED = re.compile(
    r"(?:\s*\([a-z ]{3,40}\))?(?:[\s*_`,/&|+?–—-]|\b(?:and|or|also|even|else|maybe|perhaps|possibly|as well as)\b)*", re.I
)
_MAY_BE = re.compile(r"\b(?:or|maybe|perhaps|possibly|(?:could|may|might)(?: also| well| even)* be)\s+(?:an?\s+)?$", re.I)
_VALUE = re.compile(
    r"(?<![\w.,:-])(?:\d{4}-\d\d-\d\d|\d{1,3}(?:,\d{3})+(?:\.\d+)?|[A-Za-z]+[-_]?\d[\w-]*|\d{2,}(?:\.\d+)?|\d+\.\d+)(?![\w:]|[.,]\d)"
)
_ASIDE = re.compile(r"(?:\[c?|\b(?:confidence|recommendation|p|interval)(?: of| is| =)? ?)$", re.I)


@dataclass(frozen=True)
class Stated:
    kind: str
    subject: str
    aspect: str
    value: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind, self.subject, self.aspect

    @property
    def of(self) -> str:
        """What it gives a value of, in words."""
        return " ".join(part for part in (self.subject, self.kind, self.aspect) if part)

    @property
    def task(self) -> str:
        sort, _, name = self.subject.partition(" ")
        return name.rpartition(":")[0] if sort == "rollout" else name

    def __str__(self) -> str:
        return f"{self.of} {self.value}"


def stated(sentence: Sentence) -> list[Stated]:
    """Everything that a sentence states, each once, in order."""
    found = (
        *_outcomes(sentence),
        *_rates(sentence),
        *_buckets(sentence),
        *_causes(sentence),
        *_places(sentence),
        *_calls(sentence),
        *_values(sentence),
    )
    return list(dict.fromkeys(found))


def _outcomes(sentence: Sentence) -> Iterator[Stated]:
    text = sentence.read.text
    for group in sentence.groups:
        found = _AFTER.match(text, end_of(group[-1]), sentence.span.end) or _BEFORE.search(
            text, max(sentence.span.start, group[0].span.start - NEAR), group[0].span.start
        )
        if found is None:
            continue
        passes = not found["verb"].lower().startswith("fail")
        if _denied(sentence, found.start("verb")):
            passes = not passes
        for one in group:
            yield Stated("outcome", f"rollout {one.name}", "", "pass" if passes else "fail")


def _rates(sentence: Sentence) -> Iterator[Stated]:
    """`1 of 4 pass`, `1/4 passed`, `all 4 repeats fail`, of the one task that it is about."""
    task, text = sentence.subject, sentence.read.text
    if task is None:
        return
    for fraction in sentence.fractions:
        found = _RATE.match(text, fraction.span.end)
        if found is None or fraction.whole.value > 64:
            continue
        part, whole = int(fraction.part.value), int(fraction.whole.value)
        if found["verb"].lower() == "fail":
            part = whole - part
        if not re.search(r"\bin\s*$", text[max(0, fraction.span.start - NEAR) : fraction.span.start]):
            yield Stated("rate", f"task {task}", "", _unless(_denied(sentence, found.start("verb")), f"{part}/{whole}"))
    for found in _ALL.finditer(text, sentence.span.start, sentence.span.end):
        count = _COUNTS.get(found["count"].lower()) or int(found["count"])
        passed = count if found["verb"].lower() == "pass" else 0
        yield Stated("rate", f"task {task}", "", _unless(_denied(sentence, found.start("verb")), f"{passed}/{count}"))


def _buckets(sentence: Sentence) -> Iterator[Stated]:
    task = sentence.subject
    found = [(span, name) for span, name in buckets(sentence.read.text) if sentence.span.start <= span.start < sentence.span.end]
    if task is not None and len(found) == 1:
        span, name = found[0]
        yield Stated("bucket", f"task {task}", "", _unless(_denied(sentence, span.start), name))


def _causes(sentence: Sentence) -> Iterator[Stated]:
    """The cause of the one task that it is about; who names several has them all stand for it."""
    task = sentence.subject
    if task is None:
        return
    denied = [label for label in sentence.labels if label.role and _denied(sentence, label.span.start)]
    primary = [label for label in sentence.labels if label.role == "primary"]
    given = [label for label in (*primary, *_hedges(sentence)) if label not in denied] if primary else []
    if given:
        named = {part for label in given for part in label.label.split("+")}
        yield Stated("cause", f"task {task}", "", "+".join(label for label in LABELS if label in named))
    elif denied:
        yield Stated("cause", f"task {task}", "", f"not {denied[0].label}")


def _hedges(sentence: Sentence) -> Iterator[Label]:
    """Labels listed right behind another one, or offered as what it may be as well; an alternative that is named as one is none."""
    text, before = sentence.read.text, sentence.span.start
    for label in sentence.labels:
        between = text[before : label.span.start]
        if (before > sentence.span.start and _LISTED.fullmatch(between)) or _MAY_BE.search(between):
            yield label
        before = label.span.end


def _places(sentence: Sentence) -> Iterator[Stated]:
    """A rollout, a step and the words it shows there; a step that stands apart is that of the only rollout."""
    alone = {one.name for one in sentence.rollouts}, {step for _, step in sentence.steps}
    apart = next(iter(alone[1])) if len(alone[0]) == len(alone[1]) == 1 else None
    for quote in sentence.quotes:
        ahead = [group for group in sentence.groups if group[0].span.start <= quote.span.start] or sentence.groups
        for one in ahead[-1] if ahead and quote.telling else ():
            step = apart if one.step is None else one.step
            denied = _denied(sentence, quote.span.start) or denied_whole(sentence.text)
            if step is not None:
                yield Stated("at", f"rollout {one.name}", words(quote.text).strip(), _unless(denied, str(step)))


def _calls(sentence: Sentence) -> Iterator[Stated]:
    """A tool that the rollouts of a clause call, or do not: the name behind the verb, else the one in front of it."""
    text, names = sentence.text, [code for code in sentence.code if _NAME.fullmatch(code.text)]
    for verb in _CALL.finditer(text):
        start, end = clause(text, verb.start())
        inside = [code for code in names if start <= code.span.start - sentence.span.start < end]
        behind = [code for code in inside if code.span.start - sentence.span.start >= verb.end()]
        tool = behind[0] if behind else inside[-1] if inside else None
        if tool is None or _EXPECTED.search(text, start, end):
            continue
        value = "no" if negated(text, verb.start()) else "yes"
        for one in _callers(sentence, start, end, verb.start()):
            yield Stated("call", f"rollout {one.name}", tool.text, value)


def _callers(sentence: Sentence, start: int, end: int, verb: int) -> list[Reference]:
    """Who calls: the rollouts of the clause, those in brackets behind it, or the last ones before it, unless others are named between."""
    lead, text = sentence.span.start, sentence.text
    inside = [one for one in sentence.rollouts if start <= one.span.start - lead < end]
    if inside:
        return inside
    listed = sentence.groups
    bracketed = [group for group in listed if _BRACKET.fullmatch(text[end : group[0].span.start - lead])]
    if bracketed:
        return bracketed[0]
    before = [group for group in listed if end_of(group[-1]) - lead <= start]
    if not before or _OTHERS.search(text, end_of(before[-1][-1]) - lead, verb):
        return []
    return before[-1]


def _values(sentence: Sentence) -> Iterator[Stated]:
    """Ids, arguments and figures that go with the one task it is about; shares, steps and places are none."""
    task = sentence.subject
    if task is None:
        return
    taken = [one.span for one in (*sentence.rollouts, *sentence.tasks)] + [span for span, _ in sentence.steps]
    taken += [fraction.span for fraction in sentence.fractions] + [one.span for one in sentence.numbers if one.unit]
    for found in _VALUE.finditer(sentence.read.text, sentence.span.start, sentence.span.end):
        aside = _ASIDE.search(sentence.read.text, max(sentence.span.start, found.start() - NEAR), found.start())
        if aside or any(span.start <= found.start() < span.end for span in taken):
            continue
        yield Stated("value", f"task {task}", "", words(found[0]).strip())


def _denied(sentence: Sentence, at: int) -> bool:
    return negated(sentence.text, at - sentence.span.start)


def _unless(denied: bool, value: str) -> str:
    return f"not {value}" if denied else value


class Book:
    """Statements of a report by what they are about, each with the lines that make it."""

    def __init__(self, found: Iterable[tuple[Stated, int]]) -> None:
        self._lines: dict[tuple[str, str, str], dict[str, list[int]]] = {}
        for one, line in found:
            self._lines.setdefault(one.key, {}).setdefault(one.value, []).append(line)

    def has(self, one: Stated) -> bool:
        return any(agrees(one, value) for value in self._lines.get(one.key, ()))

    def lines(self, one: Stated) -> list[int]:
        """Where it is stated."""
        return [line for value, lines in self._lines.get(one.key, {}).items() if agrees(one, value) for line in lines]

    def against(self, one: Stated) -> list[tuple[int, str]]:
        """Where another value is stated of the same thing, and which."""
        if one.kind not in ONE_VALUED:
            return []
        return [
            (line, value) for value, lines in self._lines.get(one.key, {}).items() if not agrees(one, value) for line in lines
        ]

    def otherwise(self, said: Stated) -> list[tuple[int, str]]:
        """Where another value is stated, and which, when a report says this and nothing here agrees to it."""
        values = self._lines.get(said.key, {}) if said.kind in ONE_VALUED else {}
        if any(agrees(replace(said, value=value), said.value) for value in values):
            return []
        return [(line, value) for value, lines in values.items() for line in lines]


def agrees(one: Stated, value: str) -> bool:
    """Whether a value is the one stated. Of a mixed cause a part is enough; more than it holds is a guess and not it."""
    if one.kind == "cause" and not one.value.startswith("not") and not value.startswith("not"):
        return set(value.split("+")) <= set(one.value.split("+"))
    return one.value == value
