"""Sentences that follow one of the golden report nearly word for word, and whether they still say the same.

The words of two sentences may differ a little; what carries a statement may not: numbers and ids, names in code, quotations, labels,
and the closed class of words that turn a sentence round (`not`, `never`, `pass`, `before`, `more`). To leave a number out is to say less,
not to say otherwise. A sentence is only compared with one about the same tasks or under the same heading, so that a report of other
tasks is not called wrong for being alike.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from blade.packages.scoring.polarity import framed
from blade.packages.scoring.sentences import Sentence
from blade.signals.labels import LABELS

FOLLOWS = 0.72
"""The share of their plain words, in order, that two sentences have in common where one follows the other."""
FEWEST = 4
"""Plain words that a sentence needs to be known again."""
_TOKEN = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"\n]*\"|[−+-]?\w+(?:[.,:/@^'’-]\w+)*(?:\s?%)?")
_TURN = "~"
_CITATION = re.compile(r"\[c\d+\]")
_TURNING = re.compile(
    r"(?P<not>not|\w+n['’]t|never|no|none|neither|nor|without|cannot|nothing|nobody|hardly|rarely|seldom|false|untrue|incorrect|wrongly|"
    r"contrary|myth|den(?:y|ies|ied)|refuted?|opposite)|(?P<pass>pass(?:es|ed|ing)?|succeed(?:s|ed)?)|(?P<fail>fail(?:s|ed|ing)?)|"
    r"(?P<more>more|higher|above|better|increas\w+|larger|greater|improv\w+|rises?)|(?P<less>less|fewer|lower|below|worse|decreas\w+|smaller|"
    r"regress\w+|falls?)|(?P<before>before|earlier|first)|(?P<after>after|later|last)|(?P<all>all|every|always)|(?P<some>some|sometimes)|"
    r"(?P<most>most|largest)|(?P<least>least|smallest)|(?P<only>only)",
    re.I,
)


Same = tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]
"""Whom a sentence is about, its plain words and what it carries: two sentences that have these in common say the same."""


@dataclass(frozen=True)
class Wording:
    """A sentence as it is compared: its plain words, and in order what carries its statement."""

    sentence: Sentence
    words: tuple[str, ...]
    carried: tuple[str, ...]

    @cached_property
    def same(self) -> Same:
        return self.sentence.about, self.words, self.carried

    @property
    def plain(self) -> tuple[str, ...]:
        """What it carries, without what turns it round."""
        return tuple(token for token in self.carried if not token.startswith(_TURN))

    @cached_property
    def counts(self) -> dict[str, int]:
        return Counter(self.words)

    @cached_property
    def places(self) -> list[object]:
        """Where it may be looked for: under each task it is about, else under its heading."""
        return list(self.sentence.about) or [self.sentence.heading]


@dataclass(frozen=True)
class Difference:
    line: int
    text: str
    golden: Sentence
    expected: str
    found: str


def wording(sentence: Sentence) -> Wording:
    denied, text = framed(_CITATION.sub(" ", sentence.text).strip())
    words, carried = list[str](), [_TURN + "not"] if denied else list[str]()
    if sentence.subject is not None:  # whom it is about is compared apart
        text = re.sub(rf"\btask\s+`?{re.escape(sentence.subject)}`?(?![\w:.-]*\w)\s*[:·]?", " ", text, flags=re.I)
    for token in _TOKEN.findall(text):
        turning = _TURNING.fullmatch(token)
        if turning is not None and turning.lastgroup:
            carried.append(_TURN + turning.lastgroup)
        elif token[0] in '`“"' or any(letter.isdigit() for letter in token) or token in LABELS:
            carried.append(" ".join(token.strip('`“”"').split()))
        else:
            words.append(token.lower())
    return Wording(sentence, tuple(words), tuple(carried))


class Golden:
    """The sentences of a golden report, to find those again that another report follows."""

    def __init__(self, found: Iterable[Sentence]) -> None:
        self._by_place: dict[object, list[Wording]] = defaultdict(list)
        self._known = set()
        for one in map(wording, found):
            self._known.add(one.same)
            for place in one.places:
                self._by_place[place].append(one)

    def restates(self, one: Wording) -> bool:
        """Whether a sentence stands in the golden report as it is."""
        return one.same in self._known

    def followed(self, one: Wording) -> list[Wording]:
        """The sentences about the same thing whose words it follows, the nearest first."""
        near = {id(other): other for place in one.places for other in self._by_place.get(place, ())}
        if len(one.words) < FEWEST:  # too short to be known by its words alone: only what turns it round may differ
            return [other for other in near.values() if one.words and other.words == one.words and other.plain == one.plain]
        rated = [(likeness(one, other), other) for other in near.values() if len(other.words) >= FEWEST]
        return [other for rate, other in sorted(rated, key=lambda pair: -pair[0]) if rate >= FOLLOWS]

    def difference(self, one: Wording) -> Difference | None:
        """What a sentence says otherwise than all that it could be following; None where it follows none, or agrees with one."""
        if self.restates(one):
            return None
        apart = [told_apart(one, other) for other in self.followed(one)]
        if not apart or None in apart:
            return None
        return min((found for found in apart if found is not None), key=lambda found: len(found.expected) + len(found.found))


def told_apart(one: Wording, other: Wording) -> Difference | None:
    """Where a sentence replaces what the golden one says, or turns it round; None where it does neither."""
    expected, found, otherwise = list[str](), list[str](), False
    for tag, start, end, own_start, own_end in SequenceMatcher(None, other.carried, one.carried, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        golden, own = other.carried[start:end], one.carried[own_start:own_end]
        otherwise = otherwise or bool(golden and own) or any(token.startswith(_TURN) for token in (*golden, *own))
        expected += golden
        found += own
    exchanged = bool(expected) and sorted(expected) == sorted(found)
    if not otherwise and not exchanged:
        return None
    return Difference(one.sentence.line, one.sentence.plain, other.sentence, _said(expected), _said(found))


def likeness(one: Wording, other: Wording) -> float:
    """How much of their plain words two sentences share, in order."""
    most = sum(min(count, other.counts.get(word, 0)) for word, count in one.counts.items())
    if 2 * most < FOLLOWS * (len(one.words) + len(other.words)):  # cannot reach the share in any order
        return 0.0
    return SequenceMatcher(None, one.words, other.words, autojunk=False).ratio()


def _said(carried: Sequence[str]) -> str:
    return ", ".join(token.removeprefix(_TURN) for token in carried) or "nothing"
