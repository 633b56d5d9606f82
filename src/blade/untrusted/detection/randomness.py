"""Whether a token was drawn by a machine or written by a person.

Entropy of the characters alone cannot tell `configuration_manager` from a key of that length. Two things can, together: random letters
form the common pairs of written language rarely (about one pair in five, words more than every second one), and random tokens change
between letters, capitals and digits all the time. Tokens of hexadecimal digits have no words; they are judged by their length and spread.

Random is not yet secret: hashes, UUIDs and ids of calls are random too. What makes a secret is the place (`assigned`) or the format (`formats`).
"""

import math
import re
from collections import Counter
from typing import Final

from blade.untrusted.detection.wordlists import words

# The commonest pairs of letters in English text (Norvig 2013, in order of frequency), and some of code and of other European languages.
COMMON_PAIRS: Final = words(
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur "
    "ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh "
    "ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui fr oo ag ey pi do gr ck ov if ok og ub ap rd sp cl ep ob um up "
    "ue gi cr ga av br rm ft bo rn ef bu lt"
)
UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX: Final = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
_RUNS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CLASSES: Final = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_DATE: Final = re.compile(r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d")

COMMON: Final = 0.65
"""Share of common pairs from which on a run of letters is something like a word: four in five of English words have it."""
SHORTEST_WORD: Final = 4
WORDY: Final = 0.5
"""Share of letters in words from which on a token reads as written; of random ones of 28 characters fewer than one in a hundred reach it."""


def entropy(token: str) -> float:
    """Bits a character, by the characters' own frequencies (Shannon 1948)."""
    size = len(token)
    return -sum(count / size * math.log2(count / size) for count in Counter(token).values()) if size else 0.0


def wordiness(token: str) -> float | None:
    """The share of the letters that stand in something like a word; None where there are too few letters to say."""
    letters = written = 0
    for run in _RUNS.findall(token):
        letters += len(run)
        pairs = [run[at : at + 2].lower() in COMMON_PAIRS for at in range(len(run) - 1)]
        if len(run) >= SHORTEST_WORD and sum(pairs) >= COMMON * len(pairs):
            written += len(run)
    return written / letters if letters >= 4 else None


def is_hex(token: str) -> bool:
    return bool(_HEX.fullmatch(token))


def is_random(token: str, least: int = 16) -> bool:
    """Whether a token of at least so many characters looks drawn rather than written."""
    if len(token) < least or _DATE.search(token):
        return False
    letters = sum(character.isalpha() for character in token)
    digits = sum(character.isdigit() for character in token)
    if is_hex(token):
        return len(token) >= least and digits >= 2 and letters >= 2 and entropy(token) >= 2.6
    if not letters or entropy(token) < 3.0:
        return False
    wordy = wordiness(token)
    changes = len(_CLASSES.findall(token)) - 1
    if not digits:
        # Only letters: both cases, mixed throughout, and hardly a common pair.
        return wordy is not None and wordy < 0.4 and changes >= len(token) / 4 and entropy(token) >= 3.5
    if wordy is not None and wordy >= WORDY:
        return False
    return changes >= max(3, len(token) / 10)
