"""Secrets that were found once, looked for again: beside its name a password is known as one, in the next call it is only a word.

What is found in a row is replaced in all of that row, and in the rows after it; a bounded number of the latest is remembered.
"""

import re
from collections import OrderedDict
from typing import Final

from blade.untrusted.detection import Sensitive
from blade.untrusted.detection.folding import readable
from blade.untrusted.detection.randomness import is_random

MOST: Final = 256
SHORTEST: Final = 7
LONGEST: Final = 4_096


class Echoes:
    def __init__(self) -> None:
        self.fresh = False
        """Whether something was learnt since this was last asked for a row."""
        self._known: OrderedDict[str, str] = OrderedDict()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, kind: str, secret: str) -> bool:
        """Remember a secret that could be nothing else: words and numbers are too common to be looked for everywhere."""
        view = readable(secret)
        plain = (view.text if view else secret).strip()
        if plain in self._known:
            self._known.move_to_end(plain)
            return False
        if not SHORTEST <= len(plain) <= LONGEST or not (is_random(plain, 12) or _unusual(plain)):
            return False
        self._known[plain] = kind
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        self._pattern, self.fresh = None, True
        return True

    def find(self, text: str) -> list[Sensitive]:
        if not self._known or len(text) < SHORTEST:
            return []
        if self._pattern is None:
            listed = sorted(self._known, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, listed)))
        return [Sensitive(self._known[found[0]], *found.span()) for found in self._pattern.finditer(text)]


def _unusual(secret: str) -> bool:
    """Letters with digits and signs: nobody writes that by chance."""
    return (
        any(c.isalpha() for c in secret)
        and any(c.isdigit() for c in secret)
        and any(not c.isalnum() and c not in "_-. " for c in secret)
    )
