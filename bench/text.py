"""Made-up text to cut from: megabytes of it, already escaped as JSON, with the places where it may be cut.

Drawing words one by one for a gigabyte would take minutes. A quarry of text is built once, and a row takes its strings from it
by slicing between two word boundaries, which costs one copy and can never split an escape or a character.
The mix of escapes, quotes and non-ASCII letters follows what real rollout files hold (about 3 % backslashes), since both
decide how fast a JSON parser is.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import accumulate
from random import Random

import numpy as np

_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "il", "jo", "ka", "lem", "min", "nor", "ost", "pra", "quin", "rus", "sel")
_LOG_ENDS = (b" ",) * 20 + (b"/", b": ", b", ", b" = ", b"\\n", b"\\n", b"\\n  ", b"\\n    ", b"\\t", b'\\"', b'\\": \\"')
_PROSE_ENDS = (b" ",) * 22 + (b", ",) * 3 + (b". ",) * 2 + (b".\\n", b".\\n\\n", b' \\"', b'\\" ')
_ENDS_PER_WORD = 4
_ACCENTED_SHARE = 0.2
_ACCENTED = tuple(letter.encode() for letter in ("é", "ü", "ø", "ß", "–", "語", "Ω"))


@dataclass(frozen=True)
class Quarry:
    """Escaped text and the offsets of its word boundaries, one per word, at an even enough pace to find a cut by division."""

    text: bytes
    cuts: array[int]
    bytes_per_word: float

    def slice(self, size: int, rng: Random) -> bytes:
        """About `size` bytes from a random place; at most half the quarry."""
        words = min(int(size / self.bytes_per_word) + 1, len(self.cuts) // 2)
        first = int(rng.random() * (len(self.cuts) - words))
        return self.text[self.cuts[first] : self.cuts[first + words]]


def _vocabulary(rng: Random, words: int) -> list[bytes]:
    """Pronounceable nonsense with a few numbers and hexadecimal names among it."""
    made = []
    for _ in range(words):
        word = "".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))).encode()
        kind = rng.random()
        if kind < 0.08:
            word = str(rng.randrange(10 ** rng.randint(1, 6))).encode()
        elif kind < 0.12:
            word = b"%08x" % rng.getrandbits(32)
        made.append(word)
    return made


def _draw(tokens: list[bytes], size: int, rng: np.random.Generator) -> list[bytes]:
    """Tokens for about `size` bytes: few are common and most are rare, as in real text."""
    weights = 1.0 / (np.arange(len(tokens)) // _ENDS_PER_WORD + 8.0)
    mean = float(np.mean([len(token) for token in tokens]))
    draws = rng.choice(len(tokens), size=int(size / mean), p=weights / weights.sum())
    return [tokens[draw] for draw in draws.tolist()]


def quarry(seed: int, size: int, *, prose: bool) -> Quarry:
    """Build a quarry of about `size` bytes: running prose, or the look of logs, code and nested JSON that tools return.

    Letters outside ASCII stand in its last part only: in real files they gather in a quarter of the text, and a parser that
    meets one has to widen the whole string.
    """
    rng, chance = Random(f"{seed}:{prose}"), np.random.default_rng((seed, prose))
    ends = _PROSE_ENDS if prose else _LOG_ENDS
    tokens = [word + end for word in _vocabulary(rng, 12_000) for end in rng.sample(ends, _ENDS_PER_WORD)]
    accented = [rng.choice(_ACCENTED) + token if rng.random() < 0.05 else token for token in tokens]
    drawn = _draw(tokens, int(size * (1 - _ACCENTED_SHARE)), chance) + _draw(accented, int(size * _ACCENTED_SHARE), chance)
    cuts = array("Q", accumulate(map(len, drawn), initial=0))
    return Quarry(b"".join(drawn), cuts, cuts[-1] / len(drawn))
