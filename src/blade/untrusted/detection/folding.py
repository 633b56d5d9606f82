"""A text as a reader sees it, with the way back to where each character stands.

A secret can be written in many ways that mean the same: with escaped newlines and quotes because it was JSON inside JSON, with
entities because it was HTML, percent-encoded because it was in a URL, with invisible characters inside or letters of another
alphabet that look alike. Detectors read one plain view, and what they find there is brought back to the text itself.
"""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_ESCAPE: Final = r"""(?<!\\)\\++(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt"'/`])"""
_ENTITY: Final = r"&(?:quot|amp|lt|gt|apos|nbsp|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});"
_FOLDED: Final = re.compile(rf"{_ESCAPE}|{_ENTITY}|[^\x00-\x7f]")
_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_PERCENT_ENCODED: Final = re.compile(r"%(?:3[ADad]|2[026FBfb]|40)")
_INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff\xad"
# The character before a run of escaped letters, unless it belongs to an escape itself, and the one after it.
_ESCAPED_BEFORE: Final = re.compile(r"(?:(?<!\\)(?P<edge>[A-Za-z0-9_]))?(?P<run>(?:(?<!\\)\\{1,8}u[0-9a-fA-F]{4})*)\Z")
_ESCAPED_AFTER: Final = re.compile(r"(?P<run>(?:\\{1,8}u[0-9a-fA-F]{4}){0,40})(?P<edge>[A-Za-z0-9_])?")
ESCAPES_BACK: Final = 60
LONGEST_WORD: Final = 40
_BREAKS: Final = {"n": "\n", "r": "\n", "t": "\t"}
# Letters of other alphabets that cannot be told from a Latin one in most fonts.
_LOOKALIKES: Final = dict(
    zip(
        "АВЕЅІЈКМНОРСТХаеорсухіјѕԁһԛԝνοαρικτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧⅼɡƽ",
        "ABESIJKMHOPCTXaeopcyxijsdhqwvoapiktuxABEZHIKMNOPTYXlg5",
        strict=True,
    )
)


@dataclass(frozen=True)
class View:
    """A folded text: where each of its stretches begins `here`, and where it begins `there`, in the text itself."""

    text: str
    here: tuple[int, ...]
    there: tuple[int, ...]
    size: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the view stands in the text itself; what was dropped inside it belongs to it."""
        return self._first(start), self._last(end)

    def _first(self, place: int) -> int:
        piece = bisect_right(self.here, place) - 1
        return min(self.there[piece] + place - self.here[piece], self._limit(piece))

    def _last(self, place: int) -> int:
        piece = bisect_right(self.here, place - 1) - 1
        inside = self.there[piece] + place - self.here[piece]
        limit = self._limit(piece)
        # The last character of a replaced stretch stands for all of it.
        next_here = self.here[piece + 1] if piece + 1 < len(self.here) else len(self.text)
        return limit if place >= next_here and limit > inside and self._replaced(piece) else min(inside, limit)

    def _limit(self, piece: int) -> int:
        return self.there[piece + 1] if piece + 1 < len(self.there) else self.size

    def _replaced(self, piece: int) -> bool:
        next_here = self.here[piece + 1] if piece + 1 < len(self.here) else len(self.text)
        return next_here - self.here[piece] != self._limit(piece) - self.there[piece]


def readable(text: str) -> View | None:
    """The text with escapes, entities, look-alikes and invisible characters resolved; None where it is plain already."""
    return _folded(text, _FOLDED, _plain) if "\\" in text or "&" in text or not text.isascii() else None


def percent_decoded(text: str) -> View | None:
    """The text with percent-encoding resolved; None where nothing that matters is encoded."""
    if "%" not in text or not _PERCENT_ENCODED.search(text):
        return None
    return _folded(text, _PERCENT, lambda found: _ascii(int(found[0][1:], 16)))


def _folded(text: str, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> View | None:
    pieces: list[str] = []
    here: list[int] = []
    there: list[int] = []
    done = length = 0
    for found in pattern.finditer(text):
        plain = replace(found)
        if plain == found[0]:
            continue
        for piece, place in ((text[done : found.start()], done), (plain, found.start())):
            if piece:
                here.append(length)
                there.append(place)
                pieces.append(piece)
                length += len(piece)
        done = found.end()
    if not done:
        return None
    if done < len(text):
        here.append(length)
        there.append(done)
        pieces.append(text[done:])
    return View("".join(pieces), tuple(here), tuple(there), len(text)) if pieces else None


def _plain(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "\\":
        escape = found.lstrip("\\")
        if escape[0] in "ux" and len(escape) > 1:
            one = chr(int(escape[1:], 16))
            return one if one in _LOOKALIKES and not _escaped_in_latin_word(match) else _character(one)
        return _BREAKS.get(escape, escape)
    if found[0] == "&":
        return html.unescape(found).replace("\xa0", " ")
    if found in _LOOKALIKES and not _in_latin_word(match.string, match.start()):
        return found
    return _character(found)


def _in_latin_word(text: str, place: int) -> bool:
    """Whether the letters around are Latin, or could all be taken for it: words of other languages stay what they are."""
    word = text[max(place - LONGEST_WORD, 0) : place + LONGEST_WORD]
    here = min(place, LONGEST_WORD)
    for step in (-1, 1):
        at = here + step
        while 0 <= at < len(word) and (word[at].isalpha() or word[at] in _INVISIBLE):
            if word[at].isascii():
                return True
            at += step
        if 0 <= at < len(word) and (word[at].isascii() and (word[at].isdigit() or word[at] == "_")):
            return True
    return False


def _escaped_in_latin_word(match: re.Match[str]) -> bool:
    """The same for a letter that is written as an escape, among others that may be."""
    text, start, end = match.string, match.start(), match.end()
    before, after = _ESCAPED_BEFORE.search(text, max(start - ESCAPES_BACK, 0), start), _ESCAPED_AFTER.match(text, end)
    runs = (before["run"] if before else "") + (after["run"] if after else "")
    if any(chr(int(code, 16)).isalpha() and int(code, 16) < 128 for code in re.findall("u([0-9a-fA-F]{4})", runs)):
        return True
    edges = ((before["edge"] or "") if before else "") + ((after["edge"] or "") if after else "")
    return any(edge.isalnum() or edge == "_" for edge in edges)


def _character(one: str) -> str:
    """What a character reads as: nothing where it is invisible, its Latin twin where it has one."""
    if one.isascii():
        return one
    if one in _LOOKALIKES:
        return _LOOKALIKES[one]
    kind = unicodedata.category(one)
    if kind in ("Cf", "Mn", "Me") or one in "\u115f\u1160\u3164\uffa0":
        return ""
    if kind == "Zs":
        return " "
    wide = unicodedata.normalize("NFKC", one)
    return wide if wide.isascii() and len(wide) == 1 else one


def _ascii(code: int) -> str:
    return chr(code) if 32 <= code < 127 or code == 10 else "?"
