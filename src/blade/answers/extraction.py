r"""Where a message states its answer: `\boxed{…}`, `<answer>`, `#### …`, a JSON field, "the answer is …", its last line.

Two questions, for two uses. `extract` lists what could be the final answer, best first, each with the way it was found; a
marking outranks a phrase, a phrase outranks a mere position. `contains_expected` asks whether the expected answer is *stated as
the answer*, which a verifier that scored zero should have seen. Being mentioned is not enough: `18` turns up in most workings.
Only the end of a long message is read, and each way contributes its last candidate (phrases: the last few).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from blade.answers.equivalence import compare
from blade.answers.groups import JsonNumber, json_value
from blade.answers.markup import group_end
from blade.answers.text import LONGEST
from blade.answers.verdict import Relation

READ: Final = 50_000
"""Characters at the end of a message in which an answer is looked for."""
_SHORT: Final = 2
"""Expected answers up to this many characters turn up by chance; only a marking or a line of their own counts for them."""

MARKINGS: Final = ("boxed", "answer tag", "####", "JSON field", "answer phrase", "answer line")
"""Ways that state an answer; the others (`last line`, `last option letter`, `last number`) go by position."""
LONGEST_FIGURE, LONGEST_CLOSING = 30, 60
SENTENCE: Final = "short sentence"
"""How an answer is found that is all that a short message says (`It is joint 8`)."""
LONGEST_SENTENCE: Final = 160
_WORDS_BETWEEN: Final = 3
"""Words that may stand between the verb and the figure (`It is joint number 8`), or beside a figure without any verb (`Joint 8.`)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could be the final answer, how it was found, and where it ends in the text."""

    text: str
    how: str
    end: int = 0

    @property
    def marked(self) -> bool:
        """Whether the message says that this is the answer, rather than just ending with it."""
        return self.how in MARKINGS


_BOX: Final = re.compile(r"\\(?:boxed|fbox)\s*\{")
_TAG_OPEN: Final = re.compile(r"<(answer|final_answer|final answer)>", re.IGNORECASE)
_HASHES: Final = re.compile(r"^[ \t]*####[ \t]*(\S.*)$", re.MULTILINE)
# No two unbounded repeats stand side by side, so that every pattern stays linear in the message.
_PHRASE: Final = re.compile(
    r"\banswer\b(?:[ \t]{1,4}(?:to|for)[ \t]{1,4}(?:the|this)[ \t]{1,4}(?:question|problem))?"
    r"[ \t]{0,4}(?:\([a-z]{1,9}\))?\*{0,2}[ \t]{0,4}(?::\*{0,2}|\bis\b:?|\bwould be\b|\bshould be\b|=)"
    r"\s{0,9}(?!\s|not\b|incorrect\b|wrong\b|unknown\b)",
    re.IGNORECASE,
)
_LINE: Final = re.compile(r"^[ \t]{0,9}\*{0,2}A(?:ns)?\*{0,2}[ \t]{0,4}:\*{0,2}[ \t]*(\S.*)$", re.MULTILINE)
_POINTS: Final = re.compile(r"\A(?:>{2,3}|={1,2}>|-{1,2}>|→|⇒|»)[ \t]{1,4}")
_SIGNED: Final = re.compile(r"^[ \t]{0,9}(?:>{2,3}|={1,2}>|-{1,2}>|→|⇒|»)[ \t]{1,4}(\S.{0,200})\s*\Z", re.MULTILINE)
"""A last line that a sign points at: `>> 12`."""
_COMMAND: Final = re.compile(
    r"^[ \t]{0,9}[@#!$%&/\\](?:final[_-]?)?(?:answer|result|reply|final|output)\b[:=]?[ \t]{1,4}(\S.{0,200})\s*\Z",
    re.MULTILINE | re.IGNORECASE,
)
"""A last line that a command announces: `@answer 12`."""
_DOUBLED: Final = re.compile(r"(?:\[\[([^\[\]\n]{1,200})\]\]|<<([^<>\n]{1,200})>>)[.!]?\s*\Z")
"""What stands in doubled brackets at the end of a message: `[[12]]`."""
_FENCED: Final = re.compile(
    r"^[ \t]{0,3}```(?:result|answer|final|final_answer|final-answer|output|reply|response|solution|value|text|txt|plaintext)?[ \t]*\n[ \t]*(\S[^\n`]{0,200})\n[ \t]*```\s*\Z",
    re.MULTILINE | re.IGNORECASE,
)
"""One line in a fenced block at the end of a message, which is no program: its info string names an answer, or nothing."""
_HEADING: Final = re.compile(
    r"^[ \t]{0,9}(?:#{1,6}|\*\*)[ \t]{0,4}(?:final )?answer[ \t]{0,4}:?(?:\*\*)?[ \t]{0,4}\n\s{0,9}(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_FIELD: Final = re.compile(
    r'"(?:final_?answer|answer|result)"\s{0,9}:\s{0,9}("(?:[^"\\\n]|\\.){0,2000}"|-?\d[\d.eE+-]{0,40}|true|false)', re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?[$€£]?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?(?![\w])")
_LETTER: Final = re.compile(r"\(([A-J])\)|\b(?:option|choice)[ \t]+([A-J])\b|(?<![\w'])([B-HJ])(?![\w'-])")
_SENTENCE_END: Final = re.compile(
    r"(?<=[^\s.])[.!?](?=\s|$|\*)(?! ?\d)|\s(?:because|since|which|as|so that|where)\s|<br", re.IGNORECASE
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|equals?|makes|gives|totals?|comes to|choose|chose|pick|select)\b|(?<=\w)['’]s\b|[=:→]", re.IGNORECASE
)
_TAKEN_BACK: Final = re.compile(
    r"\b(?:not|no|none|never|neither|nor|cannot|unable|unknown|unclear|unsure|either|or|except|unless|but|however|instead|wrong|incorrect|between"
    r"|about|around|roughly|approximately|least|most|than|if|whether|maybe|perhaps|may|might|must|should|would|could)\b|n['’]t\b|[?~≈<>≤≥]",
    re.IGNORECASE,
)
"""Words with which a sentence does not simply say that something is so."""
_PHRASES: Final = 3
"""Phrases that are looked at, the last first: "the answer is clear" may follow the one that matters."""


def _heads_a_section(found: Candidate, text: str) -> bool:
    """Whether a line behind hashes is the heading of what follows it: something does, and it states no figure."""
    rest = text[found.end :].strip()
    short = len(found.text) <= LONGEST_FIGURE and (
        re.search(r"\d", found.text) or ("\n" not in rest and len(rest) <= LONGEST_CLOSING)
    )
    return bool(rest) and not short


def extract(text: str) -> list[Candidate]:
    """What could be the final answer of a message, best first, without repeats."""
    return list(_extracted(text[-READ:]))


def first_marked(text: str) -> str | None:
    """The first answer that a message marks as one, which is found without looking for the others: markings come before positions."""
    return next((one.text for one in _candidates(text[-READ:]) if one.marked and _may_be_answer(one)), None)


def _may_be_answer(candidate: Candidate) -> bool:
    return bool(candidate.text.strip("`")) and len(candidate.text) <= LONGEST


@lru_cache(maxsize=8)
def _extracted(text: str) -> tuple[Candidate, ...]:
    """More than one detector asks for that of the message at hand."""
    seen: set[str] = set()
    found = []
    for candidate in _candidates(text):
        if _may_be_answer(candidate) and candidate.text not in seen:
            seen.add(candidate.text)
            found.append(candidate)
    return tuple(found)


def _candidates(text: str) -> Iterator[Candidate]:
    # What an expression cannot do without is looked for first, which is much quicker.
    if "\\" in text:
        yield from _boxed(text)
    if "<" in text:
        yield from _tagged(text)
    if "####" in text:
        yield from (one for one in _last(_HASHES, text, "####") if not _heads_a_section(one, text))
    for field in _all(_FIELD, text)[-1:] if '"' in text else ():
        yield Candidate(_field_value(field[1]), "JSON field", field.end())
    leads = [*_all(_PHRASE, text)[-_PHRASES:], *_all(_HEADING, text)[-1:]] if "answer" in text.casefold() else []
    for lead in sorted(leads, key=lambda lead: lead.end(), reverse=True):
        rest = text[lead.end() : lead.end() + LONGEST].split("\n", 1)[0]
        first = _SENTENCE_END.split(rest, maxsplit=1)[0]
        yield Candidate(_trimmed(first), "answer phrase", lead.end() + len(first))
    if ":" in text:
        yield from _last(_LINE, text, "answer line")
    if (doubled := _DOUBLED.search(text[-LONGEST:])) is not None:
        yield Candidate(_trimmed(doubled[1] or doubled[2]), "answer line", len(text))
    if text.rstrip().endswith("```") and (fenced := _FENCED.search(text[-LONGEST:])) is not None:
        yield Candidate(_trimmed(fenced[1]), "answer line", len(text))
    lines = text.rstrip().rsplit("\n", 1)
    begins = len(lines[0]) + 1 if len(lines) > 1 else 0
    yield from _last(_COMMAND, text, "answer line", begins)
    yield from _last(_SIGNED, text, "answer line", begins)
    yield Candidate(_trimmed(lines[-1]), "last line", len(text.rstrip()))
    for letter in _all(_LETTER, lines[-1])[-1:]:
        yield Candidate(
            letter[1] or letter[2] or letter[3], "last option letter", len(text.rstrip()) - len(lines[-1]) + letter.end()
        )
    for number in _all(_NUMBER, text)[-1:]:
        yield Candidate(number[0].rstrip(","), "last number", number.end())


def _all(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(pattern.finditer(text))


def _last(pattern: re.Pattern[str], text: str, how: str, start: int = 0) -> Iterator[Candidate]:
    for found in [*pattern.finditer(text, start)][-1:]:
        yield Candidate(_trimmed(found[1]), how, found.end())


def _boxed(text: str) -> Iterator[Candidate]:
    for box in reversed(_all(_BOX, text)[-3:]):
        end = group_end(text[: box.end() + LONGEST], box.end())
        if end > 0:
            yield Candidate(text[box.end() : end - 1].strip(), "boxed", end)
            return


def _tagged(text: str) -> Iterator[Candidate]:
    for tag in _all(_TAG_OPEN, text)[-1:]:
        end = text.lower().find(f"</{tag[1].lower()}>", tag.end())
        inner = text[tag.end() : end] if end >= 0 else text[tag.end() : tag.end() + LONGEST].split("\n\n", 1)[0]
        yield Candidate(inner.strip(), "answer tag", end if end >= 0 else tag.end() + len(inner))


def _field_value(written: str) -> str:
    value = json_value(f"[{written}]")
    match value:
        case [str() as text]:
            return text.strip()
        case [JsonNumber(text=text)]:
            return text
    return written


def _trimmed(text: str) -> str:
    """A line without the sign that points at it, the emphasis and the full stop around it."""
    text = _POINTS.sub("", text.strip()).strip("*").strip()
    return text[:-1].rstrip() if text.endswith(".") and not text.endswith("..") else text


def contains_expected(text: str, expected: str, *, options: Mapping[str, str] | None = None) -> Candidate | None:
    """The place where a message states the expected answer as its answer, or None.

    A marked candidate counts unless a later one states something different. A position counts only where nothing is marked: the
    last line if it is the answer and nothing else, the last number or letter if it ends that line and is not too short to be chance,
    and what a message of one short sentence says (`It is joint 8`).
    """
    if not expected.strip():
        return None
    candidates = extract(text)
    marked = [candidate for candidate in candidates if candidate.marked]
    verdicts = {candidate: compare(expected, candidate.text, options=options) for candidate in marked}
    for candidate in marked:
        overruled = any(later.end > candidate.end and verdicts[later].relation is Relation.DIFFERENT for later in marked)
        if verdicts[candidate].same and not overruled:
            return candidate
    if any(verdicts[candidate].relation is Relation.DIFFERENT for candidate in marked):
        return None
    for candidate in candidates:
        if candidate.marked or not compare(expected, candidate.text, options=options).same:
            continue
        if _well_placed(candidate, expected, text):
            return candidate
    return None if marked else _in_sentence(text, expected, options)


def _in_sentence(text: str, expected: str, options: Mapping[str, str] | None) -> Candidate | None:
    """The expected answer as what a short message says: behind its verb, or as its only figure.

    A second figure, a doubt or a denial anywhere in the message, and it states nothing.
    """
    line = text.strip().strip("*_`").strip()
    if len(line) > LONGEST_SENTENCE or "\n" in line or _TAKEN_BACK.search(line):
        return None
    rests = [(_trimmed(line[verb.end() :].strip(" *_`'\"“”")), verb.end()) for verb in _all(_VERB, line)]
    numbers = [found for found in _all(_NUMBER, line) if not _joined_on(line, found)]
    if numbers:
        return _only_figure(line, numbers, expected, [start for _, start in rests])
    for rest, _ in rests:
        if rest and (verdict := compare(expected, rest, options=options)).same and not verdict.assumed:
            return Candidate(rest, SENTENCE, len(line))
    return None


def _only_figure(line: str, numbers: list[re.Match[str]], expected: str, verbs: list[int]) -> Candidate | None:
    """The one figure of a sentence, with the unit that stands beside it, where it is the expected one."""
    figure = numbers[0]
    if len(numbers) > 1:
        return None
    between = [len(line[start : figure.start()].split()) for start in verbs if start <= figure.start()]
    opens = len(line[: figure.start()].split()) <= _WORDS_BETWEEN and _VERB.match(line[figure.end() :].lstrip()) is not None
    bare = not verbs and len(line.split()) <= _WORDS_BETWEEN
    closes = len(line[figure.end() :].split()) <= _WORDS_BETWEEN
    if not (opens or bare or (closes and between and min(between) <= _WORDS_BETWEEN)):
        return None
    with_unit = " ".join(line[figure.start() :].split()[:2]).strip(".,;!*_` ")
    told = compare(expected, with_unit)
    if told.relation is Relation.DIFFERENT:
        return None
    stated = with_unit if told.same else figure[0].rstrip(",")
    return Candidate(stated, SENTENCE, figure.end()) if told.same or compare(expected, stated).same else None


def _joined_on(line: str, number: re.Match[str]) -> bool:
    """Whether a figure is part of a name or a date (`T-8`, `8:30`)."""
    before, after = line[: number.start()][-2:], line[number.end() :][:2]
    return re.search(r"\w[-/:_]$", before) is not None or re.match(r"[-/:_]\w", after) is not None


def _well_placed(candidate: Candidate, expected: str, text: str) -> bool:
    if candidate.how == "last line":
        return True
    tail = text[-READ:].rstrip()[candidate.end :]
    return len(expected.strip()) > _SHORT and len(tail.strip(" .*$)}!\n")) == 0
