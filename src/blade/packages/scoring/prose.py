"""Does a text read as sentences? Closed-class words (articles, prepositions, auxiliaries) have an order that a heap of words has not.

An article stands before its noun, a preposition before what it governs; neither is followed by an auxiliary, a conjunction or the end.
In English prose a few such words in a hundred are out of place; in shuffled words a third of them are, and in a list of terms there are
hardly any closed-class words at all. Only the order is judged, so the test is blind to what the text is about.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ARTICLES = _set("a an the its their his her our your every")
_PREPOSITIONS = _set("of from into with at by between during among within onto upon toward towards against")
_LOOSE = _set("to in on for about over under after before through without per than as")
_AUXILIARIES = _set("is are was were be been being has have had do does did can could will would should must may might")
_JOINING = _set("and or but nor because if whether while although though whereas")
_PRONOUNS = _set("it they them he she we i you this that these those which who there what none all both each some any")
_ADVERBS = _set("not never no so then only also too more most less")
_CLOSED = _ARTICLES | _PREPOSITIONS | _LOOSE | _AUXILIARIES | _JOINING | _PRONOUNS | _ADVERBS
_NOT_AFTER_ARTICLE = _ARTICLES | _PREPOSITIONS | _AUXILIARIES | _JOINING | _set("it they them he she we i you there to")
_NOT_AFTER_PREPOSITION = _AUXILIARIES | (_JOINING - {"whether"}) | _PREPOSITIONS | _set("they he she we i")
_STRANDED = _set("with at by within against")
"""Prepositions that a sentence may end with (`nothing to compare with`), or that are joined (`with and without`)."""
_NOUN = "noun"
_SET_APART = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"\n]*\"|\[c\d+\]")
_NUMBER = re.compile(r"[\w./:@-]*\d[\w./:@%-]*")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*|[.!?;:,()|]")
_MARK = re.compile(r"[.!?;,)|]")
FEWEST = 6
"""Words below which nothing is judged: a line of a list need not be a sentence."""
CLOSED = 0.12
"""The least share of closed-class words in a stretch of prose; English has about two fifths."""
PLAIN, HEAP = 0.05, 0.20
"""Shares of articles and prepositions out of place: up to the first a text reads, from the second on it is a heap of words."""


def words(text: str) -> list[str]:
    """The words of a text in small letters, with its marks; code, quotations, ids and numbers stand as a noun."""
    plain = _NUMBER.sub(f" {_NOUN} ", _SET_APART.sub(f" {_NOUN} ", text))
    return [word.lower() for word in _WORD.findall(plain)]


@dataclass(frozen=True)
class Order:
    """What the words of a text are, counted."""

    words: int
    closed: int
    leading: int
    """Articles and prepositions, which something must follow."""
    misplaced: int

    @property
    def judged(self) -> bool:
        return self.words >= FEWEST

    @property
    def reads(self) -> bool:
        """Whether it reads as language; what is too short to tell does."""
        return not self.judged or (self.closed >= CLOSED * self.words and self.misplaced <= 1 + PLAIN * self.leading)


def order(text: str) -> Order:
    tokens = [*words(text), "."]
    misplaced = leading = closed = 0
    for word, following in pairwise(tokens):
        ends = bool(_MARK.fullmatch(following))
        closed += word in _CLOSED
        leading += word in _ARTICLES or word in _PREPOSITIONS
        misplaced += word in _ARTICLES and (ends or following in _NOT_AFTER_ARTICLE)
        if word in _PREPOSITIONS:
            loose = word in _STRANDED and (ends or following in ("and", "or"))
            misplaced += not loose and (ends or following in _NOT_AFTER_PREPOSITION)
    plain = sum(word[0].isalpha() and word != _NOUN for word in tokens)
    return Order(plain, closed, leading, misplaced)


@dataclass(frozen=True)
class Readability:
    """How much of a text is sentences."""

    sentences: int
    reading: int
    share: float
    """From 0, a heap of words, to 1."""


def readability(stretches: Iterable[str]) -> Readability:
    """Of the running text of a report; 0 where nothing in it is a sentence."""
    orders = [found for stretch in stretches if (found := order(stretch)).judged]
    reading = sum(found.reads for found in orders)
    total, leading = sum(found.words for found in orders), sum(found.leading for found in orders)
    if not total:
        return Readability(0, 0, 0.0)
    in_language = sum(found.words for found in orders if found.closed >= CLOSED * found.words) / total
    misplaced = max(0, sum(found.misplaced for found in orders) - 1) / leading if leading else 1.0
    ordered = min(1.0, max(0.0, (HEAP - misplaced) / (HEAP - PLAIN)))
    return Readability(len(orders), reading, ordered * min(1.0, max(0.0, 2 * in_language - 0.6)))
